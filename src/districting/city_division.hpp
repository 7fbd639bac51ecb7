// Divides a city by one method: exactly where the programme of all partitions is small, else by search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/cities/city.hpp"
#include "districting/district_model.hpp"
#include "polystep/team.hpp"
#include "problems/districting/routing_costs.hpp"
#include "solvers/spanning_tree/district_graph.hpp"
#include "solvers/spanning_tree/district_value.hpp"
#include "solvers/spanning_tree/published_search.hpp"

namespace polystep {

// Methods that need no model, by the names that people type.
inline constexpr std::string_view kCentreDistanceMethod = "centre-distance";
inline constexpr std::string_view kUntrainedMethods[] = {kCentreDistanceMethod, "bd", "fig", "avgtsp"};

// What districts are worth to a method in one city.
struct MethodValue {
  std::unique_ptr<solvers::DistrictValue> value;
  std::vector<double> start_weights;  // [edges], for the search; empty: random ones
};

// Of an untrained method by name, or of a model. City, graph and routing must outlive the value. An unknown
// name is an InputError.
MethodValue untrained_value(const std::string& method, const City& city, const solvers::DistrictGraph& graph,
                            const RoutingCosts& routing);
MethodValue model_value(const DistrictModel& model, const City& city, const solvers::DistrictGraph& graph);

// The published search and its limit of time in the place of ours.
struct PublishedLimit {
  double seconds = 1200;  // counted by the pace, not measured
  solvers::PublishedPace pace;
};

struct DivisionSettings {
  std::size_t iterations = 2000;  // of the search, per chain
  std::size_t chains = 1;
  std::uint64_t seed = 0;
  std::optional<PublishedLimit> published = {};  // then one chain, and as many iterations as it allows
  std::function<bool()> stop = {};  // asked often, possibly from several threads; true: be content with what
                                    // there is
  std::function<void(std::size_t done, std::size_t of)> progress = {};  // called by one thread at a time
};

struct Division {
  std::vector<District> districts;  // units ascending; by their smallest units
  double value = 0;                 // of the method
  bool exact = false;               // no partition is worth more to the method
  bool feasible = false;            // sizes keep to the limits
  bool stopped = false;             // by the caller
  std::size_t iterations = 0;       // done by the best chain
};

// The best of all partitions of a small city; nothing where they are too many to list. Throws InputError
// where there is none into connected districts of these sizes.
std::optional<Division> divide_exactly(const solvers::DistrictGraph& graph, const MethodValue& method);

// By search, in cities of any size.
Division divide_by_search(const solvers::DistrictGraph& graph, const MethodValue& method,
                          const DivisionSettings& settings, Team& team);

// Exactly where that is possible, else by search.
Division divide_city(const solvers::DistrictGraph& graph, const MethodValue& method,
                     const DivisionSettings& settings, Team& team);

}  // namespace polystep
