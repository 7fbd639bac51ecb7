// Grid paths, one at a time and in tiles, against the general solver's flow of least cost.
#include <gtest/gtest.h>

#include <cmath>

#include "general_models.hpp"
#include "grid_instances.hpp"
#include "solvers/milp/milp.hpp"

namespace polystep::solvers {
namespace {

// Eight instances; the tile solver is asked for the cost under the very costs it decides by.
void compare_tile(const GridPath& grid, MilpSolver& general, const std::vector<double>& costs) {
  TileOutcome outcome;
  grid.solve_tile(costs.data(), costs.data(), outcome.cost.data(), outcome.signature.data());
  std::vector<double> path(grid.edges()), marked(grid.edges());
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const auto cost = lane_of(costs, lane);
    general.set_objective(cost);
    const MilpResult reference = general.solve();
    ASSERT_EQ(reference.status, MilpStatus::kOptimal);
    const double tolerance = 1e-9 * (1 + std::abs(reference.objective));
    ASSERT_NEAR(grid.solve(cost, path), reference.objective, tolerance);
    ASSERT_NEAR(outcome.cost[lane], reference.objective, tolerance);
    grid.mark_path(outcome.signature[lane], marked);
    for (const auto& decision : {path, marked}) {
      ASSERT_EQ(general.model().violation_of(decision), 0.0);
      ASSERT_NEAR(general.model().objective_of(decision), reference.objective, tolerance);
    }
  }
}

TEST(GridPathMilp, PathsCostAsMuchAsTheLeastFlow) {
  int instances = 0;
  for (const InstructionSet set : supported_sets()) {
    for (const int side : {2, 3, 5, 8, 12}) {
      const GridPath grid(side, set);
      MilpSolver general(grid_path_model(static_cast<std::size_t>(side)));
      for (const Costs kind : kAllCosts) {
        RandomStream random(31, Purpose::kTest, static_cast<std::uint64_t>(side),
                            static_cast<std::uint64_t>(kind));
        const int tiles = side == 5 ? 12 : side == 12 ? 1 : 3;
        for (int tile = 0; tile < tiles; ++tile, instances += kLanes)
          ASSERT_NO_FATAL_FAILURE(
              compare_tile(grid, general, draw_costs(random, kind, grid.edges() * kLanes)))
              << "side " << side << ", costs " << static_cast<int>(kind) << ", tile " << tile;
      }
    }
  }
  EXPECT_GE(instances / static_cast<int>(supported_sets().size()), 1000);
}

}  // namespace
}  // namespace polystep::solvers
