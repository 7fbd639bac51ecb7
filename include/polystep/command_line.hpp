// The polystepor command line as a function, so that a program with problems of its own gets all of it:
//
//   int main(int argc, char** argv) {
//     polystep::ProblemRegistry problems = polystep::builtin_problems();
//     problems.add({"my-problem", "what it decides", my_options, make_my_task});
//     return polystep::run_command_line(argc, argv, problems);
//   }
#pragma once

#include "polystep/task.hpp"

namespace polystep {

// Exit code: 0 done, 2 bad input (one sentence on stderr), 130 interrupted with a checkpoint to resume from,
// 1 else, also where standard output cannot be written. SIGPIPE and SIGXFSZ are ignored from then on.
int run_command_line(int argc, char** argv, const ProblemRegistry& problems);

}  // namespace polystep
