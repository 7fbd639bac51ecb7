#include "methods/frugal/choice_lessons.hpp"

#include <cmath>
#include <limits>

#include "methods/frugal/pooled_training.hpp"
#include "methods/polystepor/judge.hpp"
#include "methods/starts/initial_fit.hpp"
#include "polystep/feasible_sets.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

// Rates are of the mean prediction. Held-out rows say at the first and at the last training how much each way
// counts: what many outputs learn from few rows wants short steps, one set of weights for all outputs long
// ones; and where a model can nearly follow the truth, the answers to it are what to train towards, while
// elsewhere they ask for what it cannot.
constexpr TrainingWay kChoiceWays[] = {{0.01},       {0.003},       {0.03},       {0.1},
                                       {0.01, true}, {0.003, true}, {0.03, true}, {0.1, true}};
constexpr std::size_t kWithoutReferences = 4;  // of these

// Where decisions move smoothly, what is remembered is never quite what the solver would answer, and the
// cheapest of it is what happened to suit the row. A bound towards that asks for luck; costs alone do not,
// with a softer choice, which speaks of what lies between remembered decisions.
constexpr double kSmoothSofter = 3;

// What a row takes from the decisions of others: the best for its prediction and for noisy copies of it.
constexpr std::size_t kCopies = 14;
constexpr double kCopyNoise = 0.6;
constexpr std::uint64_t kCopyDraws = 1ull << 32;  // beside those of questions, which are numbered from 0
constexpr std::uint64_t kImagined = 1ull << 33;   // beside both
constexpr std::size_t kMostOffered = 2000;
constexpr std::size_t kManyMembers = 40;  // a row with as many takes no more for copies

// Of the answers to a row, how many were new to it, and of a decision's entries, how many are not 0: what
// trainings take rests on them, and before the first answer nobody knows.
constexpr double kNewAnswers = 0.7, kUsedEntries = 0.5;

}  // namespace

std::span<const TrainingWay> ChoiceLessons::ways() const {
  const bool by_references = decisions_.has_references() && !smooth_;
  return std::span(kChoiceWays).first(by_references ? std::size(kChoiceWays) : kWithoutReferences);
}

std::size_t ChoiceLessons::most_ways(bool at_truth) const {
  return at_truth && asks_truth_ && !smooth_ ? std::size(kChoiceWays) : kWithoutReferences;
}

void ChoiceLessons::imagine_answers(std::span<const std::size_t> rows, double calls) {
  const bool takes = shares_ && feasible_sets_of(*task_.problem) != nullptr;
  const auto members = static_cast<std::size_t>(kNewAnswers * calls) + (takes ? kCopies : 2);
  for (const std::size_t row : rows) {
    RandomStream stream(seed_, Purpose::kPerturbation, kImagined, row);
    std::vector<double> decision(task_.problem->outputs(rows_.instance(row)));
    for (std::size_t member = 0; member < members; ++member) {
      for (double& entry : decision) entry = stream.uniform() < kUsedEntries ? 1 : 0;
      decisions_.remember(row, decision);
    }
  }
}

bool ChoiceLessons::serve(const Task& task) { return task.problem->facts().linear_objective().has_value(); }

ChoiceLessons::ChoiceLessons(const LearnerContext& context, const PreparedData& data, const Split& rows)
    : task_(context.evaluator.task()),
      predictor_(*task_.predictor),
      rows_(rows),
      seed_(context.seed),
      shares_(context.options.flag("share-decisions")),
      asks_truth_(context.options.flag("ask-truth")),
      scale_free_(data.scale_free),
      smooth_(!task_.problem->facts().decisions_recur),
      binary_(task_.problem->facts().binary_decisions),
      decisions_(*task_.problem, rows) {}

std::vector<QuestionPass> ChoiceLessons::plan(std::size_t calls) const {
  return plan_questions(calls, rows_.rows);
}

void ChoiceLessons::begin(std::span<const double> start) {
  prediction_unit_ = prediction_size(predictor_, start, TiledRows(rows_));
  if (!(prediction_unit_ > 0)) prediction_unit_ = 1;
  parameter_unit_ =
      predictor_.affine() ? prediction_unit_ : length(start) / std::sqrt(static_cast<double>(start.size()));
  if (!(parameter_unit_ > 0)) parameter_unit_ = 1;
}

