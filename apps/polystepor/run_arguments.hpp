// From the flags of `train` and `plan` to the configuration of a run.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "commands.hpp"
#include "runtime/bench/results_csv.hpp"
#include "runtime/run/run_request.hpp"

namespace polystep {

GivenOption parse_assignment(const std::string& text);  // --set key=value

// What --resume and --force say about results that are there already.
ExistingResults existing_results(const std::string& command, bool resume, bool force);

std::vector<GivenOption> given_options(const TrainArguments& arguments);

// An empty path is most often a shell variable that was never set.
void refuse_empty_paths(const TrainArguments& arguments);

// A problem that ends in .toml is a task file: problem own, with this file.
bool names_task_file(const std::string& problem);

// What the flags say wins over what the file says.
RunConfig merged_config(const TrainArguments& arguments, const std::optional<std::filesystem::path>& file,
                        const ProblemRegistry& problems);

}  // namespace polystep
