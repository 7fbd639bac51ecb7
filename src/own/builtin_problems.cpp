// Everything a name on the command line can mean: the problems that come with the program, and tasks of one's
// own.
#include "own/own_task.hpp"
#include "problems/registry.hpp"

namespace polystep {

ProblemRegistry builtin_problems() { return benchmark_problems().add(own_entry()); }

}  // namespace polystep
