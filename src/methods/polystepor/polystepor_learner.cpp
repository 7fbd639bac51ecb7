#include "methods/polystepor/polystepor_learner.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/tables/split_rows.hpp"
#include "methods/constraints/safety_margin.hpp"
#include "methods/frugal/frugal_start.hpp"
#include "methods/polystepor/polystepor_options.hpp"
#include "methods/starts/initial_fit.hpp"
#include "polystep/error.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

constexpr std::uint64_t kReleasedMinibatches = 202608;  // added to the seed of the released runs

bool prepares(const Options& options) {
  return options.flag("standardise") || options.flag("instance-weights");
}

// What the pool of early steps needs: it knows rows by their instances.
bool have_instances_of_their_own(const Split& training, const Split& validation) {
  std::vector<std::size_t> instances;
  for (const Split* split : {&training, &validation})
    for (std::size_t row = 0; row < split->rows; ++row) instances.push_back(split->instance(row));
  std::ranges::sort(instances);
  return std::ranges::adjacent_find(instances) == instances.end();
}

// Whether validation rows train too: with bags, every row is held out by some of them, so that none has to be
// kept aside. Where predictions enter constraints validation rows set price and margin.
bool validation_trains(const Task& task, const Options& options) {
  if (!options.flag("validation-trains") || !task.predictor->affine() || options.integer("bags") < 2)
    return false;
  if (!task.problem->facts().linear_objective() || task.problem->facts().predicts_constraints) return false;
  return !has_early_steps(task, options) ||
         have_instances_of_their_own(task.data.training, task.data.validation);
}

// Adds a step's figures to those of the bags before it.
void add_figures(const StepReport& move, const ProbeCosts& costs, std::size_t rows, double share,
                 LearnerReport& report) {
  const std::pair<const char*, double> figures[] = {
      {"temperature", move.temperature},
      {"step_length", move.step_length},
      {"radius", move.probe_radius},
      {"incumbent_cost", costs.incumbent_cost},
      {"mean_cost", move.mean_cost},
      {"cost_scale", move.cost_scale},
      {"weight_entropy", move.weight_entropy},
      {"displacement", move.displacement},
      {"moving_share", static_cast<double>(costs.moving) / static_cast<double>(rows)}};
  const bool first = report.figures.empty();
  std::size_t i = 0;
  for (const auto& [name, value] : figures) {
    if (first)
      report.figures.emplace_back(name, value * share);
    else
      report.figures[i].second += value * share;
    ++i;
  }
}

}  // namespace

PolyStepLearner::PolyStepLearner(const LearnerContext& context)
    : task_evaluator_(context.evaluator),
      options_(context.options),
      seed_(context.seed),
      data_(prepare_data(context.evaluator.task(), options_.flag("standardise"),
                         options_.flag("instance-weights"))) {
  check_charging(context.evaluator.task(), options_);
  all_train_ = validation_trains(context.evaluator.task(), options_);
  if (all_train_) data_.training = join_rows(data_.training, data_.validation);
  if (options_.text("fit") == "prior") check_prior(context.evaluator.task(), "fit");
  check_optimizer(options_, *context.evaluator.task().predictor);
  if (options_.text("moving-columns") == "seen" && options_.text("space") == "moving") {
    if (!SeenProbes::serves(*context.evaluator.task().predictor))
      throw InputError(
          "polystepor: moving-columns is 'seen', expected a network of one hidden layer and one output per "
          "row "
          "of features; set moving-columns = written");
    if (keeps_probe())
      throw InputError("polystepor: keep-probe is on, expected moving-columns = written beside it");
  }
  if (keeps_probe() && (options_.integer("bags") > 1 || options_.flag("blend")))
    throw InputError("polystepor: keep-probe is on, expected neither bags nor blend beside it");
}

