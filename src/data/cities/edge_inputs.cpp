#include "data/cities/edge_inputs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "polystep/error.hpp"

namespace polystep {
namespace {

// Lengths, areas and populations below are multiples of the city's means.
constexpr std::array<std::string_view, 18> kUnitEdgeTerms = {
    "length",    "length_root",    "length_square",  "depot_mean",      "depot_least", "depot_most",
    "depot_gap", "saving",         "saving_root",    "detour",          "demand_sum",  "demand_gap",
    "width_sum", "population_sum", "population_gap", "length_by_width", "degree",      "perimeter"};
constexpr std::array<std::string_view, 12> kDepotEdgeTerms = {
    "depot",  "depot_root", "depot_square",   "demand",      "width",   "population",
    "degree", "perimeter",  "beyond_nearest", "beyond_mean", "nearest", "depot_by_width"};

// Of sized features; a district is as wide as the root of its number of units, in mean lengths of edges.
constexpr std::array<std::string_view, 4> kSizedUnitTerms = {"width_share", "depot_by_district",
                                                             "length_by_district", "slant"};
constexpr std::array<std::string_view, 3> kSizedDepotTerms = {"width_share", "depot_by_district",
                                                              "beyond_by_district"};

double mean_or_one(double sum, std::size_t count) {
  const double mean = count > 0 ? sum / static_cast<double>(count) : 0;
  return mean > 0 ? mean : 1;
}

// A city's own yardsticks, means or medians.
struct CityYardsticks {
  double length = 1;  // between centres of touching units, km
  double area = 1, population = 1, density = 1, perimeter = 1;
};

// Visits every edge in order: between units, then the depot's of that row. published: [edges × 7], km.
template <class BetweenUnits, class ToDepot>
void visit_edges(const City& city, const BetweenUnits& between, const ToDepot& depot) {
  std::size_t edge = 0;
  auto pair = city.adjacent.begin();
  for (std::uint32_t unit = 0; unit < city.units.size(); ++unit) {
    for (; pair != city.adjacent.end() && pair->first == unit; ++pair) between(edge++, unit, pair->second);
    depot(edge++, unit);
  }
}

CityYardsticks city_means(const City& city, const std::vector<double>& published) {
  CityYardsticks sums{0, 0, 0, 0, 0};
  for (const CityUnit& unit : city.units) {
    sums.area += unit.area;
    sums.population += unit.population;
    sums.density += unit.density;
    sums.perimeter += unit.perimeter;
  }
  visit_edges(
      city,
      [&](std::size_t edge, std::uint32_t, std::uint32_t) {
        sums.length += published[edge * kEdgeFeatures + kCentreDistance];
      },
      [](std::size_t, std::uint32_t) {});
  const std::size_t units = city.units.size();
  return {mean_or_one(sums.length, city.adjacent.size()), mean_or_one(sums.area, units),
          mean_or_one(sums.population, units), mean_or_one(sums.density, units),
          mean_or_one(sums.perimeter, units)};
}

double median_or_one(std::vector<double> numbers) {
  if (numbers.empty()) return 1;
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::ranges::nth_element(numbers, middle);
  return *middle > 0 ? *middle : 1;
}

// Of units and of edges between them. A few wide and empty units at the edge of a city move its means and not
// these.
CityYardsticks city_medians(const City& city, const std::vector<double>& published) {
  std::vector<double> length, area, population, density, perimeter;
  for (const CityUnit& unit : city.units) {
    area.push_back(unit.area);
    population.push_back(unit.population);
    density.push_back(unit.density);
    perimeter.push_back(unit.perimeter);
  }
  visit_edges(
      city,
      [&](std::size_t edge, std::uint32_t, std::uint32_t) {
        length.push_back(published[edge * kEdgeFeatures + kCentreDistance]);
      },
      [](std::size_t, std::uint32_t) {});
  return {median_or_one(std::move(length)), median_or_one(std::move(area)),
          median_or_one(std::move(population)), median_or_one(std::move(density)),
          median_or_one(std::move(perimeter))};
}

std::vector<double> relative(const City& city) {
  std::vector<double> features = edge_features(city, DistanceUnit::kKilometres);
  const CityYardsticks medians = city_medians(city, features);
  const std::array<double, kEdgeFeatures> yardstick = {medians.density, medians.population, 1,
                                                       medians.length,  medians.area,       medians.perimeter,
                                                       medians.length};
  for (std::size_t i = 0; i < features.size(); ++i) features[i] /= yardstick[i % kEdgeFeatures];
  return features;
}

class GeometricTerms {
 public:
  explicit GeometricTerms(const City& city, const std::vector<double>& kilometres)
      : city_(city), kilometres_(kilometres), means_(city_means(city, kilometres)) {
    const std::size_t units = city.units.size();
    depot_.resize(units);
    degree_.assign(units, 0.0);
    nearest_.assign(units, std::numeric_limits<double>::infinity());
    beside_.assign(units, 0.0);
    visit_edges(
        city, [](std::size_t, std::uint32_t, std::uint32_t) {},
        [&](std::size_t edge, std::uint32_t unit) { depot_[unit] = length(edge); });
    for (const auto& [a, b] : city.adjacent) {
      for (const auto& [own, other] : {std::pair{a, b}, std::pair{b, a}}) {
        degree_[own] += 1;
        nearest_[own] = std::min(nearest_[own], depot_[other]);
        beside_[own] += depot_[other];
      }
    }
    double degrees = 0;
    for (std::size_t unit = 0; unit < units; ++unit) {
      if (degree_[unit] == 0)
        nearest_[unit] = depot_[unit], beside_[unit] = depot_[unit];
      else
        beside_[unit] /= degree_[unit];
      degrees += degree_[unit];
    }
    mean_degree_ = mean_or_one(degrees, units);
  }

