#include "methods/probe_costs.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "evaluation/one_output_moves.hpp"

namespace polystep {
namespace {

constexpr std::size_t kTilesPerGroup = 8;  // 64 instances: enough work per item, small enough to share out

// A tile's cost in a running sum: failed lanes pay the failure cost, unused lanes nothing.
void settle_lanes(TileOutcome& outcome, std::size_t lanes, double failure_cost) {
  if (outcome.failed == 0 && lanes == kLanes) return;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if ((outcome.failed >> lane) & 1u) outcome.cost[lane] = failure_cost;
    if (lane >= lanes) outcome.cost[lane] = 0;
  }
}

double sum_lanes(const double* lanes) {
  double sum = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane) sum += lanes[lane];
  return sum;
}

void add_costs(const TileOutcome& outcome, double* sums) {
  for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += outcome.cost[lane];
}

std::uint32_t lane_bits(std::size_t lanes) { return (1u << lanes) - 1; }

// A bit for every lane in use whose decision differs. All lanes are compared, a fixed number, which the
// compiler can do at once.
std::uint32_t flipped_lanes(const TileOutcome& outcome, const TileOutcome& incumbent, std::size_t lanes) {
  std::uint32_t flipped = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    flipped |= static_cast<std::uint32_t>(outcome.signature[lane] != incumbent.signature[lane]) << lane;
  return flipped & lane_bits(lanes);
}

}  // namespace

struct ProbeEvaluator::Partial {
  std::vector<double> sums;  // [probes of the block], over the group's rows
  AlignedDoubles lane_sums;  // [probes of the block × kLanes], where solves come back late
  std::size_t first_tile = 0;
  std::uint64_t flips = 0;
  std::array<std::uint32_t, kTilesPerGroup> moved{};  // a bit per lane: some probe changes its decision
  SolveCounts solves;
};

// A probe's tile in a batch.
struct ProbeEvaluator::Pending {
  Partial* partial;
  std::size_t number;  // of the tile
  std::size_t probe;   // within its block
};

struct ProbeEvaluator::Workspace {
  SparseDirection direction;
  TileOutcome outcome;
  AlignedDoubles change;      // [directions × tiles × touched × kLanes] per unit step
  AlignedDoubles prediction;  // [outputs × kLanes] of one probe; in two stages: of all probes of the block
  StagedProbes::Scratch staged;
  std::vector<double> theta;  // of one probe, for predictors that are not affine
  AlignedDoubles sums;        // [probes of the block × kLanes]
  Rival rival;
  RivalWorkspace rival_work;
  std::vector<TileJob> incumbents;
  TileBatch<Pending> batch;  // for solvers that like many tiles at once
};

// One (block, group of tiles).
class ProbeEvaluator::Item {
 public:
  Item(ProbeEvaluator& owner, const Probes& probes, const TiledRows& rows, std::size_t block,
       std::size_t group, std::size_t worker, Partial& partial)
      : owner_(owner),
        probes_(probes),
        rows_(rows),
        block_(block),
        first_tile_(group * kTilesPerGroup),
        last_tile_(std::min(rows.tiles(), first_tile_ + kTilesPerGroup)),
        work_(owner.workspaces_[worker]),
        solver_(owner.evaluator_.solver(worker)),
        partial_(partial),
        radii_(probes.radii()) {
    AlignedDoubles& sums = owner_.batched_ ? partial_.lane_sums : work_.sums;
    sums.assign(probe_count() * kLanes, 0.0);
    sums_ = sums.data();
    partial_.first_tile = first_tile_;
    work_.prediction.resize(owner.outputs_ * kLanes);
    partial_.flips = 0;
    partial_.moved.fill(0);
    partial_.solves = {};
  }

  void run(std::span<const double> theta) {
    if (owner_.predictor_.affine())
      run_affine();
    else if (owner_.staged_)
      run_staged();
    else
      run_general(theta);
    if (!owner_.batched_) add_up(sums_, probe_count(), partial_);
  }

 private:
  std::size_t probe_count() const { return probes_.vertices(block_) * radii_.size(); }

