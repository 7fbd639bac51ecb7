#include "methods/constraints/charged_task.hpp"

#include <cmath>

namespace polystep {
namespace {

// The true parameters of a row that the problem itself knows.
std::span<const double> plain_truth(std::span<const double> truth) { return truth.first(truth.size() - 1); }

void append_units(Split& split, std::span<const double> units) {
  std::vector<double> truth;
  truth.reserve(split.rows * (split.truth_columns + 1));
  for (std::size_t row = 0; row < split.rows; ++row) {
    const auto plain = split.truth_row(row);
    truth.insert(truth.end(), plain.begin(), plain.end());
    truth.push_back(units[row]);
  }
  split.truth = std::move(truth);
  ++split.truth_columns;
}

std::unique_ptr<Predictor> copy_of(const Predictor& predictor) {
  std::unique_ptr<Predictor> copy = make_predictor(predictor.shape());
  const OutputScaling* scaling = predictor.output_scaling();
  return scaling == nullptr ? std::move(copy) : make_scaled(std::move(copy), *scaling);
}

class ChargedSolver final : public TileSolver {
 public:
  ChargedSolver(std::unique_ptr<TileSolver> inner, const double& price)
      : inner_(std::move(inner)), price_(price) {}

  void solve(const Tile& tile, const double* prediction, TileOutcome& outcome) override {
    Tile plain = tile;
    --plain.truth_columns;
    inner_->solve(plain, prediction, outcome);
    const double* unit = tile.truth + plain.truth_columns * kLanes;
    for (std::size_t lane = 0; lane < tile.lanes; ++lane)
      outcome.cost[lane] =
          outcome.cost[lane] / unit[lane] + (((outcome.infeasible >> lane) & 1u) != 0 ? price_ : 0.0);
  }

 private:
  std::unique_ptr<TileSolver> inner_;
  const double& price_;
};

}  // namespace

class ChargedTask::ChargedProblem final : public Problem {
 public:
  ChargedProblem(const Problem& inner, const double& price)
      : Problem(inner.outputs(), inner.decision_size()), inner_(inner), price_(price) {}

  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override {
    return inner_.decide(prediction, instance, decision);
  }
  double cost(std::span<const double> decision, std::span<const double> truth,
              std::size_t instance) const override {
    const double own = inner_.cost(decision, plain_truth(truth), instance) / truth.back();
    return recourse(decision, truth, instance).infeasible ? own + price_ : own;
  }
  bool has_recourse() const override { return inner_.has_recourse(); }
  Recourse recourse(std::span<const double> decision, std::span<const double> truth,
                    std::size_t instance) const override {
    return inner_.recourse(decision, plain_truth(truth), instance);
  }
  std::unique_ptr<TileSolver> make_tile_solver() const override {
    return std::make_unique<ChargedSolver>(inner_.make_tile_solver(), price_);
  }

 private:
  const Problem& inner_;
  const double& price_;
};

ChargedTask::~ChargedTask() = default;

ChargedTask::ChargedTask(Evaluator& evaluator, PreparedData& data, bool relative)
    : plain_training_(data.training) {
  const Task& plain = evaluator.task();
  task_.setting = plain.setting;
  task_.metric = plain.metric;
  task_.predictor = copy_of(*plain.predictor);
  task_.problem = std::make_unique<ChargedProblem>(*plain.problem, price_);
  for (Split* split : {&data.training, &data.validation}) {
    std::vector<double> units(split->rows, 1.0);
    if (relative) {
      const Evaluation optimal = evaluator.optimal(TiledRows(*split));
      reference_solves_ += optimal.solves;
      for (std::size_t row = 0; row < split->rows; ++row)
        if (optimal.costs[row] != 0) units[row] = std::abs(optimal.costs[row]);
    }
    append_units(*split, units);
  }
}

}  // namespace polystep
