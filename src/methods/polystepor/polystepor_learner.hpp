// A PolyStepOR training under way: one optimizer per bag of training rows, all moved once per step.
//
// The parts around the optimizer are in files of their own and can be switched off one by one: prepared data
// (standardised features, instance weights), the initial fit, the flip-rate rule, bags, and the blend with
// the initial fit. With all of them off, this is the plain method: one optimizer on all rows from a random
// start.
#pragma once

#include <memory>
#include <vector>

#include "evaluation/evaluator.hpp"
#include "methods/constraints/infeasibility_limit.hpp"
#include "methods/polystepor/bags.hpp"
#include "methods/polystepor/blend.hpp"
#include "methods/polystepor/early_steps.hpp"
#include "methods/polystepor/flip_rate_rule.hpp"
#include "methods/polystepor/prepared_data.hpp"
#include "methods/probes/probe_costs.hpp"
#include "polystep/method.hpp"
#include "polystep/optimizer.hpp"

namespace polystep {

class PolyStepLearner final : public Learner {
 public:
  explicit PolyStepLearner(const LearnerContext& context);

  TrainingPlan plan() const override;
  LearnerReport step() override;
  std::span<const double> parameters() const override { return theta_; }
  std::optional<double> selection_cost() override { return selection_cost_; }
  void save(ArchiveWriter& archive) const override;
  void load(ArchiveReader& archive) override;

 private:
  struct Bag {
    std::vector<std::size_t> rows;  // of the training split
    std::uint64_t seed;
    std::vector<double> start;  // [parameters]
    PolyStep optimizer;
    FlipRateRule flip_rate;
    double unit;            // that lengths are multiples of
    TiledRows minibatch;    // of the last step
    bool gathered = false;  // minibatch holds all rows, in order, for good
  };

  bool bagged() const { return bags_.size() > 1; }
  bool check_due() const;
  bool early() const { return early_ && step_ < early_->steps(); }
  void learn_decisions(SolveCounts& solves);  // what the pool of an early step needs
  void add_bag(std::vector<std::size_t> rows, std::uint64_t seed);
  std::vector<double> start_on(std::span<const std::size_t> rows, std::uint64_t seed);
  void draw_minibatch(Bag& bag);
  void move(Bag& bag, LearnerReport& report);
  void combine(LearnerReport* report);  // bags into theta_, choosing the blend where a check is due
  void choose_blend(std::span<const double> shares, LearnerReport* report);
  std::vector<double> limit(std::span<const double> theta, LearnerReport* report);
  std::vector<double> mean_trained();

  const Options& options_;
  std::uint64_t seed_;
  PreparedData data_;
  std::unique_ptr<ChargedTask> charged_;      // where costs are charged otherwise than realised
  std::unique_ptr<Evaluator> own_evaluator_;  // costs of prepared rows have a failure cost of their own
  Evaluator& evaluator_;
  const Predictor& predictor_;
  ProbeEvaluator probe_evaluator_;
  std::unique_ptr<EarlySteps> early_;  // where some steps are of low fidelity
  std::vector<Bag> bags_;
  std::vector<double> start_;                     // [parameters], fitted to all training rows
  TiledRows validation_;                          // prepared
  std::unique_ptr<HeldOutRows> held_out_;         // where there are bags or a blend
  std::vector<std::vector<double>> bag_starts_;   // [bags × parameters]
  std::vector<std::vector<double>> bag_trained_;  // [bags × parameters]
  Blend blend_;
  std::unique_ptr<InfeasibilityLimit> limit_;  // where one is asked for
  std::size_t step_ = 0;
  std::vector<double> theta_;  // [parameters], in the data's own units
  std::optional<double> selection_cost_;
  SolveCounts setup_solves_;      // reported with the first step
  SolveCounts reference_solves_;  // likewise
  std::vector<std::size_t> drawn_;
  ProbeCosts costs_;
};

}  // namespace polystep
