// The tile solver of problems that are decided in batches: rows out of tiles, answers back into them.
#include "polystep/batch_problem.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "base/decision_hash.hpp"
#include "polystep/stop.hpp"
#include "problems/recourse.hpp"

namespace polystep {
namespace {

constexpr double kQuickRow = 2e-3;     // seconds; up to here a batch is asked all at once
constexpr double kPieceSeconds = 0.5;  // of slower ones

class BatchTileSolver final : public TileSolver {
 public:
  explicit BatchTileSolver(const BatchProblem& problem) : problem_(problem) {}

  std::size_t jobs_at_once() const override {
    return std::max<std::size_t>(1, problem_.batch_rows() / kLanes);
  }

  void solve(const Tile& tile, const double* prediction, TileOutcome& outcome) override {
    const TileJob work{tile, prediction, &outcome};
    solve_all({&work, 1});
  }

  bool takes_any_width() const override { return true; }

  void solve_all(std::span<const TileJob> work) override {
    collect(work);
    statuses_.assign(instances_.size(), SolveStatus::kSolved);
    decisions_.assign(decision_begin_.back(), 0.0);
    problem_.decide_rows(predictions_, instances_, decisions_, statuses_);
    drop_failed();
    realisations_.assign(instances_.size(), {});
    if (!instances_.empty()) problem_.realise_batch(decisions_, truth_, instances_, realisations_);
    hand_back(work);
  }

 private:
  // The lanes in use of all tiles, as rows.
  void collect(std::span<const TileJob> work) {
    predictions_.clear();
    truth_.clear();
    instances_.clear();
    decision_begin_.assign(1, 0);
    truth_begin_.assign(1, 0);
    for (const TileJob& one : work)
      for (std::size_t lane = 0; lane < one.tile.lanes; ++lane) {
        const std::size_t instance = one.tile.instance[lane], width = one.tile.width;
        instances_.push_back(instance);
        for (std::size_t o = 0; o < problem_.outputs(instance); ++o)
          predictions_.push_back(one.prediction[o * width + lane]);
        for (std::size_t m = 0; m < one.tile.shape.truth; ++m)
          truth_.push_back(one.tile.truth[m * width + lane]);
        truth_begin_.push_back(truth_.size());
        decision_begin_.push_back(decision_begin_.back() + problem_.decision_size(instance));
      }
  }

  // Rows without a decision are not asked for their cost.
  void drop_failed() {
    const std::size_t rows = instances_.size();
    std::size_t kept = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      if (statuses_[row] != SolveStatus::kSolved) continue;
      instances_[kept] = instances_[row];
      move_row(decisions_, decision_begin_, row, kept);
      move_row(truth_, truth_begin_, row, kept);
      ++kept;
    }
    instances_.resize(kept);
    decisions_.resize(decision_begin_[kept]);
    truth_.resize(truth_begin_[kept]);
  }

  // Rows before `to` are in place, so that the row's new end can be written down.
  static void move_row(std::vector<double>& values, std::vector<std::size_t>& begin, std::size_t from,
                       std::size_t to) {
    const std::size_t first = begin[from], last = begin[from + 1];
    if (from != to)
      std::copy(values.begin() + static_cast<std::ptrdiff_t>(first),
                values.begin() + static_cast<std::ptrdiff_t>(last),
                values.begin() + static_cast<std::ptrdiff_t>(begin[to]));
    begin[to + 1] = begin[to] + (last - first);
  }

  void hand_back(std::span<const TileJob> work) {
    std::size_t row = 0, solved = 0;
    for (const TileJob& one : work) {
      TileOutcome& outcome = *one.outcome;
      outcome.failed = outcome.infeasible = outcome.changed = 0;
      for (std::size_t lane = 0; lane < one.tile.lanes; ++lane, ++row) {
        const bool decided = statuses_[row] == SolveStatus::kSolved;
        write_lane(decided ? realisations_[solved] : Realisation{std::nan(""), {}}, lane, outcome);
        const bool failed = (outcome.failed >> lane) & 1u;
        outcome.signature[lane] = failed ? 0 : hash_decision(decision(solved));
        solved += decided;
      }
    }
  }

