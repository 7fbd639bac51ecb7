#include "methods/polystepor/flip_distances.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "methods/polystepor/polystepor_options.hpp"
#include "methods/starts/prepared_data.hpp"
#include "polystep/random.hpp"
#include "polystep/stop.hpp"

namespace polystep {
namespace {

// Moves are tried from the first to the second share of the one that changes predictions by their own size.
constexpr double kNearest = 1e-9;
constexpr double kFurthest = 1e6;

bool flag_or_false(const Options& options, const char* name) {
  return options.table().find(name) != nullptr && options.flag(name);
}

// Whether these are options of method polystepor or of one that shares them all.
bool describe_probes(const Options& options) {
  const OptionTable needed = polystepor_options();
  return std::all_of(needed.specs().begin(), needed.specs().end(),
                     [&](const OptionSpec& spec) { return options.table().find(spec.name) != nullptr; });
}

// Directions of unit length in parameter space, drawn as the method's probes are.
class Directions {
 public:
  Directions(const Options& options, const Predictor& predictor, std::span<const double> theta,
             std::uint64_t seed)
      : parameters_(theta.size()) {
    if (describe_probes(options))
      optimizer_.emplace(make_optimizer(options, predictor, {theta.begin(), theta.end()}, seed));
  }

  void draw(RandomStream& stream, Direction& out) {
    if (!optimizer_) return draw_free(stream, out);
    const Probes& probes = optimizer_->ask();
    const std::size_t block = stream.below(probes.blocks());
    probes.direction(block, stream.below(probes.vertices(block)), out);
  }

 private:
  void draw_free(RandomStream& stream, Direction& out) const {
    const std::span<double> values = out.make_dense(0, parameters_);
    stream.fill_normal(values);
    double square = 0;
    for (const double value : values) square += value * value;
    for (double& value : values) value /= std::sqrt(square);
  }

  std::size_t parameters_;
  std::optional<PolyStep> optimizer_;
};

// One tile of pairs: each lane moves its own predictions along its own direction.
class PairTile {
 public:
  PairTile(const Tile& tile, TileSolver& solver, std::size_t outputs)
      : tile_(tile),
        solver_(solver),
        outputs_(outputs),
        width_(tile.width),
        base_(outputs * width_),
        change_(outputs * width_),
        moved_(outputs * width_) {}

  double* base() { return base_.data(); }      // [outputs × width]
  double* change() { return change_.data(); }  // [outputs × width] per unit of distance

  // How much each lane's cost changes at a distance, as a share of it; negative where the solver failed.
  std::array<double, kLanes> cost_changes(double distance) {
    solver_.solve(tile_, base_.data(), incumbent_);
    for (std::size_t i = 0; i < moved_.size(); ++i) moved_[i] = base_[i] + distance * change_[i];
    solver_.solve(tile_, moved_.data(), outcome_);
    std::array<double, kLanes> shares{};
    for (std::size_t lane = 0; lane < width_; ++lane) {
      const bool failed = ((incumbent_.failed | outcome_.failed) >> lane) & 1u;
      const double cost = incumbent_.cost[lane], change = std::abs(outcome_.cost[lane] - cost);
      shares[lane] = failed ? -1 : cost != 0 ? change / std::abs(cost) : change > 0 ? 1 : 0;
    }
    return shares;
  }

  // The distance of each lane's change; infinite where there was none, negative where the solver failed.
  std::array<double, kLanes> solve() {
    solver_.solve(tile_, base_.data(), incumbent_);
    bracket();
    for (;;) {
      std::array<double, kLanes> middle{};
      bool open = false;
      for (std::size_t lane = 0; lane < width_; ++lane) {
        middle[lane] = stays_[lane] + (changes_[lane] - stays_[lane]) / 2;
        open |= unfinished(lane);
        if (!unfinished(lane)) middle[lane] = 0;
      }
      if (!open) break;
      const std::uint32_t flipped = flipped_at(middle);
      for (std::size_t lane = 0; lane < width_; ++lane)
        if (unfinished(lane)) ((flipped >> lane) & 1u ? changes_ : stays_)[lane] = middle[lane];
    }
    for (std::size_t lane = 0; lane < width_; ++lane)
      if ((incumbent_.failed >> lane) & 1u) changes_[lane] = -1;
    return changes_;
  }

 private:
  bool unfinished(std::size_t lane) const {
    return std::isfinite(changes_[lane]) &&
           changes_[lane] - stays_[lane] > kFlipDistanceAccuracy * changes_[lane];
  }

  // The distance that changes a lane's predictions by their own size; 0: nothing moves.
  double unit(std::size_t lane) const {
    double size = 0, change = 0;
    for (std::size_t o = 0; o < outputs_; ++o) {
      size = std::max(size, std::abs(base_[o * width_ + lane]));
      change = std::max(change, std::abs(change_[o * width_ + lane]));
    }
    if (change == 0) return 0;
    return (size > 0 ? size : 1) / change;
  }

  // Doubles every lane's move until its decision changes.
  void bracket() {
    changes_.fill(std::numeric_limits<double>::infinity());
    stays_.fill(0);
    std::array<double, kLanes> units{};
    for (std::size_t lane = 0; lane < width_; ++lane) units[lane] = unit(lane);
    for (double share = kNearest; share <= kFurthest; share *= 2) {
      std::array<double, kLanes> distance{};
      for (std::size_t lane = 0; lane < width_; ++lane) distance[lane] = share * units[lane];
      const std::uint32_t flipped = flipped_at(distance);
      for (std::size_t lane = 0; lane < width_; ++lane) {
        if (std::isfinite(changes_[lane]) || units[lane] == 0) continue;
        ((flipped >> lane) & 1u ? changes_ : stays_)[lane] = distance[lane];
      }
    }
  }

