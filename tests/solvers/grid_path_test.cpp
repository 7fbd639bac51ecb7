// The grid solver against the enumeration of all paths, its tile path against its plain one, and its margins.
#include "solvers/grid_path.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "polystep/error.hpp"
#include "polystep/random.hpp"
#include "polystep/tile.hpp"

namespace polystep::solvers {
namespace {

// Every kind of cost the solver may meet; all but the first make ties.
enum class Costs { kReal, kNegative, kFewIntegers, kSignedIntegers, kAllEqual, kAllZero };
constexpr Costs kAllCosts[] = {Costs::kReal,           Costs::kNegative, Costs::kFewIntegers,
                               Costs::kSignedIntegers, Costs::kAllEqual, Costs::kAllZero};

double draw(RandomStream& random, Costs kind) {
  switch (kind) {
    case Costs::kReal:
      return random.uniform(0.5, 30.0);
    case Costs::kNegative:
      return random.uniform(-5.0, 5.0);
    case Costs::kFewIntegers:
      return static_cast<double>(random.below(3));
    case Costs::kSignedIntegers:
      return static_cast<double>(random.below(5)) - 2.0;
    case Costs::kAllEqual:
      return 1.5;
    case Costs::kAllZero:
      return 0.0;
  }
  return 0.0;
}

std::vector<double> draw_costs(RandomStream& random, Costs kind, std::size_t count) {
  std::vector<double> costs(count);
  for (double& cost : costs) cost = draw(random, kind);
  return costs;
}

// Edge lists of all paths, each in walking order, from the numbering as the benchmark states it.
std::vector<std::vector<std::size_t>> all_paths(int side) {
  std::vector<std::pair<int, int>> edges;
  for (int node = 0; node < side * side; ++node) {
    if (node % side != side - 1) edges.emplace_back(node, node + 1);
    if (node / side != side - 1) edges.emplace_back(node, node + side);
  }
  std::vector<std::vector<std::size_t>> paths;
  const unsigned steps = 2 * (static_cast<unsigned>(side) - 1);
  for (unsigned downs = 0; downs < 1u << steps; ++downs) {
    if (std::popcount(downs) != side - 1) continue;
    std::vector<std::size_t> path;
    int node = 0;
    for (unsigned step = 0; step < steps; ++step) {
      const int next = node + ((downs >> step & 1) != 0 ? side : 1);
      for (std::size_t edge = 0; edge < edges.size(); ++edge) {
        if (edges[edge] == std::pair(node, next)) path.push_back(edge);
      }
      node = next;
    }
    paths.push_back(path);
  }
  return paths;
}

double sum_along(const std::vector<std::size_t>& path, const std::vector<double>& cost) {
  double sum = 0.0;
  for (const std::size_t edge : path) sum += cost[edge];
  return sum;
}

std::vector<double> as_indicator(const std::vector<std::size_t>& path, std::size_t edges) {
  std::vector<double> indicator(edges, 0.0);
  for (const std::size_t edge : path) indicator[edge] = 1.0;
  return indicator;
}

std::vector<InstructionSet> supported_sets() {
  std::vector<InstructionSet> sets{InstructionSet::kBaseline};
  if (is_supported(InstructionSet::kAvx512)) sets.push_back(InstructionSet::kAvx512);
  return sets;
}

// One lane of a tile.
std::vector<double> lane_of(const std::vector<double>& tile, std::size_t lane) {
  std::vector<double> column;
  for (std::size_t at = lane; at < tile.size(); at += kLanes) column.push_back(tile[at]);
  return column;
}

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

TEST(GridPath, MarginsAreTheGapsToTheBestPathsWithAndWithoutEachEdge) {
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

TEST(GridPath, MarginsOfTheTwoInstructionSetsAgreeBitForBit) {
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

TEST(GridPath, DecisionsStayWhileChangesStayWithinTheMargins) {
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

TEST(GridPath, RefusesSidesOutOfRange) {
  EXPECT_THROW(GridPath(1), InputError);
  EXPECT_THROW(GridPath(33), InputError);
}

}  // namespace
}  // namespace polystep::solvers