  std::array<double, kUnitEdgeTerms.size()> between(std::size_t edge, std::uint32_t a,
                                                    std::uint32_t b) const {
    const double d = length(edge), u = depot_[a], v = depot_[b];
    const double saving = std::max(0.0, u + v - d), gap = std::abs(u - v);
    const double width = width_of(a) + width_of(b);
    return {d,
            std::sqrt(d),
            d * d,
            0.5 * (u + v),
            std::min(u, v),
            std::max(u, v),
            gap,
            saving,
            std::sqrt(saving),
            d - gap,
            demand_of(a) + demand_of(b),
            std::abs(demand_of(a) - demand_of(b)),
            width,
            people_of(a) + people_of(b),
            std::abs(people_of(a) - people_of(b)),
            width > 0 ? 2 * d / width : 0,
            (degree_[a] + degree_[b]) / mean_degree_,
            (city_.units[a].perimeter + city_.units[b].perimeter) / means_.perimeter};
  }

  std::array<double, kDepotEdgeTerms.size()> to_depot(std::uint32_t a) const {
    const double u = depot_[a], width = width_of(a);
    return {u,
            std::sqrt(u),
            u * u,
            demand_of(a),
            width,
            people_of(a),
            degree_[a] / mean_degree_,
            city_.units[a].perimeter / means_.perimeter,
            u - nearest_[a],
            u - beside_[a],
            nearest_[a],
            width > 0 ? u / width : 0};
  }

 private:
  double length(std::size_t edge) const {
    return kilometres_[edge * kEdgeFeatures + kCentreDistance] / means_.length;
  }
  double width_of(std::uint32_t unit) const { return std::sqrt(city_.units[unit].area / means_.area); }
  double people_of(std::uint32_t unit) const { return city_.units[unit].population / means_.population; }
  // What the Beardwood formula has of a unit: the root of area times inhabitants.
  double demand_of(std::uint32_t unit) const { return width_of(unit) * std::sqrt(people_of(unit)); }

