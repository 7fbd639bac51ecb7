#include "evaluation/evaluator.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace polystep {

Evaluator::Evaluator(const Task& task, Executor& executor) : task_(task), executor_(executor) {
  for (std::size_t worker = 0; worker < executor.threads(); ++worker)
    solvers_.push_back(task.problem->make_tile_solver());
}

template <class Predict>
Evaluation Evaluator::evaluate_with(const TiledRows& rows, const Predict& predict) {
  Evaluation evaluation;
  evaluation.costs.resize(rows.rows());
  struct Masks {
    std::uint32_t failed, infeasible, changed;
  };
  std::vector<Masks> masks(rows.tiles());
  // Solvers that like many tiles at once get them; the others take them one by one.
  const std::size_t at_once = solvers_.front()->jobs_at_once();
  const std::size_t groups = (rows.tiles() + at_once - 1) / at_once;
  executor_.for_each(groups, [&](std::size_t group, std::size_t worker) {
    const std::size_t first = group * at_once, count = std::min(at_once, rows.tiles() - first);
    std::vector<AlignedDoubles> buffers(count);
    std::vector<TileOutcome> outcomes(count);
    std::vector<TileJob> jobs(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Tile tile = rows.tile(first + i);
      jobs[i] = {tile, predict(first + i, tile, buffers[i]), &outcomes[i]};
    }
    solvers_[worker]->solve_all(jobs);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t number = first + i, lanes = jobs[i].tile.lanes;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const bool lane_failed = (outcomes[i].failed >> lane) & 1u;
        evaluation.costs[number * kLanes + lane] = lane_failed ? failure_cost_ : outcomes[i].cost[lane];
      }
      const std::uint32_t used = (1u << lanes) - 1;
      masks[number] = {outcomes[i].failed & used, outcomes[i].infeasible & used, outcomes[i].changed & used};
    }
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
  return evaluate_with(rows, [&](std::size_t, const Tile& tile, AlignedDoubles& prediction) {
    prediction.resize(task_.predictor->outputs() * kLanes);
    task_.predictor->predict(theta, tile.features, prediction.data());
    return static_cast<const double*>(prediction.data());
  });
}

Evaluation Evaluator::optimal(const TiledRows& rows) {
  return evaluate_with(rows, [](std::size_t, const Tile& tile, AlignedDoubles&) { return tile.truth; });
}

Evaluation Evaluator::decide(std::span<const double> predictions, const TiledRows& rows) {
  const std::size_t outputs = task_.problem->outputs();
  return evaluate_with(rows, [&](std::size_t number, const Tile& tile, AlignedDoubles& prediction) {
    prediction.resize(outputs * kLanes);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t row = number * kLanes + std::min(lane, tile.lanes - 1);
      for (std::size_t o = 0; o < outputs; ++o)
        prediction[o * kLanes + lane] = predictions[row * outputs + o];
    }
    return static_cast<const double*>(prediction.data());
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
