#include "methods/frugal/frugal_learner.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "data/tables/split_rows.hpp"
#include "methods/frugal/choice_lessons.hpp"
#include "methods/frugal/recourse_lessons.hpp"
#include "methods/frugal/training_shares.hpp"
#include "methods/polystepor/bags.hpp"
#include "methods/starts/initial_fit.hpp"
#include "methods/starts/least_squares.hpp"
#include "polystep/error.hpp"
#include "polystep/random.hpp"
#include "polystep/stop.hpp"

namespace polystep {
namespace {

// How much dearer the solver's answers to what was trained may be than those to the start, of the latter's
// size. Held-out rows are few; without any room the start would often be kept where there was a gain.
constexpr double kGuard = 0.02;

// Bags that speak together of what tempts them: few, since what tempts their mean is not what each meets.
constexpr std::size_t kBagGroups = 4;

constexpr std::size_t kTriedRows = 64, kTriedNetworkRows = 8;  // that a training is timed with

constexpr double kMarginSteps = 0.02;  // in which a margin is looked for between those that were asked about
constexpr double kNearMargins = 0.45;  // off the cheapest at most
constexpr std::size_t kMarginsForCubic = 5;

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

// Where there is recourse, the final figures ask about validation rows once more; that counts.
std::size_t calls_of(const Options& options, const Task& task) {
  double calls = options.number("calls") * static_cast<double>(task.data.training.rows);
  if (task.problem->facts().has_recourse) calls -= static_cast<double>(task.data.validation.rows);
  return static_cast<std::size_t>(std::max(1.0, std::floor(calls + 1e-9)));
}

std::vector<double> mean_of(std::span<const std::vector<double>> bags) {
  std::vector<double> mean(bags.front().size(), 0.0);
  for (const std::vector<double>& theta : bags)
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += theta[i];
  for (double& parameter : mean) parameter /= static_cast<double>(bags.size());
  return mean;
}

std::unique_ptr<Lessons> make_lessons(const LearnerContext& context, const PreparedData& data,
                                      const Split& rows) {
  if (ChoiceLessons::serve(context.evaluator.task()))
    return std::make_unique<ChoiceLessons>(context, data, rows);
  return std::make_unique<RecourseLessons>(context, rows);
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
            "(fidelity = frugal)")
      .flag("ask-truth", true,
            "where decisions differ from row to row, ask for the best one in reality too, and for those that "
            "would tempt a training towards it (fidelity = frugal)");
}

// A limit on infeasible decisions is held by probes alone.
bool FrugalLearner::serves(const Task& task, const Options& options) {
  return ChoiceLessons::serve(task) ||
         (RecourseLessons::serve(task) && options.number("max-infeasibility") >= 1);
}

FrugalLearner::FrugalLearner(const LearnerContext& context, Rows rows)
    : evaluator_(context.evaluator),
      options_(context.options),
      seed_(context.seed),
      data_(prepare_data(context.evaluator.task(), options_.flag("standardise"),
                         options_.flag("instance-weights"))),
      training_rows_(data_.training.rows),
      rows_(rows == Rows::kAll ? join_rows(data_.training, data_.validation) : data_.training),
      oracle_(context.evaluator, "polystepor", DecisionOracle::Learns::kFromAnswers),
      lessons_(make_lessons(context, data_, rows_)),
      passes_(lessons_->plan(calls_of(options_, evaluator_.task()))),
      bags_(bags_of(predictor(), options_, training_rows_, rows_.rows, seed_)),
      unseen_(predictor(), rows_, bags_),
      first_(no_answers(0)) {
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
  lessons_->begin(start_);
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
  take_answers(0, asked, numbers.first(places.total()), numbers.subspan(places.total()), setup_solves_);
  if (std::ranges::count(first_.known, Known::kAnswered) == 0)
    throw InputError("the failure cost, by decisions of the start: none of " + std::to_string(asked.size()) +
                     " could be carried out, expected at least one");
  double largest = 0, largest_raw = 0;
  for (const std::size_t row : asked) {
    if (first_.known[row] != Known::kAnswered) continue;
    largest = std::max(largest, std::abs(first_.realised[row].cost));
    largest_raw = std::max(largest_raw, std::abs(first_.realised[row].raw_cost));
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

double FrugalLearner::learning_units(std::size_t step) const {
  const bool at_truth = std::ranges::any_of(passes_, &QuestionPass::at_truth);
  const std::size_t all = step_ == 0 ? lessons_->most_ways(at_truth) : lessons_->ways().size();
  std::size_t ways = 0;
  if (step + 1 < passes_.size()) {
    const QuestionPass& pass = passes_[step + 1];
    if (pass.begins_round) ways = pass.round == 1 || pass.judges ? all : 1;
  } else if (!passes_.back().judges) {
    ways = all + (options_.flag("share-decisions") ? 1 : 0);
  }
  return static_cast<double>(ways * bags_.size());
}

double FrugalLearner::learning_unit_seconds() const {
  const std::span<const std::size_t> bag = bags_.front();
  const std::size_t tried = std::min(bag.size(), predictor().affine() ? kTriedRows : kTriedNetworkRows);
  const std::vector<std::size_t> rows(bag.begin(), bag.begin() + static_cast<std::ptrdiff_t>(tried));
  const LearnerContext context{evaluator_, options_, seed_};
  const std::unique_ptr<Lessons> lessons = make_lessons(context, data_, rows_);
  auto start = predictor().affine() ? fitted_start(predictor(), rows_, rows) : std::nullopt;
  if (!start) start = predictor().initial_parameters(seed_);
  lessons->begin(*start);
  lessons->imagine_answers(rows, options_.number("calls"));
  TiledRows tiles;
  tiles.gather(rows_, rows);
  double least = std::numeric_limits<double>::infinity();
  for (int again = 0; again < 2; ++again) {  // the first one wakes things up
    const auto begin = std::chrono::steady_clock::now();
    lessons->train(tiles, *start, lessons->ways().front(), true);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    least = std::min(least, taken.count());
  }
  return least * static_cast<double>(bag.size()) / static_cast<double>(rows.size());
}

TrainingPlan FrugalLearner::plan() const {
  return {.steps = passes_.size(), .check_every = 1, .patience = 0, .keep_best = false};
}

LearnerReport FrugalLearner::step() {
  LearnerReport report;
  report.solves = std::exchange(setup_solves_, {});
  ++step_;
  if (step_ < passes_.size()) {
    const QuestionPass& pass = passes_[step_];
    if (pass.begins_round) {
      study();
      learn(trainings_ == 0 || pass.judges, pass.judges);
      last_.clear();
      settle(nullptr);
    }
    ask(step_, report.solves);
  } else {
    finish();
    settle(&report);
  }
  const auto figures = lessons_->figures();
  report.figures.insert(report.figures.end(), figures.begin(), figures.end());
  return report;
}

// The last training, unless it was what the last questions were about.
void FrugalLearner::finish() {
  if (!passes_.back().judges) {
    if (options_.flag("share-decisions")) {
      study();
      learn(trainings_ == 0, false);
    }
    study();
    learn(true, true);
  }
  study();
}

std::size_t FrugalLearner::bag_groups() const { return std::min(kBagGroups, bags_.size()); }

// What trainings meet: predictions by a few of the bags that trained on the row, others in every pass.
std::vector<double> FrugalLearner::trained_predictions(std::size_t pass) const {
  const std::size_t groups = bag_groups();
  std::vector<std::vector<std::size_t>> silent(bags_.size());
  for (std::size_t bag = 0; bag < bags_.size(); ++bag) {
    const std::span<const std::size_t> in = bags_[bag];  // ascending
    for (std::size_t row = 0; row < rows_.rows; ++row)
      if (bag % groups != pass % groups || !std::ranges::binary_search(in, row)) silent[bag].push_back(row);
  }
  return UnseenPredictions(predictor(), rows_, silent).of(bag_trained_, evaluator_.team());
}

// Predictions by the bags that never saw the row, moved by the margin of the pass, or noise; or the truth; or
// beyond it, as far as what was trained is off.
std::vector<double> FrugalLearner::questions(std::size_t pass, std::span<const std::size_t> asked) const {
  const bool at_truth = asks_truth(pass), tempting = tempts(pass);
  // Where every group of bags has spoken in the round, a question would come back.
  const bool noisy = passes_[pass].noise != 0 && (!tempting || passes_[pass].tempting > bag_groups());
  const std::vector<double> all =
      tempting ? trained_predictions(pass) : unseen_.of(bag_trained_, evaluator_.team());
  const std::span<const double> noises = lessons_->noise(), margins = lessons_->margin_unit();
  std::vector<double> taken;
  for (const std::size_t row : asked) {
    const std::span<const double> prediction = unseen_.layout().row(all, row);
    RandomStream stream(seed_, Purpose::kPerturbation, pass, row);
    for (std::size_t o = 0; o < prediction.size(); ++o) {
      if (at_truth) {
        taken.push_back(rows_.truth_row(row)[o]);
        continue;
      }
      double moved = prediction[o];
      if (noisy) moved += passes_[pass].noise * noises[noises.size() == 1 ? 0 : o] * stream.normal();
      if (!noisy && !margins.empty()) moved += passes_[pass].margin * margins[o];
      taken.push_back(tempting ? 2 * moved - rows_.truth_row(row)[o] : moved);
    }
  }
  return taken;
}

void FrugalLearner::ask(std::size_t pass, SolveCounts& solves) {
  const std::vector<std::size_t> asked = asked_rows(passes_[pass], pass, rows_.rows, seed_);
  const RowLayout places(*evaluator_.task().problem, rows_, asked);
  std::vector<double> decisions(places.total()), solved;
  for (const SolveStatus status : oracle_.decide(rows_, asked, questions(pass, asked), decisions, solves))
    solved.push_back(status == SolveStatus::kSolved ? 1 : 0);
  take_answers(pass, asked, decisions, solved, solves);
}

FrugalLearner::Answers FrugalLearner::no_answers(double margin) const {
  return {margin, std::vector<Known>(rows_.rows, Known::kNotAsked), std::vector<RealisedAnswer>(rows_.rows)};
}

void FrugalLearner::take_answers(std::size_t pass, std::span<const std::size_t> asked,
                                 std::span<const double> decisions, std::span<const double> solved,
                                 SolveCounts& solves) {
  const RowLayout places(*evaluator_.task().problem, rows_, asked);
  const std::vector<RealisedAnswer> answers =
      lessons_->remember(asked, places, decisions, solved, asks_truth(pass), evaluator_.team());
  Answers* into = pass == 0 ? &first_ : nullptr;
  if (passes_[pass].noise == 0 && pass > 0) {
    last_.push_back(no_answers(passes_[pass].margin));
    into = &last_.back();
  }
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const bool none = std::isnan(answers[i].cost);
    if (none && solved[i] != 0) ++solves.failed;  // a decision that could not be carried out
    if (into == nullptr) continue;
    into->known[asked[i]] = none ? Known::kNoDecision : Known::kAnswered;
    into->realised[asked[i]] = answers[i];
  }
}

void FrugalLearner::study() {
  lessons_->study(unseen_, unseen_.of(bag_trained_, evaluator_.team()), trainings_, evaluator_.team());
}

std::vector<std::vector<double>> FrugalLearner::train_bags(const TrainingWay& way, bool last) const {
  std::vector<std::vector<double>> trained(bags_.size());
  evaluator_.team().for_each(bags_.size(), [&](std::size_t bag, std::size_t) {
    trained[bag] = lessons_->train(bag_tiles_[bag], bag_starts_[bag], way, last);
  });
  return trained;
}

void FrugalLearner::learn(bool any_way, bool last) {
  ++trainings_;
  const std::span<const TrainingWay> ways = lessons_->ways();
  if (!any_way) {
    bag_trained_ = train_bags(ways[way_], last);
    return;
  }
  std::vector<std::vector<std::vector<double>>> trained;  // [ways × bags × parameters]
  std::vector<std::vector<double>> costs;                 // [ways × held-out rows]
  for (const TrainingWay& way : ways) {
    trained.push_back(train_bags(way, last));
    costs.push_back(held_out_costs(unseen_.of(trained.back(), evaluator_.team())));
  }
  const TrainingShares found = shares_by_costs(costs);
  way_ = found.cheapest;
  if (!predictor().affine()) {  // parameters of networks cannot be averaged
    bag_trained_ = std::move(trained[found.cheapest]);
    return;
  }
  for (std::size_t bag = 0; bag < bags_.size(); ++bag) {
    std::ranges::fill(bag_trained_[bag], 0.0);
    for (std::size_t way = 0; way < trained.size(); ++way)
      for (std::size_t i = 0; i < bag_trained_[bag].size(); ++i)
        bag_trained_[bag][i] += found.shares[way] * trained[way][bag][i];
  }
}

// What predictions would cost rows that some bag never saw.
std::vector<double> FrugalLearner::held_out_costs(std::span<const double> predictions) const {
  std::vector<double> costs(rows_.rows, std::numeric_limits<double>::quiet_NaN());
  evaluator_.team().for_each(rows_.rows, [&](std::size_t row, std::size_t) {
    if (unseen_.unseen(row))
      costs[row] = lessons_->expected_cost(row, unseen_.layout().row(predictions, row));
  });
  std::erase_if(costs, [](double cost) { return std::isnan(cost); });
  return costs;
}

// Blends are judged by what is remembered, margins by the solver's answers.
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
  margin_ = best_margin();
  const bool guarded = worse_than_start();
  share_ = guarded ? 0 : blend.share;
  std::vector<double> theta = mean_of(bag_trained_);
  if (!predictor().affine()) {
    if (share_ == 0) theta = start_;
  } else {
    for (std::size_t i = 0; i < theta.size(); ++i) theta[i] = (1 - share_) * start_[i] + share_ * theta[i];
  }
  if (share_ == 0) margin_ = 0;
  if (margin_ != 0) theta = lessons_->with_margin(theta, margin_);
  folded_ = data_.fold(predictor(), theta);
  theta_ = std::move(theta);
  if (report == nullptr) return;
  report->figures.emplace_back("blend", share_);
  report->figures.emplace_back("held_out_cost", blend.cost);
  report->figures.emplace_back("guarded", guarded ? 1 : 0);
  const TrainingWay& way = lessons_->ways()[way_];
  report->figures.emplace_back("rate", way.rate);
  report->figures.emplace_back("by_references", way.by_references ? 1 : 0);
  if (!lessons_->margin_unit().empty()) report->figures.emplace_back("margin", margin_);
}

double FrugalLearner::cost_of(const Answers& answers, std::size_t row) const {
  double cost = answers.realised[row].cost;
  if (answers.known[row] != Known::kAnswered)
    cost = evaluator_.charges_failures() ? evaluator_.failure_cost(rows_.instance(row)) : charge_;
  return cost / lessons_->unit(row);
}

double FrugalLearner::raw_cost(const Answers& answers, std::size_t row) const {
  return answers.known[row] == Known::kAnswered ? answers.realised[row].raw_cost
                                                : evaluator_.failure_cost(rows_.instance(row));
}

// Costs at margins differ by chance too, but rows are the same and what a margin is worth is smooth: where
// there are enough of them, the lowest point of a polynomial through those near the cheapest. Costs fall
// steeply towards it and rise slowly behind it, which a parabola takes for a larger margin.
double FrugalLearner::best_margin() const {
  std::vector<double> margins, means;
  for (const Answers& answers : last_) {
    if (std::ranges::count(answers.known, Known::kNotAsked) != 0) continue;
    double sum = 0;
    for (std::size_t row = 0; row < rows_.rows; ++row) sum += cost_of(answers, row);
    margins.push_back(answers.margin);
    means.push_back(sum / static_cast<double>(rows_.rows));
  }
  if (margins.size() < 2) return 0;
  if (margins.size() == 2) return means[1] < means[0] ? margins[1] : margins[0];
  const double cheapest = margins[static_cast<std::size_t>(std::ranges::min_element(means) - means.begin())];
  for (std::size_t k = margins.size(); k-- > 0;) {
    if (std::abs(margins[k] - cheapest) <= kNearMargins) continue;
    margins.erase(margins.begin() + static_cast<std::ptrdiff_t>(k));
    means.erase(means.begin() + static_cast<std::ptrdiff_t>(k));
  }
  const auto [least, most] = std::ranges::minmax(margins);
  std::vector<double> tried;
  for (double margin = least; margin <= most + kMarginSteps / 2; margin += kMarginSteps)
    tried.push_back(margin);
  const std::size_t degree = margins.size() < kMarginsForCubic ? 2 : 3;
  const std::vector<double> smooth = fitted_polynomial(margins, means, degree, tried);
  return tried[static_cast<std::size_t>(std::ranges::min_element(smooth) - smooth.begin())];
}

const FrugalLearner::Answers& FrugalLearner::answers_handed_over() const {
  const Answers* nearest = &first_;
  for (const Answers& answers : last_)
    if (nearest == &first_ || std::abs(answers.margin - margin_) < std::abs(nearest->margin - margin_))
      nearest = &answers;
  return *nearest;
}

bool FrugalLearner::worse_than_start() const {
  const Answers& trained = answers_handed_over();
  double first = 0, last = 0, size = 0;
  for (std::size_t row = 0; row < rows_.rows; ++row) {
    if (first_.known[row] == Known::kNotAsked || trained.known[row] == Known::kNotAsked) continue;
    const double before = cost_of(first_, row);
    first += before;
    size += std::abs(before);
    last += cost_of(trained, row);
  }
  return last > first + kGuard * size;
}

ValidationReport FrugalLearner::own_validation() const {
  const Answers& trained = share_ > 0 ? answers_handed_over() : first_;
  double sum = 0;
  for (std::size_t row = training_rows_; row < rows_.rows; ++row)
    sum += raw_cost(trained.known[row] == Known::kNotAsked ? first_ : trained, row);
  ValidationReport report;
  report.cost = sum / static_cast<double>(rows_.rows - training_rows_);
  return report;
}

void FrugalLearner::save_answers(ArchiveWriter& archive, const Answers& answers) {
  archive.put(answers.margin);
  for (const Known known : answers.known) archive.put(static_cast<std::uint8_t>(known));
  for (const RealisedAnswer& realised : answers.realised) {
    archive.put(realised.cost);
    archive.put(realised.raw_cost);
  }
}

void FrugalLearner::load_answers(ArchiveReader& archive, Answers& answers) {
  answers.margin = archive.get<double>();
  for (Known& known : answers.known) {
    const auto kind = archive.get<std::uint8_t>();
    if (kind > static_cast<std::uint8_t>(Known::kAnswered))
      archive.refuse("it holds an answer of no known kind");
    known = static_cast<Known>(kind);
  }
  for (RealisedAnswer& realised : answers.realised) {
    realised.cost = archive.get<double>();
    realised.raw_cost = archive.get<double>();
  }
}

void FrugalLearner::save(ArchiveWriter& archive) const {
  archive.put<std::uint64_t>(step_);
  archive.put<std::uint64_t>(trainings_);
  lessons_->save(archive);
  save_answers(archive, first_);
  archive.put<std::uint64_t>(last_.size());
  for (const Answers& answers : last_) save_answers(archive, answers);
  for (const std::vector<double>& theta : bag_trained_) archive.put(theta);
  archive.put<std::uint64_t>(way_);
  archive.put(share_);
  archive.put(margin_);
  archive.put(folded_);
}

void FrugalLearner::load(ArchiveReader& archive) {
  step_ = archive.get<std::uint64_t>();
  trainings_ = archive.get<std::uint64_t>();
  lessons_->load(archive);
  load_answers(archive, first_);
  const auto margins = archive.get<std::uint64_t>();
  if (margins > passes_.size()) archive.refuse("it holds more answers than there are questions");
  last_.assign(margins, no_answers(0));
  for (Answers& answers : last_) load_answers(archive, answers);
  for (std::vector<double>& theta : bag_trained_)
    theta = archive.get_doubles(theta.size(), "the parameters of a bag");
  way_ = archive.get<std::uint64_t>();
  if (way_ >= lessons_->ways().size()) archive.refuse("it names a way of training that there is not");
  share_ = archive.get<double>();
  margin_ = archive.get<double>();
  folded_ = archive.get_doubles(folded_.size(), "the parameters of the predictor");
  if (step_ > 0) setup_solves_ = {};
}

}  // namespace polystep
