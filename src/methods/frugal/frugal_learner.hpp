// A training of method polystepor under way where solves are dear: nearly everything is learned from
// remembered answers.
//
// Rounds of questions are put to the solver, a few per row in all (question_plan.hpp); what they teach
// depends on where predictions enter (lessons.hpp). Bags of rows, each from a fit of its own, train on what
// is remembered, as often as there are rounds and always from their start. Validation rows train too: every
// row is judged by the bags that never saw it (unseen_predictions.hpp), so that none has to be kept aside.
// The mean of the bags is mixed with the start as what is remembered advises, moved by the margin at which
// answers were cheapest where there are margins, and not handed over at all where the solver's answers to it
// were dearer than those to the start. No reference decision is ever needed.
#pragma once

#include <memory>
#include <vector>

#include "evaluation/evaluator.hpp"
#include "methods/frugal/lessons.hpp"
#include "methods/frugal/question_plan.hpp"
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
  // Whether answers teach anything beyond themselves: the objective is linear in what is predicted, or
  // predictions enter rows that the problem shows.
  static bool serves(const Task& task, const Options& options);

  enum class Rows { kAll, kTraining };  // that train: validation rows too, or those for training alone

  explicit FrugalLearner(const LearnerContext& context, Rows rows = Rows::kAll);

  void find_failure_cost(Preparation& preparation) override;
  void prepare(Preparation& preparation) override;
  std::optional<CountedCalls> counted() const override;
  double learning_units(std::size_t step) const override;  // bags trained in one way
  double learning_unit_seconds() const override;
  std::optional<double> trained_share() const override { return share_; }
  TrainingPlan plan() const override;
  LearnerReport step() override;
  std::span<const double> parameters() const override { return folded_; }
  std::span<const double> prepared_parameters() const { return theta_; }  // for prepared rows
  ValidationReport own_validation() const override;
  void save(ArchiveWriter& archive) const override;
  void load(ArchiveReader& archive) override;

 private:
  // What the solver's answers to predictions as they are, or moved by a margin, came to.
  enum class Known : std::uint8_t { kNotAsked, kNoDecision, kAnswered };
  struct Answers {
    double margin = 0;
    std::vector<Known> known;              // [rows]
    std::vector<RealisedAnswer> realised;  // [rows]
  };

  const Predictor& predictor() const { return *evaluator_.task().predictor; }
  void fit_starts(Preparation& preparation);
  void ask(std::size_t pass, SolveCounts& solves);
  std::vector<double> questions(std::size_t pass, std::span<const std::size_t> asked) const;
  std::vector<double> trained_predictions(std::size_t pass) const;
  bool asks_truth(std::size_t pass) const { return passes_[pass].at_truth && lessons_->wants_extremes(); }
  bool tempts(std::size_t pass) const { return passes_[pass].tempting > 0 && lessons_->wants_extremes(); }
  std::size_t bag_groups() const;
  void take_answers(std::size_t pass, std::span<const std::size_t> asked, std::span<const double> decisions,
                    std::span<const double> solved, SolveCounts& solves);
  Answers no_answers(double margin) const;
  void study();
  // `any_way`: held-out rows say how much each way of training counts; else it is the one that counted most
  // before. `last`: what comes out is to be handed over.
  void learn(bool any_way, bool last);
  std::vector<std::vector<double>> train_bags(const TrainingWay& way, bool last) const;
  std::vector<double> held_out_costs(std::span<const double> predictions) const;
  void finish();
  void settle(LearnerReport* report);
  double cost_of(const Answers& answers, std::size_t row) const;   // in the row's unit
  double raw_cost(const Answers& answers, std::size_t row) const;  // in the data's own units
  const Answers& answers_handed_over() const;
  double best_margin() const;
  bool worse_than_start() const;

  static void save_answers(ArchiveWriter& archive, const Answers& answers);
  static void load_answers(ArchiveReader& archive, Answers& answers);

  Evaluator& evaluator_;
  const Options& options_;
  std::uint64_t seed_;
  PreparedData data_;
  std::size_t training_rows_;
  Split rows_;  // prepared, those for training and then those for validation
  DecisionOracle oracle_;
  std::unique_ptr<Lessons> lessons_;
  std::vector<QuestionPass> passes_;
  std::vector<std::vector<std::size_t>> bags_;
  std::vector<TiledRows> bag_tiles_;
  UnseenPredictions unseen_;
  std::vector<double> start_;                     // [parameters], fitted to all rows
  std::vector<std::vector<double>> bag_starts_;   // [bags × parameters]
  std::vector<std::vector<double>> bag_trained_;  // likewise
  double charge_ = 0;                             // for a row without a decision, in prepared units
  Answers first_;                                 // before any training
  std::vector<Answers> last_;                     // of the last round, by margin; none before there is any
  std::size_t step_ = 0;
  std::size_t trainings_ = 0;   // so far
  std::size_t way_ = 0;         // of training, that counted most when all were last tried
  double share_ = 0;            // of what was trained in what is handed over
  double margin_ = 0;           // that it is moved by
  SolveCounts setup_solves_;    // reported with the first step
  std::vector<double> theta_;   // [parameters], of what is handed over; not saved
  std::vector<double> folded_;  // likewise, in the data's own units
};

}  // namespace polystep
