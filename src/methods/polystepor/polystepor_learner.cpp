#include "methods/polystepor/polystepor_learner.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "methods/constraints/safety_margin.hpp"
#include "methods/polystepor/polystepor_options.hpp"
#include "methods/starts/initial_fit.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

bool prepares(const Options& options) {
  return options.flag("standardise") || options.flag("instance-weights");
}

double length(std::span<const double> vector) {
  double sum = 0;
  for (const double x : vector) sum += x * x;
  return std::sqrt(sum);
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
    : options_(context.options),
      seed_(context.seed),
      data_(prepare_data(context.evaluator.task(), options_.flag("standardise"),
                         options_.flag("instance-weights"))),
      charged_(make_charged_task(context.evaluator, data_, options_)),
      own_evaluator_(charged_ || prepares(options_)
                         ? std::make_unique<Evaluator>(charged_ ? charged_->task() : context.evaluator.task(),
                                                       context.evaluator.executor())
                         : nullptr),
      evaluator_(own_evaluator_ ? *own_evaluator_ : context.evaluator),
      predictor_(*evaluator_.task().predictor),
      probe_evaluator_(evaluator_, options_.flag("skip-solves"), &data_.training),
      validation_(data_.validation) {
  if (charged_) reference_solves_ = charged_->reference_solves();
  if (own_evaluator_)
    setup_solves_ += evaluator_.calibrate_failure_cost(predictor_.initial_parameters(seed_), validation_);
  std::vector<std::size_t> all(data_.training.rows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  start_ = start_on(all, seed_);
  limit_ = make_infeasibility_limit(charged_.get(), evaluator_, data_, options_, start_);
  // Parameters of networks cannot be averaged, so they train on all rows.
  const BagPlan bags{predictor_.affine() ? static_cast<std::size_t>(options_.integer("bags")) : 1,
                     options_.number("bag-share"), seed_};
  std::vector<std::vector<std::size_t>> rows = draw_bags(bags, data_.training.rows);
  if (predictor_.affine() && (bags.bags > 1 || options_.flag("blend")))
    held_out_ = std::make_unique<HeldOutRows>(evaluator_, data_.training, data_.validation, rows);
  bags_.reserve(bags.bags);
  for (std::size_t bag = 0; bag < bags.bags; ++bag) add_bag(std::move(rows[bag]), bag_seed(bags, bag));
  early_ = make_early_steps(evaluator_, data_.training, options_, start_);
  if (held_out_) choose_blend(start_alone(), nullptr);
  combine(nullptr);
}

std::vector<double> PolyStepLearner::start_on(std::span<const std::size_t> rows, std::uint64_t seed) {
  const Split& plain = charged_ ? charged_->plain_training() : data_.training;
  if (options_.text("fit") == "least-squares")
    if (auto theta = fitted_start(predictor_, plain, rows)) {
      if (!options_.flag("margin")) return *theta;
      FitWithMargin fit = add_best_margin(evaluator_, std::move(*theta), plain, data_.training, rows);
      setup_solves_ += fit.solves;
      return std::move(fit.theta);
    }
  const std::string& draws = options_.text("start");
  const InitialDraw generator = draws == "streams" ? InitialDraw::kStreams : InitialDraw::kTwister;
  if (draws == "twister-0") seed = 0;
  RandomStart start = cheapest_random_start(
      evaluator_, validation_, static_cast<std::size_t>(options_.integer("starts")), seed, generator);
  setup_solves_ += start.solves;
  return std::move(start.theta);
}

void PolyStepLearner::add_bag(std::vector<std::size_t> rows, std::uint64_t seed) {
  std::vector<double> start = rows.size() == data_.training.rows ? start_ : start_on(rows, seed_);
  double unit = 1;
  if (options_.text("lengths") == "predictions") {
    TiledRows tiles;
    tiles.gather(data_.training, rows);
    unit = prediction_size(predictor_, start, tiles);
    if (!(unit > 0)) unit = 1;
  }
  const ParallelFor parallel = [&executor = evaluator_.executor()](
                                   std::size_t slots, const std::function<void(std::size_t)>& work) {
    executor.for_each(slots, [&](std::size_t slot, std::size_t) { work(slot); });
  };
  PolyStep optimizer = make_optimizer(options_, predictor_, start, seed, parallel);
  bag_starts_.push_back(start);
  bag_trained_.push_back(start);
  bags_.push_back({std::move(rows),
                   seed,
                   std::move(start),
                   std::move(optimizer),
                   FlipRateRule(flip_rate_band(options_)),
                   unit,
                   {}});
}

TrainingPlan PolyStepLearner::plan() const {
  const auto steps = static_cast<std::size_t>(options_.integer("steps"));
  const double interval = static_cast<double>(steps) / static_cast<double>(options_.integer("checks"));
  return {.steps = steps,
          .check_every = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(interval))),
          .patience = static_cast<std::size_t>(options_.integer("patience")),
          .keep_best = held_out_ == nullptr,
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
  combine(&report);
  return report;
}

// Probes of one block lie half a radius away; all outputs move as far at once.
void PolyStepLearner::learn_decisions(SolveCounts& solves) {
  if (step_ > 0) return early_->learn(mean_trained(), solves);
  const double distance = options_.number("radius-start") * bags_.front().unit / 2;
  const auto coordinates = static_cast<double>(predictor_.row_features() + 1);
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
  ProbeEvaluator& evaluator = early() ? early_->probes() : probe_evaluator_;
  evaluator.evaluate(probes, bag.optimizer.parameters(), bag.minibatch, costs_);
  bag.optimizer.tell(costs_.costs);
  if (steered) bag.flip_rate.finish_step(costs_.flip_rate());
  const double share = 1.0 / static_cast<double>(bags_.size());
  add_figures(bag.optimizer.report(), costs_, bag.minibatch.rows(), share, report);
  *report.flip_rate += costs_.flip_rate() * share;
  if (early()) return;  // nothing was solved
  report.solves += costs_.probe_solves;
  report.solves += costs_.incumbent_solves;
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
  } else if (options_.text("sampling") == "with-replacement") {
    drawn_.resize(wanted);
    for (std::size_t& row : drawn_) row = bag.rows[stream.below(bag.rows.size())];
  } else {
    drawn_ = bag.rows;
    const std::size_t count = std::min(wanted, drawn_.size());
    bag.gathered = count == drawn_.size();
    if (!bag.gathered)
      for (std::size_t i = 0; i < count; ++i)
        std::swap(drawn_[i], drawn_[i + stream.below(drawn_.size() - i)]);
    drawn_.resize(count);
  }
  bag.minibatch.gather(data_.training, drawn_);
}