  // A probe recomputes only the outputs its block touches, and opposite vertices share one direction.
  void run_affine() {
    const std::vector<std::uint32_t>& touched = owner_.touched_[block_];
    const std::size_t directions = probes_.vertices(block_) / (probes_.antipodal() ? 2 : 1);
    const std::size_t tiles = last_tile_ - first_tile_;
    const std::size_t changes_per_tile = touched.size() * kLanes;
    work_.change.resize(directions * tiles * changes_per_tile);
    for (std::size_t v = 0; v < directions; ++v) {
      probes_.direction(block_, v, work_.direction);
      owner_.predictor_.predict_change(work_.direction, touched, tiles, rows_.tile(first_tile_).features,
                                       work_.change.data() + v * tiles * changes_per_tile);
    }
    for (std::size_t number = first_tile_; number < last_tile_; ++number) {
      const Tile tile = rows_.tile(number);
      const double* base = owner_.predictions_.data() + number * owner_.outputs_ * kLanes;
      std::copy_n(base, owner_.outputs_ * kLanes, work_.prediction.data());
      if (touched.size() == 1 && owner_.has_margins_[number]) {
        run_one_output(tile, number, base, work_.change.data() + (number - first_tile_) * kLanes,
                       tiles * kLanes);
        continue;
      }
      for (std::size_t v = 0; v < directions; ++v) {
        const double* change = work_.change.data() + (v * tiles + number - first_tile_) * changes_per_tile;
        for (std::size_t k = 0; k < radii_.size(); ++k) {
          TileStability::Verdict unchanged{false, false};
          if (owner_.has_margins_[number])
            unchanged = owner_.stabilities_[number].unchanged(radii_[k], change, touched);
          score_change(tile, number, base, change, radii_[k], unchanged.forward, v * radii_.size() + k);
          if (probes_.antipodal())
            score_change(tile, number, base, change, -radii_[k], unchanged.backward,
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
    const double* margin = owner_.margins_.data() + number * owner_.outputs_ * kLanes;
    const std::array<double, kLanes> reach = moves.reach();
    std::array<double, kLanes> slack;
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      slack[lane] = kStabilitySlack * (stability.scale()[lane] + reach[lane]);
    const IncumbentTile incumbent{
        tile, base, margin, owner_.outputs_, stability.gap(), slack, owner_.incumbents_[number]};
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
    for (std::size_t v = 0; v < directions; ++v)
      for (std::size_t k = 0; k < radii_.size(); ++k) {
        score_change(tile, number, base, change + v * stride, radii_[k], false, v * radii_.size() + k);
        if (probes_.antipodal())
          score_change(tile, number, base, change + v * stride, -radii_[k], false,
                       (v + directions) * radii_.size() + k);
      }
  }

  // `change` is [touched × kLanes] per unit of `factor`; `unchanged`: it is proven to change no decision.
  void score_change(const Tile& tile, std::size_t number, const double* base, const double* change,
                    double factor, bool unchanged, std::size_t probe) {
    if (unchanged) {
      partial_.solves.requested += tile.lanes;
      partial_.solves.certified += tile.lanes;
      add(probe, owner_.incumbents_[number]);
      return;
    }
    const std::vector<std::uint32_t>& touched = owner_.touched_[block_];
    owner_.move_rows_(base, touched, change, factor, work_.prediction.data());
    solve(tile, number, probe, work_.prediction.data());
  }

  void run_staged() {
    const std::size_t predictions = owner_.outputs_ * kLanes;
    work_.prediction.assign(probe_count() * predictions, 0.0);
    for (std::size_t number = first_tile_; number < last_tile_; ++number) {
      owner_.staged_->predict(probes_, block_, number, work_.staged, work_.prediction.data());
      for (std::size_t probe = 0; probe < probe_count(); ++probe)
        solve(rows_.tile(number), number, probe, work_.prediction.data() + probe * predictions);
    }
  }

  void run_general(std::span<const double> theta) {
    for (std::size_t v = 0; v < probes_.vertices(block_); ++v) {
      probes_.direction(block_, v, work_.direction);
      for (std::size_t k = 0; k < radii_.size(); ++k) {
        work_.theta.assign(theta.begin(), theta.end());
        for (std::size_t n = 0; n < work_.direction.index.size(); ++n)
          work_.theta[work_.direction.index[n]] += radii_[k] * work_.direction.value[n];
        for (std::size_t number = first_tile_; number < last_tile_; ++number) {
          const Tile tile = rows_.tile(number);
          owner_.predictor_.predict(work_.theta, tile.features, work_.prediction.data());
          solve(tile, number, v * radii_.size() + k, work_.prediction.data());
        }
      }
    }
  }

  void solve(const Tile& tile, std::size_t number, std::size_t probe, const double* prediction) {
    if (owner_.batched_) {
      if (work_.batch.full()) owner_.solve_pending(work_);
      std::copy_n(prediction, owner_.outputs_ * kLanes, work_.batch.add(tile, {&partial_, number, probe}));
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
  Workspace& work_;
  TileSolver& solver_;
  Partial& partial_;
  std::span<const double> radii_;
  double* sums_ = nullptr;  // [probes of the block × kLanes]
};

// What a probe's tile came to, into its block's sums.
void ProbeEvaluator::settle(const Pending& pending, const Tile& tile, TileOutcome& outcome,
                            double* sums) const {
  Partial& partial = *pending.partial;
  partial.solves.requested += tile.lanes;
  partial.solves.performed += tile.lanes;
  partial.solves.failed += static_cast<std::uint64_t>(std::popcount(outcome.failed & lane_bits(tile.lanes)));
  const std::uint32_t flipped = flipped_lanes(outcome, incumbents_[pending.number], tile.lanes);
  partial.flips += static_cast<std::uint64_t>(std::popcount(flipped));
  partial.moved[pending.number - partial.first_tile] |= flipped;
  settle_lanes(outcome, tile.lanes, evaluator_.failure_cost());
  add_costs(outcome, sums + pending.probe * kLanes);
}

// Tiles of one probe come back in the order in which they were added, so sums are those of solving one by
// one.
void ProbeEvaluator::solve_pending(Workspace& work) const {
  work.batch.solve([&](const Pending& pending, const Tile& tile, TileOutcome& outcome) {
    settle(pending, tile, outcome, pending.partial->lane_sums.data());
  });
}

void ProbeEvaluator::add_up(const double* lane_sums, std::size_t probes, Partial& partial) {
  partial.sums.resize(probes);
  for (std::size_t probe = 0; probe < probes; ++probe)
    partial.sums[probe] = sum_lanes(lane_sums + probe * kLanes);
}

ProbeEvaluator::ProbeEvaluator(Evaluator& evaluator, bool skip_solves, const Split* training)
    : evaluator_(evaluator),
      predictor_(*evaluator.task().predictor),
      batched_(evaluator.solver(0).jobs_at_once() > 1),
      skip_solves_(skip_solves && predictor_.affine() && !batched_),
      outputs_(predictor_.outputs()),
      move_rows_(solvers::move_rows_variant()),
      workspaces_(evaluator.executor().threads()) {
  if (const StagedPredictor* staged = predictor_.staged())
    staged_.emplace(*staged, training != nullptr ? *training : evaluator.task().data.training);
}

ProbeEvaluator::~ProbeEvaluator() = default;

void ProbeEvaluator::evaluate(const Probes& probes, std::span<const double> theta, const TiledRows& rows,
                              ProbeCosts& result) {
  solve_incumbents(theta, rows, result);
  if (predictor_.affine()) find_touched_outputs(probes);
  if (staged_) staged_->prepare(probes, theta, rows.row_numbers(), evaluator_.executor());
  const std::size_t groups = (rows.tiles() + kTilesPerGroup - 1) / kTilesPerGroup;
  partials_.resize(probes.blocks() * groups);
  const std::size_t at_once = items_at_once(probes, rows);
  evaluator_.executor().for_each((partials_.size() + at_once - 1) / at_once, [&](std::size_t run,
                                                                                 std::size_t worker) {
    const std::size_t first = run * at_once, last = std::min(partials_.size(), first + at_once);
    if (batched_) workspaces_[worker].batch.start(evaluator_.solver(worker), outputs_);
    for (std::size_t item = first; item < last; ++item)
      Item(*this, probes, rows, item / groups, item % groups, worker, partials_[item]).run(theta);
    if (!batched_) return;
    solve_pending(workspaces_[worker]);
    for (std::size_t item = first; item < last; ++item)
      add_up(partials_[item].lane_sums.data(), partials_[item].lane_sums.size() / kLanes, partials_[item]);
  });
  result.costs.assign(probes.size(), 0.0);
  result.flips = 0;
  result.probe_solves = {};
  for (std::size_t item = 0; item < partials_.size(); ++item) {
    const Partial& partial = partials_[item];
    const std::size_t offset = probes.block_offset(item / groups);
    for (std::size_t probe = 0; probe < partial.sums.size(); ++probe)
      result.costs[offset + probe] += partial.sums[probe];
    result.flips += partial.flips;
    result.probe_solves += partial.solves;
  }
  result.moving = count_moving(groups);
  for (double& cost : result.costs) cost /= static_cast<double>(rows.rows());
}

// Small blocks are put together until they fill a batch.
std::size_t ProbeEvaluator::items_at_once(const Probes& probes, const TiledRows& rows) const {
  if (!batched_) return 1;
  const std::size_t tiles = std::min(rows.tiles(), kTilesPerGroup);
  const std::size_t solves = probes.vertices(0) * probes.radii().size() * tiles;
  return std::max<std::size_t>(1, evaluator_.solver(0).jobs_at_once() / std::max<std::size_t>(1, solves));
}

std::uint64_t ProbeEvaluator::count_moving(std::size_t groups) const {
  std::uint64_t moving = 0;
  for (std::size_t group = 0; group < groups; ++group) {
    std::array<std::uint32_t, kTilesPerGroup> moved{};
    for (std::size_t item = group; item < partials_.size(); item += groups)
      for (std::size_t tile = 0; tile < kTilesPerGroup; ++tile) moved[tile] |= partials_[item].moved[tile];
    for (const std::uint32_t lanes : moved) moving += static_cast<std::uint64_t>(std::popcount(lanes));
  }
  return moving;
}

void ProbeEvaluator::find_touched_outputs(const Probes& probes) {
  touched_.resize(probes.blocks());
  for (std::size_t block = 0; block < probes.blocks(); ++block) {
    probes.support(block, support_);
    touched_[block] = predictor_.touched_outputs(support_);
  }
}

void ProbeEvaluator::solve_incumbents(std::span<const double> theta, const TiledRows& rows,
                                      ProbeCosts& result) {
  const std::size_t tiles = rows.tiles();
  predictions_.resize(tiles * outputs_ * kLanes);
  incumbents_.resize(tiles);
  has_margins_.assign(tiles, 0);
  if (skip_solves_) {
    margins_.resize(predictions_.size());
    stabilities_.resize(tiles);
  }
  evaluator_.for_each_group(tiles, [&](std::size_t first, std::size_t last, std::size_t worker) {
    std::vector<TileJob>& work = workspaces_[worker].incumbents;
    work.clear();
    for (std::size_t number = first; number < last; ++number) {
      double* prediction = predictions_.data() + number * outputs_ * kLanes;
      predictor_.predict(theta, rows.tile(number).features, prediction);
      work.push_back({rows.tile(number), prediction, &incumbents_[number]});
    }
    evaluator_.solver(worker).solve_all(work);
    for (std::size_t number = first; number < last; ++number)
      settle_incumbent(rows.tile(number), number, evaluator_.solver(worker));
  });
  double sum = 0;
  result.incumbent_solves = {};
  for (const TileOutcome& incumbent : incumbents_) {
    sum += sum_lanes(incumbent.cost.data());
    result.incumbent_solves.failed += static_cast<std::uint64_t>(std::popcount(incumbent.failed));
  }
  result.incumbent_cost = sum / static_cast<double>(rows.rows());
  result.incumbent_solves.requested = result.incumbent_solves.performed = rows.rows();
}

void ProbeEvaluator::settle_incumbent(const Tile& tile, std::size_t number, TileSolver& solver) {
  TileOutcome& incumbent = incumbents_[number];
  incumbent.failed &= lane_bits(tile.lanes);
  settle_lanes(incumbent, tile.lanes, evaluator_.failure_cost());
  if (!skip_solves_ || incumbent.failed != 0) return;
  const double* prediction = predictions_.data() + number * outputs_ * kLanes;
  double* margin = margins_.data() + number * outputs_ * kLanes;
  has_margins_[number] = solver.margins(tile, prediction, margin);
  if (has_margins_[number]) stabilities_[number].reset(margin, prediction, outputs_);
}

}  // namespace polystep
