// The runs behind a frontier of cost against infeasibility: one method under a ladder of limits, and other
// methods as they come.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/bench/benchmark_grid.hpp"

namespace polystep {

struct FrontierRequest {
  std::string problem;
  std::string method = "polystepor";  // that is trained under limits; it has the option max-infeasibility
  std::size_t points = 8;
  double lowest = 0.02;  // limits, evenly spaced in their logarithm
  double highest = 0.6;
  std::vector<std::uint64_t> seeds = {};
  std::vector<GivenOption> given = {};  // for the problem and every method that has the option
  std::optional<std::string> data = {};
};

// Throws InputError where no decision of the problem can be infeasible, or the method knows no limits.
std::vector<GridCell> frontier_grid(const ProblemRegistry& problems, const FrontierRequest& request);

// The limits, rising.
std::vector<double> frontier_limits(const FrontierRequest& request);

}  // namespace polystep
