// The default tile solver: calls a problem's decide and cost lane by lane.
//
// It is what a problem of the user's own runs on, and the plain twin that batched solvers are tested against.
#include <cmath>
#include <exception>
#include <vector>

#include "base/decision_hash.hpp"
#include "polystep/error.hpp"
#include "polystep/problem.hpp"
#include "polystep/stop.hpp"
#include "problems/recourse.hpp"

namespace polystep {
namespace {

class ScalarTileSolver final : public TileSolver {
 public:
  explicit ScalarTileSolver(const Problem& problem) : problem_(problem) {}

  bool takes_any_width() const override { return true; }

  void solve(const Tile& tile, const double* prediction, TileOutcome& outcome) override {
    outcome.failed = outcome.infeasible = outcome.changed = 0;
    for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
      stop_if_wanted();  // nobody knows what a problem of someone's own takes
      take_lane(prediction, problem_.outputs(tile.instance[lane]), tile.width, lane, prediction_);
      write_lane(realise(tile, lane), lane, outcome);
      outcome.signature[lane] = (outcome.failed >> lane) & 1u ? 0 : hash_decision(decision_);
    }
  }

 private:
  // What the lane's decision comes to; a cost that is not finite where the solver failed. One that throws
  // must not stop a run.
  Realisation realise(const Tile& tile, std::size_t lane) try {
    const std::size_t instance = tile.instance[lane];
    decision_.resize(problem_.decision_size(instance));
    if (problem_.decide(prediction_, instance, decision_) != SolveStatus::kSolved) return {std::nan(""), {}};
    take_lane(tile.truth, tile.shape.truth, tile.width, lane, truth_);
    return problem_.realise(decision_, truth_, instance);
  } catch (const SolverLost&) {
    throw;
  } catch (const std::exception&) {
    return {std::nan(""), {}};
  }

  static void take_lane(const double* rows, std::size_t count, std::size_t width, std::size_t lane,
                        std::vector<double>& out) {
    out.resize(count);
    for (std::size_t k = 0; k < count; ++k) out[k] = rows[k * width + lane];
  }

  const Problem& problem_;
  std::vector<double> prediction_;
  std::vector<double> decision_;
  std::vector<double> truth_;
};

}  // namespace

std::unique_ptr<TileSolver> make_scalar_tile_solver(const Problem& problem) {
  return std::make_unique<ScalarTileSolver>(problem);
}

std::unique_ptr<TileSolver> Problem::make_tile_solver() const { return make_scalar_tile_solver(*this); }

}  // namespace polystep
