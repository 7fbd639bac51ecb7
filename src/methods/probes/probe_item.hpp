// One work item of ProbeEvaluator: all probes of a block on a group of tiles.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "evaluation/one_output_moves.hpp"
#include "methods/probes/probe_costs.hpp"
#include "simd/lane_sums.hpp"

namespace polystep {

// Rows of an item: enough work, small enough to share out. A tile has kLanes of them, or one where they
// differ in shape.
inline constexpr std::size_t kRowsPerGroup = 64;
// Where a probe's parameters are made anew for every item, many rows should share them; so that items remain
// to share out, one has some of a block's directions alone.
inline constexpr std::size_t kDirectionsPerSlice = 64;

struct ProbeEvaluator::Partial {
  std::size_t first_tile = 0;
  std::uint64_t flips = 0;
  std::array<std::uint32_t, kRowsPerGroup>
      moved{};  // [tiles] a bit per lane: some probe changes its decision
  SolveCounts solves;
};

// A probe's tile in a batch.
struct ProbeEvaluator::Pending {
  Partial* partial;
  std::size_t number;  // of the tile
  std::size_t probe;   // within its block
};

struct ProbeEvaluator::Workspace {
  Direction direction;
  TileOutcome outcome;
  AlignedDoubles change;      // [directions × tiles × touched × width] per unit step
  AlignedDoubles prediction;  // [outputs × width] of one probe; of several, where they are made together
  std::vector<std::uint32_t> touched;  // outputs of one tile, where tiles differ
  StagedProbes::Scratch staged;
  SeenProbes::Scratch seen;
  std::vector<double> theta;        // of one probe, for predictors that are not affine
  std::vector<std::size_t> bundle;  // probes that are predicted together, likewise
  AlignedDoubles sums;              // [probes of the block × kLanes]
  Rival rival;
  RivalWorkspace rival_work;
  std::vector<TileJob> incumbents;
  TileBatch<Pending> batch;  // for solvers that like many tiles at once
};

// One (block, group of tiles, slice of directions).
class ProbeEvaluator::Item {
 public:
  Item(ProbeEvaluator& owner, const Probes& probes, const TiledRows& rows, std::size_t item,
       std::size_t worker)
      : owner_(owner),
        probes_(probes),
        rows_(rows),
        block_(owner.cut_.block(item)),
        first_tile_(owner.cut_.group(item) * owner.cut_.tiles),
        last_tile_(std::min(rows.tiles(), first_tile_ + owner.cut_.tiles)),
        slice_(item % owner.cut_.slices),
        work_(owner.workspaces_[worker]),
        solver_(owner.evaluator_.solver(worker)),
        item_(item),
        partial_(owner.partials_[item]),
        radii_(probes.radii()) {
    AlignedDoubles& sums = owner_.batched_ ? owner_.lane_sums_[item] : work_.sums;
    sums.assign(probe_count() * kLanes, 0.0);
    sums_ = sums.data();
    partial_.first_tile = first_tile_;
    partial_.flips = 0;
    partial_.moved.fill(0);
    partial_.solves = {};
  }

  void run(std::span<const double> theta) {
    if (owner_.affine_)
      run_affine();
    else if (owner_.staged_)
      run_staged();
    else
      run_general(theta);
    if (!owner_.batched_) owner_.add_up(sums_, probe_count(), item_);
  }

 private:
  std::size_t probe_count() const { return probes_.vertices(block_) * radii_.size(); }

  // Tiles of one shape go together; where rows differ, each goes alone.
  void run_affine() {
    if (owner_.width_ == kLanes) return run_alike(first_tile_, last_tile_, owner_.touched_[block_]);
    for (std::size_t number = first_tile_; number < last_tile_; ++number) {
      work_.touched = owner_.predictor_.touched_outputs(owner_.supports_[block_], owner_.outputs_[number]);
      run_alike(number, number + 1, work_.touched);
    }
  }

