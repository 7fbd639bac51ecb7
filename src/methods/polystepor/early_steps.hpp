// Steps at low fidelity: probes are decided by the pool of remembered decisions, not by the solver.
//
// Before the first step the pool learns the decisions around the start: for the start itself and for random
// parameters as far from it as probes are. Before every later one it learns those of the present parameters.
// Each costs one solve per training row, whatever the number of probes and bags. The steps that follow, and
// everything that chooses between parameters, use the solver.
#pragma once

#include <memory>

#include "methods/polystepor/decision_pool.hpp"
#include "methods/probes/probe_costs.hpp"
#include "polystep/options.hpp"

namespace polystep {

class EarlySteps {
 public:
  EarlySteps(Evaluator& evaluator, const Split& training, std::size_t steps);

  std::size_t steps() const { return steps_; }
  ProbeEvaluator& probes() { return probes_; }
  const DecisionPool& pool() const { return pool_; }
  double pool_size() const { return pool_.mean_size(); }  // decisions per row

  // Random parameters, normal around the start.
  struct Spread {
    std::size_t draws = 0;
    double deviation = 0;
    std::uint64_t seed = 0;
  };
  void learn_around(std::span<const double> start, const Spread& spread, SolveCounts& counts);
  void learn(std::span<const double> theta, SolveCounts& counts) { pool_.learn(theta, counts); }

  void save(ArchiveWriter& archive) const { pool_.save(archive); }
  void load(ArchiveReader& archive) { pool_.load(archive); }

 private:
  std::size_t steps_;
  DecisionPool pool_;
  Evaluator evaluator_;
  ProbeEvaluator probes_;
};

void add_early_options(OptionTable& table);

bool has_early_steps(const Task& task, const Options& options);

// None where the options do not ask for early steps, or decisions cannot be remembered, or (option auto) the
// solver knows margins: there most solves are skipped by proof already.
std::unique_ptr<EarlySteps> make_early_steps(Evaluator& evaluator, const Split& training,
                                             const Options& options);

}  // namespace polystep
