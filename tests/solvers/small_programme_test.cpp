// Small programmes solved again and again, held against enumeration and against the general solver.
#include "solvers/milp/small_programme.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "milp_instances.hpp"
#include "polystep/random.hpp"

namespace polystep::solvers {
namespace {

double near(double objective) { return 1e-7 * std::max(1.0, std::abs(objective)); }

// The numbers of a model as a solve wants them.
struct Numbers {
  explicit Numbers(const MilpModel& model, const SmallShape& shape = {}) {
    for (const MilpColumn& column : model.columns) {
      objective.push_back(column.objective);
      column_lower.push_back(column.lower);
      column_upper.push_back(column.upper);
    }
    for (const MilpRow& row : model.rows) {
      row_lower.push_back(row.lower);
      row_upper.push_back(row.upper);
    }
    for (const auto& [row, entry] : shape.entries)
      entries.push_back(model.rows[row].entries[entry].coefficient);
  }
  ProgrammeNumbers view() const {
    return {objective, column_lower, column_upper, row_lower, row_upper, entries, column_lower};
  }
  std::vector<double> objective, column_lower, column_upper, row_lower, row_upper, entries;
};

std::vector<BasisPlace> basis_of(const MilpModel& model) {
  MilpSolver solver(model);
  solver.start_from_here();
  return solver.start_basis();
}

struct Tally {
  int answered = 0, optimal = 0, infeasible = 0, left = 0, branched = 0;
};

// One solve, whatever the right answer is; `expected` is the optimum, or none where there is no solution.
void expect_right(SmallProgramme& small, const MilpModel& model, const Numbers& numbers,
                  std::optional<double> expected, Tally& tally) {
  std::vector<double> solution(model.columns.size(), -77.0), again(solution);
  const std::optional<MilpStatus> status = small.solve(numbers.view(), {}, solution);
  if (!status) {
    ++tally.left;
    return;
  }
  ++tally.answered;
  tally.branched += small.nodes() > 1 ? 1 : 0;
  ASSERT_EQ(small.solve(numbers.view(), {}, again), status);
  EXPECT_EQ(solution, again);  // to the bit
  if (*status == MilpStatus::kInfeasible) {
    EXPECT_FALSE(expected);
    ++tally.infeasible;
    return;
  }
  ASSERT_EQ(*status, MilpStatus::kOptimal);
  ++tally.optimal;
  ASSERT_TRUE(expected);
  EXPECT_NEAR(model.objective_of(solution), *expected, near(*expected));
  EXPECT_LE(model.violation_of(solution), kFeasibilityTolerance);
  for (std::size_t c = 0; c < solution.size(); ++c) {
    if (!model.columns[c].integer) continue;
    EXPECT_EQ(solution[c], std::round(solution[c]));
  }
}

void expect_enumerated(MilpModel model, Tally& tally, bool from_basis) {
  const std::optional<double> best = enumerate_milp(model);
  SmallProgramme small(model, {});
  ASSERT_TRUE(small.suits());
  if (from_basis) small.start_from(basis_of(model));
  expect_right(small, model, Numbers(model), best, tally);
}

TEST(SmallProgramme, WholeNumbersMatchEnumeration) {
  Tally tally;
  for (std::uint64_t trial = 0; trial < 3000; ++trial) {
    SCOPED_TRACE(trial);
    RandomStream random(121, Purpose::kTest, trial);
    const Shape shape{.integers = 1 + random.below(6), .rows = random.below(5), .whole_data = trial % 2 == 0};
    expect_enumerated(draw_milp(random, shape), tally, trial % 3 == 0);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tally.optimal, 1000);
  EXPECT_GT(tally.infeasible, 300);
  EXPECT_GT(tally.branched, 500);
  EXPECT_LT(tally.left, 30);
}

TEST(SmallProgramme, MixedColumnsMatchEnumeration) {
  Tally tally;
  for (std::uint64_t trial = 0; trial < 1200; ++trial) {
    SCOPED_TRACE(trial);
    RandomStream random(122, Purpose::kTest, trial);
    const Shape shape{.integers = 1 + random.below(3),
                      .continuous = 1 + random.below(2),
                      .rows = 1 + random.below(3),
                      .whole_data = trial % 2 == 0};
    expect_enumerated(draw_milp(random, shape), tally, trial % 3 == 0);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tally.optimal, 500);
  EXPECT_GT(tally.branched, 200);
  EXPECT_LT(tally.left, 12);
}

TEST(SmallProgramme, GroupsAndRowsFilledToTheLastDigitMatchEnumeration) {
  Tally tally;
  for (std::uint64_t trial = 0; trial < 400; ++trial) {
    SCOPED_TRACE(trial);
    RandomStream random(123, Purpose::kTest, trial);
    expect_enumerated(trial % 2 == 0 ? draw_grouped(random, 3, 3) : draw_filled_rows(random), tally,
                      trial % 3 == 0);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tally.optimal, 300);
  EXPECT_GT(tally.branched, 150);
  EXPECT_LT(tally.left, 8);
}

// Larger ones, by the general solver: columns without bounds, wide ranges, equality rows, programmes without
// end.
TEST(SmallProgramme, LargerOnesMatchTheGeneralSolver) {
  Tally tally;
  int unbounded = 0;
  for (std::uint64_t trial = 0; trial < 700; ++trial) {
    SCOPED_TRACE(trial);
    RandomStream random(124, Purpose::kTest, trial);
    const bool open = trial % 5 == 0;
    MilpModel model = draw_milp(random, {.integers = open ? 1 + random.below(3) : 3 + random.below(12),
                                         .continuous = random.below(6),
                                         .rows = 1 + random.below(open ? 2 : 6),
                                         .whole_data = trial % 2 == 0,
                                         .may_be_unbounded = open});
    if (trial % 4 == 0) {
      const std::size_t column = random.below(model.columns.size());
      if (!model.columns[column].integer) model.columns[column].lower = -kUnbounded;
    }
    const MilpResult general = MilpSolver(model).solve({.nodes = 300});
    ASSERT_NE(general.status, MilpStatus::kFailed);
    if (general.status == MilpStatus::kLimit) continue;
    SmallProgramme small(model, {});
    small.start_from(basis_of(model));
    unbounded += general.status == MilpStatus::kUnbounded ? 1 : 0;
    if (general.status == MilpStatus::kUnbounded) {
      std::vector<double> solution(model.columns.size());
      EXPECT_FALSE(small.solve(Numbers(model).view(), {}, solution));
      continue;
    }
    expect_right(small, model, Numbers(model),
                 general.status == MilpStatus::kOptimal ? std::optional(general.objective) : std::nullopt,
                 tally);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(unbounded, 10);
  EXPECT_GT(tally.optimal, 300);
  EXPECT_GT(tally.infeasible, 30);
  EXPECT_LT(tally.left, 15);
}

TEST(SmallProgramme, KnapsacksOfSeveralRowsMatchTheGeneralSolver) {
  Tally tally;
  for (std::uint64_t trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE(trial);
    RandomStream random(125, Purpose::kTest, trial);
    MilpModel model{.sense = Sense::kMaximise};
    const std::size_t items = 10 + random.below(20), rows = 1 + random.below(4);
    // Values of one size: hundreds of ties.
    for (std::size_t item = 0; item < items; ++item)
      model.add_binary(trial % 3 == 0 ? 1.0 + static_cast<double>(random.below(3)) : random.uniform(1, 9));
    for (std::size_t row = 0; row < rows; ++row) {
      std::vector<MilpEntry> entries;
      double total = 0;
      for (std::size_t item = 0; item < items; ++item) {
        entries.push_back({item, static_cast<double>(1 + random.below(9))});
        total += entries.back().coefficient;
      }
      model.add_row(entries, -kUnbounded, std::floor(total / 3));
    }
    const MilpResult general = MilpSolver(model).solve();
    ASSERT_EQ(general.status, MilpStatus::kOptimal);
    SmallProgramme small(model, {});
    expect_right(small, model, Numbers(model), general.objective, tally);
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(tally.optimal, 60);
}

MilpModel random_linear(RandomStream& stream) {
  MilpModel model;
  model.sense = stream.below(2) == 0 ? Sense::kMinimise : Sense::kMaximise;
  const double sign = model.sense == Sense::kMinimise ? 1 : -1;
  const std::size_t columns = 1 + stream.below(8), rows = stream.below(7);
  for (std::size_t c = 0; c < columns; ++c) {
    const double lower = stream.below(5) == 0 ? -kUnbounded : stream.uniform(-3, 1);
    const double upper = stream.below(2) == 0 ? kUnbounded : std::max(lower, -1.0) + stream.uniform(0, 4);
    model.add_column(lower, upper, sign * stream.uniform(-1, 2));
  }
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<MilpEntry> entries;
    const std::uint64_t single = stream.below(4);  // some rows have one column
    for (std::size_t c = 0; c < columns; ++c)
      if (single == 0 ? c == r % columns : stream.below(3) != 0)
        entries.push_back({c, std::round(stream.uniform(-4, 6))});
    const double side = stream.uniform(-2, 6);
    const std::uint64_t kind = stream.below(4);
    model.add_row(entries, kind == 0 ? -kUnbounded : side,
                  kind == 1   ? kUnbounded
                  : kind == 2 ? side + 2
                              : side);
  }
  return model;
}

// Other numbers in the same programme: an objective, sides, bounds, coefficients.
void redraw(MilpModel& model, RandomStream& stream, const SmallShape& shape) {
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
  for (const auto& [row, entry] : shape.entries)
    model.rows[row].entries[entry].coefficient = std::round(stream.uniform(-4, 6));
}

// Some columns are given with each solve, some coefficients change.
SmallShape draw_shape(RandomStream& stream, const MilpModel& model) {
  SmallShape shape;
  if (stream.below(2) == 0)
    for (const MilpColumn& column : model.columns)
      shape.given.push_back(std::isfinite(column.lower) && stream.below(3) == 0);
  if (stream.below(2) == 0)
    for (std::size_t row = 0; row < model.rows.size(); ++row)
      for (std::size_t entry = 0; entry < model.rows[row].entries.size(); ++entry)
        if (stream.below(4) == 0) shape.entries.emplace_back(row, entry);
  return shape;
}

TEST(SmallProgramme, NewNumbersMatchTheGeneralSolver) {
  Tally tally;
  int unbounded = 0;
  for (std::uint64_t number = 0; number < 600; ++number) {
    RandomStream stream(number, Purpose::kTest, 77);
    MilpModel model = random_linear(stream);
    const SmallShape shape = draw_shape(stream, model);
    SmallProgramme small(model, shape);
    small.start_from(basis_of(model));
    for (int trial = 0; trial < 8; ++trial) {
      SCOPED_TRACE(number * 10 + static_cast<std::uint64_t>(trial));
      if (trial != 0) redraw(model, stream, shape);
      for (std::size_t c = 0; c < shape.given.size(); ++c)
        if (shape.given[c]) {
          model.columns[c].lower = std::min(model.columns[c].upper, stream.uniform(-1, 2));
          model.columns[c].upper = model.columns[c].lower;
        }
      const Numbers numbers(model, shape);
      const MilpResult general = MilpSolver(model).solve();
      if (general.status == MilpStatus::kUnbounded) {
        std::vector<double> solution(model.columns.size());
        EXPECT_FALSE(small.solve(numbers.view(), {}, solution));
        ++unbounded;
        continue;
      }
      ASSERT_NE(general.status, MilpStatus::kFailed);
      expect_right(small, model, numbers,
                   general.status == MilpStatus::kOptimal ? std::optional(general.objective) : std::nullopt,
                   tally);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(unbounded, 100);
  EXPECT_GT(tally.optimal, 1000);
  EXPECT_GT(tally.infeasible, 500);
  EXPECT_LT(tally.left, 40);
}

MilpModel two_row_knapsack(std::uint64_t seed, std::size_t items, std::size_t rows) {
  RandomStream random(seed, Purpose::kTest, 126);
  MilpModel model{.sense = Sense::kMaximise};
  for (std::size_t item = 0; item < items; ++item) model.add_binary(0.0);
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<MilpEntry> entries;
    double total = 0;
    for (std::size_t item = 0; item < items; ++item) {
      entries.push_back({item, static_cast<double>(3 + random.below(20))});
      total += entries.back().coefficient;
    }
    model.add_row(entries, -kUnbounded, std::floor(total / 3));
  }
  return model;
}

// The order of solves, and what was solved before, change no bit.
TEST(SmallProgramme, AnswersForgetEarlierSolves) {
  MilpModel model = two_row_knapsack(1, 16, 2);
  std::vector<Numbers> numbers;
  for (std::uint64_t turn = 0; turn < 30; ++turn) {
    RandomStream random(127, Purpose::kTest, turn);
    for (MilpColumn& column : model.columns)
      column.objective = std::round(random.uniform(0, 5));  // with ties
    numbers.emplace_back(model);
  }
  const std::vector<BasisPlace> basis = basis_of(model);
  SmallProgramme used(model, {});
  used.start_from(basis);
  std::vector<double> first(16), second(16);
  for (std::size_t turn = 0; turn < 60; ++turn) {
    const Numbers& now = numbers[turn * 17 % 30];
    SmallProgramme fresh(model, {});
    fresh.start_from(basis);
    ASSERT_EQ(used.solve(now.view(), {}, first), MilpStatus::kOptimal);
    ASSERT_EQ(fresh.solve(now.view(), {}, second), MilpStatus::kOptimal);
    EXPECT_EQ(first, second);
    EXPECT_EQ(used.nodes(), fresh.nodes());
  }
}

TEST(SmallProgramme, LeavesAloneWhatGrowsTooLarge) {
  MilpModel model = two_row_knapsack(2, 30, 3);
  RandomStream random(128, Purpose::kTest);
  for (MilpColumn& column : model.columns) column.objective = random.uniform(5, 6);
  const Numbers numbers(model);
  SmallProgramme small(model, {});
  std::vector<double> solution(30);
  ASSERT_EQ(small.solve(numbers.view(), {}, solution), MilpStatus::kOptimal);
  const std::int64_t nodes = small.nodes();
  ASSERT_GT(nodes, 3);
  EXPECT_FALSE(small.solve(numbers.view(), {.nodes = nodes - 1}, solution));
  EXPECT_FALSE(small.solve(numbers.view(), {.seconds = 1e-9}, solution));
  // A wider gap is found in fewer nodes, and holds.
  const double best = model.objective_of(solution);
  ASSERT_EQ(small.solve(numbers.view(), {.relative_gap = 0.05}, solution), MilpStatus::kOptimal);
  EXPECT_LT(small.nodes(), nodes);
  EXPECT_GE(model.objective_of(solution), best / 1.05 - 1e-9);
}

TEST(SmallProgramme, RowsOfOneColumnAndGivenColumnsAreTakenOut) {
  MilpModel model;
  const auto x = model.add_column(0, 10, 1), y = model.add_column(0, 10, 2), z = model.add_column(0, 10, 3);
  model.add_row({{x, 2}}, 3, kUnbounded);
  model.add_row({{y, -1}}, -4, -1);
  model.add_row({{x, 1}, {z, 1}}, 2, kUnbounded);
  model.add_row({{x, 1}, {x, 1}, {y, 1}}, 8, kUnbounded);
  model.add_row({{z, 1}}, 0, 5);
  SmallProgramme small(model, {.given = {0, 0, 1}});
  EXPECT_EQ(small.dense_rows(), 1u);  // the fourth
  EXPECT_EQ(small.dense_columns(), 2u);
  std::vector<double> solution(3);
  Numbers numbers(model);
  const std::vector<double> given = {0, 0, 0.25};
  ProgrammeNumbers view = numbers.view();
  view.given = given;
  ASSERT_EQ(small.solve(view, {}, solution), MilpStatus::kOptimal);
  EXPECT_NEAR(solution[0], 3.5, 1e-12);
  EXPECT_NEAR(solution[1], 1, 1e-12);
  EXPECT_EQ(solution[2], 0.25);
  const std::vector<double> too_much = {0, 0, 6};
  view.given = too_much;
  EXPECT_EQ(small.solve(view, {}, solution), MilpStatus::kInfeasible);
}

TEST(SmallProgramme, IsForModestSizes) {
  EXPECT_TRUE(SmallProgramme(two_row_knapsack(3, 100, 20), {}).suits());
  EXPECT_FALSE(SmallProgramme(two_row_knapsack(3, 300, 2), {}).suits());
  MilpModel model = two_row_knapsack(3, 300, 40);
  for (MilpColumn& column : model.columns) column.integer = false;
  EXPECT_TRUE(SmallProgramme(model, {}).suits());
}

}  // namespace
}  // namespace polystep::solvers