  // A probe recomputes only the outputs its block touches, and opposite vertices share one direction.
  void run_alike(std::size_t first, std::size_t last, const std::vector<std::uint32_t>& touched) {
    const std::size_t directions = probes_.vertices(block_) / (probes_.antipodal() ? 2 : 1);
    const std::size_t tiles = last - first;
    const std::size_t changes_per_tile = touched.size() * owner_.width_;
    work_.change.resize(directions * tiles * changes_per_tile);
    work_.prediction.resize(owner_.outputs_[first] * owner_.width_);
    for (std::size_t v = 0; v < directions; ++v) {
      probes_.direction(block_, v, work_.direction);
      owner_.predictor_.predict_change(work_.direction, touched, tiles, rows_.tile(first),
                                       work_.change.data() + v * tiles * changes_per_tile);
    }
    for (std::size_t number = first; number < last; ++number) {
      const Tile& tile = rows_.tile(number);
      const double* base = owner_.predictions_.data() + owner_.begin_[number];
      if (touched.size() == 1 && owner_.has_margins_[number]) {
        run_one_output(tile, number, base, work_.change.data() + (number - first) * kLanes, tiles * kLanes);
        continue;
      }
      start_from(base, number);
      for (std::size_t v = 0; v < directions; ++v) {
        const double* change = work_.change.data() + (v * tiles + number - first) * changes_per_tile;
        for (std::size_t k = 0; k < radii_.size(); ++k) {
          TileStability::Verdict unchanged{false, false};
          if (owner_.has_margins_[number])
            unchanged = owner_.stabilities_[number].unchanged(radii_[k], change, touched);
          score_change(tile, number, base, touched, change, radii_[k], unchanged.forward,
                       v * radii_.size() + k);
          if (probes_.antipodal())
            score_change(tile, number, base, touched, change, -radii_[k], unchanged.backward,
                         (v + directions) * radii_.size() + k);
        }
      }
    }
  }

  // All probes of a block that moves one output: one rival answers them all. Directions lie `stride` apart.
  void run_one_output(const Tile& tile, std::size_t number, const double* base, const double* change,
                      std::size_t stride) {
    const std::size_t directions = probes_.vertices(block_) / (probes_.antipodal() ? 2 : 1);
    const OneOutputMoves moves{change, stride, directions, radii_, probes_.antipodal()};
    const std::size_t output = owner_.touched_[block_].front();
    const TileStability& stability = owner_.stabilities_[number];
    const double* margin = owner_.margins_.data() + owner_.begin_[number];
    const std::array<double, kLanes> reach = moves.reach();
    std::array<double, kLanes> slack;
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      slack[lane] = kStabilitySlack * (stability.scale()[lane] + reach[lane]);
    const IncumbentTile incumbent{
        tile, base, margin, owner_.outputs_[number], stability.gap(), slack, owner_.incumbents_[number]};
    bound_incumbent(incumbent, output, work_.rival);
    bool stays = true;
    for (std::size_t lane = 0; lane < kLanes; ++lane) stays &= reach[lane] < work_.rival.stays_below[lane];
    if (!stays) find_rival(incumbent, output, solver_, work_.rival_work, work_.rival);
    if (add_moves(moves, margin + output * kLanes, work_.rival, incumbent.outcome, tile.lanes, sums_,
                  partial_.flips, partial_.moved[number - first_tile_])) {
      // The rival's solve stands for one probe's.
      partial_.solves.requested += probe_count() * tile.lanes;
      partial_.solves.performed += stays ? 0 : tile.lanes;
      partial_.solves.certified += (probe_count() - (stays ? 0 : 1)) * tile.lanes;
      return;
    }
    start_from(base, number);
    for (std::size_t v = 0; v < directions; ++v)
      for (std::size_t k = 0; k < radii_.size(); ++k) {
        const std::vector<std::uint32_t>& touched = owner_.touched_[block_];
        score_change(tile, number, base, touched, change + v * stride, radii_[k], false,
                     v * radii_.size() + k);
        if (probes_.antipodal())
          score_change(tile, number, base, touched, change + v * stride, -radii_[k], false,
                       (v + directions) * radii_.size() + k);
      }
  }

  // score_change moves touched outputs only: the others are the incumbent's.
  void start_from(const double* base, std::size_t number) {
    std::copy_n(base, owner_.outputs_[number] * owner_.width_, work_.prediction.data());
  }

