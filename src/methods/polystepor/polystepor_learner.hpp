// A PolyStepOR training under way: one optimizer per bag of training rows, all moved once per step.
//
// The parts around the optimizer are in files of their own and can be switched off one by one: prepared data
// (standardised features, instance weights), the initial fit, the flip-rate rule, bags, and the blend with
// the initial fit. With all of them off, this is the plain method: one optimizer on all rows from a random
// start.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "base/twister.hpp"
#include "evaluation/evaluator.hpp"
#include "methods/polystepor/bags.hpp"
#include "methods/polystepor/early_steps.hpp"
#include "methods/polystepor/flip_rate_rule.hpp"
#include "methods/polystepor/judge.hpp"
#include "methods/probes/probe_costs.hpp"
#include "methods/starts/prepared_data.hpp"
#include "polystep/method.hpp"
#include "polystep/optimizer.hpp"

namespace polystep {

class PolyStepLearner final : public Learner {
 public:
  explicit PolyStepLearner(const LearnerContext& context);

  void prepare(Preparation& preparation) override;
  TrainingPlan plan() const override;
  LearnerReport step() override;
  std::span<const double> parameters() const override;
  std::optional<double> selection_cost() override { return judge_->selection_cost(); }
  std::optional<double> trained_share() const override { return judge_->trained_share(); }
  std::optional<CountedCalls> counted() const override;
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
    Twister released;       // of minibatches, where draws are the released ones
    bool gathered = false;  // minibatch holds all rows, in order, for good
  };

  // The cheapest parameters that any probe had on its minibatch, where these are what is handed over.
  struct KeptProbe {
    double cost = std::numeric_limits<double>::infinity();
    std::vector<double> theta;  // [parameters]
  };

  bool bagged() const { return bags_.size() > 1; }
  bool check_due() const;
  bool released_draws() const { return options_.text("draws") == "twister"; }
  std::uint64_t search_seed() const;  // of rotations, bases and minibatches
  bool early() const { return early_ && step_ < early_->steps(); }
  void learn_decisions(SolveCounts& solves);  // what the pool of an early step needs
  const Predictor& predictor() const { return *evaluator_->task().predictor; }
  void add_bag(std::vector<std::size_t> rows, std::uint64_t seed, std::vector<double> start);
  bool starts_frugally() const;
  std::vector<double> start_on(std::span<const std::size_t> rows, const std::string& name,
                               Preparation& preparation);
  const std::vector<double>& cheaper_start(const std::vector<double>& fitted,
                                           const std::vector<double>& learned, Preparation& preparation);
  void draw_minibatch(Bag& bag);
  void move(Bag& bag, LearnerReport& report);
  bool keeps_probe() const { return options_.flag("keep-probe"); }
  void keep_cheapest(const PolyStep& optimizer);
  void keep_last(LearnerReport& report);     // the final point competes with the probes
  std::vector<double> mean_trained() const;  // of the bags, which bag_trained_ then holds

  Evaluator& task_evaluator_;
  const Options& options_;
  std::uint64_t seed_;
  PreparedData data_;
  bool all_train_ = false;                    // data_.training ends with the validation rows
  std::unique_ptr<ChargedTask> charged_;      // where costs are charged otherwise than realised
  std::unique_ptr<Evaluator> own_evaluator_;  // costs of prepared rows have a failure cost of their own
  Evaluator* evaluator_ = nullptr;            // that one, or the task's
  std::unique_ptr<ProbeEvaluator> probe_evaluator_;
  std::unique_ptr<EarlySteps> early_;  // where some steps are of low fidelity
  std::unique_ptr<Judge> judge_;
  std::vector<Bag> bags_;
  std::vector<double> start_;                             // [parameters], fitted to all training rows
  std::vector<std::vector<double>> bag_starts_;           // [bags × parameters]
  mutable std::vector<std::vector<double>> bag_trained_;  // [bags × parameters]
  KeptProbe kept_;
  std::size_t step_ = 0;
  mutable std::vector<double> theta_;  // [parameters], in the data's own units, settled when asked for
  mutable bool stale_ = false;         // the bags have moved since
  SolveCounts setup_solves_;           // reported with the first step
  SolveCounts reference_solves_;       // likewise
  std::vector<std::size_t> drawn_;
  ProbeCosts costs_;
};

}  // namespace polystep
