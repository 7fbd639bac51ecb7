// The grid's margins against the enumeration of all paths, and what they promise.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "grid_instances.hpp"
#include "polystep/random.hpp"
#include "polystep/tile.hpp"
#include "solvers/grid/grid_path.hpp"

namespace polystep::solvers {
namespace {

TEST(GridMargins, MarginsAreTheGapsToTheBestPathsWithAndWithoutEachEdge) {
  for (const InstructionSet set : supported_sets()) {
    for (int side = 2; side <= 5; ++side) {
      const GridPath grid(side, set);
      const auto paths = all_paths(side);
      std::vector<double> chosen(grid.edges());
      for (const Costs kind : kAllCosts) {
        RandomStream random(5, Purpose::kTest, static_cast<std::uint64_t>(side),
                            static_cast<std::uint64_t>(kind));
        for (int trial = 0; trial < 30; ++trial) {
          const auto predicted = draw_costs(random, kind, grid.edges() * kLanes);
          std::vector<double> margin(predicted.size());
          ASSERT_TRUE(grid.margins_tile(predicted.data(), margin.data()));
          for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const auto cost = lane_of(predicted, lane);
            const double optimum = grid.solve(cost, chosen);
            std::vector<double> differing(grid.edges(), std::numeric_limits<double>::infinity());
            for (const auto& path : paths) {
              const auto indicator = as_indicator(path, grid.edges());
              const double sum = sum_along(path, cost);
              for (std::size_t edge = 0; edge < grid.edges(); ++edge) {
                if (indicator[edge] != chosen[edge]) differing[edge] = std::min(differing[edge], sum);
              }
            }
            for (std::size_t edge = 0; edge < grid.edges(); ++edge) {
              const double found = margin[edge * kLanes + lane];
              const double gap = differing[edge] - optimum;
              ASSERT_EQ(std::signbit(found), chosen[edge] == 0.0);
              ASSERT_LE(std::abs(found), gap);
              ASSERT_NEAR(std::abs(found), gap, 1e-11);
            }
          }
        }
      }
    }
  }
}

TEST(GridMargins, MarginsOfTheTwoInstructionSetsAgreeBitForBit) {
  if (!is_supported(InstructionSet::kAvx512)) GTEST_SKIP() << "skipped: this processor has no AVX-512";
  for (const int side : {2, 5, 7, 32}) {
    const GridPath baseline(side, InstructionSet::kBaseline);
    const GridPath wide(side, InstructionSet::kAvx512);
    RandomStream random(6, Purpose::kTest, static_cast<std::uint64_t>(side));
    for (int trial = 0; trial < 60; ++trial) {
      const auto predicted = draw_costs(random, kAllCosts[trial % 6], baseline.edges() * kLanes);
      std::vector<double> first(predicted.size());
      std::vector<double> second(predicted.size());
      baseline.margins_tile(predicted.data(), first.data());
      wide.margins_tile(predicted.data(), second.data());
      for (std::size_t at = 0; at < first.size(); ++at) {
        ASSERT_EQ(std::bit_cast<std::uint64_t>(first[at]), std::bit_cast<std::uint64_t>(second[at]));
      }
    }
  }
}

TEST(GridMargins, DecisionsStayWhileChangesStayWithinTheMargins) {
  const GridPath grid(5);
  RandomStream random(7, Purpose::kTest);
  int kept = 0;
  int changed_beyond = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    auto predicted = draw_costs(random, Costs::kReal, grid.edges() * kLanes);
    std::vector<double> margin(predicted.size());
    ASSERT_TRUE(grid.margins_tile(predicted.data(), margin.data()));
    TileOutcome before;
    grid.solve_tile(predicted.data(), predicted.data(), before.cost.data(), before.signature.data());
    double used[kLanes] = {};  // sum over edges of favourable change / margin
    for (int touched = 0; touched < 3; ++touched) {
      const std::size_t edge = random.below(grid.edges());
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const double change = random.uniform(-4.0, 4.0);
        const std::size_t at = edge * kLanes + lane;
        if (change * margin[at] > 0.0) used[lane] += std::abs(change / margin[at]);
        predicted[at] += change;
      }
    }
    TileOutcome after;
    grid.solve_tile(predicted.data(), predicted.data(), after.cost.data(), after.signature.data());
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      if (used[lane] < 1.0) {
        ASSERT_EQ(after.signature[lane], before.signature[lane]);
        ++kept;
      } else {
        changed_beyond += after.signature[lane] != before.signature[lane] ? 1 : 0;
      }
    }
  }
  EXPECT_GT(kept, 1000);
  EXPECT_GT(changed_beyond, 1000);
}

}  // namespace
}  // namespace polystep::solvers