  const City& city_;
  const std::vector<double>& kilometres_;  // the published features, [edges × 7]
  CityYardsticks means_;
  std::vector<double> depot_;    // [units], distance
  std::vector<double> nearest_;  // [units], of the neighbours the one next to the depot
  std::vector<double> beside_;   // [units], mean distance of the neighbours from the depot
  std::vector<double> degree_;   // [units]
  double mean_degree_ = 1;
};

// first: the seven that come first, [edges × 7]. target: 0 without the terms of sized features.
std::vector<double> geometric(const City& city, const std::vector<double>& first, std::size_t target) {
  const std::vector<double> kilometres = edge_features(city, DistanceUnit::kKilometres);
  const GeometricTerms terms(city, kilometres);
  std::vector<double> features;
  features.reserve(first.size() / kEdgeFeatures *
                   (kEdgeFeatures + 1 + kUnitEdgeTerms.size() + kDepotEdgeTerms.size() +
                    kSizedUnitTerms.size() + kSizedDepotTerms.size()));
  const double width = std::sqrt(static_cast<double>(target));
  const auto add = [&](std::size_t edge, double is_depot, const auto& unit_terms, const auto& depot_terms) {
    const double* own = &first[edge * kEdgeFeatures];
    features.insert(features.end(), own, own + kEdgeFeatures);
    features.push_back(is_depot);
    features.insert(features.end(), unit_terms.begin(), unit_terms.end());
    features.insert(features.end(), depot_terms.begin(), depot_terms.end());
  };
  visit_edges(
      city,
      [&](std::size_t edge, std::uint32_t a, std::uint32_t b) {
        const auto own = terms.between(edge, a, b);
        add(edge, 0, own, std::array<double, kDepotEdgeTerms.size()>{});
        if (target > 0) {
          const double length = own[0], depot = own[3], gap = own[6];
          features.insert(features.end(), {1 / width, depot / width, length / width,
                                           length > 0 ? 1 - gap / length : 0, 0, 0, 0});
        }
      },
      [&](std::size_t edge, std::uint32_t a) {
        const auto own = terms.to_depot(a);
        add(edge, 1, std::array<double, kUnitEdgeTerms.size()>{}, own);
        if (target > 0)
          features.insert(features.end(), {0, 0, 0, 0, 1 / width, own[0] / width, own[8] / width});
      });
  return features;
}

}  // namespace

EdgeFeatureSet edge_feature_set(const std::string& name) {
  if (name == "relative") return EdgeFeatureSet::kRelative;
  if (name == "geometric") return EdgeFeatureSet::kGeometric;
  if (name == "sized") return EdgeFeatureSet::kSized;
  if (name != "published")
    throw InputError(
        fmt::format("edge features: found '{}', expected published, relative, geometric or sized", name));
  return EdgeFeatureSet::kPublished;
}

std::vector<std::string> edge_input_names(const EdgeInputs& inputs) {
  std::vector<std::string> names(kEdgeFeatureNames.begin(), kEdgeFeatureNames.end());
  if (inputs.set != EdgeFeatureSet::kGeometric && inputs.set != EdgeFeatureSet::kSized) return names;
  names.emplace_back("is_depot_edge");
  for (const std::string_view term : kUnitEdgeTerms) names.push_back(fmt::format("unit_{}", term));
  for (const std::string_view term : kDepotEdgeTerms) names.push_back(fmt::format("depot_{}", term));
  if (inputs.set != EdgeFeatureSet::kSized) return names;
  for (const std::string_view term : kSizedUnitTerms) names.push_back(fmt::format("unit_{}", term));
  for (const std::string_view term : kSizedDepotTerms) names.push_back(fmt::format("depot_{}", term));
  return names;
}

std::vector<double> edge_inputs(const City& city, const EdgeInputs& inputs, std::size_t target) {
  if (inputs.set == EdgeFeatureSet::kRelative) return relative(city);
  if (inputs.set == EdgeFeatureSet::kSized) return geometric(city, relative(city), target);
  if (inputs.set == EdgeFeatureSet::kGeometric)
    return geometric(city, edge_features(city, inputs.distances), 0);
  return edge_features(city, inputs.distances);
}

EdgeInputScale scale_edge_inputs(const EdgeInputs& inputs, const std::vector<std::vector<double>>& cities,
                                 std::size_t training) {
  const std::size_t columns = edge_input_count(inputs);
  std::vector<double> mean(columns), squares(columns);
  std::size_t edges = 0;
  for (std::size_t city = 0; city < training; ++city) {
    edges += cities[city].size() / columns;
    for (std::size_t k = 0; k < cities[city].size(); ++k) mean[k % columns] += cities[city][k];
  }
  if (edges < 2) throw InputError(fmt::format("edge features: found {} edges, expected at least 2", edges));
  for (double& sum : mean) sum /= static_cast<double>(edges);
  for (std::size_t city = 0; city < training; ++city)
    for (std::size_t k = 0; k < cities[city].size(); ++k) {
      const double off = cities[city][k] - mean[k % columns];
      squares[k % columns] += off * off;
    }
  for (double& sum : squares) {
    sum = std::sqrt(sum / static_cast<double>(edges - 1));
    if (!(sum > 0)) sum = 1;
  }
  if (inputs.set != EdgeFeatureSet::kGeometric && inputs.set != EdgeFeatureSet::kSized)
    mean.assign(columns, 0.0);
  return {std::move(mean), std::move(squares)};
}

}  // namespace polystep
