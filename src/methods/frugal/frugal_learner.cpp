#include "methods/frugal/frugal_learner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "data/tables/split_rows.hpp"
#include "methods/polystepor/bags.hpp"
#include "methods/polystepor/judge.hpp"
#include "methods/starts/initial_fit.hpp"
#include "polystep/error.hpp"
#include "polystep/random.hpp"
#include "polystep/stop.hpp"

namespace polystep {
namespace {

constexpr double kRoundShare = 0.4;  // of the steps, in trainings that only say where to ask next

// Rates of training, of the mean prediction. Held-out rows choose among them at the first and at the last
// training: what many outputs learn from few rows wants shorter steps.
constexpr double kRates[] = {0.02, 0.005};

// How much dearer the solver's answers to what was trained may be than those to the start, of the latter's
// size. Held-out rows are few; without any room the start would often be kept where there was a gain.
constexpr double kGuard = 0.02;

// What a row takes from the decisions of others: the best for its prediction and for noisy copies of it.
constexpr std::size_t kCopies = 14;
constexpr double kCopyNoise = 0.6;
constexpr std::uint64_t kCopyDraws = 1ull << 32;  // beside those of questions, which are numbered from 0
constexpr std::size_t kMostOffered = 2000;
constexpr std::size_t kManyMembers = 40;  // a row with as many takes no more for copies

std::vector<std::vector<std::size_t>> bags_of(const Predictor& predictor, const Options& options,
                                              std::size_t training_rows, std::size_t rows,
                                              std::uint64_t seed) {
  const auto wanted = static_cast<std::size_t>(options.integer("frugal-bags"));
  if (predictor.affine() && wanted > 1)
    return draw_bags({.bags = wanted, .share = options.number("bag-share"), .seed = seed}, rows);
  // Parameters of networks cannot be averaged: one trains on all training rows, validation rows judge it.
  std::vector<std::size_t> all(training_rows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return {std::move(all)};
}

std::size_t calls_of(const Options& options, std::size_t training_rows) {
  const double calls = options.number("calls") * static_cast<double>(training_rows);
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::floor(calls + 1e-9)));
}

std::vector<double> mean_of(std::span<const std::vector<double>> bags) {
  std::vector<double> mean(bags.front().size(), 0.0);
  for (const std::vector<double>& theta : bags)
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += theta[i];
  for (double& parameter : mean) parameter /= static_cast<double>(bags.size());
  return mean;
}

}  // namespace

void add_frugal_options(OptionTable& table) {
  table
      .number("calls", 30, 1, 1e9,
              "solver calls per training row, for training and validation together (fidelity = frugal)")
      .integer("frugal-bags", 16, 1, 1000,
               "shares of the rows, bag-share each, to train on remembered decisions; they cost no solve "
               "(fidelity = frugal)")
      .flag("share-decisions", true,
            "rows choose among decisions of other rows too, where these are known to be feasible for them "
            "(fidelity = frugal)");
}

bool FrugalLearner::serves(const Task& task) { return task.problem->facts().linear_objective().has_value(); }

FrugalLearner::FrugalLearner(const LearnerContext& context)
    : evaluator_(context.evaluator),
      options_(context.options),
      seed_(context.seed),
      data_(prepare_data(context.evaluator.task(), options_.flag("standardise"),
                         options_.flag("instance-weights"))),
      training_rows_(data_.training.rows),
      rows_(join_rows(data_.training, data_.validation)),
      oracle_(context.evaluator, "polystepor"),
      decisions_(*context.evaluator.task().problem, rows_),
      passes_(plan_questions(calls_of(options_, training_rows_), rows_.rows)),
      bags_(bags_of(predictor(), options_, training_rows_, rows_.rows, seed_)),
      unseen_(predictor(), rows_, bags_),
      answers_{std::vector<std::uint32_t>(rows_.rows, kNotAsked),
               std::vector<std::uint32_t>(rows_.rows, kNotAsked)} {
  for (const std::vector<std::size_t>& bag : bags_) bag_tiles_.emplace_back().gather(rows_, bag);
}