void PolyStepLearner::prepare(Preparation& preparation) {
  const Task& task = task_evaluator_.task();
  charged_ = make_charged_task(task_evaluator_, data_, options_, preparation);
  if (charged_ || prepares(options_))
    own_evaluator_ = std::make_unique<Evaluator>(charged_ ? charged_->task() : task, task_evaluator_.team());
  evaluator_ = own_evaluator_ ? own_evaluator_.get() : &task_evaluator_;
  if (charged_) reference_solves_ = charged_->reference_solves();
  if (own_evaluator_)
    setup_solves_ += prepare_failure_cost(*evaluator_, data_.validation, seed_, preparation);
  probe_evaluator_ =
      std::make_unique<ProbeEvaluator>(*evaluator_, options_.flag("skip-solves"), &data_.training);
  std::vector<std::size_t> all(data_.training.rows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  start_ = start_on(all, "the start", preparation);
  // Parameters of networks cannot be averaged, so they train on all rows.
  const bool affine = predictor().affine();
  const BagPlan plan{affine ? static_cast<std::size_t>(options_.integer("bags")) : 1,
                     options_.number("bag-share"), search_seed()};
  const std::vector<std::vector<std::size_t>> rows = draw_bags(plan, data_.training.rows);
  judge_ =
      std::make_unique<Judge>(Judge::Setting{.evaluator = *evaluator_,
                                             .data = data_,
                                             .charged = charged_.get(),
                                             .options = options_,
                                             .bags = rows,
                                             .blends = affine && (plan.bags > 1 || options_.flag("blend")),
                                             .plain = own_evaluator_ == nullptr,
                                             .all_train = all_train_},
                              start_);
  bags_.reserve(plan.bags);
  for (std::size_t bag = 0; bag < plan.bags; ++bag) {
    const bool whole = rows[bag].size() == data_.training.rows;
    const std::string name = "the start of bag " + std::to_string(bag + 1);
    add_bag(rows[bag], bag_seed(plan, bag), whole ? start_ : start_on(rows[bag], name, preparation));
  }
  early_ = make_early_steps(*evaluator_, data_.training, options_);
  judge_->prepare(bag_starts_, preparation, setup_solves_);
  stale_ = true;
}

// Shares of the rows would each need answers of their own.
bool PolyStepLearner::starts_frugally() const {
  return options_.text("fit") == "frugal" && options_.integer("bags") == 1 &&
         serves_frugal_start(task_evaluator_.task(), options_);
}

std::vector<double> PolyStepLearner::start_on(std::span<const std::size_t> rows, const std::string& name,
                                              Preparation& preparation) {
  const std::string& draws = options_.text("start");
  const StartSetting setting{
      .fit = options_.text("fit") == "least-squares" || options_.text("fit") == "frugal",
      .prior = options_.text("fit") == "prior" ? std::optional(prior_fit(options_)) : std::nullopt,
      .margin = options_.flag("margin"),
      .draws = static_cast<std::size_t>(options_.integer("starts")),
      .seed = draws == "twister-0" ? 0 : seed_,
      .generator = draws == "streams" ? InitialDraw::kStreams : InitialDraw::kTwister};
  const Found& found = preparation.part(name, [&] {
    return find_start(*evaluator_, data_, charged_ ? &charged_->plain_training() : nullptr, rows, setting);
  });
  setup_solves_ += found.solves;
  if (!starts_frugally()) return found.numbers;
  const Found& learned = preparation.part("the start by remembered answers", [&] {
    return frugal_start({task_evaluator_, options_, seed_});
  });
  setup_solves_ += learned.solves;
  return cheaper_start(found.numbers, learned.numbers, preparation);
}

// By validation rows. Least squares costs next to no calls, and few answers may not be enough to be better.
const std::vector<double>& PolyStepLearner::cheaper_start(const std::vector<double>& fitted,
                                                          const std::vector<double>& learned,
                                                          Preparation& preparation) {
  const Found& costs = preparation.part("the cheaper of two starts", [&] {
    Found found;
    const TiledRows validation(data_.validation);
    for (const std::vector<double>* start : {&fitted, &learned}) {
      const Evaluation evaluation = evaluator_->evaluate(*start, validation);
      found.solves += evaluation.solves;
      found.numbers.push_back(evaluation.mean_cost);
    }
    return found;
  });
  setup_solves_ += costs.solves;
  return costs.numbers[1] < costs.numbers[0] ? learned : fitted;
}

void PolyStepLearner::add_bag(std::vector<std::size_t> rows, std::uint64_t seed, std::vector<double> start) {
  double unit = 1;
  if (options_.text("lengths") == "predictions") {
    TiledRows tiles;
    tiles.gather(data_.training, rows);
    unit = prediction_size(predictor(), start, tiles);
    if (!(unit > 0)) unit = 1;
  }
  PolyStep optimizer = make_optimizer(options_, predictor(), start, seed, threads_of(evaluator_->team()));
  bag_starts_.push_back(start);
  bag_trained_.push_back(start);
  bags_.push_back({std::move(rows),
                   seed,
                   std::move(start),
                   std::move(optimizer),
                   FlipRateRule(flip_rate_band(options_)),
                   unit,
                   {},
                   Twister(seed + kReleasedMinibatches)});
}

std::optional<CountedCalls> PolyStepLearner::counted() const {
  const auto number = [&](const char* name) { return static_cast<double>(options_.integer(name)); };
  const Task& task = task_evaluator_.task();
  const bool affine = task.predictor->affine();
  const double training = static_cast<double>(data_.training.rows);
  const double validation = static_cast<double>(data_.validation.rows);
  const double bags = affine ? number("bags") : 1;
  const bool bagged = bags > 1, blends = affine && (bagged || options_.flag("blend"));
  const double bag_rows =
      bagged ? std::clamp(std::round(options_.number("bag-share") * training), 1.0, training) : training;
  const double rows =
      options_.text("sampling") == "with-replacement" ? number("batch") : std::min(number("batch"), bag_rows);
  CountedCalls calls;
  calls.steps = number("steps");
  calls.checks = std::min(number("checks"), calls.steps);
  calls.step = bags * rows * (1 + static_cast<double>(count_probes(options_, *task.predictor)));
  if (has_early_steps(task, options_)) {
    calls.early_steps = std::round(options_.number("early-share") * calls.steps);
    calls.early_step = training;
    calls.preparation += number("early-draws") * training;
  }
  const double held_out = (all_train_ ? 0 : validation) + (bagged ? training : 0);
  if (blends) calls.check = static_cast<double>(shares_to_try(options_.flag("blend")).size() - 1) * held_out;
  calls.preparation += blends ? held_out : prepares(options_) ? validation : 0;
  if (prepares(options_)) calls.preparation += validation;
  if (wants_relative_costs(task_evaluator_, options_)) calls.preparation += training + validation;
  if (starts_frugally()) calls.preparation += options_.number("calls") * training + 2 * validation;
  return calls;
}

TrainingPlan PolyStepLearner::plan() const {
  const auto steps = static_cast<std::size_t>(options_.integer("steps"));
  const double interval = static_cast<double>(steps) / static_cast<double>(options_.integer("checks"));
  return {.steps = steps,
          .check_every = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(interval))),
          .patience = static_cast<std::size_t>(options_.integer("patience")),
          .keep_best = !judge_->blends() && !options_.flag("keep-last"),
          .judge_start = options_.flag("judge-start"),
          .early_steps = early_ ? early_->steps() : 0};
}

