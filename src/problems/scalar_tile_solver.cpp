// The default tile solver: calls a problem's decide and cost lane by lane.
//
// It is what a problem of the user's own runs on, and the plain twin that batched solvers are tested against.
#include <cmath>
#include <exception>
#include <vector>

#include "base/decision_hash.hpp"
#include "polystep/problem.hpp"

namespace polystep {
namespace {

class ScalarTileSolver final : public TileSolver {
 public:
  explicit ScalarTileSolver(const Problem& problem)
      : problem_(problem), prediction_(problem.outputs()), decision_(problem.decision_size()) {}

  void solve(const Tile& tile, const double* prediction, TileOutcome& outcome) override {
    outcome.failed = outcome.infeasible = outcome.changed = 0;
    for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
      for (std::size_t o = 0; o < prediction_.size(); ++o) prediction_[o] = prediction[o * kLanes + lane];
      if (decide(tile, lane)) {
        outcome.signature[lane] = hash_decision(decision_);
        outcome.cost[lane] = cost_;
        outcome.infeasible |= static_cast<std::uint32_t>(recourse_.infeasible) << lane;
        outcome.changed |= static_cast<std::uint32_t>(recourse_.changed) << lane;
      } else {
        outcome.signature[lane] = 0;
        outcome.cost[lane] = 0;
        outcome.failed |= 1u << lane;
      }
    }
  }

 private:
  // True with cost_ set, or false where the solver failed. A solver that throws must not stop a run.
  bool decide(const Tile& tile, std::size_t lane) try {
    if (problem_.decide(prediction_, tile.instance[lane], decision_) != SolveStatus::kSolved) return false;
    truth_.resize(tile.truth_columns);
    for (std::size_t m = 0; m < truth_.size(); ++m) truth_[m] = tile.truth[m * kLanes + lane];
    cost_ = problem_.cost(decision_, truth_, tile.instance[lane]);
    if (problem_.has_recourse()) recourse_ = problem_.recourse(decision_, truth_, tile.instance[lane]);
    return std::isfinite(cost_);
  } catch (const std::exception&) {
    return false;
  }

  const Problem& problem_;
  std::vector<double> prediction_;
  std::vector<double> decision_;
  std::vector<double> truth_;
  double cost_ = 0;
  Recourse recourse_;
};

}  // namespace

std::unique_ptr<TileSolver> Problem::make_tile_solver() const {
  return std::make_unique<ScalarTileSolver>(*this);
}

}  // namespace polystep
