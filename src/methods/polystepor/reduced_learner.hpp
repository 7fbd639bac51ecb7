// Training of a large network whose predictions enter constraints, as both polystepor methods do it where
// `inputs` is reduced.
//
// Three parts, each of use on its own. The inputs are reduced to the directions that data prove
// (input_reduction.hpp); a network of the same kind is trained on these few, by least squares taken to its
// end or, where no true parameters are to be looked at, by realised costs (small_training.hpp); level and
// slope are set by realised costs, within a limit on infeasible decisions where there is one
// (output_level.hpp). What is handed over is one ordinary network of the whole inputs.
#pragma once

#include <memory>
#include <vector>

#include "evaluation/evaluator.hpp"
#include "methods/inputs/input_reduction.hpp"
#include "methods/polystepor/cost_training.hpp"
#include "polystep/method.hpp"

namespace polystep {

// Adds the option inputs.
void add_reduction_options(OptionTable& table);

// Whether the options ask for reduced inputs, and where they leave it open whether the task is one for them:
// a large network over many inputs per row, predictions inside constraints, recourse, and a truth per output.
// Throws InputError where they ask for what the task does not admit.
bool wants_reduced_inputs(const Task& task, const Options& options);

class ReducedLearner final : public Learner {
 public:
  // Reads margin and max-infeasibility. `costs`: learn from realised costs alone, as these settings say.
  ReducedLearner(const LearnerContext& context, const CostTrainingSettings* costs);

  void prepare(Preparation& preparation) override;
  TrainingPlan plan() const override;
  LearnerReport step() override;
  std::span<const double> parameters() const override;
  void save(ArchiveWriter& archive) const override;
  void load(ArchiveReader& archive) override;

 private:
  void settle(LearnerReport& report);

  Evaluator& evaluator_;
  const Options& options_;
  std::uint64_t seed_;
  bool from_costs_;
  CostTrainingSettings costs_;
  InputReduction reduction_;
  Split training_, validation_;  // of scores
  std::unique_ptr<Predictor> small_;
  std::unique_ptr<SmallTraining> small_training_;
  std::size_t step_ = 0;
  std::vector<double> level_;           // slopes, then shifts, of the last units; empty: none yet
  mutable std::vector<double> folded_;  // of the whole network, once somebody has asked
  mutable bool stale_ = true;
};

}  // namespace polystep