// Where the scale of predictions means nothing it drifts, and a bag must not count more for it.
std::vector<double> PolyStepLearner::mean_trained() {
  std::vector<double> mean(predictor_.parameters(), 0.0);
  for (std::size_t b = 0; b < bags_.size(); ++b) {
    const auto theta = bags_[b].optimizer.parameters();
    bag_trained_[b].assign(theta.begin(), theta.end());
    const double size = length(theta);
    const double wanted = length(bags_[b].start);
    if (held_out_ && data_.scale_free && size > 0 && wanted > 0)
      for (double& parameter : bag_trained_[b]) parameter *= wanted / size;
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += bag_trained_[b][i];
  }
  for (double& parameter : mean) parameter /= static_cast<double>(bags_.size());
  return mean;
}

void PolyStepLearner::combine(LearnerReport* report) {
  if (held_out_ && step_ > 0 && check_due()) choose_blend(shares_to_try(options_.flag("blend")), report);
  std::vector<double> theta = mean_trained();
  if (held_out_)
    for (std::size_t i = 0; i < theta.size(); ++i)
      theta[i] = (1 - blend_.share) * start_[i] + blend_.share * theta[i];
  if (limit_) {
    theta = limit(theta, report);
  } else if (!held_out_ && own_evaluator_ && (step_ == 0 || check_due())) {
    const Evaluation evaluation = evaluator_.evaluate(theta, validation_);
    selection_cost_ = evaluation.mean_cost;
    (report != nullptr ? report->solves : setup_solves_) += evaluation.solves;
  }
  theta_ = data_.fold(predictor_, theta);
}

// Where a check is due, the price is set anew and the margin to what validation rows need.
std::vector<double> PolyStepLearner::limit(std::span<const double> theta, LearnerReport* report) {
  if (step_ != 0 && !check_due()) return limit_->apply_again(theta);
  limit_->set_price(theta);
  if (held_out_) held_out_->forget_start();
  std::vector<double> safe = limit_->apply(theta);
  selection_cost_ = limit_->selection_cost();
  (report != nullptr ? report->solves : setup_solves_) += limit_->take_solves();
  if (report != nullptr) {
    report->figures.emplace_back("infeasibility_price", charged_->price());
    report->figures.emplace_back("margin", limit_->margin());
    report->figures.emplace_back("validation_infeasible", limit_->infeasible());
  }
  return safe;
}

void PolyStepLearner::choose_blend(std::span<const double> shares, LearnerReport* report) {
  const std::vector<double> mean = mean_trained();
  blend_ = held_out_->choose({bag_starts_, start_}, {bag_trained_, mean}, shares);
  selection_cost_ = blend_.cost;
  (report != nullptr ? report->solves : setup_solves_) += held_out_->solves();
  if (report != nullptr) {
    report->figures.emplace_back("blend", blend_.share);
    report->figures.emplace_back("held_out_cost", blend_.cost);
  }
}

void PolyStepLearner::save(ArchiveWriter& archive) const {
  archive.put<std::uint64_t>(step_);
  archive.put(blend_.share);
  archive.put(selection_cost_.value_or(0));
  for (const Bag& bag : bags_) {
    bag.optimizer.save(archive);
    bag.flip_rate.save(archive);
  }
  if (limit_) limit_->save(archive);
  if (early()) early_->save(archive);
}

void PolyStepLearner::load(ArchiveReader& archive) {
  step_ = archive.get<std::uint64_t>();
  blend_.share = archive.get<double>();
  const auto selection = archive.get<double>();
  if (selection_cost_) selection_cost_ = selection;
  for (Bag& bag : bags_) {
    bag.optimizer.load(archive);
    bag.flip_rate.load(archive);
  }
  if (limit_) limit_->load(archive);
  if (limit_ && held_out_) held_out_->forget_start();  // it was judged at another price
  if (early()) early_->load(archive);
  std::vector<double> theta = mean_trained();
  if (held_out_)
    for (std::size_t i = 0; i < theta.size(); ++i)
      theta[i] = (1 - blend_.share) * start_[i] + blend_.share * theta[i];
  theta_ = data_.fold(predictor_, limit_ ? limit_->apply_again(theta) : theta);
  if (step_ > 0) setup_solves_ = reference_solves_ = {};
}

}  // namespace polystep