void FrugalLearner::fit_starts(Preparation& preparation) {
  const Found& found = preparation.part("starts of the bags", [&]() -> Found {
    std::vector<std::size_t> all(rows_.rows);
    std::iota(all.begin(), all.end(), std::size_t{0});
    Found starts;  // that of all rows, then those of the bags
    const auto fit = [&](std::span<const std::size_t> rows) {
      stop_if_wanted();
      auto theta = fitted_start(predictor(), rows_, rows, seed_, InitialDraw::kStreams);
      if (!theta) theta = predictor().initial_parameters(seed_);
      starts.numbers.insert(starts.numbers.end(), theta->begin(), theta->end());
    };
    fit(predictor().affine() ? all : bags_.front());
    for (std::size_t bag = 0; bags_.size() > 1 && bag < bags_.size(); ++bag) fit(bags_[bag]);
    return starts;
  });
  auto take = [&, from = found.numbers.begin()]() mutable {
    const auto first = from;
    from += static_cast<std::ptrdiff_t>(predictor().parameters());
    return std::vector<double>(first, from);
  };
  start_ = take();
  for (std::size_t bag = 0; bag < bags_.size(); ++bag)
    bag_starts_.push_back(bags_.size() == 1 ? start_ : take());
  bag_trained_ = bag_starts_;
  prediction_unit_ = prediction_size(predictor(), start_, TiledRows(rows_));
  if (!(prediction_unit_ > 0)) prediction_unit_ = 1;
  parameter_unit_ = predictor().affine() ? prediction_unit_
                                         : length(start_) / std::sqrt(static_cast<double>(start_.size()));
  if (!(parameter_unit_ > 0)) parameter_unit_ = 1;
}

// The first questions are at the start's predictions: they say what decisions cost here.
void FrugalLearner::find_failure_cost(Preparation& preparation) {
  if (!start_.empty()) return;
  fit_starts(preparation);
  const std::vector<std::size_t> asked = asked_rows(passes_[0], 0, rows_.rows, seed_);
  const RowLayout places(*evaluator_.task().problem, rows_, asked);
  const Found& found = preparation.part("decisions of the start", [&]() -> Found {
    Found first;
    first.numbers.resize(places.total());
    const std::vector<SolveStatus> statuses =
        oracle_.decide(rows_, asked, questions(0, asked), first.numbers, first.solves);
    for (const SolveStatus status : statuses) first.numbers.push_back(status == SolveStatus::kSolved ? 1 : 0);
    return first;
  });
  setup_solves_ = found.solves;
  if (found.solves.failed == asked.size())
    throw InputError("the failure cost, by decisions of the start: the solver failed on all of " +
                     std::to_string(asked.size()) + " rows, expected at least one to be solved");
  const std::span<const double> numbers(found.numbers);
  take_answers(0, asked, numbers.first(places.total()), numbers.subspan(places.total()));
  double largest = 0, largest_raw = 0;
  for (const std::size_t row : asked) {
    if (answers_.first[row] == kNoDecision) continue;
    largest = std::max(largest, std::abs(cost_of(row, answers_.first[row])));
    largest_raw = std::max(largest_raw, std::abs(raw_cost(row, answers_.first[row])));
  }
  charge_ = 2 * largest + 1;
  evaluator_.set_failure_cost(2 * largest_raw + 1);
}

void FrugalLearner::prepare(Preparation& preparation) {
  find_failure_cost(preparation);
  folded_ = data_.fold(predictor(), start_);
}

std::optional<CountedCalls> FrugalLearner::counted() const {
  CountedCalls calls;
  calls.preparation = static_cast<double>(passes_.front().questions);
  calls.steps = static_cast<double>(passes_.size());
  for (std::size_t pass = 1; pass < passes_.size(); ++pass)
    calls.step += static_cast<double>(passes_[pass].questions) / calls.steps;
  return calls;
}

TrainingPlan FrugalLearner::plan() const {
  return {.steps = passes_.size(), .check_every = 1, .patience = 0, .keep_best = false};
}

LearnerReport FrugalLearner::step() {
  LearnerReport report;
  report.solves = std::exchange(setup_solves_, {});
  ++step_;
  if (step_ < passes_.size()) {
    if (passes_[step_].begins_round) {
      share_decisions();
      learn(kRoundShare, trainings_ == 0);
      settle(nullptr);
    }
    ask(step_, report.solves);
  } else {
    if (options_.flag("share-decisions")) {
      share_decisions();
      learn(kRoundShare, trainings_ == 0);
    }
    share_decisions();
    learn(1, true);
    share_decisions();
    settle(&report);
  }
  report.figures.emplace_back("pool_size", decisions_.mean_size());
  report.figures.emplace_back("distinct_decisions", static_cast<double>(decisions_.distinct()));
  return report;
}

