// A training of method polystepor under way where solves are dear: nearly everything is learned from
// remembered decisions.
//
// Rounds of questions are put to the solver, a few per row in all (question_plan.hpp); every decision found
// is remembered with what it really costs (remembered_decisions.hpp). Bags of rows, each from a fit of its
// own, train on what is remembered (pooled_training.hpp), as often as there are rounds and always from their
// start. Validation rows train too: every row is judged by the bags that never saw it
// (unseen_predictions.hpp), so that none has to be kept aside. The mean of the bags is mixed with the start
// as the remembered decisions advise, and is not handed over at all where the solver's answers to it were
// dearer than those to the start. No reference decision is ever needed.
#pragma once

#include <memory>
#include <vector>

#include "evaluation/evaluator.hpp"
#include "methods/frugal/pooled_training.hpp"
#include "methods/frugal/question_plan.hpp"
#include "methods/frugal/remembered_decisions.hpp"
#include "methods/frugal/unseen_predictions.hpp"
#include "methods/gradient/decision_oracle.hpp"
#include "methods/polystepor/blend.hpp"
#include "methods/starts/prepared_data.hpp"
#include "polystep/method.hpp"
#include "polystep/self_judging.hpp"

namespace polystep {

// Adds calls, frugal-bags and share-decisions.
void add_frugal_options(OptionTable& table);

class FrugalLearner final : public Learner, public SelfJudging {
 public:
  // Whether remembered decisions can be chosen from: the objective is linear in what is predicted.
  static bool serves(const Task& task);

  explicit FrugalLearner(const LearnerContext& context);

  void find_failure_cost(Preparation& preparation) override;
  void prepare(Preparation& preparation) override;
  std::optional<CountedCalls> counted() const override;
  std::optional<double> trained_share() const override { return share_; }
  TrainingPlan plan() const override;
  LearnerReport step() override;
  std::span<const double> parameters() const override { return folded_; }
  ValidationReport own_validation() const override;
  void save(ArchiveWriter& archive) const override;
  void load(ArchiveReader& archive) override;

 private:
  // Decisions by which a row was answered at predictions as they are, before any training and the last time.
  struct Answers {
    std::vector<std::uint32_t> first;  // [rows], numbers of decisions, or one of the two below
    std::vector<std::uint32_t> last;
  };
  static constexpr std::uint32_t kNotAsked = ~0u, kNoDecision = ~0u - 1;

  const Predictor& predictor() const { return *evaluator_.task().predictor; }
  void fit_starts(Preparation& preparation);
  void ask(std::size_t pass, SolveCounts& solves);
  std::vector<double> questions(std::size_t pass, std::span<const std::size_t> asked) const;
  void take_answers(std::size_t pass, std::span<const std::size_t> asked, std::span<const double> decisions,
                    std::span<const double> solved);
  void share_decisions();
  // `any_rate`: held-out rows choose the rate; else it is that of the training before.
  void learn(double share_of_steps, bool any_rate);
  std::vector<std::vector<double>> train_bags(double rate, double share_of_steps) const;
  std::vector<double> held_out_costs(std::span<const double> predictions) const;
  void settle(LearnerReport* report);
  double cost_of(std::size_t row, std::uint32_t answer) const;  // in the units of prepared rows
  bool worse_than_start() const;
  double raw_cost(std::size_t row, std::uint32_t answer) const;  // in the data's own units

  Evaluator& evaluator_;
  const Options& options_;
  std::uint64_t seed_;
  PreparedData data_;
  std::size_t training_rows_;
  Split rows_;  // prepared, those for training and then those for validation
  DecisionOracle oracle_;
  RememberedDecisions decisions_;
  std::vector<QuestionPass> passes_;
  std::vector<std::vector<std::size_t>> bags_;
  std::vector<TiledRows> bag_tiles_;
  UnseenPredictions unseen_;
  std::vector<double> start_;                     // [parameters], fitted to all rows
  std::vector<std::vector<double>> bag_starts_;   // [bags × parameters]
  std::vector<std::vector<double>> bag_trained_;  // likewise
  double prediction_unit_ = 1;                    // that noise is a multiple of
  double parameter_unit_ = 1;                     // that the rate is a multiple of
  double charge_ = 0;                             // for a row without a decision, in prepared units
  Answers answers_;
  std::size_t step_ = 0;
  std::size_t trainings_ = 0;   // so far
  double rate_ = 0;             // of the last training, of the mean prediction
  double share_ = 0;            // of what was trained in what is handed over
  SolveCounts setup_solves_;    // reported with the first step
  std::vector<double> folded_;  // [parameters], in the data's own units
};

}  // namespace polystep
