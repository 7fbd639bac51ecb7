#include "data/benchmarks/shortest_path_data.hpp"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "base/files.hpp"
#include "data/data_directory.hpp"
#include "polystep/error.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

constexpr std::size_t kFeatures = kShortestPathFeatures;
constexpr std::size_t kLargestGrid = 200;
constexpr std::array<std::size_t, 3> kSplitRows = {1000, 250, 10000};  // training, validation, test

// What the costs of one split are made from.
struct SplitDraws {
  std::vector<double> features;  // z  [rows × 5]
  std::vector<double> noise;     // xi [rows × edges]
};

struct Draws {
  std::vector<double> mixing;  // B [edges × 5]
  std::array<SplitDraws, 3> splits;
};

// Repeated multiplication: std::pow may round differently from one C library to the next.
double power(double base, int degree) {
  double product = base;
  for (int factor = 1; factor < degree; ++factor) product *= base;
  return product;
}

Split split_from(const std::vector<double>& mixing, SplitDraws draws, std::size_t edges, int degree) {
  Split split;
  split.rows = draws.features.size() / kFeatures;
  split.feature_columns = kFeatures;
  split.truth_columns = edges;
  split.features = std::move(draws.features);
  split.truth.resize(split.rows * edges);
  for (std::size_t row = 0; row < split.rows; ++row) {
    shortest_path_costs(mixing, split.feature_row(row), std::span(draws.noise).subspan(row * edges, edges),
                        degree, std::span(split.truth).subspan(row * edges, edges));
  }
  return split;
}

Dataset dataset_from(Draws draws, std::size_t edges, int degree) {
  Dataset data;
  data.training = split_from(draws.mixing, std::move(draws.splits[0]), edges, degree);
  data.validation = split_from(draws.mixing, std::move(draws.splits[1]), edges, degree);
  data.test = split_from(draws.mixing, std::move(draws.splits[2]), edges, degree);
  for (std::size_t k = 1; k <= kFeatures; ++k) data.feature_names.push_back(fmt::format("z{}", k));
  return data;
}

void check_degree(int degree) {
  if (degree < 1 || degree > kLargestDegree) {
    throw InputError(
        fmt::format("shortest-path data: found degree {}, expected 1 to {}", degree, kLargestDegree));
  }
}

// The published file: little-endian doubles, no header; B, then z and xi of each split.
std::vector<double> read_published_doubles(const std::string& path) {
  static constexpr std::size_t kCount = 506450;
  const std::string bytes = read_file(path);
  if (bytes.size() != kCount * sizeof(double)) {
    throw InputError(fmt::format("{}: found {} bytes, expected {} ({} doubles)", path, bytes.size(),
                                 kCount * sizeof(double), kCount));
  }
  std::vector<double> values(kCount);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  for (std::size_t k = 0; k < kCount; ++k) {
    if (!std::isfinite(values[k])) {
      throw InputError(
          fmt::format("{}: found {} as double number {}, expected a finite value", path, values[k], k));
    }
  }
  return values;
}

Draws read_published_draws(const std::string& path) {
  const std::vector<double> values = read_published_doubles(path);
  const double* next = values.data();
  const auto take = [&next](std::size_t count) {
    const double* first = std::exchange(next, next + count);
    return std::vector<double>(first, next);
  };
  constexpr std::size_t kEdges = grid_edges(kPublishedGrid);
  Draws draws;
  draws.mixing = take(kEdges * kFeatures);
  for (std::size_t s = 0; s < 3; ++s) {
    draws.splits[s].features = take(kSplitRows[s] * kFeatures);
    draws.splits[s].noise = take(kSplitRows[s] * kEdges);
  }
  return draws;
}

Draws generate_draws(std::size_t edges, double noise, std::uint64_t data_seed) {
  Draws draws;
  draws.mixing.resize(edges * kFeatures);
  RandomStream coin(data_seed, Purpose::kDataMatrix);
  for (double& entry : draws.mixing) entry = coin.uniform() < 0.5 ? 1.0 : 0.0;
  for (std::size_t s = 0; s < 3; ++s) {
    const std::size_t rows = kSplitRows[s];
    draws.splits[s].features.resize(rows * kFeatures);
    draws.splits[s].noise.resize(rows * edges);
    for (std::size_t row = 0; row < rows; ++row) {
      RandomStream feature_stream(data_seed, Purpose::kDataFeatures, s, row);
      feature_stream.fill_normal(std::span(draws.splits[s].features).subspan(row * kFeatures, kFeatures));
      RandomStream noise_stream(data_seed, Purpose::kDataNoise, s, row);
      for (double& xi : std::span(draws.splits[s].noise).subspan(row * edges, edges)) {
        xi = 1.0 + noise * (2.0 * noise_stream.uniform() - 1.0);
      }
    }
  }
  return draws;
}

}  // namespace

void shortest_path_costs(std::span<const double> mixing, std::span<const double> features,
                         std::span<const double> noise, int degree, std::span<double> costs) {
  const double root = std::sqrt(static_cast<double>(kFeatures));
  for (std::size_t edge = 0; edge < costs.size(); ++edge) {
    double mixed = 0;
    for (std::size_t k = 0; k < kFeatures; ++k) mixed += mixing[edge * kFeatures + k] * features[k];
    costs[edge] = (power(mixed / root + 3.0, degree) + 1.0) * noise[edge];
  }
}

Dataset published_shortest_path(const std::string& data_directory, int degree) {
  check_degree(degree);
  return dataset_from(read_published_draws(classical_file(data_directory, "shortest_path/sp_base_f64.bin")),
                      grid_edges(kPublishedGrid), degree);
}

Dataset generated_shortest_path(std::size_t grid, int degree, double noise, std::uint64_t data_seed) {
  check_degree(degree);
  if (grid < 2 || grid > kLargestGrid) {
    throw InputError(fmt::format("shortest-path data: found {} nodes per grid side, expected 2 to {}", grid,
                                 kLargestGrid));
  }
  if (!(noise >= 0.0 && noise <= 1.0)) {
    throw InputError(fmt::format("shortest-path data: found noise {}, expected 0 to 1", noise));
  }
  const std::size_t edges = grid_edges(grid);
  return dataset_from(generate_draws(edges, noise, data_seed), edges, degree);
}

}  // namespace polystep
