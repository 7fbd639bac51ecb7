#include "methods/probes/prediction_probes.hpp"

#include <algorithm>

namespace polystep {

PredictionProbes::PredictionProbes(Evaluator& evaluator, std::size_t samples, std::uint64_t seed)
    : evaluator_(evaluator),
      predictor_(*evaluator.task().predictor),
      samples_(samples),
      seed_(seed),
      units_(predictor_.output_scaling()),
      gradients_(evaluator),
      workspaces_(evaluator.team().threads()) {
  const std::size_t size = evaluator.task().problem->outputs() * kLanes;
  const std::size_t most_pending = evaluator.solver(0).jobs_at_once() / 2 + 1;
  for (Workspace& workspace : workspaces_) {
    workspace.prediction.assign(size, 0.0);
    workspace.moves.assign(most_pending, AlignedDoubles(size));
  }
}

void PredictionProbes::evaluate(std::span<const double> theta, const TiledRows& rows, std::size_t step,
                                double noise, SmoothedGradient& result) {
  gradients_.start(rows);
  counts_.assign(rows.tiles(), {});
  // As many tiles per item as fill a batch of the solver with their pairs.
  const std::size_t at_once = std::max<std::size_t>(1, evaluator_.solver(0).jobs_at_once() / (2 * samples_));
  const double share = 1 / (2 * noise * noise * static_cast<double>(samples_ * rows.rows()));
  const auto work = [&](std::size_t item, std::size_t worker) {
    Workspace& workspace = workspaces_[worker];
    workspace.batch.start(evaluator_.solver(worker), evaluator_.task().problem->outputs(), rows.width());
    for (std::size_t i = 0; i < at_once && item * at_once + i < rows.tiles(); ++i)
      probe_tile({theta, step, noise, share}, rows, item * at_once + i, workspace);
    solve_probes(share, workspace);
  };
  evaluator_.team().for_each((rows.tiles() + at_once - 1) / at_once, work);
  gradients_.pull_back(theta, rows, result.gradient);
  result.count(rows.rows() * samples_, counts_);
}

void PredictionProbes::probe_tile(const Setting& setting, const TiledRows& rows, std::size_t number,
                                  Workspace& work) {
  const Tile& tile = rows.tile(number);
  const std::size_t size = gradients_.size(number);
  work.streams.clear();
  for (std::size_t lane = 0; lane < tile.lanes; ++lane)
    work.streams.emplace_back(seed_, Purpose::kPerturbation, setting.step, number * tile.width + lane);
  predictor_.predict(setting.theta, tile, work.prediction.data());
  for (std::size_t sample = 0; sample < samples_; ++sample) {
    work.next_move = (work.next_move + 1) % work.moves.size();
    AlignedDoubles& move = work.moves[work.next_move];
    std::fill_n(move.begin(), size, 0.0);  // unused lanes stay where they are
    for (std::size_t lane = 0; lane < work.streams.size(); ++lane)
      for (std::size_t o = 0; o < size / tile.width; ++o)
        move[o * tile.width + lane] = setting.noise * work.streams[lane].normal() * unit(o);
    for (const double side : {1.0, -1.0}) {
      double* probe = work.batch.add(tile, {number, &move, side > 0});
      for (std::size_t i = 0; i < size; ++i) probe[i] = work.prediction[i] + side * move[i];
      if (work.batch.full()) solve_probes(setting.share, work);
    }
  }
}

void PredictionProbes::solve_probes(double share, Workspace& work) {
  work.batch.solve([&](const Probe& probe, const Tile& tile, const TileOutcome& outcome) {
    if (probe.above)
      work.upper = outcome;
    else
      settle_pair(probe, tile, work.upper, outcome, share);
  });
}

void PredictionProbes::settle_pair(const Probe& probe, const Tile& tile, const TileOutcome& upper,
                                   const TileOutcome& lower, double share) {
  const AlignedDoubles& move = *probe.move;
  double* gradient = gradients_.tile(probe.number);
  const std::size_t outputs = gradients_.size(probe.number) / tile.width;
  PairCounts& counts = counts_[probe.number];
  for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
    const bool upper_failed = (upper.failed >> lane) & 1u, lower_failed = (lower.failed >> lane) & 1u;
    const double upper_cost = upper_failed ? evaluator_.failure_cost(tile.instance[lane]) : upper.cost[lane];
    const double lower_cost = lower_failed ? evaluator_.failure_cost(tile.instance[lane]) : lower.cost[lane];
    counts.cost += upper_cost + lower_cost;
    counts.failed += upper_failed + lower_failed;
    counts.flips +=
        upper_failed != lower_failed || (!upper_failed && upper.signature[lane] != lower.signature[lane]);
    const double weight = share * (upper_cost - lower_cost);
    if (weight == 0) continue;
    for (std::size_t o = 0; o < outputs; ++o) {
      const std::size_t i = o * tile.width + lane;
      gradient[i] += weight * move[i] / (unit(o) * unit(o));
    }
  }
}

}  // namespace polystep
