#include "methods/frugal/recourse_lessons.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>

#include "methods/constraints/safety_margin.hpp"
#include "methods/frugal/quick_training.hpp"
#include "methods/starts/initial_fit.hpp"
#include "polystep/schedule.hpp"

namespace polystep {
namespace {

constexpr TrainingWay kRecourseWays[] = {{.rate = 0.1}};  // in units of the parameters
constexpr std::size_t kSteps = 100, kRoundSteps = 40;     // of the last training, and of the others

// Temperatures of the relaxed decision, as training begins and at its end. A variable that has no upper bound
// has nothing that keeps it from being taken a little everywhere, and wants lower ones.
constexpr double kBinaryTemperatures[] = {0.1, 0.03}, kOtherTemperatures[] = {0.02, 0.003};
constexpr double kBarrier = 1e-3;  // of the size of the objective

constexpr double kLeastUnit = 1e-3;  // of the size of the objective: no row counts for more

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

// a . x + b of every row.
void write_activities(std::span<const double> a, std::span<const double> b, std::span<const double> x,
                      std::span<double> activities) {
  for (std::size_t m = 0; m < b.size(); ++m) {
    activities[m] = b[m];
    for (std::size_t j = 0; j < x.size(); ++j) activities[m] += a[m * x.size() + j] * x[j];
  }
}

double product(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

}  // namespace

// What a prediction would cost, and its gradient; one per thread.
class RecourseLessons::Loss {
 public:
  explicit Loss(const RecourseLessons& lessons)
      : lessons_(lessons),
        shown_(lessons.shown_),
        relaxed_(shown_.rows(), shown_.variables(), shown_.binary()),
        a_(shown_.rows() * shown_.variables()),
        b_(shown_.rows()),
        true_a_(a_.size()),
        true_b_(b_.size()),
        excess_(b_.size()),
        x_gradient_(shown_.variables()),
        a_gradient_(a_.size()),
        b_gradient_(b_.size()) {
    relaxed_.set_usual(lessons.usual_);
  }

  // Decides the row; false where there is no decision. `prices` as in RelaxedDecision.
  bool decide(std::size_t row, std::span<const double> prediction, double temperature,
              std::span<double> prices) {
    const std::size_t instance = lessons_.rows_.instance(row);
    shown_.write_rows(prediction, instance, a_, b_);
    return relaxed_.solve({.a = a_,
                           .b = b_,
                           .objective = shown_.objective(instance),
                           .temperature = temperature,
                           .barrier = kBarrier * lessons_.size_},
                          prices);
  }
  double known_cost(std::size_t row) const {
    return product(shown_.objective(lessons_.rows_.instance(row)), relaxed_.x());
  }

  // Of the last decision, in the row's unit; readies the gradient in x.
  double cost(std::size_t row) {
    const std::size_t instance = lessons_.rows_.instance(row), variables = shown_.variables();
    const double unit = lessons_.units_[row];
    const std::span<const double> worth = lessons_.worth(row), objective = shown_.objective(instance);
    shown_.write_rows(lessons_.rows_.truth_row(row), instance, true_a_, true_b_);
    write_activities(true_a_, true_b_, relaxed_.x(), excess_);
    double cost = known_cost(row);
    for (std::size_t j = 0; j < variables; ++j) x_gradient_[j] = objective[j] / unit;
    for (std::size_t m = 0; m < excess_.size(); ++m) {
      cost += lessons_.prices_.cost(m, worth[m], excess_[m]);
      const double slope =
          excess_[m] > 0 ? lessons_.prices_.over(m, worth[m]) : lessons_.prices_.under(m, worth[m]);
      if (slope == 0) continue;
      for (std::size_t j = 0; j < variables; ++j) x_gradient_[j] += slope * true_a_[m * variables + j] / unit;
    }
    return cost / unit;
  }
  // After cost(); adds to the gradient by the prediction.
  void add_gradient(std::span<double> by_prediction) {
    relaxed_.pull_back(x_gradient_, a_gradient_, b_gradient_);
    shown_.add_gradient(a_gradient_, b_gradient_, by_prediction);
  }