  std::uint32_t flipped_at(const std::array<double, kLanes>& distance) {
    for (std::size_t i = 0; i < moved_.size(); ++i) moved_[i] = base_[i] + distance[i % width_] * change_[i];
    solver_.solve(tile_, moved_.data(), outcome_);
    std::uint32_t flipped = 0;
    for (std::size_t lane = 0; lane < width_; ++lane)
      flipped |= static_cast<std::uint32_t>(outcome_.signature[lane] != incumbent_.signature[lane]) << lane;
    return flipped;
  }

  Tile tile_;
  TileSolver& solver_;
  std::size_t outputs_;
  std::size_t width_;
  AlignedDoubles base_, change_, moved_;
  TileOutcome incumbent_, outcome_;
  std::array<double, kLanes> stays_;    // the furthest distance known to change nothing
  std::array<double, kLanes> changes_;  // the nearest known to change the decision
};

// Draws pairs, a tile of them at a time, until there are enough or it is to stop; `measure` takes each tile's
// pairs, of which there are as many as it is told. False where it was stopped.
bool for_each_tile_of_pairs(Evaluator& evaluator, const Options& method_options,
                            std::span<const double> theta, std::size_t pairs, std::uint64_t seed,
                            const std::function<void(PairTile& tile, std::size_t lanes)>& measure) {
  const Task& task = evaluator.task();
  const Predictor& predictor = *task.predictor;
  const PreparedData prepared = prepare_data(task, flag_or_false(method_options, "standardise"),
                                             flag_or_false(method_options, "instance-weights"));
  Directions directions(method_options, predictor, theta, seed);
  RandomStream stream(seed, Purpose::kFlipDistance);
  for (std::size_t drawn = 0; drawn < pairs;) {
    const std::size_t width = task.data.training.ragged() ? 1 : kLanes;
    std::vector<std::size_t> rows(std::min(width, pairs - drawn));
    for (std::size_t& row : rows) row = stream.below(task.data.training.rows);
    TiledRows own, probed;  // the same rows in the data's units and in the method's
    own.gather(task.data.training, rows);
    probed.gather(prepared.training, rows);
    const std::size_t outputs = predictor.outputs_of(own.tile(0));
    PairTile tile(own.tile(0), evaluator.solver(0), outputs);
    predictor.predict(theta, own.tile(0), tile.base());
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      Direction direction;
      directions.draw(stream, direction);
      const std::vector<std::uint32_t> touched = predictor.touched_outputs(direction.parameters(), outputs);
      AlignedDoubles change(touched.size() * width);
      predictor.predict_change(direction, touched, 1, probed.tile(0), change.data());
      for (std::size_t k = 0; k < touched.size(); ++k)
        tile.change()[touched[k] * width + lane] = prepared.prediction_scale * change[k * width + lane];
    }
    try {
      stop_if_wanted();
      measure(tile, rows.size());
    } catch (const Stopped&) {
      return false;
    }
    drawn += rows.size();
  }
  return true;
}

}  // namespace

std::optional<FlipDistances> measure_flip_distances(Evaluator& evaluator, const Options& method_options,
                                                    std::span<const double> theta, std::size_t pairs,
                                                    std::uint64_t seed,
                                                    const std::function<void(std::size_t)>& on_pairs) {
  if (!evaluator.task().predictor->affine()) return std::nullopt;
  FlipDistances result;
  result.certain = evaluator.task().problem->facts().optimises_prediction.has_value();
  const auto measure = [&](PairTile& tile, std::size_t lanes) {
    const std::array<double, kLanes> distance = tile.solve();
    for (std::size_t lane = 0; lane < lanes; ++lane)
      if (distance[lane] >= 0 && std::isfinite(distance[lane])) result.distances.push_back(distance[lane]);
    result.pairs += lanes;
    if (on_pairs) on_pairs(result.pairs);
  };
  result.cut = !for_each_tile_of_pairs(evaluator, method_options, theta, pairs, seed, measure);
  std::sort(result.distances.begin(), result.distances.end());
  return result;
}

std::optional<CostChanges> measure_cost_changes(Evaluator& evaluator, const Options& method_options,
                                                std::span<const double> theta, double distance,
                                                std::size_t pairs, std::uint64_t seed,
                                                const std::function<void(std::size_t)>& on_pairs) {
  if (!evaluator.task().predictor->affine()) return std::nullopt;
  CostChanges result;
  result.distance = distance;
  const auto measure = [&](PairTile& tile, std::size_t lanes) {
    const std::array<double, kLanes> shares = tile.cost_changes(distance);
    for (std::size_t lane = 0; lane < lanes; ++lane)
      if (shares[lane] >= 0) result.shares.push_back(shares[lane]);
    result.pairs += lanes;
    if (on_pairs) on_pairs(result.pairs);
  };
  result.cut = !for_each_tile_of_pairs(evaluator, method_options, theta, pairs, seed, measure);
  std::sort(result.shares.begin(), result.shares.end());
  return result;
}

}  // namespace polystep
