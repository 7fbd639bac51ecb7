#include "evaluation/evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "evaluation/tile_batch.hpp"
#include "evaluation/tile_predictions.hpp"
#include "polystep/batch_pass.hpp"
#include "polystep/error.hpp"
#include "polystep/solver_monitor.hpp"

namespace polystep {
namespace {

// Failed rows cost not a number, and have no part in the mean.
Evaluation without_charges(Evaluation references) {
  if (references.solves.failed == 0) return references;
  double sum = 0, solved = 0;
  for (std::size_t row = 0; row < references.costs.size(); ++row) {
    if (references.failed[row]) {
      references.costs[row] = std::nan("");
    } else {
      sum += references.costs[row];
      ++solved;
    }
  }
  references.mean_cost = sum / solved;
  return references;
}

}  // namespace

Evaluator::Evaluator(const Task& task, Team& team) : Evaluator(task, team, *task.problem) {}

Evaluator::Evaluator(const Task& task, Team& team, const Problem& decides)
    : task_(task), decides_(decides), team_(team), charges_failures_(decides.failure_charge(0).has_value()) {
  for (std::size_t worker = 0; worker < team.threads(); ++worker) {
    solvers_.push_back(decides.make_tile_solver());
    if (!decides.instances()->alike() && !solvers_.back()->takes_any_width())
      solvers_.back() = make_scalar_tile_solver(decides);
  }
}

void Evaluator::for_each_group(
    std::size_t tiles,
    const std::function<void(std::size_t first, std::size_t last, std::size_t worker)>& work) {
  const std::size_t at_once = solvers_.front()->jobs_at_once();
  team_.for_each((tiles + at_once - 1) / at_once, [&](std::size_t group, std::size_t worker) {
    work(group * at_once, std::min(tiles, (group + 1) * at_once), worker);
  });
}

void Evaluator::fill_groups(
    std::size_t tiles, std::initializer_list<SlotArray> per_tile,
    const std::function<void(std::size_t first, std::size_t last, std::size_t worker)>& work) {
  const std::size_t at_once = solvers_.front()->jobs_at_once();
  std::vector<SlotArray> per_group(per_tile);
  for (SlotArray& array : per_group) array.bytes *= at_once;
  team_.fill((tiles + at_once - 1) / at_once, per_group, [&](std::size_t group, std::size_t worker) {
    work(group * at_once, std::min(tiles, (group + 1) * at_once), worker);
  });
}

template <class Predict>
Evaluation Evaluator::evaluate_with(const TiledRows& rows, const Predict& predict) {
  Evaluation evaluation;
  evaluation.costs.resize(rows.rows());
  evaluation.failed.resize(rows.rows());
  evaluation.broken.resize(rows.rows());
  struct Masks {
    std::uint32_t failed, infeasible, changed;
  };
  std::vector<Masks> masks(rows.tiles());
  const auto work = [&](std::size_t first, std::size_t last, std::size_t worker) {
    TileBatch<std::size_t> batch;
    batch.start(*solvers_[worker], task_.problem->outputs(), rows.width());
    for (std::size_t number = first; number < last; ++number) {
      const Tile& tile = rows.tile(number);
      predict(number, tile, batch.add(tile, number));
    }
    batch.solve([&](std::size_t number, const Tile& tile, const TileOutcome& outcome) {
      for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
        const bool lane_failed = (outcome.failed >> lane) & 1u;
        evaluation.costs[number * rows.width() + lane] =
            lane_failed ? failure_cost(tile.instance[lane]) : outcome.cost[lane];
      }
      const std::uint32_t used = (1u << tile.lanes) - 1;
      masks[number] = {outcome.failed & used, outcome.infeasible & used, outcome.changed & used};
    });
  };
  fill_groups(rows.tiles(), {slots_of(evaluation.costs, rows.width()), slots_of(masks)}, work);
  double sum = 0;
  for (const double cost : evaluation.costs) sum += cost;
  evaluation.mean_cost = rows.rows() == 0 ? 0 : sum / static_cast<double>(rows.rows());
  evaluation.solves.requested = evaluation.solves.performed = rows.rows();
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const Masks& mask = masks[row / rows.width()];
    evaluation.failed[row] = (mask.failed >> row % rows.width()) & 1u;
    evaluation.broken[row] = (mask.infeasible >> row % rows.width()) & 1u;
  }
  for (const Masks& mask : masks) {
    evaluation.solves.failed += static_cast<std::uint64_t>(std::popcount(mask.failed));
    evaluation.infeasible += static_cast<std::uint64_t>(std::popcount(mask.infeasible));
    evaluation.changed += static_cast<std::uint64_t>(std::popcount(mask.changed));
  }
  return evaluation;
}

