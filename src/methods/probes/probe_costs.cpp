#include "methods/probes/probe_costs.hpp"

#include <algorithm>
#include <bit>

#include "methods/probes/probe_item.hpp"
#include "simd/lane_sums.hpp"

namespace polystep {

namespace {

// A margin speaks of decisions that differ in one variable from the best one: of a variable that is 0 or 1.
bool margins_hold(const Problem& problem) {
  const ProblemFacts facts = problem.facts();
  return facts.has_margins && facts.binary_decisions && facts.optimises_prediction.has_value();
}

}  // namespace

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
  evaluator_.settle(tile, outcome);
  add_costs(outcome, sums + pending.probe * kLanes);
}

// Tiles of one probe come back in the order in which they were added, so sums are those of solving one by
// one.
void ProbeEvaluator::solve_pending(Workspace& work) {
  work.batch.solve([&](const Pending& pending, const Tile& tile, TileOutcome& outcome) {
    settle(pending, tile, outcome,
           lane_sums_[static_cast<std::size_t>(pending.partial - partials_.data())].data());
  });
}

void ProbeEvaluator::add_up(const double* lane_sums, std::size_t probes, std::size_t item) {
  double* sums = sums_.data() + item * most_probes_;
  for (std::size_t probe = 0; probe < probes; ++probe) sums[probe] = sum_lanes(lane_sums + probe * kLanes);
}

ProbeEvaluator::ProbeEvaluator(Evaluator& evaluator, bool skip_solves, const Split* training)
    : evaluator_(evaluator),
      predictor_(*evaluator.task().predictor),
      batched_(evaluator.solver(0).jobs_at_once() > 1),
      skip_solves_(skip_solves && predictor_.affine() && !batched_ &&
                   margins_hold(*evaluator.task().problem)),
      affine_(predictor_.affine()),
      move_rows_(simd::move_rows_variant()),
      workspaces_(evaluator.team().threads()) {
  const StagedPredictor* staged = predictor_.staged();
  if (staged == nullptr || !evaluator.task().problem->instances()->alike()) return;
  const Split& rows = training != nullptr ? *training : evaluator.task().data.training;
  staged_.emplace(*staged, rows);
  if (SeenProbes::serves(predictor_)) seen_.emplace(*staged, rows);
}

ProbeEvaluator::~ProbeEvaluator() = default;

void ProbeEvaluator::evaluate(const Probes& probes, std::span<const double> theta, const TiledRows& rows,
                              ProbeCosts& result) {
  seeing_ = probes.space().seen() != nullptr;
  if (seeing_) seen_->prepare(probes, theta, rows.row_numbers(), evaluator_.team());
  solve_incumbents(theta, rows, result);
  if (affine_) find_touched_outputs(probes);
  if (staged_ && !seeing_) staged_->prepare(probes, theta, rows.row_numbers(), evaluator_.team());
  cut_work(probes, rows);
  partials_.resize(cut_.items(probes.blocks()));
  const auto probes_of = [&](std::size_t block) { return probes.vertices(block) * probes.radii().size(); };
  most_probes_ = 0;
  for (std::size_t block = 0; block < probes.blocks(); ++block)
    most_probes_ = std::max(most_probes_, probes_of(block));
  sums_.resize(partials_.size() * most_probes_);
  if (batched_) lane_sums_.resize(partials_.size());
  const std::size_t at_once = items_at_once(probes, rows);
  const auto work = [&](std::size_t run, std::size_t worker) {
    const std::size_t first = run * at_once, last = std::min(partials_.size(), first + at_once);
    if (batched_)
      workspaces_[worker].batch.start(evaluator_.solver(worker), evaluator_.task().problem->outputs(),
                                      width_);
    for (std::size_t item = first; item < last; ++item) Item(*this, probes, rows, item, worker).run(theta);
    if (!batched_) return;
    solve_pending(workspaces_[worker]);
    for (std::size_t item = first; item < last; ++item)
      add_up(lane_sums_[item].data(), probes_of(cut_.block(item)), item);
  };
  evaluator_.team().fill((partials_.size() + at_once - 1) / at_once,
                         {slots_of(partials_, at_once), slots_of(sums_, at_once * most_probes_)}, work);
  result.costs.assign(probes.size(), 0.0);
  result.flips = 0;
  result.probe_solves = {};
  for (std::size_t item = 0; item < partials_.size(); ++item) {
    const Partial& partial = partials_[item];
    const std::size_t block = cut_.block(item), offset = probes.block_offset(block);
    for (std::size_t probe = 0; probe < probes_of(block); ++probe)
      result.costs[offset + probe] += sums_[item * most_probes_ + probe];
    result.flips += partial.flips;
    result.probe_solves += partial.solves;
  }
  result.moving = count_moving();
  for (double& cost : result.costs) cost /= static_cast<double>(rows.rows());
}

