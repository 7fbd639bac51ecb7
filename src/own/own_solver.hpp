// A solver process in a task file; docs/solver-protocol.md says how it is spoken to.
//
//   [solver]
//   command = ["python3", "solver.py"]   # run in the task file's folder
//   format = "json"         # or "binary"
//   cost = "minimise"       # decision . truth; or "maximise"; or "solver": it says what its decisions cost
//   decision-size = 6       # with cost = "solver": components of a decision, 0: none is sent back [outputs]
//   send = ["known"]        # what goes with every prediction: "features", "known", "truth"
//   time-limit = 10         # seconds to answer a frame
//   start-limit = 30        # seconds to start
//   frame-size = 128        # instances per frame, at most
//   files = ["solver.py"]   # files whose change makes another task
#pragma once

#include "own/own_kind.hpp"

namespace polystep {

std::unique_ptr<OwnKind> read_own_solver(const TaskSection& root);

}  // namespace polystep