// Predictions by the bags that never saw the row, and noise.
std::vector<double> FrugalLearner::questions(std::size_t pass, std::span<const std::size_t> asked) const {
  const std::vector<double> all = unseen_.of(bag_trained_, evaluator_.team());
  std::vector<double> taken;
  for (const std::size_t row : asked) {
    const std::span<const double> prediction = unseen_.layout().row(all, row);
    RandomStream stream(seed_, Purpose::kPerturbation, pass, row);
    const double noise = passes_[pass].noise * prediction_unit_;
    for (const double value : prediction)
      taken.push_back(noise == 0 ? value : value + noise * stream.normal());
  }
  return taken;
}

void FrugalLearner::ask(std::size_t pass, SolveCounts& solves) {
  const std::vector<std::size_t> asked = asked_rows(passes_[pass], pass, rows_.rows, seed_);
  const RowLayout places(*evaluator_.task().problem, rows_, asked);
  std::vector<double> decisions(places.total()), solved;
  for (const SolveStatus status : oracle_.decide(rows_, asked, questions(pass, asked), decisions, solves))
    solved.push_back(status == SolveStatus::kSolved ? 1 : 0);
  take_answers(pass, asked, decisions, solved);
}

void FrugalLearner::take_answers(std::size_t pass, std::span<const std::size_t> asked,
                                 std::span<const double> decisions, std::span<const double> solved) {
  const RowLayout places(*evaluator_.task().problem, rows_, asked);
  const bool plain = passes_[pass].noise == 0;
  if (plain && pass > 0) std::ranges::fill(answers_.last, kNotAsked);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const std::uint32_t answer =
        solved[i] != 0 ? decisions_.remember(asked[i], places.row(decisions, i)) : kNoDecision;
    if (plain) (pass == 0 ? answers_.first : answers_.last)[asked[i]] = answer;
  }
}