// Where the same few decisions serve all rows, the extreme ones are known, and asking for them only makes the
// pools more extreme.
bool ChoiceLessons::wants_extremes() const { return asks_truth_ && decisions_.distinct() >= rows_.rows; }

std::vector<RealisedAnswer> ChoiceLessons::remember(std::span<const std::size_t> rows,
                                                    const RowLayout& places,
                                                    std::span<const double> decisions,
                                                    std::span<const double> solved, bool references, Team&) {
  const Split &training = task_.data.training, &validation = task_.data.validation;
  std::vector<RealisedAnswer> answers(rows.size(), {std::numeric_limits<double>::quiet_NaN(), 0});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (solved[i] == 0) continue;
    const std::size_t row = rows[i];
    const std::uint32_t number = references ? decisions_.remember_reference(row, places.row(decisions, i))
                                            : decisions_.remember(row, places.row(decisions, i));
    const bool trains = row < training.rows;
    const std::span<const double> raw =
        trains ? training.truth_row(row) : validation.truth_row(row - training.rows);
    answers[i] = {decisions_.value(number, rows_.truth_row(row).data()),
                  decisions_.value(number, raw.data())};
  }
  return answers;
}

void ChoiceLessons::study(const UnseenPredictions& unseen, std::span<const double> predictions,
                          std::size_t training, Team& team) {
  if (!binary_) entry_unit_ = decisions_.typical_entry();
  if (!shares_) return;
  const std::vector<std::uint32_t> offered = decisions_.offered(kMostOffered);
  std::vector<std::vector<std::uint32_t>> taken(rows_.rows);
  team.for_each(rows_.rows, [&](std::size_t row, std::size_t) {
    const std::span<const double> prediction = unseen.layout().row(predictions, row);
    RandomStream stream(seed_, Purpose::kPerturbation, kCopyDraws + training, row);
    const std::size_t copies = decisions_.members(row).size() < kManyMembers ? kCopies : 0;
    constexpr std::size_t kTogether = RememberedDecisions::kTogether;
    static_assert(kCopies < kTogether);
    std::vector<double> together(prediction.size() * kTogether, 0.0);
    for (std::size_t k = 0; k <= copies; ++k)
      for (std::size_t o = 0; o < prediction.size(); ++o)
        together[o * kTogether + k] =
            k == 0 ? prediction[o] : prediction[o] + kCopyNoise * prediction_unit_ * stream.normal();
    taken[row] = decisions_.best_of(offered, row, together, copies + 1);
  });
  for (std::size_t row = 0; row < rows_.rows; ++row)
    for (const std::uint32_t number : taken[row]) decisions_.take(row, number);
}

std::vector<double> ChoiceLessons::train(const TiledRows& rows, const std::vector<double>& start,
                                         const TrainingWay& way, bool) const {
  PooledTraining setting;
  setting.training.rate = way.rate * parameter_unit_;
  setting.by_references = way.by_references;
  if (way.by_references) setting.soft_share = 0;
  if (smooth_) setting.soft_share = 1;
  const double value_unit = prediction_unit_ * entry_unit_ * (smooth_ ? kSmoothSofter : 1);
  setting.soft_start *= value_unit;
  setting.soft_end *= value_unit;
  std::vector<double> theta = train_on_decisions(predictor_, decisions_, rows, start, setting);
  if (scale_free_ && predictor_.affine()) give_length_of(start, theta);
  return theta;
}

double ChoiceLessons::expected_cost(std::size_t row, std::span<const double> prediction) const {
  if (decisions_.members(row).empty()) return std::numeric_limits<double>::quiet_NaN();
  return decisions_.members(row)[decisions_.chosen(row, prediction)].cost;
}

std::vector<std::pair<std::string, double>> ChoiceLessons::figures() const {
  return {{"pool_size", decisions_.mean_size()},
          {"distinct_decisions", static_cast<double>(decisions_.distinct())}};
}

}  // namespace polystep
