// Reads the words of a command line as the program would and carries nothing out: what tests hold the
// commands that documents print against.
#pragma once

#include "polystep/task.hpp"

namespace polystep {

// Throws InputError for what the program would refuse before it looks at any file.
void check_command_words(int argc, char** argv, const ProblemRegistry& problems);

}  // namespace polystep
