#include "methods/constraints/charged_task.hpp"

#include <cmath>
#include <map>

#include "data/tables/split_rows.hpp"

namespace polystep {
namespace {

// The true parameters of a row that the problem itself knows.
std::span<const double> plain_truth(std::span<const double> truth) { return truth.first(truth.size() - 1); }

// Units in which to count costs of rows whose optimal costs are given.
std::vector<double> sizes(std::span<const double> costs) {
  std::vector<double> units;
  for (const double cost : costs) units.push_back(cost != 0 ? std::abs(cost) : 1.0);
  return units;
}

Split with_units(const Split& split, std::span<const double> units) {
  Split extended;
  if (split.ragged()) extended.allow_any_shape();
  for (std::size_t row = 0; row < split.rows; ++row) {
    const std::span<const double> plain = split.truth_row(row);
    std::vector<double> truth(plain.begin(), plain.end());
    truth.push_back(units[row]);
    extended.add_row(split.feature_row(row), truth, split.instance(row));
  }
  return extended;
}

// Charges what the problem's own solver answers, as many tiles at once as that one likes.
class ChargedSolver final : public TileSolver {
 public:
  ChargedSolver(std::unique_ptr<TileSolver> inner, const double& price)
      : inner_(std::move(inner)), price_(price) {}

  bool takes_any_width() const override { return inner_->takes_any_width(); }
  std::size_t jobs_at_once() const override { return inner_->jobs_at_once(); }

  void solve(const Tile& tile, const double* prediction, TileOutcome& outcome) override {
    inner_->solve(plain(tile), prediction, outcome);
    charge(tile, outcome);
  }

  void solve_all(std::span<const TileJob> jobs) override {
    plain_.clear();
    for (const TileJob& job : jobs) plain_.push_back({plain(job.tile), job.prediction, job.outcome});
    inner_->solve_all(plain_);
    for (const TileJob& job : jobs) charge(job.tile, *job.outcome);
  }

 private:
  static Tile plain(Tile tile) {
    --tile.shape.truth;
    return tile;
  }

  void charge(const Tile& tile, TileOutcome& outcome) const {
    const double* unit = tile.truth + (tile.shape.truth - 1) * tile.width;
    for (std::size_t lane = 0; lane < tile.lanes; ++lane)
      outcome.cost[lane] =
          outcome.cost[lane] / unit[lane] + (((outcome.infeasible >> lane) & 1u) != 0 ? price_ : 0.0);
  }

  std::unique_ptr<TileSolver> inner_;
  const double& price_;
  std::vector<TileJob> plain_;  // jobs without the unit
};

}  // namespace

class ChargedTask::ChargedProblem final : public Problem {
 public:
  ChargedProblem(const Problem& inner, const double& price)
      : Problem(inner.instances()), inner_(inner), price_(price) {}

  // Costs have other units, and proofs that skip solves know nothing of prices.
  ProblemFacts facts() const override {
    ProblemFacts facts = inner_.facts();
    facts.optimises_prediction = facts.cost_is_truth_times_decision = std::nullopt;
    facts.has_margins = facts.has_references = false;
    return facts;
  }
  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override {
    return inner_.decide(prediction, instance, decision);
  }
  void decide_several(std::span<const double> predictions, std::size_t instance, std::span<double> decisions,
                      std::span<SolveStatus> statuses) const override {
    inner_.decide_several(predictions, instance, decisions, statuses);
  }
  void prior(std::size_t instance, std::span<double> prediction) const override {
    inner_.prior(instance, prediction);
  }
  double cost(std::span<const double> decision, std::span<const double> truth,
              std::size_t instance) const override {
    return realise(decision, truth, instance).cost;
  }
  std::optional<double> failure_charge(std::size_t instance) const override {
    std::optional<double> charge = inner_.failure_charge(instance);
    if (const auto unit = units_.find(instance); charge && unit != units_.end()) *charge /= unit->second;
    return charge;
  }
  void set_unit(std::size_t instance, double unit) { units_[instance] = unit; }
  Realisation realise(std::span<const double> decision, std::span<const double> truth,
                      std::size_t instance) const override {
    Realisation own = inner_.realise(decision, plain_truth(truth), instance);
    own.cost = own.cost / truth.back() + (own.recourse.infeasible ? price_ : 0.0);
    return own;
  }
  std::unique_ptr<TileSolver> make_tile_solver() const override {
    return std::make_unique<ChargedSolver>(inner_.make_tile_solver(), price_);
  }

