// Known data of new rows: what `decide` puts in the place of the table that a task of one's own was trained
// with.
#pragma once

#include <optional>
#include <string>

#include "polystep/task.hpp"

namespace polystep {

// The problems, with tasks that have known data taking them from `file`. Such a task without a file is an
// InputError, as is a file for any other task.
ProblemRegistry with_known_data(const ProblemRegistry& problems, const std::optional<std::string>& file);

}  // namespace polystep
