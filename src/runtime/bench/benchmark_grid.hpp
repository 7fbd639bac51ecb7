// The grid of a benchmark: every problem in all its settings, with every method and seed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/run/run_request.hpp"

namespace polystep {

enum class Suite {
  kClassical,
  kConstraint,  // problems whose predictions enter constraints
};

// What to run. Empty lists mean everything there is; of methods, all that were published for a problem, and
// polystepor with its default preset besides.
struct GridRequest {
  Suite suite = Suite::kClassical;
  std::vector<std::string> problems = {};
  std::vector<std::string> methods = {};  // "dbb" or, with a preset of its own, "dbb:corrected"
  std::string preset = "paper";           // of methods that name none
  std::vector<std::uint64_t> seeds = {};  // empty: the published ones
  std::vector<GivenOption> given = {};    // for every problem and method that has the option
  std::optional<std::string> data = {};
  FreshRows fresh = {};  // measured on besides the test rows, where there are any
};

// A run of the grid.
struct GridCell {
  RunRequest request;
  std::string setting;   // as asked for: "degree=8"
  std::string preset;    // as it is recorded: options given besides are part of the name
  std::size_t task = 0;  // cells with the same problem, setting and seed share a task
  FreshRows fresh = {};  // to measure on besides
};

// Cells of a task lie together. A value given for the option that tells a problem's settings apart (--set
// degree=8) replaces them all. Unknown names, and options that no problem or method of the grid has, are an
// InputError.
std::vector<GridCell> benchmark_grid(const ProblemRegistry& problems, const GridRequest& request);

// "a,b" as a list. An empty name is an InputError that starts with `where`.
std::vector<std::string> parse_names(std::string_view text, const std::string& where);

// "0-9", "3", "0-4,7": ascending and without repetition.
std::vector<std::uint64_t> parse_seeds(std::string_view text, const std::string& where);

}  // namespace polystep
