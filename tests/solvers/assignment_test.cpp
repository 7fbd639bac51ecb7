// The assignment solver against enumeration, and its proof of optimality on larger tables.
#include "solvers/matching/assignment.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "input_error.hpp"
#include "matching_instances.hpp"

namespace polystep::solvers {
namespace {

std::vector<Units> whole_weights(RandomStream& random, std::size_t count, std::uint64_t spread) {
  std::vector<Units> weights(count);
  for (Units& weight : weights) {
    weight = static_cast<Units>(random.below(spread)) - static_cast<Units>(spread / 3);
  }
  return weights;
}

Units checked_value(const std::vector<Units>& weights, std::size_t columns, const std::vector<int>& partner) {
  std::set<int> used;
  Units value = 0;
  for (std::size_t row = 0; row < partner.size(); ++row) {
    if (partner[row] < 0) continue;
    EXPECT_TRUE(used.insert(partner[row]).second) << "column " << partner[row] << " is used twice";
    const Units weight = weights[row * columns + static_cast<std::size_t>(partner[row])];
    EXPECT_GT(weight, 0);
    value += weight;
  }
  return value;
}

TEST(Assignment, AllInstructionSetsChooseTheSamePairs) {
  if (!is_supported(InstructionSet::kAvx512)) GTEST_SKIP() << "skipped: needs AVX-512";
  RandomStream random(11, Purpose::kTest);
  for (int trial = 0; trial < 500; ++trial) {
    const std::size_t rows = 1 + random.below(Assignment::kLargestSide);
    const std::size_t columns = 1 + random.below(Assignment::kLargestSide);
    Assignment plain(rows, columns, InstructionSet::kBaseline), wide(rows, columns, InstructionSet::kAvx512);
    std::vector<int> plain_partner(rows), wide_partner(rows);
    for (int solve = 0; solve < 3; ++solve) {  // the later ones start from prices
      const auto weights = whole_weights(random, rows * columns, trial % 2 == 0 ? 5 : 1000000);
      EXPECT_EQ(plain.solve(weights, plain_partner), wide.solve(weights, wide_partner));
      EXPECT_EQ(plain_partner, wide_partner);
    }
  }
}

TEST(Assignment, FindsTheBestOfAllMatchings) {
  RandomStream random(1, Purpose::kTest);
  for (int trial = 0; trial < 1500; ++trial) {
    SmallMatching problem = draw_matching(random, Weights::kReal, 1, 6);
    problem.rho1 = problem.rho2 = 0.0;
    const auto weights = whole_weights(random, problem.weights.size(), trial % 2 == 0 ? 5 : 1'000'000);
    problem.weights.assign(weights.begin(), weights.end());
    Assignment assignment(problem.left, problem.right);
    std::vector<int> partner(problem.left);
    const Units value = assignment.solve(weights, partner);
    ASSERT_EQ(value, checked_value(weights, problem.right, partner));
    ASSERT_EQ(static_cast<double>(value), Enumeration(problem).best());
  }
}

// A chain of related problems: the warm solver must agree with a fresh one at every link.
TEST(Assignment, WarmStartsGiveTheSameValueAsColdOnes) {
  RandomStream random(2, Purpose::kTest);
  for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{50, 50}, {30, 47}, {64, 20}}) {
    Assignment warm(rows, columns);
    auto weights = whole_weights(random, rows * columns, 1'000'000'000);
    for (int link = 0; link < 60; ++link) {
      for (int change = 0; change < 100; ++change) {
        weights[random.below(weights.size())] = static_cast<Units>(random.below(1'000'000'000)) - 300'000'000;
      }
      std::vector<int> partner(rows);
      std::vector<int> cold_partner(rows);
      Assignment cold(rows, columns);
      const Units value = warm.solve(weights, partner);
      ASSERT_EQ(value, checked_value(weights, columns, partner));
      ASSERT_EQ(value, cold.solve(weights, cold_partner));
    }
  }
}

TEST(Assignment, LargestWeightsDoNotOverflow) {
  RandomStream random(3, Purpose::kTest);
  Assignment assignment(50, 50);
  std::vector<Units> weights(2500);
  std::vector<int> partner(50);
  for (int trial = 0; trial < 200; ++trial) {
    for (Units& weight : weights) weight = random.below(2) == 0 ? 0 : Assignment::kLargestWeight;
    // With half of all pairs at the largest weight and the rest at nothing, a perfect matching exists.
    ASSERT_EQ(assignment.solve(weights, partner), 50 * Assignment::kLargestWeight);
  }
}

TEST(Assignment, TakesNothingWhereNothingHelps) {
  Assignment assignment(3, 2);
  std::vector<int> partner(3);
  EXPECT_EQ(assignment.solve(std::vector<Units>{0, -1, -2, 0, 0, -5}, partner), 0);
  EXPECT_EQ(partner, (std::vector<int>{-1, -1, -1}));
}

TEST(Assignment, RefusesBadTables) {
  EXPECT_EQ(input_error([] { Assignment(0, 4); }),
            "assignment: the table has 0 rows and 4 columns, expected 1 to 64 of each");
  EXPECT_EQ(input_error([] { Assignment(65, 4); }),
            "assignment: the table has 65 rows and 4 columns, expected 1 to 64 of each");
  Assignment assignment(1, 1);
  std::vector<int> partner(1);
  EXPECT_EQ(input_error([&] { assignment.solve(std::vector<Units>{Units{1} << 57}, partner); }),
            "assignment: the weight of row 0 and column 0 is 144115188075855872, expected at most "
            "72057594037927936");
}

}  // namespace
}  // namespace polystep::solvers
