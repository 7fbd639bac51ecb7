// A decision problem whose solver is a program of the user's own, run as child processes.
//
// docs/solver-protocol.md says what the engine and the solver say to each other.
#pragma once

#include <optional>
#include <vector>

#include "polystep/problem.hpp"
#include "process/worker_pool.hpp"

namespace polystep {

// Where instances differ in size, outputs and truth_columns are kVaries, with a true parameter per output;
// decision_size is too where a decision has a component per output, and known_columns where there are such
// data.
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
  std::vector<double> known;      // [instances × known_columns], or as known_begin says

  std::vector<std::size_t> known_begin;        // [instances + 1] where they differ in size and have such data
  std::vector<std::string> decision_names;     // [decision_size], or empty
  std::shared_ptr<const Instances> instances;  // where they differ in size
};

// Starts the solver. Throws InputError where the settings do not fit together or the solver does not start.
std::unique_ptr<Problem> make_process_problem(ProcessProblemSettings settings);

// The length of a decision for an instance that no table has, from its number of outputs; nothing where the
// problem cannot decide such an instance.
std::optional<std::size_t> decision_size_of_new(const Problem& problem, std::size_t outputs);

}  // namespace polystep
