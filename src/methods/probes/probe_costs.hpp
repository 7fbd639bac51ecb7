// What every probe of a step costs on a minibatch: the hot loop of training.
//
// Work is cut into (block, group of tiles) items that any thread may take, and by directions too where blocks
// are large and a probe's parameters are made anew for each item. Within an item, data stay in the
// innermost cache: tile by tile, each direction's change of prediction is computed once and serves all its
// probes (both signs, all radii). Where the solver knows margins, probes that provably leave a tile's
// decisions alone are not solved. A solver that likes many tiles at once gets the tiles of an item, or of
// several small ones, together. Sums run in a fixed order, so costs do not depend on threads, nor on
// skipping.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "evaluation/evaluator.hpp"
#include "evaluation/rival.hpp"
#include "evaluation/stability.hpp"
#include "evaluation/tile_batch.hpp"
#include "methods/probes/seen_probes.hpp"
#include "methods/probes/staged_probes.hpp"
#include "polystep/aligned.hpp"
#include "polystep/optimizer.hpp"
#include "simd/move_rows.hpp"

namespace polystep {

struct ProbeCosts {
  std::vector<double> costs;  // mean realised cost per probe
  double incumbent_cost = 0;  // of the current parameters on the same minibatch
  std::uint64_t flips = 0;    // probe solves whose decision differs from the incumbent's
  std::uint64_t moving = 0;   // rows whose decision some probe changes
  SolveCounts probe_solves;
  SolveCounts incumbent_solves;

  double flip_rate() const {
    return probe_solves.requested == 0
               ? 0
               : static_cast<double>(flips) / static_cast<double>(probe_solves.requested);
  }
};

class ProbeEvaluator {
 public:
  // `training`: the split that rows come from, where it is not the task's own.
  ProbeEvaluator(Evaluator& evaluator, bool skip_solves, const Split* training = nullptr);
  ~ProbeEvaluator();

  // Costs of all probes around `theta` on the given rows.
  void evaluate(const Probes& probes, std::span<const double> theta, const TiledRows& rows,
                ProbeCosts& result);

 private:
  struct Workspace;
  struct Partial;  // one item's share of the result, besides costs
  struct Pending;
  class Item;

  // How work is cut into items: all slices of a group, group by group, block by block.
  struct Cut {
    std::size_t tiles = 1;   // of a group
    std::size_t groups = 1;  // of each block
    std::size_t slices = 1;  // of each group

    std::size_t items(std::size_t blocks) const { return blocks * groups * slices; }
    std::size_t block(std::size_t item) const { return item / (groups * slices); }
    std::size_t group(std::size_t item) const { return item / slices % groups; }
  };

  void cut_work(const Probes& probes, const TiledRows& rows);
  std::size_t items_at_once(const Probes& probes, const TiledRows& rows) const;
  void settle(const Pending& pending, const Tile& tile, TileOutcome& outcome, double* sums) const;
  void solve_pending(Workspace& work);
  void add_up(const double* lane_sums, std::size_t probes, std::size_t item);
  std::uint64_t count_moving() const;
  void lay_out(const TiledRows& rows);
  void find_touched_outputs(const Probes& probes);
  void solve_incumbents(std::span<const double> theta, const TiledRows& rows, ProbeCosts& result);
  void settle_incumbent(const Tile& tile, std::size_t number, TileSolver& solver);

  Evaluator& evaluator_;
  const Predictor& predictor_;
  bool batched_;                        // the solver likes many tiles at once
  bool skip_solves_;                    // where it knows margins
  std::optional<StagedProbes> staged_;  // for predictors in two stages
  std::optional<SeenProbes> seen_;      // for those whose first layer is seen through its products alone
  bool seeing_ = false;                 // the present space draws its columns as they are seen
  bool affine_;
  simd::MoveRows move_rows_;
  std::size_t width_ = kLanes;                        // of the tiles at hand
  std::vector<std::size_t> outputs_;                  // [tiles], predictions of each row in it
  std::vector<std::size_t> begin_;                    // [tiles + 1], of a tile's rows in the arrays below
  AlignedDoubles predictions_;                        // [tiles × outputs × width], incumbent
  AlignedDoubles margins_;                            // [tiles × outputs × width], incumbent, where known
  std::vector<TileOutcome> incumbents_;               // [tiles]
  std::vector<TileStability> stabilities_;            // [tiles]
  std::vector<std::uint8_t> has_margins_;             // [tiles]
  std::vector<std::vector<std::uint32_t>> supports_;  // [blocks], parameters that a block's probes move
  std::vector<std::vector<std::uint32_t>> touched_;   // [blocks], outputs they can change, where tiles agree
  std::vector<Workspace> workspaces_;                 // one per worker
  Cut cut_;
  std::vector<Partial> partials_;          // [items]
  std::size_t most_probes_ = 0;            // of any block
  std::vector<double> sums_;               // [items × most probes], over each group's rows
  std::vector<AlignedDoubles> lane_sums_;  // [items], each [probes × kLanes], where solves come late
};

}  // namespace polystep
