// The district search of the published benchmark, rule by rule, with its limit of time.
//
// It differs from search_districts in what it tries and what it remembers. Every pass looks at every pair of
// touching districts again and takes the best improving move of each. A move is tried on a copy of the whole
// solution: both districts are valued, and valued again when the move is taken back. The best districts start
// as the first ones, the first local optimum is not compared with them, and when the time is over the search
// ends in the middle of a pass.
//
// How far it came was a matter of seconds. Here they are counted and not measured: so many for a copy, so
// many for a value, which makes a result repeatable on any machine. Values of sets are remembered all the
// same, but asking for one again costs the time it cost them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "solvers/spanning_tree/district_graph.hpp"
#include "solvers/spanning_tree/district_search.hpp"
#include "solvers/spanning_tree/district_value.hpp"

namespace polystep::solvers {

// Seconds of the published program.
struct PublishedPace {
  double move = 0.002;    // to copy the solution and see whether a move is allowed
  double value = 0.0001;  // to value one district
};

struct PublishedSearchOptions {
  double limit = 1200;  // counted seconds
  PublishedPace pace = {};
  std::uint64_t seed = 0;
  double move_probability = 0.015;    // of every legal move while moving at random
  double penalty = 10000;             // per unit that a district has too many or too few
  std::size_t remembered = 1u << 17;  // values of sets; 24 bytes each
  std::function<bool()> stop = {};    // asked often; true ends the search early
};

// start_weights: [edges]; empty: random ones, drawn again until sizes keep to the limits. Of the result,
// iterations are those that were finished, moves are those tried, values those that the published program
// computes, and first_optimum is what there was when the first local search ended. Throws InputError where
// numbers do not fit or are not finite.
DistrictSearchResult search_as_published(const DistrictGraph& graph, const DistrictValue& value,
                                         std::span<const double> start_weights,
                                         const PublishedSearchOptions& options = {});

}  // namespace polystep::solvers
