// The dense simplex from a reference basis, held against the general solver on random programmes.
#include "solvers/milp/small_lp.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "polystep/random.hpp"

namespace polystep::solvers {
namespace {

MilpModel random_programme(RandomStream& stream) {
  MilpModel model;
  const std::size_t columns = 1 + stream.below(8), rows = 1 + stream.below(6);
  for (std::size_t c = 0; c < columns; ++c) {
    const double lower = stream.below(5) == 0 ? -kUnbounded : stream.uniform(-3, 1);
    const double upper = stream.below(2) == 0 ? kUnbounded : std::max(lower, -1.0) + stream.uniform(0, 4);
    model.add_column(lower, upper, stream.uniform(-1, 2));
  }
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<MilpEntry> entries;
    for (std::size_t c = 0; c < columns; ++c)
      if (stream.below(3) != 0) entries.push_back({c, std::round(stream.uniform(-4, 6))});
    const double side = stream.uniform(-2, 6);
    const std::uint64_t kind = stream.below(4);
    model.add_row(entries, kind == 0 ? -kUnbounded : side,
                  kind == 1   ? kUnbounded
                  : kind == 2 ? side + 2
                              : side);
  }
  return model;
}

// Other numbers in the same programme: what is predicted is an objective, sides, or both and bounds.
void redraw(MilpModel& model, RandomStream& stream) {
  const std::uint64_t what = stream.below(3);
  if (what != 1)
    for (MilpColumn& column : model.columns) column.objective += stream.uniform(-0.5, 0.5);
  if (what != 0)
    for (MilpRow& row : model.rows) {
      const double shift = stream.uniform(-1, 1);
      row.lower += shift;
      row.upper += shift;
    }
  if (what == 2)
    for (MilpColumn& column : model.columns) column.upper += stream.uniform(0, 0.5);
}

struct Numbers {
  explicit Numbers(const MilpModel& model) {
    for (const MilpColumn& column : model.columns) {
      objective.push_back(column.objective);
      column_lower.push_back(column.lower);
      column_upper.push_back(column.upper);
    }
    for (const MilpRow& row : model.rows) {
      row_lower.push_back(row.lower);
      row_upper.push_back(row.upper);
    }
  }
  LpNumbers view() const { return {objective, column_lower, column_upper, row_lower, row_upper}; }
  std::vector<double> objective, column_lower, column_upper, row_lower, row_upper;
};

TEST(SmallLp, FindsWhatTheGeneralSolverFinds) {
  std::size_t answered = 0, optimal = 0;
  for (std::uint64_t number = 0; number < 400; ++number) {
    RandomStream stream(number, Purpose::kTest, 77);
    MilpModel model = random_programme(stream);
    MilpSolver reference(model);
    reference.start_from_here();
    const std::vector<BasisPlace> basis = reference.start_basis();
    if (reference.solve().status != MilpStatus::kOptimal) continue;
    ASSERT_EQ(basis.size(), model.columns.size() + model.rows.size());
    SmallLp small(model, basis);
    for (int trial = 0; trial < 8; ++trial) {
      if (trial != 0) redraw(model, stream);
      const Numbers numbers(model);
      const MilpResult expected = MilpSolver(model).solve();
      std::vector<double> solution(model.columns.size()), again(solution);
      const bool found = small.solve(numbers.view(), solution);
      optimal += expected.status == MilpStatus::kOptimal ? 1 : 0;
      if (!found) continue;
      ++answered;
      ASSERT_EQ(expected.status, MilpStatus::kOptimal) << number << " " << trial;
      EXPECT_NEAR(model.objective_of(solution), expected.objective,
                  1e-6 * std::max(1.0, std::abs(expected.objective)))
          << number << " " << trial;
      EXPECT_LE(model.violation_of(solution), kFeasibilityTolerance);
      ASSERT_TRUE(small.solve(numbers.view(), again));
      EXPECT_EQ(solution, again);  // to the bit
    }
  }
  EXPECT_GT(optimal, 1000u);
  EXPECT_GT(static_cast<double>(answered), 0.8 * static_cast<double>(optimal));
  RecordProperty("answered", std::to_string(answered));
  RecordProperty("optimal", std::to_string(optimal));
}

TEST(SmallLp, LeavesAloneWhatHasNoOptimum) {
  MilpModel model;
  model.add_column(0, kUnbounded, 1);
  model.add_row({{0, 1}}, 2, 5);
  MilpSolver reference(model);
  reference.start_from_here();
  SmallLp small(model, reference.start_basis());
  ASSERT_TRUE(small.ready());
  std::vector<double> solution(1);
  const std::vector<double> zero = {0}, one = {1}, two = {2}, five = {5}, none = {kUnbounded};
  EXPECT_TRUE(small.solve({one, zero, none, two, five}, solution));
  EXPECT_EQ(solution[0], 2);
  EXPECT_FALSE(small.solve({one, zero, one, two, five}, solution));   // no solution
  EXPECT_FALSE(small.solve({one, zero, none, five, two}, solution));  // crossed
  const std::vector<double> minus = {-1};
  EXPECT_FALSE(small.solve({minus, zero, none, two, none}, solution));  // without end
}

TEST(SmallLp, IsForLinearProgrammesOfModestSize) {
  MilpModel model;
  model.add_column(0, 1, 1);
  EXPECT_FALSE(SmallLp::suits(model));  // no rows
  model.add_row({{0, 1}}, 0, 1);
  EXPECT_TRUE(SmallLp::suits(model));
  model.add_binary(1);
  EXPECT_FALSE(SmallLp::suits(model));
}

}  // namespace
}  // namespace polystep::solvers