 private:
  const RecourseLessons& lessons_;
  const PredictedRows& shown_;
  RelaxedDecision relaxed_;
  std::vector<double> a_, b_, true_a_, true_b_, excess_;
  std::vector<double> x_gradient_, a_gradient_, b_gradient_;
};

bool RecourseLessons::serve(const Task& task) {
  const PredictedRows* shown = task.problem->predicted_rows();
  const Split& training = task.data.training;
  return shown != nullptr && task.predictor->affine() && training.rows > 0 &&
         task.problem->instances()->alike() && !shown->objective(training.instance(0)).empty() &&
         has_truth_per_output(*task.predictor, training);
}

RecourseLessons::RecourseLessons(const LearnerContext& context, const Split& rows)
    : task_(context.evaluator.task()),
      predictor_(*task_.predictor),
      shown_(*task_.problem->predicted_rows()),
      rows_(rows),
      use_(shown_.variables(), 0.0),
      usual_(shown_.variables(), 0.0),
      worth_(rows.rows * shown_.rows(), 0.0),
      units_(rows.rows, 1.0),
      prices_(shown_.rows()) {}

std::vector<QuestionPass> RecourseLessons::plan(std::size_t calls) const {
  return plan_judging_questions(calls, rows_.rows, has_output_biases(predictor_));
}

void RecourseLessons::begin(std::span<const double> start) {
  bias_deviations_ = residual_deviations(predictor_, start, rows_);
  deviations_ = bias_deviations_;
  if (const OutputScaling* units = predictor_.output_scaling())
    for (std::size_t o = 0; o < deviations_.size(); ++o) deviations_[o] *= units->deviation_of(o);
}

std::vector<double> RecourseLessons::with_margin(std::span<const double> theta, double margin) const {
  return polystep::with_margin(predictor_, theta, bias_deviations_, margin);
}

// A decision may take a solve to be realised: in parallel, and remembered in order.
std::vector<RealisedAnswer> RecourseLessons::remember(std::span<const std::size_t> rows,
                                                      const RowLayout& places,
                                                      std::span<const double> decisions,
                                                      std::span<const double> solved, bool, Team& team) {
  std::vector<RealisedAnswer> answers(rows.size(), {kNothing, 0});
  team.for_each(rows.size(), [&](std::size_t i, std::size_t) {
    if (solved[i] == 0) return;
    double cost = kNothing;
    try {
      cost =
          task_.problem->realise(places.row(decisions, i), rows_.truth_row(rows[i]), rows_.instance(rows[i]))
              .cost;
    } catch (const SolverLost&) {
      throw;
    } catch (const std::exception&) {  // as a solver that throws: no decision for this row alone
    }
    if (std::isfinite(cost)) answers[i] = {cost, cost};
  });
  std::vector<double> a(shown_.rows() * shown_.variables()), b(shown_.rows()), excess(shown_.rows());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (std::isnan(answers[i].cost)) continue;
    const std::span<const double> decision = places.row(decisions, i);
    const std::size_t instance = rows_.instance(rows[i]);
    shown_.write_rows(rows_.truth_row(rows[i]), instance, a, b);
    write_activities(a, b, decision, excess);
    row_.push_back(static_cast<std::uint32_t>(rows[i]));
    known_cost_.push_back(product(shown_.objective(instance), decision));
    real_cost_.push_back(answers[i].cost);
    excess_.insert(excess_.end(), excess.begin(), excess.end());
    for (std::size_t j = 0; j < use_.size(); ++j) use_[j] += decision[j];
  }
  return answers;
}

double RecourseLessons::temperature(double share_of_training) const {
  const auto& [first, last] = shown_.binary() ? kBinaryTemperatures : kOtherTemperatures;
  return Schedule{ScheduleKind::kCosine, first, last, kSteps}.value(
      static_cast<std::size_t>(share_of_training * static_cast<double>(kSteps)));
}

void RecourseLessons::study(const UnseenPredictions&, std::span<const double>, std::size_t, Team& team) {
  if (row_.empty()) return;
  const auto answers = static_cast<double>(row_.size());
  size_ = 0;
  for (const double cost : known_cost_) size_ += std::abs(cost) / answers;
  if (!(size_ > 0)) size_ = 1;
  for (std::size_t j = 0; j < use_.size(); ++j)
    usual_[j] = shown_.binary() ? (use_[j] > 0 ? 1.0 : 0.0) : use_[j] / answers;
  value_rows(team);
  read_prices();
  charge_ = 0;
  for (std::size_t i = 0; i < row_.size(); ++i)
    charge_ = std::max(charge_, 2 * std::abs(real_cost_[i]) / units_[row_[i]] + 1);
}

// What the rows are worth to every instance, and what it costs at best, in a relaxed world that is known.
void RecourseLessons::value_rows(Team& team) {
  const bool relative = task_.metric == RegretMetric::kRelative;
  std::vector<double> best(rows_.rows, kNothing);
  constexpr std::size_t kTogether = 32;
  team.for_each((rows_.rows + kTogether - 1) / kTogether, [&](std::size_t part, std::size_t) {
    Loss loss(*this);
    for (std::size_t row = part * kTogether; row < std::min(rows_.rows, (part + 1) * kTogether); ++row) {
      const std::span<double> prices = std::span(worth_).subspan(row * shown_.rows(), shown_.rows());
      std::ranges::fill(prices, 0.0);
      if (loss.decide(row, rows_.truth_row(row), temperature(1), prices))
        best[row] = loss.known_cost(row);
      else
        std::ranges::fill(prices, 0.0);
    }
  });
  for (std::size_t row = 0; row < rows_.rows; ++row) {
    const bool own = relative && std::isfinite(best[row]);
    units_[row] = own ? std::max(std::abs(best[row]), kLeastUnit * size_) : size_;
  }
}

void RecourseLessons::read_prices() {
  prices_.forget();
  for (std::size_t i = 0; i < row_.size(); ++i)
    prices_.add(std::span(excess_).subspan(i * shown_.rows(), shown_.rows()), worth(row_[i]),
                real_cost_[i] - known_cost_[i], units_[row_[i]]);
  prices_.fit();
}

std::span<const TrainingWay> RecourseLessons::ways() const { return kRecourseWays; }

std::vector<double> RecourseLessons::train(const TiledRows& rows, const std::vector<double>& start,
                                           const TrainingWay& way, bool last) const {
  const QuickTraining setting{.steps = last ? kSteps : kRoundSteps, .rate = way.rate};
  Loss loss(*this);
  std::vector<double> prices(rows.rows() * shown_.rows(), 0.0);  // as found by the step before
  return train_quickly(
      predictor_, rows, start, setting,
      [&](std::size_t step, std::size_t place, std::size_t row, const double* prediction, double* gradient) {
        const std::size_t outputs = deviations_.size();
        const std::span<double> known = std::span(prices).subspan(place * shown_.rows(), shown_.rows());
        const double done = static_cast<double>(step) / static_cast<double>(setting.steps);
        if (!loss.decide(row, {prediction, outputs}, temperature(done), known)) {
          std::ranges::fill(known, 0.0);
          return;
        }
        loss.cost(row);
        loss.add_gradient({gradient, outputs});
      });
}

double RecourseLessons::expected_cost(std::size_t row, std::span<const double> prediction) const {
  return expected_cost(row, prediction, {});
}

double RecourseLessons::expected_cost(std::size_t row, std::span<const double> prediction,
                                      std::span<double> gradient) const {
  Loss loss(*this);
  std::vector<double> prices(shown_.rows(), 0.0);
  if (!loss.decide(row, prediction, temperature(1), prices)) return row_.empty() ? kNothing : charge_;
  const double cost = loss.cost(row);
  if (!gradient.empty()) loss.add_gradient(gradient);
  return cost;
}

std::vector<std::pair<std::string, double>> RecourseLessons::figures() const {
  return {{"answers", static_cast<double>(row_.size())}};
}

void RecourseLessons::save(ArchiveWriter& archive) const {
  archive.put(std::vector<double>(row_.begin(), row_.end()));
  for (const std::vector<double>* numbers : {&known_cost_, &real_cost_, &excess_, &use_})
    archive.put(*numbers);
}

void RecourseLessons::load(ArchiveReader& archive) {
  row_.clear();
  for (const double row : archive.get_doubles()) {
    if (!(row >= 0 && row < static_cast<double>(rows_.rows)))
      archive.refuse("it holds an answer for a row that there is not");
    row_.push_back(static_cast<std::uint32_t>(row));
  }
  known_cost_ = archive.get_doubles(row_.size(), "known costs of answers");
  real_cost_ = archive.get_doubles(row_.size(), "real costs of answers");
  excess_ = archive.get_doubles(row_.size() * shown_.rows(), "excesses of answers");
  use_ = archive.get_doubles(use_.size(), "what decisions take");
}

}  // namespace polystep