void ProbeEvaluator::cut_work(const Probes& probes, const TiledRows& rows) {
  cut_.tiles = kRowsPerGroup / rows.width();
  cut_.groups = (rows.tiles() + cut_.tiles - 1) / cut_.tiles;
  cut_.slices = 1;
  if (affine_ || staged_) return;
  const std::size_t directions = probes.vertices(0) / (probes.antipodal() ? 2 : 1);
  cut_.slices = std::max<std::size_t>(1, (directions + kDirectionsPerSlice - 1) / kDirectionsPerSlice);
}

// Small blocks are put together until they fill a batch.
std::size_t ProbeEvaluator::items_at_once(const Probes& probes, const TiledRows& rows) const {
  if (!batched_) return 1;
  const std::size_t tiles = std::min(rows.tiles(), cut_.tiles);
  const std::size_t solves = probes.vertices(0) * probes.radii().size() * tiles / cut_.slices;
  return std::max<std::size_t>(1, evaluator_.solver(0).jobs_at_once() / std::max<std::size_t>(1, solves));
}

std::uint64_t ProbeEvaluator::count_moving() const {
  std::vector<std::uint32_t> moved(cut_.groups * cut_.tiles);
  for (std::size_t item = 0; item < partials_.size(); ++item)
    for (std::size_t tile = 0; tile < cut_.tiles; ++tile)
      moved[cut_.group(item) * cut_.tiles + tile] |= partials_[item].moved[tile];
  std::uint64_t moving = 0;
  for (const std::uint32_t lanes : moved) moving += static_cast<std::uint64_t>(std::popcount(lanes));
  return moving;
}

void ProbeEvaluator::lay_out(const TiledRows& rows) {
  width_ = rows.width();
  outputs_.resize(rows.tiles());
  begin_.resize(rows.tiles() + 1);
  begin_[0] = 0;
  for (std::size_t number = 0; number < rows.tiles(); ++number) {
    outputs_[number] = number > 0 && rows.uniform() ? outputs_[0] : predictor_.outputs_of(rows.tile(number));
    begin_[number + 1] = begin_[number] + outputs_[number] * width_;
  }
  predictions_.resize(begin_.back());
}

void ProbeEvaluator::find_touched_outputs(const Probes& probes) {
  supports_.resize(probes.blocks());
  touched_.resize(probes.blocks());
  for (std::size_t block = 0; block < probes.blocks(); ++block) {
    probes.support(block, supports_[block]);
    if (width_ == kLanes) touched_[block] = predictor_.touched_outputs(supports_[block], outputs_[0]);
  }
}

void ProbeEvaluator::solve_incumbents(std::span<const double> theta, const TiledRows& rows,
                                      ProbeCosts& result) {
  const std::size_t tiles = rows.tiles();
  lay_out(rows);
  incumbents_.resize(tiles);
  has_margins_.assign(tiles, 0);
  if (skip_solves_) {
    margins_.resize(predictions_.size());
    stabilities_.resize(tiles);
  }
  // Every process solves its own incumbents: they are few beside the probes, and much hangs on them.
  evaluator_.for_each_group(tiles, [&](std::size_t first, std::size_t last, std::size_t worker) {
    std::vector<TileJob>& work = workspaces_[worker].incumbents;
    work.clear();
    for (std::size_t number = first; number < last; ++number) {
      double* prediction = predictions_.data() + begin_[number];
      const Tile& tile = rows.tile(number);
      if (seeing_)
        seen_->predict_incumbent(number, prediction);
      else
        predictor_.predict(theta, tile, prediction);
      work.push_back({tile, prediction, &incumbents_[number]});
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
  evaluator_.settle(tile, incumbent);
  if (!skip_solves_ || tile.width != kLanes || incumbent.failed != 0) return;
  const double* prediction = predictions_.data() + begin_[number];
  double* margin = margins_.data() + begin_[number];
  has_margins_[number] = solver.margins(tile, prediction, margin);
  if (has_margins_[number]) stabilities_[number].reset(margin, prediction, outputs_[number]);
}

}  // namespace polystep
