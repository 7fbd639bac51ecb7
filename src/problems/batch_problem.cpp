// The tile solver of problems that are decided in batches: rows out of tiles, answers back into them.
#include "polystep/batch_problem.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/decision_hash.hpp"

namespace polystep {
namespace {

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

  void solve_all(std::span<const TileJob> work) override {
    collect(work);
    statuses_.assign(instances_.size(), SolveStatus::kSolved);
    decisions_.assign(instances_.size() * problem_.decision_size(), 0.0);
    problem_.decide_batch(predictions_, instances_, decisions_, statuses_);
    drop_failed();
    costs_.assign(instances_.size(), 0.0);
    if (!instances_.empty()) problem_.cost_batch(decisions_, truth_, instances_, costs_);
    hand_back(work);
  }

 private:
  // The lanes in use of all tiles, as rows.
  void collect(std::span<const TileJob> work) {
    predictions_.clear();
    truth_.clear();
    instances_.clear();
    for (const TileJob& one : work)
      for (std::size_t lane = 0; lane < one.tile.lanes; ++lane) {
        instances_.push_back(one.tile.instance[lane]);
        for (std::size_t o = 0; o < problem_.outputs(); ++o)
          predictions_.push_back(one.prediction[o * kLanes + lane]);
        for (std::size_t m = 0; m < one.tile.truth_columns; ++m)
          truth_.push_back(one.tile.truth[m * kLanes + lane]);
      }
  }

  // Rows without a decision are not asked for their cost.
  void drop_failed() {
    const std::size_t rows = instances_.size();
    const std::size_t truth_columns = rows == 0 ? 0 : truth_.size() / rows;
    std::size_t kept = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      if (statuses_[row] != SolveStatus::kSolved) continue;
      if (kept != row) {
        instances_[kept] = instances_[row];
        copy_row(decisions_, problem_.decision_size(), row, kept);
        copy_row(truth_, truth_columns, row, kept);
      }
      ++kept;
    }
    instances_.resize(kept);
    decisions_.resize(kept * problem_.decision_size());
    truth_.resize(kept * truth_columns);
  }

  static void copy_row(std::vector<double>& values, std::size_t columns, std::size_t from, std::size_t to) {
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(from * columns), columns,
                values.begin() + static_cast<std::ptrdiff_t>(to * columns));
  }

  void hand_back(std::span<const TileJob> work) {
    std::size_t row = 0, solved = 0;
    for (const TileJob& one : work) {
      TileOutcome& outcome = *one.outcome;
      outcome.failed = outcome.infeasible = outcome.changed = 0;
      for (std::size_t lane = 0; lane < one.tile.lanes; ++lane, ++row) {
        outcome.cost[lane] = 0;
        outcome.signature[lane] = 0;
        const bool decided = statuses_[row] == SolveStatus::kSolved;
        if (decided && std::isfinite(costs_[solved]))
          settle(solved, lane, outcome);
        else
          outcome.failed |= 1u << lane;
        solved += decided;
      }
    }
  }

  void settle(std::size_t solved, std::size_t lane, TileOutcome& outcome) const {
    const std::span decision =
        std::span(decisions_).subspan(solved * problem_.decision_size(), problem_.decision_size());
    outcome.cost[lane] = costs_[solved];
    outcome.signature[lane] = hash_decision(decision);
    if (!problem_.has_recourse()) return;
    const std::size_t truth_columns = truth_.size() / instances_.size();
    const Recourse recourse = problem_.recourse(
        decision, std::span(truth_).subspan(solved * truth_columns, truth_columns), instances_[solved]);
    outcome.infeasible |= static_cast<std::uint32_t>(recourse.infeasible) << lane;
    outcome.changed |= static_cast<std::uint32_t>(recourse.changed) << lane;
  }

  const BatchProblem& problem_;
  std::vector<double> predictions_;     // [rows × outputs]
  std::vector<SolveStatus> statuses_;   // [rows]
  std::vector<std::size_t> instances_;  // [rows], then [solved rows]
  std::vector<double> truth_;           // [rows × truth columns], then [solved rows × truth columns]
  std::vector<double> decisions_;       // [rows × decision size], then [solved rows × decision size]
  std::vector<double> costs_;           // [solved rows]
};

}  // namespace

SolveStatus BatchProblem::decide(std::span<const double> prediction, std::size_t instance,
                                 std::span<double> decision) const {
  SolveStatus status = SolveStatus::kSolved;
  decide_batch(prediction, {&instance, 1}, decision, {&status, 1});
  return status;
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
