// A training of method polystepor-output under way: probes of predictions, pulled back to parameters, and
// Adam.
//
// The parts around the gradient are those of polystepor: prepared data (standardised features, instance
// weights), the initial fit, the flip-rate rule (here on the noise), and the blend with the initial fit on
// validation rows.
#pragma once

#include <memory>
#include <vector>

#include "evaluation/evaluator.hpp"
#include "methods/constraints/infeasibility_limit.hpp"
#include "methods/gradient/adam.hpp"
#include "methods/polystepor/blend.hpp"
#include "methods/polystepor/flip_rate_rule.hpp"
#include "methods/polystepor/prepared_data.hpp"
#include "methods/probes/prediction_probes.hpp"
#include "polystep/method.hpp"
#include "polystep/schedule.hpp"

namespace polystep {

class OutputLearner final : public Learner {
 public:
  explicit OutputLearner(const LearnerContext& context);

  TrainingPlan plan() const override;
  LearnerReport step() override;
  std::span<const double> parameters() const override { return folded_; }
  std::optional<double> selection_cost() override { return selection_cost_; }
  void save(ArchiveWriter& archive) const override;
  void load(ArchiveReader& archive) override;

 private:
  bool check_due() const;
  std::vector<double> initial_fit();
  void measure_units();
  void draw_minibatch();
  std::vector<double> trained() const;  // theta_, as large as the start where size means nothing
  void judge(std::span<const double> shares, SolveCounts& solves);  // chooses the blend on validation rows
  std::vector<double> blended() const;
  void limit(SolveCounts& solves);  // sets the margin that validation rows need
  void fold();                      // the blend into folded_

  const Options& options_;
  std::uint64_t seed_;
  PreparedData data_;
  std::unique_ptr<ChargedTask> charged_;  // where costs are charged otherwise than realised
  Evaluator evaluator_;                   // its own: costs of prepared rows have a failure cost of their own
  const Predictor& predictor_;
  PredictionProbes probes_;
  FlipRateRule flip_rate_;
  Schedule rate_;
  TiledRows validation_;                   // prepared
  std::unique_ptr<HeldOutRows> held_out_;  // validation rows, where predictions can be blended
  SolveCounts setup_solves_;               // reported with the first step
  SolveCounts reference_solves_;           // likewise
  std::vector<double> start_;              // [parameters]
  double prediction_unit_ = 1;             // that noise is a multiple of
  double parameter_unit_ = 1;              // that the rate is a multiple of
  std::vector<double> theta_;              // [parameters], for prepared rows
  Adam adam_;
  std::size_t step_ = 0;
  Blend blend_;
  std::unique_ptr<InfeasibilityLimit> limit_;  // where one is asked for
  std::optional<double> selection_cost_;
  std::vector<double> folded_;  // [parameters], blended, in the data's own units
  std::vector<std::size_t> drawn_;
  TiledRows minibatch_;
  SmoothedGradient gradient_;
};

}  // namespace polystep