 private:
  const Problem& inner_;
  const double& price_;
  std::map<std::size_t, double> units_;  // of instances, for charges of failures
};

ChargedTask::~ChargedTask() = default;

ChargedTask::ChargedTask(Evaluator& evaluator, PreparedData& data, bool relative, Preparation& preparation) {
  take_over(evaluator.task(), evaluator.task().predictor->clone());
  std::vector<double> training_units(data.training.rows, 1.0), validation_units(data.validation.rows, 1.0);
  if (relative) {
    training_optima_ =
        keep_measured(evaluator, data.training, "reference costs of training rows", preparation);
    training_units = sizes(training_optima_);
    for (std::size_t row = 0; row < training_units.size(); ++row)
      training_optima_[row] /= training_units[row];
    validation_units =
        sizes(keep_measured(evaluator, data.validation, "reference costs of held-out rows", preparation));
  }
  append_units(data, training_units, validation_units);
}

ChargedTask::ChargedTask(const Task& plain, std::unique_ptr<Predictor> predictor, PreparedData& data,
                         std::span<const double> training_units, std::span<const double> validation_units) {
  take_over(plain, std::move(predictor));
  append_units(data, training_units, validation_units);
}

void ChargedTask::take_over(const Task& plain, std::unique_ptr<Predictor> predictor) {
  task_.setting = plain.setting;
  task_.metric = plain.metric;
  task_.predictor = std::move(predictor);
  task_.problem = std::make_unique<ChargedProblem>(*plain.problem, price_);
}

void ChargedTask::append_units(PreparedData& data, std::span<const double> training_units,
                               std::span<const double> validation_units) {
  auto& problem = static_cast<ChargedProblem&>(*task_.problem);
  for (std::size_t row = 0; row < data.training.rows; ++row)
    problem.set_unit(data.training.instance(row), training_units[row]);
  for (std::size_t row = 0; row < data.validation.rows; ++row)
    problem.set_unit(data.validation.instance(row), validation_units[row]);
  plain_training_ = data.training;
  data.training = with_units(data.training, training_units);
  data.validation = with_units(data.validation, validation_units);
}

// A row without a reference has no unit, and a charge in place of one would make its costs vanish; it is left
// out.
std::vector<double> ChargedTask::keep_measured(Evaluator& evaluator, Split& split, const std::string& name,
                                               Preparation& preparation) {
  const Found& found = preparation.part(name, [&]() -> Found {
    Evaluation optimal = evaluator.optimal(TiledRows(split));
    require_some_solved(optimal, "references that costs are relative to");
    return {std::move(optimal.costs), optimal.solves};
  });
  reference_solves_ += found.solves;
  std::vector<double> costs;
  std::vector<std::size_t> measured;
  for (std::size_t row = 0; row < split.rows; ++row) {
    const double cost = found.numbers[row];
    if (std::isnan(cost)) continue;
    measured.push_back(row);
    costs.push_back(cost);
  }
  if (measured.size() < split.rows) split = take_rows(split, measured);
  return costs;
}

void add_relative_cost_options(OptionTable& table) {
  table
      .flag("relative-costs", false,
            "divide a row's costs by its optimal cost where the problem has recourse and the metric is "
            "relative")
      .flag("margin", false, "move the fitted start by the common safety margin that costs least");
}

bool wants_relative_costs(const Evaluator& evaluator, const Options& options) {
  const ProblemFacts facts = evaluator.task().problem->facts();
  return options.flag("relative-costs") && (facts.has_recourse || facts.predicts_constraints) &&
         evaluator.task().metric == RegretMetric::kRelative && evaluator.knows_optimum();
}

}  // namespace polystep
