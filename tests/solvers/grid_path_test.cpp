// The grid solver against the enumeration of all paths, its tile path against its plain one, and its margins.
#include "solvers/grid/grid_path.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "grid_instances.hpp"
#include "polystep/error.hpp"
#include "polystep/random.hpp"
#include "polystep/tile.hpp"

namespace polystep::solvers {
namespace {

TEST(GridPath, FindsTheCheapestOfAllPaths) {
  for (int side = 2; side <= 5; ++side) {
    const GridPath grid(side);
    const auto paths = all_paths(side);
    std::vector<double> path(grid.edges());
    for (const Costs kind : kAllCosts) {
      RandomStream random(1, Purpose::kTest, static_cast<std::uint64_t>(side),
                          static_cast<std::uint64_t>(kind));
      for (int trial = 0; trial < 300; ++trial) {
        const auto cost = draw_costs(random, kind, grid.edges());
        double best = std::numeric_limits<double>::infinity();
        for (const auto& candidate : paths) best = std::min(best, sum_along(candidate, cost));
        // Rounding is monotone, so the dynamic programme finds the least of the sums taken in walking order
        // exactly.
        ASSERT_EQ(grid.solve(cost, path), best);
        bool is_path_of_that_cost = false;
        for (const auto& candidate : paths) {
          is_path_of_that_cost |=
              as_indicator(candidate, grid.edges()) == path && sum_along(candidate, cost) == best;
        }
        ASSERT_TRUE(is_path_of_that_cost);
      }
    }
  }
}

TEST(GridPath, ComesFromTheLeftWherePathsAreEquallyCheap) {
  const GridPath grid(4);
  std::vector<double> path(grid.edges());
  grid.solve(std::vector<double>(grid.edges(), 1.0), path);
  std::vector<double> down_first(grid.edges());
  grid.mark_path(0b000111,
                 down_first);  // down three times, then right: every arrival is from the left if possible
  EXPECT_EQ(path, down_first);
}

TEST(GridPath, TilesMatchThePlainSolverBitForBit) {
  for (const InstructionSet set : supported_sets()) {
    for (const int side : {2, 3, 4, 5, 6, 9, 32}) {
      const GridPath grid(side, set);
      std::vector<double> path(grid.edges());
      std::vector<double> marked(grid.edges());
      for (const Costs kind : kAllCosts) {
        RandomStream random(2, Purpose::kTest, static_cast<std::uint64_t>(side),
                            static_cast<std::uint64_t>(kind));
        const int trials = side == 5 ? 400 : side == 32 ? 10 : 100;
        for (int trial = 0; trial < trials; ++trial) {
          const auto predicted = draw_costs(random, kind, grid.edges() * kLanes);
          const auto truth = draw_costs(random, Costs::kReal, grid.edges() * kLanes);
          TileOutcome outcome;
          TileOutcome on_itself;
          grid.solve_tile(predicted.data(), truth.data(), outcome.cost.data(), outcome.signature.data());
          grid.solve_tile(predicted.data(), predicted.data(), on_itself.cost.data(),
                          on_itself.signature.data());
          for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const double value = grid.solve(lane_of(predicted, lane), path);
            grid.mark_path(outcome.signature[lane], marked);
            ASSERT_EQ(marked, path);
            ASSERT_EQ(std::bit_cast<std::uint64_t>(on_itself.cost[lane]),
                      std::bit_cast<std::uint64_t>(value));
            ASSERT_EQ(on_itself.signature[lane], outcome.signature[lane]);
          }
        }
      }
    }
  }
}

TEST(GridPath, RealisedCostIsAddedInWalkingOrder) {
  const GridPath grid(5);
  const auto paths = all_paths(5);
  RandomStream random(3, Purpose::kTest);
  std::vector<double> marked(grid.edges());
  for (int trial = 0; trial < 700; ++trial) {
    const auto predicted = draw_costs(random, Costs::kNegative, grid.edges() * kLanes);
    const auto truth = draw_costs(random, Costs::kReal, grid.edges() * kLanes);
    TileOutcome outcome;
    grid.solve_tile(predicted.data(), truth.data(), outcome.cost.data(), outcome.signature.data());
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      grid.mark_path(outcome.signature[lane], marked);
      for (const auto& path : paths) {
        if (as_indicator(path, grid.edges()) == marked) {
          ASSERT_EQ(outcome.cost[lane], sum_along(path, lane_of(truth, lane)));
        }
      }
    }
  }
}

TEST(GridPath, NotANumberIsTreatedAlikeByAllPaths) {
  RandomStream random(4, Purpose::kTest);
  for (const InstructionSet set : supported_sets()) {
    const GridPath grid(5, set);
    std::vector<double> path(grid.edges());
    std::vector<double> marked(grid.edges());
    for (int trial = 0; trial < 100; ++trial) {
      auto predicted = draw_costs(random, Costs::kReal, grid.edges() * kLanes);
      for (double& cost : predicted) {
        if (random.below(10) == 0) cost = std::numeric_limits<double>::quiet_NaN();
      }
      TileOutcome outcome;
      grid.solve_tile(predicted.data(), predicted.data(), outcome.cost.data(), outcome.signature.data());
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        grid.solve(lane_of(predicted, lane), path);
        grid.mark_path(outcome.signature[lane], marked);
        ASSERT_EQ(marked, path);
      }
      std::vector<double> margin(predicted.size());
      EXPECT_FALSE(grid.margins_tile(predicted.data(), margin.data()));
    }
  }
}

TEST(GridPath, RefusesSidesOutOfRange) {
  EXPECT_THROW(GridPath(1), InputError);
  EXPECT_THROW(GridPath(33), InputError);
}

}  // namespace
}  // namespace polystep::solvers
