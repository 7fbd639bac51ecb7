// Probes in prediction space: which way each instance's prediction should move, seen from realised costs.
//
// Every prediction p is moved by Gaussian noise, independently per instance and in antithetic pairs
// p ± sigma e. What the decisions of both sides really cost, weighted with the noise,
//   (cost(p + sigma e) - cost(p - sigma e)) e / (2 sigma),
// estimates without bias the gradient of the cost smoothed over the noise, E cost(p + sigma e). The
// predictor's own Jacobian pulls the estimates of all rows back to its parameters. Solver and cost stay black
// boxes. One solve tells something about all parameters of the predictor through its own instance, where a
// probe of the parameters needs a solve per row to tell one number: this is the choice where solves are dear.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evaluation/evaluator.hpp"
#include "evaluation/tile_batch.hpp"
#include "methods/probes/tile_gradients.hpp"
#include "polystep/aligned.hpp"
#include "polystep/random.hpp"

namespace polystep {

// What the pairs of one tile came to.
struct PairCounts {
  double cost = 0;  // sum over probes
  std::uint64_t flips = 0;
  std::uint64_t failed = 0;
};

struct SmoothedGradient {
  std::vector<double> gradient;  // [parameters], of the mean smoothed cost
  double mean_cost = 0;          // of all probes
  std::uint64_t pairs = 0;
  std::uint64_t flips = 0;  // pairs whose two sides decide differently: only they can teach anything
  SolveCounts solves;

  // Everything but the gradient; sums run in the order of tiles.
  void count(std::uint64_t all_pairs, std::span<const PairCounts> tiles) {
    pairs = all_pairs;
    solves = {.requested = 2 * pairs, .performed = 2 * pairs};
    flips = 0;
    double cost = 0;
    for (const PairCounts& tile : tiles) {
      cost += tile.cost;
      flips += tile.flips;
      solves.failed += tile.failed;
    }
    mean_cost = cost / static_cast<double>(2 * pairs);
  }

  // Told from the pairs alone, so that incumbents need no solves of their own.
  double flip_rate() const {
    return pairs == 0 ? 0 : static_cast<double>(flips) / static_cast<double>(pairs);
  }
};

// A way to tell from probes of predictions which way parameters should move.
class OutputProbes {
 public:
  virtual ~OutputProbes() = default;

  // The gradient at `theta` for noise of deviation `noise`, above 0, in the predictor's units of outputs.
  // Equal seeds and steps draw equal noise.
  virtual void evaluate(std::span<const double> theta, const TiledRows& rows, std::size_t step, double noise,
                        SmoothedGradient& result) = 0;
};

class PredictionProbes final : public OutputProbes {
 public:
  // `samples`: pairs per instance.
  PredictionProbes(Evaluator& evaluator, std::size_t samples, std::uint64_t seed);

  void evaluate(std::span<const double> theta, const TiledRows& rows, std::size_t step, double noise,
                SmoothedGradient& result) override;

 private:
  struct Setting {
    std::span<const double> theta;
    std::size_t step;
    double noise;
    double share;  // of one pair in the gradient, per unit of cost and move
  };
  struct Probe {                 // one side of a pair
    std::size_t number;          // of its tile
    const AlignedDoubles* move;  // [outputs × kLanes]
    bool above;                  // the other side follows
  };
  struct Workspace {                    // of one thread
    AlignedDoubles prediction;          // [outputs × kLanes]
    std::vector<AlignedDoubles> moves;  // [pairs that can wait × outputs × kLanes], taken in turn
    std::size_t next_move = 0;
    std::vector<RandomStream> streams;  // [lanes in use]
    TileBatch<Probe> batch;
    TileOutcome upper;  // of a pair whose other side is still to come
  };

  void probe_tile(const Setting& setting, const TiledRows& rows, std::size_t number, Workspace& work);
  void solve_probes(double share, Workspace& work);
  void settle_pair(const Probe& probe, const Tile& tile, const TileOutcome& upper, const TileOutcome& lower,
                   double share);

  Evaluator& evaluator_;
  const Predictor& predictor_;
  std::size_t samples_;
  std::uint64_t seed_;
  // The predictor's fixed units, where it has any: outputs may differ in size by far.
  const OutputScaling* units_;
  double unit(std::size_t output) const { return units_ == nullptr ? 1 : units_->deviation_of(output); }

  TileGradients gradients_;
  std::vector<Workspace> workspaces_;  // one per worker
  std::vector<PairCounts> counts_;     // [tiles]
};

}  // namespace polystep