  // `change` is [touched × width] per unit of `factor`; `unchanged`: it is proven to change no decision.
  void score_change(const Tile& tile, std::size_t number, const double* base,
                    const std::vector<std::uint32_t>& touched, const double* change, double factor,
                    bool unchanged, std::size_t probe) {
    if (unchanged) {
      partial_.solves.requested += tile.lanes;
      partial_.solves.certified += tile.lanes;
      add(probe, owner_.incumbents_[number]);
      return;
    }
    if (tile.width == kLanes)
      owner_.move_rows_(base, touched, change, factor, work_.prediction.data());
    else
      for (std::size_t k = 0; k < touched.size(); ++k)
        work_.prediction[touched[k]] = base[touched[k]] + factor * change[k];
    solve(tile, number, probe, work_.prediction.data());
  }

  void run_staged() {
    const std::size_t predictions = owner_.outputs_[first_tile_] * kLanes;
    work_.prediction.assign(probe_count() * predictions, 0.0);
    for (std::size_t number = first_tile_; number < last_tile_; ++number) {
      if (owner_.seeing_)
        owner_.seen_->predict(probes_, block_, number, work_.seen, work_.prediction.data());
      else
        owner_.staged_->predict(probes_, block_, number, work_.staged, work_.prediction.data());
      for (std::size_t probe = 0; probe < probe_count(); ++probe)
        solve(rows_.tile(number), number, probe, work_.prediction.data() + probe * predictions);
    }
  }

  void run_general(std::span<const double> theta) {
    const std::size_t directions = probes_.vertices(block_) / (probes_.antipodal() ? 2 : 1);
    const std::size_t last = std::min(directions, (slice_ + 1) * kDirectionsPerSlice);
    work_.bundle.clear();
    for (std::size_t v = slice_ * kDirectionsPerSlice; v < last; ++v) {
      probes_.direction(block_, v, work_.direction);
      for (std::size_t k = 0; k < radii_.size(); ++k) {
        predict_probe(theta, radii_[k], v * radii_.size() + k);
        if (probes_.antipodal()) predict_probe(theta, -radii_[k], (v + directions) * radii_.size() + k);
      }
    }
    solve_bundle();
  }

  // Solvers that like many tiles at once share work between those of one instance: so that a batch has
  // several of each, it gets a tile's predictions by some probes, then the next tile's.
  void predict_probe(std::span<const double> theta, double factor, std::size_t probe) {
    const std::size_t size = owner_.begin_[last_tile_] - owner_.begin_[first_tile_];
    const std::size_t most = owner_.batched_ ? kLanes : 1;
    if (work_.bundle.size() == most) solve_bundle();
    work_.theta.assign(theta.begin(), theta.end());
    work_.direction.add_to(factor, work_.theta);
    work_.prediction.resize(most * size);
    owner_.predictor_.predict_tiles(work_.theta, rows_.tiles(first_tile_, last_tile_),
                                    work_.prediction.data() + work_.bundle.size() * size);
    work_.bundle.push_back(probe);
  }

  void solve_bundle() {
    const std::size_t begin = owner_.begin_[first_tile_], size = owner_.begin_[last_tile_] - begin;
    for (std::size_t number = first_tile_; number < last_tile_; ++number)
      for (std::size_t i = 0; i < work_.bundle.size(); ++i)
        solve(rows_.tile(number), number, work_.bundle[i],
              work_.prediction.data() + i * size + (owner_.begin_[number] - begin));
    work_.bundle.clear();
  }

  void solve(const Tile& tile, std::size_t number, std::size_t probe, const double* prediction) {
    if (owner_.batched_) {
      if (work_.batch.full()) owner_.solve_pending(work_);
      std::copy_n(prediction, owner_.outputs_[number] * owner_.width_,
                  work_.batch.add(tile, {&partial_, number, probe}));
      return;
    }
    solver_.solve(tile, prediction, work_.outcome);
    owner_.settle({&partial_, number, probe}, tile, work_.outcome, sums_);
  }

  void add(std::size_t probe, const TileOutcome& outcome) { add_costs(outcome, sums_ + probe * kLanes); }

  ProbeEvaluator& owner_;
  const Probes& probes_;
  const TiledRows& rows_;
  std::size_t block_;
  std::size_t first_tile_;
  std::size_t last_tile_;
  std::size_t slice_;
  Workspace& work_;
  TileSolver& solver_;
  std::size_t item_;
  Partial& partial_;
  std::span<const double> radii_;
  double* sums_ = nullptr;  // [probes of the block × kLanes]
};

}  // namespace polystep
