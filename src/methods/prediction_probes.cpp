#include "methods/prediction_probes.hpp"

#include <algorithm>

namespace polystep {
namespace {

// Gradients of a group of tiles are summed by one thread. The number is a constant of the program, so that
// sums run in the same order for any number of threads.
constexpr std::size_t kGroups = 8;

// unit: [outputs], what noise is a multiple of
void draw_move(std::span<RandomStream> streams, double noise, std::span<const double> unit,
               AlignedDoubles& move) {
  for (std::size_t lane = 0; lane < streams.size(); ++lane)
    for (std::size_t o = 0; o < unit.size(); ++o)
      move[o * kLanes + lane] = noise * streams[lane].normal() * unit[o];
}

}  // namespace

PredictionProbes::PredictionProbes(Evaluator& evaluator, std::size_t samples, std::uint64_t seed)
    : evaluator_(evaluator),
      predictor_(*evaluator.task().predictor),
      samples_(samples),
      seed_(seed),
      unit_(predictor_.output_scaling() != nullptr ? predictor_.output_scaling()->deviation
                                                   : std::vector<double>(predictor_.outputs(), 1.0)),
      workspaces_(evaluator.executor().threads()) {
  const std::size_t size = predictor_.outputs() * kLanes;
  for (Workspace& workspace : workspaces_)
    for (AlignedDoubles* array : {&workspace.prediction, &workspace.move, &workspace.above, &workspace.below})
      array->assign(size, 0.0);
}

void PredictionProbes::evaluate(std::span<const double> theta, const TiledRows& rows, std::size_t step,
                                double noise, SmoothedGradient& result) {
  tile_gradients_.assign(rows.tiles() * predictor_.outputs() * kLanes, 0.0);
  counts_.assign(rows.tiles(), {});
  evaluator_.executor().for_each(rows.tiles(), [&](std::size_t number, std::size_t worker) {
    probe_tile(theta, rows, number, step, noise, worker);
  });
  result.gradient.assign(theta.size(), 0.0);
  pull_back(theta, rows, result.gradient);
  result.pairs = rows.rows() * samples_;
  result.solves = {.requested = 2 * result.pairs, .performed = 2 * result.pairs};
  result.flips = 0;
  double cost = 0;
  for (const TileCounts& counts : counts_) {
    cost += counts.cost;
    result.flips += counts.flips;
    result.solves.failed += counts.failed;
  }
  result.mean_cost = cost / static_cast<double>(2 * result.pairs);
}

void PredictionProbes::probe_tile(std::span<const double> theta, const TiledRows& rows, std::size_t number,
                                  std::size_t step, double noise, std::size_t worker) {
  const Tile tile = rows.tile(number);
  auto& [prediction, move, above, below, streams] = workspaces_[worker];
  double* gradient = tile_gradients_.data() + number * prediction.size();
  streams.clear();
  for (std::size_t lane = 0; lane < tile.lanes; ++lane)
    streams.emplace_back(seed_, Purpose::kPerturbation, step, number * kLanes + lane);
  std::fill(move.begin(), move.end(), 0.0);  // unused lanes stay where they are
  predictor_.predict(theta, tile.features, prediction.data());
  const double share = 1 / (2 * noise * noise * static_cast<double>(samples_ * rows.rows()));
  TileCounts& counts = counts_[number];
  TileOutcome upper, lower;
  for (std::size_t sample = 0; sample < samples_; ++sample) {
    draw_move(streams, noise, unit_, move);
    for (std::size_t i = 0; i < move.size(); ++i) {
      above[i] = prediction[i] + move[i];
      below[i] = prediction[i] - move[i];
    }
    evaluator_.solver(worker).solve(tile, above.data(), upper);
    evaluator_.solver(worker).solve(tile, below.data(), lower);
    for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
      const bool upper_failed = (upper.failed >> lane) & 1u, lower_failed = (lower.failed >> lane) & 1u;
      const double upper_cost = upper_failed ? evaluator_.failure_cost() : upper.cost[lane];
      const double lower_cost = lower_failed ? evaluator_.failure_cost() : lower.cost[lane];
      counts.cost += upper_cost + lower_cost;
      counts.failed += upper_failed + lower_failed;
      counts.flips +=
          upper_failed != lower_failed || (!upper_failed && upper.signature[lane] != lower.signature[lane]);
      const double weight = share * (upper_cost - lower_cost);
      if (weight == 0) continue;
      for (std::size_t o = 0; o < unit_.size(); ++o) {
        const std::size_t i = o * kLanes + lane;
        gradient[i] += weight * move[i] / (unit_[o] * unit_[o]);
      }
    }
  }
}

void PredictionProbes::pull_back(std::span<const double> theta, const TiledRows& rows,
                                 std::span<double> gradient) {
  const std::size_t size = predictor_.outputs() * kLanes;
  group_shares_.resize(std::min(kGroups, rows.tiles()));
  evaluator_.executor().for_each(group_shares_.size(), [&](std::size_t group, std::size_t) {
    group_shares_[group].assign(theta.size(), 0.0);
    for (std::size_t number = group; number < rows.tiles(); number += group_shares_.size())
      predictor_.add_gradient(theta, rows.tile(number).features, tile_gradients_.data() + number * size,
                              group_shares_[group]);
  });
  for (const std::vector<double>& share : group_shares_)
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += share[i];
}

}  // namespace polystep
