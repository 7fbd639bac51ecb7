// A decision problem whose solver is a program of the user's own, run as child processes.
//
// docs/solver-protocol.md says what the engine and the solver say to each other.
#pragma once

#include <optional>
#include <vector>

#include "polystep/problem.hpp"
#include "process/worker_pool.hpp"

namespace polystep {

struct ProcessProblemSettings {
  SolverCommand command;
  std::size_t frame_size = 128;   // instances per frame, at most
  std::size_t outputs = 0;        // predicted parameters
  std::size_t decision_size = 0;  // 0: the solver sends only costs
  std::size_t truth_columns = 0;  // true parameters per row
  std::optional<Sense> linear;    // cost = ±decision . truth, by the engine; empty: the solver says the cost
  ProblemFacts facts;             // what the user says of it; objectives follow from the above
  bool send_truth = false;        // implied where the solver says the cost
  std::size_t known_columns = 0;  // of data sent with every instance; 0: none
  std::vector<double> known;      // [instances × known_columns]
  std::vector<std::string> decision_names;  // [decision_size], or empty
};

// Starts the solver. Throws InputError where the settings do not fit together or the solver does not start.
std::unique_ptr<Problem> make_process_problem(ProcessProblemSettings settings);

}  // namespace polystep
