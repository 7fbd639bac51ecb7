// What a run that goes on must agree on with the one that is there.
#pragma once

#include <filesystem>
#include <string>

#include "runtime/run/run_directory.hpp"
#include "runtime/run/run_request.hpp"

namespace polystep {

// Throws InputError where the directory's run was asked for with other settings, naming the first that
// differs; `where` ("polystepor train --resume") starts the message.
void check_same_run(const RunRequest& request, const ProblemRegistry& problems, const RunDirectory& directory,
                    const std::string& where);

// A run that goes on keeps what its budget and timed solves came to when it started.
void adopt_choice(RunRequest& request, const std::filesystem::path& directory,
                  const ProblemRegistry& problems);

}  // namespace polystep
