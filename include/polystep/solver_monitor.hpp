// What happened to a solver that is not this program's own: events counted, messages kept.
//
// Counts tell of the time since the program started. Unlike costs and decisions they may depend on the number
// of threads, because it decides which instances share a message to the solver.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace polystep {

class SolverMonitor {
 public:
  virtual ~SolverMonitor() = default;

  // Named counts in a fixed order: "crashes", "restarts", ...
  virtual std::vector<std::pair<std::string, std::uint64_t>> counts() const = 0;

  // Why solves failed, counted, for a person: "2 reached a limit, 1 infeasible"; empty where none did.
  virtual std::string failures() const { return ""; }

  // From now on the solver's messages go to the end of this file, those kept so far first.
  virtual void log_to(const std::filesystem::path& file) = 0;
};

}  // namespace polystep