  std::span<const double> decision(std::size_t solved) const {
    return std::span(decisions_)
        .subspan(decision_begin_[solved], decision_begin_[solved + 1] - decision_begin_[solved]);
  }

  const BatchProblem& problem_;
  std::vector<double> predictions_;          // [rows], the outputs of each
  std::vector<SolveStatus> statuses_;        // [rows]
  std::vector<std::size_t> instances_;       // [rows], then [solved rows]
  std::vector<double> truth_;                // likewise, the true parameters of each
  std::vector<double> decisions_;            // likewise, the components of each
  std::vector<std::size_t> truth_begin_;     // [rows + 1], in truth_
  std::vector<std::size_t> decision_begin_;  // [rows + 1], in decisions_
  std::vector<Realisation> realisations_;    // [solved rows]
};

}  // namespace

// The first row ever asked for is timed alone. Where it was quick its answer is thrown away and it is asked
// again with the others: what one call sees then never depends on a clock.
void BatchProblem::decide_rows(std::span<const double> predictions, std::span<const std::size_t> instances,
                               std::span<double> decisions, std::span<SolveStatus> statuses) const {
  std::size_t row = 0, asked = 0, decided = 0;
  while (row < instances.size()) {
    stop_if_wanted();
    const double known = row_seconds_.load(std::memory_order_relaxed);
    const bool trial = known < 0 && instances.size() > 1;
    std::size_t count = instances.size() - row;
    if (trial) count = 1;
    if (known > kQuickRow)
      count = std::min(count, std::max<std::size_t>(1, static_cast<std::size_t>(kPieceSeconds / known)));
    std::size_t outputs_end = asked, decisions_end = decided;
    for (std::size_t i = row; i < row + count; ++i) {
      outputs_end += outputs(instances[i]);
      decisions_end += decision_size(instances[i]);
    }
    const auto begin = std::chrono::steady_clock::now();
    decide_batch(predictions.subspan(asked, outputs_end - asked), instances.subspan(row, count),
                 decisions.subspan(decided, decisions_end - decided), statuses.subspan(row, count));
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    const double each = taken.count() / static_cast<double>(count);
    row_seconds_.store(each, std::memory_order_relaxed);
    if (trial && each <= kQuickRow) {
      std::fill_n(decisions.begin(), decisions_end, 0.0);
      statuses[0] = SolveStatus::kSolved;
      continue;
    }
    row += count;
    asked = outputs_end;
    decided = decisions_end;
  }
}

SolveStatus BatchProblem::decide(std::span<const double> prediction, std::size_t instance,
                                 std::span<double> decision) const {
  SolveStatus status = SolveStatus::kSolved;
  decide_batch(prediction, {&instance, 1}, decision, {&status, 1});
  return status;
}

void BatchProblem::realise_batch(std::span<const double> decisions, std::span<const double> truth,
                                 std::span<const std::size_t> instances,
                                 std::span<Realisation> realisations) const {
  std::vector<double> costs(instances.size());
  cost_batch(decisions, truth, instances, costs);
  for (std::size_t row = 0; row < costs.size(); ++row) realisations[row].cost = costs[row];
}

Realisation BatchProblem::realise(std::span<const double> decision, std::span<const double> truth,
                                  std::size_t instance) const {
  Realisation realisation;
  realise_batch(decision, truth, {&instance, 1}, {&realisation, 1});
  return realisation;
}

double BatchProblem::cost(std::span<const double> decision, std::span<const double> truth,
                          std::size_t instance) const {
  double cost = 0;
  cost_batch(decision, truth, {&instance, 1}, {&cost, 1});
  return cost;
}

std::unique_ptr<TileSolver> BatchProblem::make_tile_solver() const {
  return std::make_unique<BatchTileSolver>(*this);
}

}  // namespace polystep
