// Districts of large graphs by iterated local search, for any value of a district.
//
// From a start by light edges (district_start.hpp) the search moves single units across borders and swaps
// units of touching districts, always the best improving move of a pair of districts, until no pair has one.
// Then many small random moves are made whatever they cost, and it improves again; the newest local optimum
// is always where it goes on from, and the best one is remembered.
//
//   TreeDistrictValue value(graph, weights);
//   const DistrictSearchResult found = search_districts(graph, value, weights, {.iterations = 200, .seed =
//   1});
//
// The budget is a number of iterations, so that results repeat on any machine. Pairs whose districts have
// not changed since they were last looked at are passed over, and values of sets are remembered; neither
// changes a result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "polystep/parallel_for.hpp"
#include "solvers/spanning_tree/district_graph.hpp"
#include "solvers/spanning_tree/district_value.hpp"

namespace polystep::solvers {

struct DistrictSearchOptions {
  std::size_t iterations = 200;  // random moves and improvement, after the first local optimum
  std::uint64_t seed = 0;
  std::size_t chains = 1;             // independent searches, the best of which counts
  double move_probability = 0.015;    // of every legal move while moving at random
  double penalty = 10000;             // per unit that a district has too many or too few
  std::size_t remembered = 1u << 17;  // values of sets, per chain; 24 bytes each
  std::function<bool()> stop = {};  // asked often, possibly from several threads; true ends the search early
  std::function<void()> iterated = {};  // called after every iteration of any chain, likewise
  ParallelFor parallel = {};            // threads for chains
};

struct DistrictSearchResult {
  std::vector<std::uint32_t> district_of{};  // [units]
  double value = 0;                          // sum of the districts' values
  bool feasible = false;                     // sizes keep to the limits; districts are connected in any case
  double start_value = 0;                    // of the start of the same chain
  double first_optimum = 0;                  // value of its first local optimum
  std::size_t chain = 0;                     // the one it came from
  std::size_t iterations = 0;                // done by that chain
  std::uint64_t moves = 0;                   // looked at by all chains
  std::uint64_t values = 0;                  // computed by all chains, not remembered
  bool stopped = false;                      // by the caller
};

// start_weights: [edges], light edges hold units together at the start. Where sizes cannot be repaired from
// there, random weights are tried. Throws InputError where numbers do not fit or are not finite.
DistrictSearchResult search_districts(const DistrictGraph& graph, const DistrictValue& value,
                                      std::span<const double> start_weights,
                                      const DistrictSearchOptions& options = {});

// Uniform weights for values that have none of their own.
std::vector<double> random_start_weights(const DistrictGraph& graph, std::uint64_t seed);

// Throws InputError where there are not as many as edges, or some are not finite.
void check_start_weights(const DistrictGraph& graph, std::span<const double> start_weights);

}  // namespace polystep::solvers