Evaluation Evaluator::evaluate(std::span<const double> theta, const TiledRows& rows) {
  if (make_batch_pass(*task_.predictor) == nullptr)
    return evaluate_with(rows, [&](std::size_t, const Tile& tile, double* prediction) {
      task_.predictor->predict(theta, tile, prediction);
    });
  // Several tiles pass a large predictor together, then all are decided.
  const TilePredictions predictions(*task_.predictor, theta, rows, threads_of(team_));
  return evaluate_with(rows, [&](std::size_t number, const Tile&, double* prediction) {
    std::copy_n(predictions.tile(number), predictions.size(number), prediction);
  });
}

bool Evaluator::knows_optimum() const {
  if (task_.problem->facts().has_references) return true;
  const Split& test = task_.data.test;
  if (!test.ragged()) return test.truth_columns == task_.problem->outputs();
  for (std::size_t row = 0; row < test.rows; ++row)
    if (test.shape(row).truth != task_.problem->outputs(test.instance(row))) return false;
  return true;
}

Evaluation Evaluator::optimal(const TiledRows& rows) {
  if (!knows_optimum())
    throw InputError(
        fmt::format("regret: the data have {} true parameters for {} predicted ones, expected one each to "
                    "tell the optimum",
                    task_.data.test.shape(0).truth, task_.problem->outputs(task_.data.test.instance(0))));
  if (task_.problem->facts().has_references) return without_charges(own_references(rows));
  return without_charges(evaluate_with(rows, [&](std::size_t, const Tile& tile, double* prediction) {
    std::copy_n(tile.truth, task_.problem->outputs(tile.instance[0]) * tile.width, prediction);
  }));
}

// Row by row: a reference is asked for once, so that nothing is gained by doing many side by side.
Evaluation Evaluator::own_references(const TiledRows& rows) {
  Evaluation evaluation;
  evaluation.costs.resize(rows.rows());
  evaluation.failed.resize(rows.rows());
  evaluation.broken.resize(rows.rows());
  std::vector<Realisation> found(rows.rows());
  team_.fill(rows.rows(), {slots_of(found)}, [&](std::size_t row, std::size_t) {
    const Tile& tile = rows.tile(row / rows.width());
    const std::size_t lane = row % rows.width(), instance = tile.instance[lane];
    std::vector<double> truth(tile.shape.truth), decision(task_.problem->decision_size(instance));
    for (std::size_t k = 0; k < truth.size(); ++k) truth[k] = tile.truth[k * tile.width + lane];
    found[row].cost = std::nan("");
    try {
      if (task_.problem->reference(instance, truth, decision) == SolveStatus::kSolved)
        found[row] = task_.problem->realise(decision, truth, instance);
    } catch (const SolverLost&) {
      throw;
    } catch (const std::exception&) {  // as of any solver: this row has none, the others do
    }
  });
  double sum = 0;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const bool failed = !std::isfinite(found[row].cost);
    const Tile& tile = rows.tile(row / rows.width());
    evaluation.costs[row] = failed ? failure_cost(tile.instance[row % rows.width()]) : found[row].cost;
    evaluation.failed[row] = failed;
    evaluation.broken[row] = !failed && found[row].recourse.infeasible;
    evaluation.solves.failed += failed;
    evaluation.infeasible += !failed && found[row].recourse.infeasible;
    evaluation.changed += !failed && found[row].recourse.changed;
    sum += evaluation.costs[row];
  }
  evaluation.mean_cost = rows.rows() == 0 ? 0 : sum / static_cast<double>(rows.rows());
  evaluation.solves.requested = evaluation.solves.performed = rows.rows();
  return evaluation;
}

