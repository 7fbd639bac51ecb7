// The command `frontier`: trace cost against infeasibility.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "polystep/task.hpp"

namespace CLI {
class App;
}

namespace polystep {

struct FrontierArguments {
  std::string problem;
  std::string method = "polystepor";
  std::int64_t points = 8;
  double lowest = 0.02;
  double highest = 0.6;
  std::string seeds = "0,3,6,9,12";  // every published data set once
  std::vector<std::string> assignments;
  std::optional<std::string> data;
  std::optional<std::string> out;  // runs/frontier-PROBLEM
  std::int64_t threads = 1;
  bool resume = false;
  bool force = false;
  bool quiet = false;
};

CLI::App* add_frontier(CLI::App& app, FrontierArguments& arguments);
int frontier_command(const FrontierArguments& arguments, const ProblemRegistry& problems);

}  // namespace polystep