bool PolyStepLearner::check_due() const {
  const TrainingPlan pace = plan();
  return step_ % pace.check_every == 0 || step_ >= pace.steps;
}

LearnerReport PolyStepLearner::step() {
  LearnerReport report;
  report.flip_rate = 0;
  if (early()) learn_decisions(report.solves);
  for (Bag& bag : bags_) move(bag, report);
  if (early()) report.figures.emplace_back("pool_size", early_->pool_size());
  report.solves += setup_solves_;
  report.reference_solves += reference_solves_;
  setup_solves_ = reference_solves_ = {};
  ++step_;
  if (keeps_probe() && step_ >= plan().steps) keep_last(report);
  stale_ = !check_due();
  if (stale_) return report;
  const std::vector<double> mean = mean_trained();
  theta_ = data_.fold(predictor(), judge_->settle(bag_starts_, bag_trained_, mean, report));
  return report;
}

// Between checks nobody looks as a rule, and networks may be large.
std::span<const double> PolyStepLearner::parameters() const {
  if (stale_) theta_ = data_.fold(predictor(), judge_->settle_again(mean_trained()));
  stale_ = false;
  return theta_;
}

// Probes of one block lie half a radius away; all outputs move as far at once.
void PolyStepLearner::learn_decisions(SolveCounts& solves) {
  if (step_ > 0) return early_->learn(mean_trained(), solves);
  const double distance = options_.number("radius-start") * bags_.front().unit / 2;
  const auto coordinates = static_cast<double>(predictor().row_features() + 1);
  early_->learn_around(start_,
                       {.draws = static_cast<std::size_t>(options_.integer("early-draws")),
                        .deviation = distance / std::sqrt(coordinates),
                        .seed = seed_},
                       solves);
}

void PolyStepLearner::move(Bag& bag, LearnerReport& report) {
  const bool steered = options_.text("radius-rule") == "flip-rate";
  draw_minibatch(bag);
  bag.optimizer.scale_lengths(steered ? bag.unit * bag.flip_rate.factor() : bag.unit);
  const Probes& probes = bag.optimizer.ask();
  ProbeEvaluator& evaluator = early() ? early_->probes() : *probe_evaluator_;
  evaluator.evaluate(probes, bag.optimizer.parameters(), bag.minibatch, costs_);
  if (keeps_probe()) keep_cheapest(bag.optimizer);
  bag.optimizer.tell(costs_.costs);
  if (steered) bag.flip_rate.finish_step(costs_.flip_rate());
  const double share = 1.0 / static_cast<double>(bags_.size());
  add_figures(bag.optimizer.report(), costs_, bag.minibatch.rows(), share, report);
  *report.flip_rate += costs_.flip_rate() * share;
  if (early()) return;  // nothing was solved
  report.solves += costs_.probe_solves;
  report.solves += costs_.incumbent_solves;
}

void PolyStepLearner::keep_cheapest(const PolyStep& optimizer) {
  const auto cheapest = std::ranges::min_element(costs_.costs);
  if (cheapest == costs_.costs.end() || !(*cheapest < kept_.cost)) return;
  kept_.cost = *cheapest;
  kept_.theta.resize(predictor().parameters());
  optimizer.candidate(static_cast<std::size_t>(cheapest - costs_.costs.begin()), kept_.theta);
}