Evaluation Evaluator::decide(std::span<const double> predictions, const TiledRows& rows) {
  std::vector<std::size_t> begin;  // of each tile's rows, where they differ in size
  if (!rows.uniform()) begin.push_back(0);
  for (std::size_t row = 0; !rows.uniform() && row < rows.rows(); ++row)
    begin.push_back(begin.back() + task_.problem->outputs(rows.tile(row).instance[0]));
  return evaluate_with(rows, [&](std::size_t number, const Tile& tile, double* prediction) {
    const std::size_t outputs = task_.problem->outputs(tile.instance[0]);
    for (std::size_t lane = 0; lane < tile.width; ++lane) {
      const std::size_t row = number * tile.width + std::min(lane, tile.lanes - 1);
      const std::size_t first = begin.empty() ? row * outputs : begin[row];
      for (std::size_t o = 0; o < outputs; ++o) prediction[o * tile.width + lane] = predictions[first + o];
    }
  });
}

std::optional<double> mean_squared_error(const Task& task, std::span<const double> theta,
                                         const TiledRows& rows) {
  return prediction_figures(*task.predictor, theta, rows).squared_error;
}

SolveCounts Evaluator::calibrate_failure_cost(std::span<const double> theta, const Split& split) {
  if (!charges_failures_) return calibrate_failure_cost(theta, TiledRows(split));
  double sum = 0;
  for (std::size_t row = 0; row < split.rows; ++row) sum += failure_cost(split.instance(row));
  failure_cost_ = sum / static_cast<double>(split.rows);
  return {};
}

void Evaluator::settle(const Tile& tile, TileOutcome& outcome) const {
  if (outcome.failed == 0 && tile.lanes == kLanes) return;
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    if (lane >= tile.lanes)
      outcome.cost[lane] = 0;
    else if ((outcome.failed >> lane) & 1u)
      outcome.cost[lane] = failure_cost(tile.instance[lane]);
}

SolveCounts Evaluator::calibrate_failure_cost(std::span<const double> theta, const TiledRows& rows) {
  failure_cost_ = std::nan("");
  const Evaluation evaluation = evaluate(theta, rows);
  std::string what = "the failure cost, by decisions of the untrained predictor";
  if (const SolverMonitor* monitor = task_.problem->monitor())
    if (const std::string why = monitor->failures(); !why.empty())
      what += fmt::format(" (failed solves since the program started: {})", why);
  require_some_solved(evaluation, what);
  double largest = 0;
  for (const double cost : evaluation.costs)
    if (!std::isnan(cost)) largest = std::max(largest, std::abs(cost));
  failure_cost_ = 2 * largest + 1;
  return evaluation.solves;
}

std::vector<double> row_regrets(RegretMetric metric, const Evaluation& decided,
                                std::span<const double> optimal) {
  std::vector<double> regrets(decided.costs.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t row = 0; row < decided.costs.size(); ++row) {
    if (std::isnan(optimal[row])) continue;
    double cost = decided.costs[row];
    // Of a row that is dearer than all that the failure cost was measured on, failing must not look like a
    // gain.
    if (decided.failed[row] && cost <= optimal[row]) cost = 2 * std::abs(optimal[row]) + 1;
    const double regret = cost - optimal[row];
    if (metric == RegretMetric::kAbsolute)
      regrets[row] = regret;
    else if (optimal[row] != 0)
      regrets[row] = regret / std::abs(optimal[row]);
    else
      regrets[row] = regret > 0 ? 1 : 0;
  }
  return regrets;
}

double mean_regret(RegretMetric metric, const Evaluation& decided, std::span<const double> optimal) {
  double sum = 0;
  std::size_t rows = 0;
  for (const double regret : row_regrets(metric, decided, optimal)) {
    if (std::isnan(regret)) continue;
    sum += regret;
    ++rows;
  }
  return decided.costs.empty() ? 0 : sum / static_cast<double>(rows);
}

double failed_share(const Evaluation& evaluation) {
  return evaluation.costs.empty()
             ? 0
             : static_cast<double>(evaluation.solves.failed) / static_cast<double>(evaluation.costs.size());
}

void require_some_solved(const Evaluation& evaluation, const std::string& what) {
  if (evaluation.costs.empty() || evaluation.solves.failed < evaluation.costs.size()) return;
  throw InputError(fmt::format("{}: the solver failed on all of {} rows, expected at least one to be solved",
                               what, evaluation.costs.size()));
}

}  // namespace polystep
