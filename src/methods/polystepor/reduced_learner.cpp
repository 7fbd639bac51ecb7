#include "methods/polystepor/reduced_learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "data/tables/split_rows.hpp"
#include "methods/fits/output_level.hpp"
#include "methods/starts/initial_fit.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

// What makes a network large: fewer parameters, or inputs, are searched as they are.
constexpr std::size_t kManyParameters = 100000, kManyInputs = 256;

constexpr std::size_t kChecks = 4;
constexpr double kMarginUnit = 0.2;  // of the truth's deviation, that a limit is looked for by

std::string obstacle(const Task& task) {
  if (!can_reduce_inputs(*task.predictor))
    return "the predictor '" + task.predictor->kind() + "' does not begin with a layer over rows of features";
  if (!ends_in_affine_layer(*task.predictor))
    return "the predictor '" + task.predictor->kind() + "' does not end in an affine layer";
  if (!has_truth_per_output(*task.predictor, task.data.training))
    return "the data do not have a true parameter per output";
  return {};
}

}  // namespace

void add_reduction_options(OptionTable& table) {
  table.choice("inputs", "all", {"all", "reduced", "auto"},
               "networks: train on all inputs, or on the few directions of them that data prove, with level "
               "and slope by realised costs; auto: reduced where the network is large and predictions enter "
               "constraints");
}

bool wants_reduced_inputs(const Task& task, const Options& options) {
  const std::string& inputs = options.text("inputs");
  if (inputs == "all") return false;
  const std::string reason = obstacle(task);
  if (inputs == "reduced" && !reason.empty())
    throw InputError("inputs is reduced, but " + reason + ", expected inputs = all");
  if (inputs == "reduced") return true;
  const ProblemFacts facts = task.problem->facts();
  return reason.empty() && facts.predicts_constraints && facts.has_recourse &&
         task.predictor->parameters() >= kManyParameters && task.predictor->row_features() >= kManyInputs;
}

ReducedLearner::ReducedLearner(const LearnerContext& context, const CostTrainingSettings* costs)
    : evaluator_(context.evaluator),
      options_(context.options),
      seed_(context.seed),
      from_costs_(costs != nullptr),
      costs_(costs != nullptr ? *costs : CostTrainingSettings{}) {
  const Task& task = evaluator_.task();
  const double limit = options_.number("max-infeasibility");
  if (limit < 1 && !task.problem->facts().has_recourse)
    throw InputError(fmt::format(
        "max-infeasibility is {}, but no decision of this problem can turn out infeasible, expected 1",
        limit));
  if (from_costs_ && task.predictor->output_scaling() != nullptr)
    throw InputError(
        "learning from costs alone: the predictor has outputs in fixed units, which come from true "
        "parameters, expected raw outputs");
}

void ReducedLearner::prepare(Preparation& preparation) {
  const Task& task = evaluator_.task();
  const Found& found = preparation.part("directions of the inputs", [&]() -> Found {
    return {
        InputReduction::find(*task.predictor, task.data.training, !from_costs_, evaluator_.team()).numbers(),
        {}};
  });
  reduction_ = InputReduction::from_numbers(found.numbers);
  training_ = reduction_.training(task.data.training);
  validation_ = reduction_.fresh(task.data.validation, evaluator_.team());
  small_ = reduction_.small_predictor(*task.predictor);
  costs_.seed = seed_;
  if (from_costs_)
    small_training_ =
        std::make_unique<CostTraining>(evaluator_, *small_, training_, validation_, costs_, preparation);
  else
    small_training_ = std::make_unique<FitTraining>(*small_, training_, validation_, evaluator_.team(), seed_,
                                                    reduction_.proves_nothing());
}

// Validations show how training goes; what is handed over is the last.
TrainingPlan ReducedLearner::plan() const {
  const std::size_t steps = small_training_->steps();
  return {.steps = steps,
          .check_every = std::max<std::size_t>(1, steps / kChecks),
          .patience = 0,
          .keep_best = false};
}

LearnerReport ReducedLearner::step() {
  LearnerReport report;
  small_training_->step(report);
  ++step_;
  stale_ = true;
  if (step_ == 1) {
    report.figures.emplace_back("inputs", static_cast<double>(reduction_.proven()));
    report.figures.emplace_back("spikes", static_cast<double>(reduction_.spikes()));
    report.figures.emplace_back("class_means", static_cast<double>(reduction_.class_means()));
  }
  if (step_ >= small_training_->steps()) settle(report);
  return report;
}

// On all rows that are at hand. Training rows have scores that they had no part in, so they count as fresh.
void ReducedLearner::settle(LearnerReport& report) {
  const double limit = options_.number("max-infeasibility");
  if (!options_.flag("margin") && limit == 1) return;
  const TiledRows rows(join_rows(training_, validation_));
  const std::vector<double> predictions =
      predictions_of(*small_, small_training_->parameters(), rows, evaluator_.team());
  OutputLevel level(evaluator_, rows, predictions, small_training_->unit());
  const LevelChoice choice = level.choose(limit, kMarginUnit);
  const OutputMap map = level.map(choice);
  level_ = map.slope;
  level_.insert(level_.end(), map.shift.begin(), map.shift.end());
  report.solves += choice.solves;
  report.figures.emplace_back("slope", choice.slope);
  report.figures.emplace_back("shift", choice.shift * small_training_->unit().front());
  report.figures.emplace_back("relative_cost", choice.cost);
  report.figures.emplace_back("infeasible", choice.infeasible);
}

// Multiplying the directions into a large first layer takes a while, so it is done when somebody looks.
std::span<const double> ReducedLearner::parameters() const {
  if (!stale_) return folded_;
  std::vector<double> theta = small_training_->parameters();
  if (!level_.empty()) {
    const auto middle = level_.begin() + static_cast<std::ptrdiff_t>(level_.size() / 2);
    theta = with_output_map(*small_, theta, {{level_.begin(), middle}, {middle, level_.end()}});
  }
  folded_ = reduction_.fold(*evaluator_.task().predictor, theta);
  stale_ = false;
  return folded_;
}

void ReducedLearner::save(ArchiveWriter& archive) const {
  archive.put<std::uint64_t>(step_);
  archive.put(level_);
  small_training_->save(archive);
}

void ReducedLearner::load(ArchiveReader& archive) {
  step_ = archive.get<std::uint64_t>();
  level_ = archive.get_doubles();
  if (!level_.empty() && level_.size() != 2 * last_units(*small_))
    archive.refuse(fmt::format("it holds {} numbers for level and slope, expected {}", level_.size(),
                               2 * last_units(*small_)));
  small_training_->load(archive);
  stale_ = true;
}

}  // namespace polystep
