#include "evaluation/evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "evaluation/tile_batch.hpp"
#include "polystep/error.hpp"

namespace polystep {

Evaluator::Evaluator(const Task& task, Executor& executor) : Evaluator(task, executor, *task.problem) {}

Evaluator::Evaluator(const Task& task, Executor& executor, const Problem& decides)
    : task_(task), executor_(executor) {
  for (std::size_t worker = 0; worker < executor.threads(); ++worker)
    solvers_.push_back(decides.make_tile_solver());
}

void Evaluator::for_each_group(
    std::size_t tiles,
    const std::function<void(std::size_t first, std::size_t last, std::size_t worker)>& work) {
  const std::size_t at_once = solvers_.front()->jobs_at_once();
  executor_.for_each((tiles + at_once - 1) / at_once, [&](std::size_t group, std::size_t worker) {
    work(group * at_once, std::min(tiles, (group + 1) * at_once), worker);
  });
}

template <class Predict>
Evaluation Evaluator::evaluate_with(const TiledRows& rows, const Predict& predict) {
  Evaluation evaluation;
  evaluation.costs.resize(rows.rows());
  struct Masks {
    std::uint32_t failed, infeasible, changed;
  };
  std::vector<Masks> masks(rows.tiles());
  for_each_group(rows.tiles(), [&](std::size_t first, std::size_t last, std::size_t worker) {
    TileBatch<std::size_t> batch;
    batch.start(*solvers_[worker], task_.problem->outputs());
    for (std::size_t number = first; number < last; ++number) {
      const Tile tile = rows.tile(number);
      predict(number, tile, batch.add(tile, number));
    }
    batch.solve([&](std::size_t number, const Tile& tile, const TileOutcome& outcome) {
      for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
        const bool lane_failed = (outcome.failed >> lane) & 1u;
        evaluation.costs[number * kLanes + lane] = lane_failed ? failure_cost_ : outcome.cost[lane];
      }
      const std::uint32_t used = (1u << tile.lanes) - 1;
      masks[number] = {outcome.failed & used, outcome.infeasible & used, outcome.changed & used};
    });
  });
  double sum = 0;
  for (const double cost : evaluation.costs) sum += cost;
  evaluation.mean_cost = rows.rows() == 0 ? 0 : sum / static_cast<double>(rows.rows());
  evaluation.solves.requested = evaluation.solves.performed = rows.rows();
  for (const Masks& mask : masks) {
    evaluation.solves.failed += static_cast<std::uint64_t>(std::popcount(mask.failed));
    evaluation.infeasible += static_cast<std::uint64_t>(std::popcount(mask.infeasible));
    evaluation.changed += static_cast<std::uint64_t>(std::popcount(mask.changed));
  }
  return evaluation;
}

Evaluation Evaluator::evaluate(std::span<const double> theta, const TiledRows& rows) {
  return evaluate_with(rows, [&](std::size_t, const Tile& tile, double* prediction) {
    task_.predictor->predict(theta, tile.features, prediction);
  });
}

Evaluation Evaluator::optimal(const TiledRows& rows) {
  if (!knows_optimum())
    throw InputError(
        fmt::format("regret: the data have {} true parameters for {} predicted ones, expected one each to "
                    "tell the optimum",
                    task_.data.test.truth_columns, task_.problem->outputs()));
  const std::size_t size = task_.problem->outputs() * kLanes;
  return evaluate_with(rows, [&](std::size_t, const Tile& tile, double* prediction) {
    std::copy_n(tile.truth, size, prediction);
  });
}

Evaluation Evaluator::decide(std::span<const double> predictions, const TiledRows& rows) {
  const std::size_t outputs = task_.problem->outputs();
  return evaluate_with(rows, [&](std::size_t number, const Tile& tile, double* prediction) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t row = number * kLanes + std::min(lane, tile.lanes - 1);
      for (std::size_t o = 0; o < outputs; ++o)
        prediction[o * kLanes + lane] = predictions[row * outputs + o];
    }
  });
}

std::optional<double> mean_squared_error(const Task& task, std::span<const double> theta,
                                         const TiledRows& rows) {
  const std::size_t outputs = task.predictor->outputs();
  if (rows.rows() == 0 || rows.tile(0).truth_columns != outputs) return {};
  AlignedDoubles prediction(outputs * kLanes);
  double sum = 0;
  for (std::size_t number = 0; number < rows.tiles(); ++number) {
    const Tile tile = rows.tile(number);
    task.predictor->predict(theta, tile.features, prediction.data());
    for (std::size_t lane = 0; lane < tile.lanes; ++lane)
      for (std::size_t o = 0; o < outputs; ++o) {
        const double error = prediction[o * kLanes + lane] - tile.truth[o * kLanes + lane];
        sum += error * error;
      }
  }
  return sum / static_cast<double>(rows.rows() * outputs);
}

SolveCounts Evaluator::calibrate_failure_cost(std::span<const double> theta, const TiledRows& rows) {
  failure_cost_ = std::nan("");
  const Evaluation evaluation = evaluate(theta, rows);
  double largest = 0;
  for (const double cost : evaluation.costs)
    if (!std::isnan(cost)) largest = std::max(largest, std::abs(cost));
  failure_cost_ = 2 * largest + 1;
  return evaluation.solves;
}

double mean_regret(RegretMetric metric, std::span<const double> costs, std::span<const double> optimal) {
  double sum = 0;
  for (std::size_t row = 0; row < costs.size(); ++row) {
    const double regret = costs[row] - optimal[row];
    if (metric == RegretMetric::kAbsolute)
      sum += regret;
    else if (optimal[row] != 0)
      sum += regret / std::abs(optimal[row]);
    else
      sum += regret > 0 ? 1 : 0;
  }
  return costs.empty() ? 0 : sum / static_cast<double>(costs.size());
}

}  // namespace polystep
