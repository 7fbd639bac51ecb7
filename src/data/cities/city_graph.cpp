#include "data/cities/city_graph.hpp"

#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr double kKilometresPerLatitude = 111.25;
constexpr double kKilometresPerLongitude = 111.32;  // on the equator
constexpr double kMillidegrees = 1000;

using VertexFeatures = std::array<double, kEdgeFeatures - 1>;

// cosine: of the city's latitude, see edge_features.
double distance(Point a, Point b, DistanceUnit unit, double cosine) {
  const double dx = a.x - b.x, dy = a.y - b.y;
  if (unit == DistanceUnit::kMillidegrees) return kMillidegrees * std::sqrt(dx * dx + dy * dy);
  return std::hypot(kKilometresPerLongitude * cosine * dx, kKilometresPerLatitude * dy);
}

}  // namespace

solvers::DistrictGraph city_graph(const City& city, std::size_t target) {
  try {
    return {city.units.size(), city.adjacent, solvers::DistrictSizes::for_target(city.units.size(), target)};
  } catch (const InputError& error) {
    throw InputError(fmt::format("city '{}': {}", city.name, error.what()));
  }
}

std::vector<double> edge_features(const City& city, DistanceUnit unit) {
  const Point depot = city.depot_degrees();
  const double cosine = std::cos(depot.y * std::numbers::pi / 180);
  std::vector<VertexFeatures> vertex;  // [units + 1]
  std::vector<Point> centre;
  for (const CityUnit& own : city.units) {
    vertex.push_back({own.density, own.population,
                      4 * std::numbers::pi * own.area / (own.perimeter * own.perimeter),
                      distance(own.centre_degrees, depot, unit, cosine), own.area, own.perimeter});
    centre.push_back(own.centre_degrees);
  }
  vertex.push_back({});
  centre.push_back(depot);

  std::vector<double> features;
  features.reserve((city.adjacent.size() + city.units.size()) * kEdgeFeatures);
  const auto add_edge = [&](std::size_t u, std::size_t v) {
    for (std::size_t k = 0; k + 1 < kEdgeFeatures; ++k)
      features.push_back(0.5 * (vertex[u][k] + vertex[v][k]));
    features.push_back(distance(centre[u], centre[v], unit, cosine));
  };
  auto pair = city.adjacent.begin();
  for (std::size_t u = 0; u < city.units.size(); ++u) {
    for (; pair != city.adjacent.end() && pair->first == u; ++pair) add_edge(u, pair->second);
    add_edge(u, city.units.size());
  }
  return features;
}

std::array<double, kEdgeFeatures> feature_deviations(std::span<const std::vector<double>> features) {
  std::array<double, kEdgeFeatures> mean{}, squares{};
  std::size_t edges = 0;
  for (const auto& city : features) {
    edges += city.size() / kEdgeFeatures;
    for (std::size_t k = 0; k < city.size(); ++k) mean[k % kEdgeFeatures] += city[k];
  }
  if (edges < 2) throw InputError(fmt::format("edge features: found {} edges, expected at least 2", edges));
  for (double& sum : mean) sum /= static_cast<double>(edges);
  for (const auto& city : features) {
    for (std::size_t k = 0; k < city.size(); ++k) {
      const double off = city[k] - mean[k % kEdgeFeatures];
      squares[k % kEdgeFeatures] += off * off;
    }
  }
  for (double& sum : squares) sum = std::sqrt(sum / static_cast<double>(edges - 1));
  return squares;
}

}  // namespace polystep