void PolyStepLearner::keep_last(LearnerReport& report) {
  const Bag& bag = bags_.front();
  const Evaluation last = evaluator_->evaluate(bag.optimizer.parameters(), bag.minibatch);
  report.solves += last.solves;
  if (!(last.mean_cost < kept_.cost)) return;
  kept_.cost = last.mean_cost;
  kept_.theta.assign(bag.optimizer.parameters().begin(), bag.optimizer.parameters().end());
}

// The released runs number theirs in a way of their own.
std::uint64_t PolyStepLearner::search_seed() const {
  return released_draws() ? task_evaluator_.task().released_seed.value_or(seed_) : seed_;
}

// One fresh draw per step, shared by all of its probes.
void PolyStepLearner::draw_minibatch(Bag& bag) {
  if (bag.gathered) return;
  const auto wanted = static_cast<std::size_t>(options_.integer("batch"));
  RandomStream stream(bag.seed, Purpose::kMinibatch, bag.optimizer.step());
  if (options_.text("sampling") == "in-order") {
    const std::size_t batches = (bag.rows.size() + wanted - 1) / wanted;
    const std::size_t first = bag.optimizer.step() % batches * wanted;
    const auto begin = bag.rows.begin() + static_cast<std::ptrdiff_t>(first);
    drawn_.assign(begin, begin + static_cast<std::ptrdiff_t>(std::min(wanted, bag.rows.size() - first)));
  } else if (options_.text("sampling") == "epochs") {
    const std::size_t batches = (bag.rows.size() + wanted - 1) / wanted;
    const std::size_t epoch = bag.optimizer.step() / batches, first = bag.optimizer.step() % batches * wanted;
    std::vector<std::size_t> order = bag.rows;
    RandomStream shuffles(bag.seed, Purpose::kMinibatch, epoch);
    for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[shuffles.below(i + 1)]);
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(first);
    drawn_.assign(begin, begin + static_cast<std::ptrdiff_t>(std::min(wanted, order.size() - first)));
  } else if (options_.text("sampling") == "with-replacement") {
    drawn_.resize(wanted);
    for (std::size_t& row : drawn_) row = bag.rows[stream.below(bag.rows.size())];
  } else {
    drawn_ = bag.rows;
    const std::size_t count = std::min(wanted, drawn_.size());
    bag.gathered = count == drawn_.size();
    if (released_draws() && !bag.gathered) {
      bag.released.seek(bag.optimizer.step() * (drawn_.size() - 1));
      bag.released.permute(drawn_);
    } else if (!bag.gathered)
      for (std::size_t i = 0; i < count; ++i)
        std::swap(drawn_[i], drawn_[i + stream.below(drawn_.size() - i)]);
    drawn_.resize(count);
  }
  bag.minibatch.gather(data_.training, drawn_);
}

std::vector<double> PolyStepLearner::mean_trained() const {
  std::vector<double> mean(predictor().parameters(), 0.0);
  for (std::size_t b = 0; b < bags_.size(); ++b) {
    const std::span<const double> theta =
        kept_.theta.empty() ? bags_[b].optimizer.parameters() : std::span<const double>(kept_.theta);
    bag_trained_[b].assign(theta.begin(), theta.end());
    judge_->rescale(bags_[b].start, bag_trained_[b]);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += bag_trained_[b][i];
  }
  for (double& parameter : mean) parameter /= static_cast<double>(bags_.size());
  return mean;
}

void PolyStepLearner::save(ArchiveWriter& archive) const {
  archive.put<std::uint64_t>(step_);
  judge_->save(archive);
  for (const Bag& bag : bags_) {
    bag.optimizer.save(archive);
    bag.flip_rate.save(archive);
  }
  if (early()) early_->save(archive);
  if (!keeps_probe()) return;
  archive.put<double>(kept_.cost);
  archive.put<std::uint64_t>(kept_.theta.size());
  if (!kept_.theta.empty()) archive.put(kept_.theta);
}

void PolyStepLearner::load(ArchiveReader& archive) {
  step_ = archive.get<std::uint64_t>();
  judge_->load(archive);
  for (Bag& bag : bags_) {
    bag.optimizer.load(archive);
    bag.flip_rate.load(archive);
  }
  if (early()) early_->load(archive);
  if (keeps_probe()) {
    kept_.cost = archive.get<double>();
    if (archive.get<std::uint64_t>() != 0)
      kept_.theta = archive.get_doubles(predictor().parameters(), "the cheapest probe");
  }
  stale_ = true;
  if (step_ > 0) setup_solves_ = reference_solves_ = {};
}

}  // namespace polystep
