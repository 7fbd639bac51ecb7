#include "evaluation/rival.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "evaluation/stability.hpp"
#include "polystep/random.hpp"
#include "problems/shortest_path.hpp"

namespace polystep {
namespace {

// Moves one edge by distances on both sides of where the path changes and compares with the solver itself.
TEST(Rival, IsWhatTheSolverChoosesBeyondTheBoundAndNotBefore) {
  const ShortestPath problem{solvers::GridPath(5)};
  const auto solver = problem.make_tile_solver();
  const std::size_t outputs = problem.outputs();
  AlignedDoubles prediction(outputs * kLanes), truth(prediction.size()), margin(prediction.size());
  RivalWorkspace work;
  std::size_t stays = 0, changes = 0;
  for (std::uint64_t round = 0; round < 20; ++round) {
    RandomStream random(round, Purpose::kTest);
    for (double& x : prediction) x = random.uniform(0.5, 2.0);
    for (double& x : truth) x = random.uniform(0.5, 2.0);
    Tile tile;
    tile.truth = truth.data();
    tile.shape.truth = outputs;
    TileOutcome incumbent;
    solver->solve(tile, prediction.data(), incumbent);
    ASSERT_TRUE(solver->margins(tile, prediction.data(), margin.data()));
    TileStability stability;
    stability.reset(margin.data(), prediction.data(), outputs);
    std::array<double, kLanes> slack;
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      slack[lane] = kStabilitySlack * (stability.scale()[lane] + 3);
    for (std::size_t output = 0; output < outputs; ++output) {
      Rival rival;
      const IncumbentTile around{tile,  prediction.data(), margin.data(), outputs, stability.gap(),
                                 slack, incumbent};
      bound_incumbent(around, output, rival);
      find_rival(around, output, *solver, work, rival);
      for (const double distance : {0.01, 0.1, 0.4, 1.0, 3.0}) {
        AlignedDoubles moved = prediction;
        for (std::size_t lane = 0; lane < kLanes; ++lane)
          moved[output * kLanes + lane] += std::copysign(distance, margin[output * kLanes + lane]);
        TileOutcome outcome;
        solver->solve(tile, moved.data(), outcome);
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          const bool holds = distance < rival.stays_below[lane];
          if (!holds && !(distance > rival.changes_above[lane])) continue;
          const TileOutcome& expected = holds ? incumbent : rival.outcome;
          EXPECT_EQ(outcome.signature[lane], expected.signature[lane]);
          EXPECT_EQ(outcome.cost[lane], expected.cost[lane]);
          ++(holds ? stays : changes);
        }
      }
    }
  }
  EXPECT_GT(stays + changes, 20 * outputs * 5 * kLanes * 99 / 100);  // hardly a case is left open
  EXPECT_GT(changes, 1000u);
}

}  // namespace
}  // namespace polystep
