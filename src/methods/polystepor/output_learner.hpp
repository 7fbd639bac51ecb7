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
#include "methods/gradient/adam.hpp"
#include "methods/polystepor/flip_rate_rule.hpp"
#include "methods/polystepor/judge.hpp"
#include "methods/probes/prediction_probes.hpp"
#include "methods/starts/prepared_data.hpp"
#include "polystep/method.hpp"
#include "polystep/schedule.hpp"

namespace polystep {

class OutputLearner final : public Learner {
 public:
  explicit OutputLearner(const LearnerContext& context);

  void prepare(Preparation& preparation) override;
  TrainingPlan plan() const override;
  LearnerReport step() override;
  std::span<const double> parameters() const override { return folded_; }
  std::optional<double> selection_cost() override { return judge_->selection_cost(); }
  std::optional<double> trained_share() const override { return judge_->trained_share(); }
  std::optional<CountedCalls> counted() const override;
  void save(ArchiveWriter& archive) const override;
  void load(ArchiveReader& archive) override;

 private:
  bool check_due() const;
  const Predictor& predictor() const { return *evaluator_->task().predictor; }
  void measure_units();
  void make_probes();
  void add_to_average();
  bool covariance() const { return options_.text("estimator") == "covariance"; }
  void draw_minibatch();
  std::vector<double> trained() const;  // theta_, as large as the start where size means nothing

  Evaluator& task_evaluator_;
  const Options& options_;
  std::uint64_t seed_;
  PreparedData data_;
  std::unique_ptr<ChargedTask> charged_;  // where costs are charged otherwise than realised
  std::unique_ptr<Evaluator> evaluator_;  // its own: costs of prepared rows have a failure cost of their own
  std::unique_ptr<OutputProbes> probes_;
  std::unique_ptr<Judge> judge_;
  FlipRateRule flip_rate_;
  Schedule rate_;
  SolveCounts setup_solves_;                // reported with the first step
  SolveCounts reference_solves_;            // likewise
  std::vector<std::vector<double>> start_;  // [1 × parameters]
  double prediction_unit_ = 1;              // that noise is a multiple of
  double parameter_unit_ = 1;               // that the rate is a multiple of
  std::vector<double> theta_;               // [parameters], for prepared rows
  Adam adam_;
  std::size_t step_ = 0;
  std::size_t averaged_ = 0;    // steps whose parameters are in the sum
  std::vector<double> sum_;     // [parameters], where any is
  std::vector<double> folded_;  // [parameters], blended, in the data's own units
  std::vector<std::size_t> drawn_;
  TiledRows minibatch_;
  SmoothedGradient gradient_;
};

}  // namespace polystep
