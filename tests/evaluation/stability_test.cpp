#include "evaluation/stability.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "polystep/random.hpp"
#include "solvers/grid/grid_path.hpp"
#include "solvers/knapsack/knapsack.hpp"

namespace polystep {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// All lanes alike: margins and changes of three outputs.
bool unchanged(std::vector<double> margins, std::vector<double> changes) {
  std::vector<double> margin, change, prediction(margins.size() * kLanes, 1.0);
  std::vector<std::uint32_t> touched;
  for (std::size_t o = 0; o < margins.size(); ++o) {
    margin.insert(margin.end(), kLanes, margins[o]);
    change.insert(change.end(), kLanes, changes[o]);
    touched.push_back(static_cast<std::uint32_t>(o));
  }
  TileStability stability;
  stability.reset(margin.data(), prediction.data(), margins.size());
  return stability.unchanged(1.0, change.data(), touched).forward;
}

TEST(TileStability, WeighsOnlyAdverseChangesAgainstTheTightestMargin) {
  EXPECT_TRUE(unchanged({2, -3, 4}, {-50, 50, -50}));  // every change favours the incumbent
  EXPECT_TRUE(unchanged({2, -3, 4}, {1.9, 0, 0}));
  EXPECT_FALSE(unchanged({2, -3, 4}, {2.0, 0, 0}));     // a tie could go either way
  EXPECT_FALSE(unchanged({2, -3, 4}, {1.5, -1.0, 0}));  // together they reach the margin of the first
  EXPECT_TRUE(unchanged({2, -3, 4}, {0, -1.5, 1.0}));   // 2.5 < 3, the first is not touched adversely
  EXPECT_TRUE(unchanged({kInfinity, -3, 4}, {1e9, 0, 0}));
  EXPECT_FALSE(unchanged({0.0, -3, 4}, {-1, 0, 0}));  // already tied: nothing is certain
  EXPECT_FALSE(unchanged({2, -3, 4}, {std::numeric_limits<double>::quiet_NaN(), 0, 0}));
}

TEST(TileStability, OneUnsafeLaneIsEnough) {
  std::vector<double> margin(kLanes, 1.0), prediction(kLanes, 1.0), change(kLanes, 0.5);
  const std::vector<std::uint32_t> touched = {0};
  TileStability stability;
  stability.reset(margin.data(), prediction.data(), 1);
  EXPECT_TRUE(stability.unchanged(1.0, change.data(), touched).forward);
  EXPECT_FALSE(stability.unchanged(3.0, change.data(), touched).forward);
  change[6] = 2.0;
  EXPECT_FALSE(stability.unchanged(1.0, change.data(), touched).forward);
  EXPECT_TRUE(stability.unchanged(1.0, change.data(), touched).backward);
}

// Whatever is certified, a solver called anyway must agree with. Integer costs make ties and near ties
// common.
template <class Solve, class Margins>
std::size_t count_certified_and_check(std::size_t outputs, const Solve& solve, const Margins& find_margins) {
  std::size_t certified = 0;
  std::vector<double> prediction(outputs * kLanes), margin(prediction.size()), moved(prediction.size());
  for (std::uint64_t trial = 0; trial < 4000; ++trial) {
    RandomStream stream(11, Purpose::kTest, trial);
    const bool whole = trial % 2 == 0;
    for (double& value : prediction)
      value = whole ? static_cast<double>(stream.below(6)) : stream.uniform(0.0, 10.0);
    if (!find_margins(prediction.data(), margin.data())) continue;
    TileStability stability;
    stability.reset(margin.data(), prediction.data(), outputs);
    std::vector<std::uint32_t> touched;
    for (std::uint32_t o = 0; o < outputs; ++o)
      if (stream.below(outputs) < 4) touched.push_back(o);
    std::vector<double> change(touched.size() * kLanes);
    for (double& value : change) value = whole ? static_cast<double>(stream.below(3)) - 1 : stream.normal();
    const double radius = trial % 3 == 0 ? 0.25 : 0.05;
    const TileStability::Verdict verdict = stability.unchanged(radius, change.data(), touched);
    for (const double factor : {radius, -radius}) {
      if (!(factor > 0 ? verdict.forward : verdict.backward)) continue;
      ++certified;
      moved = prediction;
      for (std::size_t slot = 0; slot < touched.size(); ++slot)
        for (std::size_t lane = 0; lane < kLanes; ++lane)
          moved[touched[slot] * kLanes + lane] += factor * change[slot * kLanes + lane];
      EXPECT_EQ(solve(prediction.data()), solve(moved.data())) << "trial " << trial;
    }
  }
  return certified;
}

using Signatures = std::array<std::uint64_t, kLanes>;

TEST(TileStability, NeverCertifiesAChangedPath) {
  for (const int side : {2, 3, 5}) {
    const solvers::GridPath grid(side);
    const std::vector<double> truth(grid.edges() * kLanes, 1.0);
    const std::size_t certified = count_certified_and_check(
        grid.edges(),
        [&](const double* prediction) {
          Signatures signatures;
          std::array<double, kLanes> realised;
          grid.solve_tile(prediction, truth.data(), realised.data(), signatures.data());
          return signatures;
        },
        [&](const double* prediction, double* margin) { return grid.margins_tile(prediction, margin); });
    EXPECT_GT(certified, 20u) << "side " << side;
  }
}

TEST(TileStability, NeverCertifiesAChangedKnapsack) {
  const solvers::Knapsack knapsack({3, 5, 7, 3, 5, 7, 3, 5}, 17);
  const std::vector<double> truth(knapsack.items() * kLanes, 1.0);
  const std::size_t certified = count_certified_and_check(
      knapsack.items(),
      [&](const double* prediction) {
        Signatures signatures;
        std::array<double, kLanes> realised;
        knapsack.solve_tile(prediction, truth.data(), realised.data(), signatures.data());
        return signatures;
      },
      [&](const double* prediction, double* margin) { return knapsack.margins_tile(prediction, margin); });
  EXPECT_GT(certified, 20u);
}

// Why margins are for decisions of 0 and 1 alone. Either y = 1 at the price b, or x = units at the price c
// each; margins as TileSolver::margins defines them. A change of c is worth `units` times as much to the
// rival, and the proof counts it once.
struct UnitsOrOne {
  double units, b, c;

  bool takes_units() const { return units * c < b; }
  // Of x and y, with y = 1 the incumbent: a smaller c and a larger b favour the rival.
  std::vector<double> margins() const { return {-(units * c - b), units * c - b}; }
};

TEST(TileStability, IsSoundForBinaryDecisionsOnly) {
  const double change = -0.15;
  const UnitsOrOne binary{.units = 1, .b = 2, .c = 2.2}, binary_after{.units = 1, .b = 2, .c = 2.2 + change};
  EXPECT_TRUE(unchanged(binary.margins(), {change, 0}));
  EXPECT_EQ(binary.takes_units(), binary_after.takes_units());

  const UnitsOrOne integer{.units = 2, .b = 2, .c = 1.1},
      integer_after{.units = 2, .b = 2, .c = 1.1 + change};
  EXPECT_TRUE(unchanged(integer.margins(), {change, 0}));  // a certificate, and a wrong one
  EXPECT_FALSE(integer.takes_units());
  EXPECT_TRUE(integer_after.takes_units());
}

}  // namespace
}  // namespace polystep
