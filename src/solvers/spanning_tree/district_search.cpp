#include "solvers/spanning_tree/district_search.hpp"

#include <fmt/core.h>

#include <cmath>
#include <tuple>
#include <utility>

#include "polystep/error.hpp"
#include "polystep/random.hpp"
#include "solvers/spanning_tree/district_chain.hpp"
#include "solvers/spanning_tree/district_start.hpp"

namespace polystep::solvers {
namespace {

constexpr std::size_t kStarts = 30;  // with random weights, where sizes could not be repaired

Districting start_for(const DistrictGraph& graph, std::span<const double> weights, std::uint64_t seed) {
  Districting start = start_districts(graph, weights);
  for (std::size_t attempt = 0; attempt < kStarts && start.violation() > 0; ++attempt) {
    Districting other = start_districts(graph, random_start_weights(graph, seed + attempt));
    if (other.violation() < start.violation()) start = std::move(other);
  }
  return start;
}

}  // namespace

void check_start_weights(const DistrictGraph& graph, std::span<const double> start_weights) {
  if (start_weights.size() != graph.edges()) {
    throw InputError(fmt::format("district search: found {} start weights, expected {}, one per edge",
                                 start_weights.size(), graph.edges()));
  }
  for (const double weight : start_weights) {
    if (!std::isfinite(weight)) {
      throw InputError(
          fmt::format("district search: found start weight {}, expected a finite number", weight));
    }
  }
}

std::vector<double> random_start_weights(const DistrictGraph& graph, std::uint64_t seed) {
  RandomStream random(seed, Purpose::kDistrictSearch, 3);
  std::vector<double> weights(graph.edges());
  for (double& weight : weights) weight = random.uniform();
  return weights;
}

DistrictSearchResult search_districts(const DistrictGraph& graph, const DistrictValue& value,
                                      std::span<const double> start_weights,
                                      const DistrictSearchOptions& options) {
  check_start_weights(graph, start_weights);
  if (options.chains == 0 || !(options.move_probability >= 0 && options.move_probability <= 1)) {
    throw InputError(fmt::format(
        "district search: found {} chains and move probability {}, expected at least one chain and 0 to 1",
        options.chains, options.move_probability));
  }
  const Districting start = start_for(graph, start_weights, options.seed);
  std::vector<DistrictSearchResult> results(options.chains);
  for_each_slot(options.parallel, options.chains, [&](std::size_t chain) {
    results[chain] = DistrictChain(graph, value.clone(), start, options, chain).run();
  });
  std::size_t best = 0;
  const auto rank = [&](std::size_t chain) {
    return std::tuple(!results[chain].feasible, results[chain].value);
  };
  for (std::size_t chain = 1; chain < options.chains; ++chain) {
    if (rank(chain) < rank(best)) best = chain;
  }
  DistrictSearchResult found = results[best];
  found.moves = found.values = 0;
  for (const DistrictSearchResult& result : results) {
    found.moves += result.moves;
    found.values += result.values;
    found.stopped = found.stopped || result.stopped;
  }
  return found;
}

}  // namespace polystep::solvers
