// A task of one's own, from a TOML file and tables: `polystepor train my.toml`.
//
// A run keeps the text of the task file and a fingerprint of every file it names in its configuration, so
// that resuming or evaluating it can tell when one of them has changed.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "own/own_task_file.hpp"
#include "polystep/task.hpp"

namespace polystep {

inline constexpr const char* kOwnProblem = "own";

// Reads what the task file names; paths are relative to `folder`.
Task make_own_task(const OwnTaskFile& file, const std::filesystem::path& folder);

// Changes when any byte of the task file or of a file it names does.
std::string own_fingerprint(std::string_view toml, const OwnTaskFile& file,
                            const std::filesystem::path& folder);

// The registry's line: problem "own" with the options that remember the task.
ProblemEntry own_entry(const std::vector<OwnKindEntry>& kinds = own_kinds());

}  // namespace polystep
