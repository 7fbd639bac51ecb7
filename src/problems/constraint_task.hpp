// What the tasks with predicted constraints have in common: their options, which of the fifteen runs a seed
// means, and a linear predictor in the units of the training data.
#pragma once

#include <span>
#include <string>

#include "data/benchmarks/constraint_data.hpp"
#include "polystep/task.hpp"

namespace polystep {

// Adds rho, dataset, split and the source options, unless the problem has sources of its own; sets `settle`.
void add_constraint_options(ProblemEntry& entry, double default_rho, bool with_source = true);

// The run that the options name; where they leave it open, run number `seed` of the fifteen: data set
// seed / 3 modulo 5, split seed modulo 3.
ConstraintRun constraint_run(const Options& options, std::uint64_t seed);

// "rho=5", and whatever else distinguishes the task from the published run of this seed.
std::string constraint_setting(const Options& options, std::uint64_t seed);

// prediction = (W z + b) * deviation + mean, with the statistics of each output over the training rows.
std::unique_ptr<Predictor> make_standardised_linear(const Split& training);

}  // namespace polystep