void FrugalLearner::share_decisions() {
  if (!options_.flag("share-decisions")) return;
  const std::vector<double> predictions = unseen_.of(bag_trained_, evaluator_.team());
  const std::vector<std::uint32_t> offered = decisions_.offered(kMostOffered);
  std::vector<std::vector<std::uint32_t>> taken(rows_.rows);
  evaluator_.team().for_each(rows_.rows, [&](std::size_t row, std::size_t) {
    const std::span<const double> prediction = unseen_.layout().row(predictions, row);
    RandomStream stream(seed_, Purpose::kPerturbation, kCopyDraws + trainings_, row);
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

std::vector<std::vector<double>> FrugalLearner::train_bags(double rate, double share_of_steps) const {
  PooledTraining setting;
  setting.steps = static_cast<std::size_t>(std::round(share_of_steps * static_cast<double>(setting.steps)));
  setting.rate = rate * parameter_unit_;
  setting.soft_start *= prediction_unit_;
  setting.soft_end *= prediction_unit_;
  std::vector<std::vector<double>> trained(bags_.size());
  evaluator_.team().for_each(bags_.size(), [&](std::size_t bag, std::size_t) {
    std::vector<double> theta =
        train_on_decisions(predictor(), decisions_, bag_tiles_[bag], bag_starts_[bag], setting);
    if (data_.scale_free && predictor().affine()) give_length_of(bag_starts_[bag], theta);
    trained[bag] = std::move(theta);
  });
  return trained;
}

void FrugalLearner::learn(double share_of_steps, bool any_rate) {
  ++trainings_;
  if (!any_rate) {
    bag_trained_ = train_bags(rate_, share_of_steps);
    return;
  }
  double lowest = std::numeric_limits<double>::infinity();
  for (const double rate : kRates) {
    std::vector<std::vector<double>> trained = train_bags(rate, share_of_steps);
    double cost = 0;
    for (const double of_row : held_out_costs(unseen_.of(trained, evaluator_.team()))) cost += of_row;
    if (!(cost < lowest)) continue;
    lowest = cost;
    rate_ = rate;
    bag_trained_ = std::move(trained);
  }
}

// What rows that some bag never saw would choose of what they remember, and what that costs them.
std::vector<double> FrugalLearner::held_out_costs(std::span<const double> predictions) const {
  std::vector<double> costs;
  for (std::size_t row = 0; row < rows_.rows; ++row) {
    if (!unseen_.unseen(row) || decisions_.members(row).empty()) continue;
    const std::size_t chosen = decisions_.chosen(row, unseen_.layout().row(predictions, row));
    costs.push_back(decisions_.members(row)[chosen].cost);
  }
  return costs;
}

// Blends are judged by what rows would choose of what they remember.
void FrugalLearner::settle(LearnerReport* report) {
  const std::vector<double> by_start = unseen_.of(bag_starts_, evaluator_.team());
  const std::vector<double> by_trained = unseen_.of(bag_trained_, evaluator_.team());
  const auto costs_of = [&](double share) {
    std::vector<double> mixed(by_start.size());
    for (std::size_t i = 0; i < mixed.size(); ++i)
      mixed[i] = (1 - share) * by_start[i] + share * by_trained[i];
    return held_out_costs(mixed);
  };
  constexpr double kEither[] = {0.0, 1.0};
  const bool blends = predictor().affine() && options_.flag("blend");
  const Blend blend = choose_share(blends ? shares_to_try(true) : std::span<const double>(kEither), costs_of);
  const bool guarded = worse_than_start();
  share_ = guarded ? 0 : blend.share;
  std::vector<double> theta = mean_of(bag_trained_);
  if (!predictor().affine()) {
    if (share_ == 0) theta = start_;
  } else {
    for (std::size_t i = 0; i < theta.size(); ++i) theta[i] = (1 - share_) * start_[i] + share_ * theta[i];
  }
  folded_ = data_.fold(predictor(), theta);
  if (report == nullptr) return;
  report->figures.emplace_back("blend", share_);
  report->figures.emplace_back("held_out_cost", blend.cost);
  report->figures.emplace_back("guarded", guarded ? 1 : 0);
  report->figures.emplace_back("rate", rate_);
}

double FrugalLearner::cost_of(std::size_t row, std::uint32_t answer) const {
  return answer == kNoDecision ? charge_ : decisions_.value(answer, rows_.truth_row(row).data());
}

double FrugalLearner::raw_cost(std::size_t row, std::uint32_t answer) const {
  if (answer == kNoDecision) return evaluator_.failure_cost();
  const Dataset& data = evaluator_.task().data;
  const bool trains = row < training_rows_;
  return decisions_.value(answer, trains ? data.training.truth_row(row).data()
                                         : data.validation.truth_row(row - training_rows_).data());
}

bool FrugalLearner::worse_than_start() const {
  double first = 0, last = 0, size = 0;
  for (std::size_t row = 0; row < rows_.rows; ++row) {
    if (answers_.first[row] == kNotAsked || answers_.last[row] == kNotAsked) continue;
    const double before = cost_of(row, answers_.first[row]);
    first += before;
    size += std::abs(before);
    last += cost_of(row, answers_.last[row]);
  }
  return last > first + kGuard * size;
}

ValidationReport FrugalLearner::own_validation() const {
  double sum = 0;
  for (std::size_t row = training_rows_; row < rows_.rows; ++row) {
    std::uint32_t answer = share_ > 0 ? answers_.last[row] : answers_.first[row];
    if (answer == kNotAsked) answer = answers_.first[row];
    if (answer == kNotAsked) answer = kNoDecision;
    sum += raw_cost(row, answer);
  }
  ValidationReport report;
  report.cost = sum / static_cast<double>(rows_.rows - training_rows_);
  return report;
}

void FrugalLearner::save(ArchiveWriter& archive) const {
  archive.put<std::uint64_t>(step_);
  archive.put<std::uint64_t>(trainings_);
  decisions_.save(archive);
  for (const std::uint32_t answer : answers_.first) archive.put(answer);
  for (const std::uint32_t answer : answers_.last) archive.put(answer);
  for (const std::vector<double>& theta : bag_trained_) archive.put(theta);
  archive.put(rate_);
  archive.put(share_);
  archive.put(folded_);
}

void FrugalLearner::load(ArchiveReader& archive) {
  step_ = archive.get<std::uint64_t>();
  trainings_ = archive.get<std::uint64_t>();
  decisions_.load(archive);
  for (std::vector<std::uint32_t>* answers : {&answers_.first, &answers_.last})
    for (std::uint32_t& answer : *answers) {
      answer = archive.get<std::uint32_t>();
      if (answer < kNoDecision && answer >= decisions_.distinct())
        archive.refuse("it names decision " + std::to_string(answer) + ", which it does not hold");
    }
  for (std::vector<double>& theta : bag_trained_)
    theta = archive.get_doubles(theta.size(), "the parameters of a bag");
  rate_ = archive.get<double>();
  share_ = archive.get<double>();
  folded_ = archive.get_doubles(folded_.size(), "the parameters of the predictor");
  if (step_ > 0) setup_solves_ = {};
}

}  // namespace polystep
