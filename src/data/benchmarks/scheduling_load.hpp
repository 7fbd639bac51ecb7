// The machines and tasks of energy-cost-aware scheduling: the published loads, and a generated stand-in.
//
// The prices that go with them are those of energy_data.hpp and price_generator.hpp. docs/data.md describes
// the file and the generator.
#pragma once

#include <cstdint>
#include <string>

#include "solvers/scheduling/scheduling.hpp"

namespace polystep {

inline constexpr int kLoads = 3;  // numbered from 1

solvers::SchedulingInstance read_scheduling_load(const std::string& path);
solvers::SchedulingInstance published_scheduling_load(const std::string& data_directory, int load);

// As many machines and tasks as the published load of that number. A schedule always exists.
solvers::SchedulingInstance generated_scheduling_load(int load, std::uint64_t data_seed);

}  // namespace polystep
