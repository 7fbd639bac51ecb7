// The general solver, by every engine, against the enumeration of all integer values and all corners, and
// against itself.
#include "solvers/milp/milp.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <thread>
#include <vector>

#include "../input_error.hpp"
#include "milp_instances.hpp"
#include "polystep/random.hpp"
#include "solvers/knapsack/knapsack.hpp"
#include "solvers/milp/highs_library.hpp"

namespace polystep::solvers {
namespace {

// Every engine of this machine answers the same questions.
class Milp : public testing::TestWithParam<MilpEngine> {
 protected:
  void SetUp() override {
    if (GetParam() == MilpEngine::kHighs && !HighsLibrary::present())
      GTEST_SKIP() << "skipped: needs the library of HiGHS, see docs/own-problem.md";
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, Milp, testing::Values(MilpEngine::kCoin, MilpEngine::kHighs),
                         [](const auto& info) {
                           return info.param == MilpEngine::kHighs ? "Highs" : "Coin";
                         });

double near(double objective) { return 1e-7 * std::max(1.0, std::abs(objective)); }

// What every solution owes the model, whatever its objective should be.
void expect_honest(const MilpModel& model, const MilpResult& result, bool whole) {
  ASSERT_EQ(result.solution.size(), model.columns.size());
  EXPECT_LE(model.violation_of(result.solution), kFeasibilityTolerance);
  EXPECT_EQ(result.objective, model.objective_of(result.solution));
  for (std::size_t column = 0; whole && column < model.columns.size(); ++column) {
    if (model.columns[column].integer) {
      EXPECT_EQ(result.solution[column], std::round(result.solution[column]));
    }
  }
}

struct Tally {
  int optimal = 0, infeasible = 0, unbounded = 0, searched = 0;
};

void expect_matches_enumeration(MilpModel model, MilpEngine engine, Tally& tally) {
  const auto best = enumerate_milp(model);
  const MilpResult result = MilpSolver(model, engine).solve();
  if (!best) {
    ASSERT_EQ(result.status, MilpStatus::kInfeasible);
    ++tally.infeasible;
    return;
  }
  ASSERT_EQ(result.status, MilpStatus::kOptimal);
  expect_honest(model, result, true);
  ASSERT_NEAR(result.objective, *best, near(*best));
  EXPECT_NEAR(result.bound, *best, near(*best));
  ++tally.optimal;
  tally.searched += MilpSolver(model, engine).solve_relaxation().objective != result.objective ? 1 : 0;
}

TEST_P(Milp, IntegerProgrammesMatchEnumeration) {
  Tally tally;
  for (std::uint64_t trial = 0; trial < 1200; ++trial) {
    SCOPED_TRACE(trial);
    RandomStream random(21, Purpose::kTest, trial);
    const Shape shape{.integers = 1 + random.below(6), .rows = random.below(5), .whole_data = trial % 2 == 0};
    expect_matches_enumeration(draw_milp(random, shape), GetParam(), tally);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tally.optimal, 500);
  EXPECT_GT(tally.infeasible, 100);
  EXPECT_GT(tally.searched, 150);
}

TEST_P(Milp, MixedProgrammesMatchEnumeration) {
  Tally tally;
  for (std::uint64_t trial = 0; trial < 400; ++trial) {
    SCOPED_TRACE(trial);
    RandomStream random(22, Purpose::kTest, trial);
    const Shape shape{.integers = 1 + random.below(3),
                      .continuous = 1 + random.below(2),
                      .rows = 1 + random.below(3),
                      .whole_data = trial % 2 == 0};
    expect_matches_enumeration(draw_milp(random, shape), GetParam(), tally);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tally.optimal, 200);
  EXPECT_GT(tally.infeasible, 10);
  EXPECT_GT(tally.searched, 80);
}

TEST_P(Milp, RelaxationsMatchTheBestCorner) {
  Tally tally;
  for (std::uint64_t trial = 0; trial < 1000; ++trial) {
    SCOPED_TRACE(trial);
    RandomStream random(23, Purpose::kTest, trial);
    const Shape shape{.integers = random.below(2),
                      .continuous = 1 + random.below(3),
                      .rows = random.below(5),
                      .whole_data = trial % 2 == 0,
                      .may_be_unbounded = trial % 3 == 0};
    const MilpModel model = draw_milp(random, shape);
    const auto best = best_corner(model);
    const MilpResult result = MilpSolver(model, GetParam()).solve_relaxation();
    if (!best) {
      ASSERT_EQ(result.status, MilpStatus::kInfeasible);
      ++tally.infeasible;
    } else if (has_improving_ray(model)) {
      ASSERT_EQ(result.status, MilpStatus::kUnbounded);
      ++tally.unbounded;
    } else {
      ASSERT_EQ(result.status, MilpStatus::kOptimal);
      expect_honest(model, result, false);
      ASSERT_NEAR(result.objective, *best, near(*best));
      ++tally.optimal;
    }
  }
  EXPECT_GT(tally.optimal, 300);
  EXPECT_GT(tally.infeasible, 50);
  EXPECT_GT(tally.unbounded, 50);
}

TEST_P(Milp, UnboundedNeedsASolution) {
  MilpModel model{.sense = Sense::kMaximise};
  const auto x = model.add_binary(0.0);
  const auto y = model.add_binary(0.0);
  model.add_column(0.0, kUnbounded, 1.0);
  const auto row = model.add_row({{x, 2.0}, {y, 2.0}}, 2.0, 2.0);
  MilpSolver solver(model, GetParam());
  EXPECT_EQ(solver.solve().status, MilpStatus::kUnbounded);
  solver.set_row_bounds(row, 1.0, 1.0);  // no whole x and y: the relaxation alone is unbounded
  EXPECT_EQ(solver.solve_relaxation().status, MilpStatus::kUnbounded);
  EXPECT_EQ(solver.solve().status, MilpStatus::kInfeasible);
}

// A programme on which the row cuts of CBC's probing lose the optimum.
TEST_P(Milp, CutsKeepTheOptimumOfGeneralIntegers) {
  MilpModel model{.sense = Sense::kMaximise};
  const auto x = model.add_integer(0.0, 2.0, -4.0);
  const auto y = model.add_integer(-1.0, 1.0, -6.0);
  model.add_row({{x, 2.0}, {y, 5.0}}, 1.0, 5.0);
  EXPECT_EQ(MilpSolver(model, GetParam()).solve().solution, (std::vector<double>{1.0, 0.0}));
}

// The structure that CGL's cover cuts get wrong below fixed columns; every other model has one fixed by its
// bounds. Models that are large enough to lose their optima are in schedule_search_milp_test.cpp.
TEST_P(Milp, GroupedProgrammesMatchEnumeration) {
  Tally tally;
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(trial);
    RandomStream random(28, Purpose::kTest, trial);
    MilpModel model = draw_grouped(random, 3 + random.below(2), 3);
    if (trial % 2 == 0) model.columns[random.below(model.columns.size())].lower = 1.0;
    expect_matches_enumeration(model, GetParam(), tally);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tally.optimal, 150);
  EXPECT_GT(tally.searched, 40);
}

// Without more room for rounding, cover cuts lose the optima of two of these.
TEST_P(Milp, ProgrammesWithFilledRowsMatchEnumeration) {
  Tally tally;
  for (std::uint64_t trial = 0; trial < 250; ++trial) {
    SCOPED_TRACE(trial);
    RandomStream random(29, Purpose::kTest, trial);
    expect_matches_enumeration(draw_filled_rows(random), GetParam(), tally);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tally.optimal, 100);
  EXPECT_GT(tally.searched, 80);
}

TEST_P(Milp, FreeColumnsAndModelsWithoutRows) {
  MilpModel model;
  model.add_column(-kUnbounded, kUnbounded, 1.0);
  model.add_integer(0.5, 3.5, -1.0);
  MilpSolver solver(model, GetParam());
  EXPECT_EQ(solver.solve().status, MilpStatus::kUnbounded);
  solver.set_column_bounds(0, -2.5, kUnbounded);
  const MilpResult result = solver.solve();
  ASSERT_EQ(result.status, MilpStatus::kOptimal);
  EXPECT_EQ(result.solution, (std::vector<double>{-2.5, 3.0}));
  EXPECT_EQ(solver.solve_relaxation().objective, -6.0);
  solver.set_column_bounds(1, 0.25, 0.75);
  EXPECT_EQ(solver.solve().status, MilpStatus::kInfeasible);
}

TEST_P(Milp, EntriesOfOneColumnAddUp) {
  MilpModel model{.sense = Sense::kMaximise};
  const auto x = model.add_column(0.0, 10.0, 1.0);
  model.add_row({{x, 1.0}, {x, 1.0}}, -kUnbounded, 3.0);
  EXPECT_NEAR(MilpSolver(model, GetParam()).solve().objective, 1.5, 1e-12);
}

// Tolerances in the solvers are absolute; the objective's unit must not matter.
TEST_P(Milp, TinyAndHugeObjectivesAreSolvedAlike) {
  for (std::uint64_t trial = 0; trial < 60; ++trial) {
    RandomStream random(24, Purpose::kTest, trial);
    MilpModel model = draw_milp(random, {.integers = 5, .rows = 2, .whole_data = false});
    const auto best = enumerate_milp(model);
    if (!best) continue;
    for (const double unit : {1e-9, 1e9}) {
      MilpModel scaled = model;
      for (MilpColumn& column : scaled.columns) column.objective *= unit;
      const MilpResult result = MilpSolver(scaled, GetParam()).solve();
      ASSERT_EQ(result.status, MilpStatus::kOptimal);
      EXPECT_NEAR(result.objective / unit, *best, near(*best)) << "trial " << trial << ", unit " << unit;
    }
  }
}

MilpModel benchmark_knapsack(std::uint64_t seed) {
  RandomStream random(seed, Purpose::kTest);
  MilpModel model{.sense = Sense::kMaximise};
  std::vector<MilpEntry> weights;
  for (std::size_t item = 0; item < 48; ++item) {
    weights.push_back(
        {model.add_binary(random.uniform(1.0, 9.0)), 3.0 + 2.0 * static_cast<double>(item * 7 % 3)});
  }
  model.add_row(weights, -kUnbounded, 60.0);
  return model;
}

std::vector<double> draw_objective(std::uint64_t index) {
  RandomStream random(25, Purpose::kTest, index);
  std::vector<double> objective(48);
  for (double& value : objective) value = random.uniform(-1.0, 9.0);
  return objective;
}

TEST_P(Milp, NewObjectivesMatchTheKnapsackSolver) {
  MilpSolver solver(benchmark_knapsack(1), GetParam());
  std::vector<int> weights;
  for (const MilpEntry& entry : solver.model().rows[0].entries)
    weights.push_back(static_cast<int>(entry.coefficient));
  std::vector<double> take(48);
  for (std::uint64_t turn = 0; turn < 100; ++turn) {
    const auto capacity = static_cast<std::int64_t>(40 + turn);
    solver.set_row_bounds(0, -kUnbounded, static_cast<double>(capacity));
    const auto objective = draw_objective(turn);
    solver.set_objective(objective);
    EXPECT_NEAR(solver.solve().objective, Knapsack(weights, capacity).solve(objective, take), 1e-9);
  }
}

bool same_bits(const MilpResult& left, const MilpResult& right) {
  const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  return left.status == right.status && left.solution == right.solution && left.nodes == right.nodes &&
         bits(left.objective) == bits(right.objective) && bits(left.bound) == bits(right.bound);
}

// CLP would end the program. HiGHS refuses such numbers as they are set.
TEST(MilpNumbers, ThatNoSolverCanHoldAreAFailedSolveAndLeaveNoTrace) {
  MilpModel model;
  const std::size_t x = model.add_column(0, kUnbounded, 1), y = model.add_column(0, 5, 2);
  const std::size_t row = model.add_row({{x, 1}, {y, 1}}, 3, kUnbounded);
  MilpSolver solver(model, MilpEngine::kCoin);
  for (const double huge : {1e60, 1e120, 1e300}) {
    solver.set_row_bounds(row, huge, kUnbounded);
    EXPECT_EQ(solver.solve().status, MilpStatus::kFailed) << huge;
    EXPECT_EQ(solver.solve_relaxation().status, MilpStatus::kFailed) << huge;
    solver.start_from_here();
    solver.set_row_bounds(row, 3, kUnbounded);
    solver.set_column_bounds(y, -huge, 5);
    EXPECT_EQ(solver.solve().status, MilpStatus::kFailed) << huge;
    solver.set_column_bounds(y, 0, 5);
    solver.set_coefficient(row, 0, huge);
    EXPECT_EQ(solver.solve().status, MilpStatus::kFailed) << huge;
    solver.set_coefficient(row, 0, 1);
    EXPECT_EQ(solver.solve().objective, 3.0) << huge;
  }
}

TEST_P(Milp, AnswersForgetEarlierSolves) {
  MilpSolver used(benchmark_knapsack(2), GetParam());
  for (std::uint64_t turn = 0; turn < 40; ++turn) {
    used.set_objective(draw_objective(turn));
    used.set_column_bounds(turn, 0.0, 0.0);
    MilpSolver fresh(used.model(), GetParam());
    EXPECT_TRUE(same_bits(used.solve(), fresh.solve()));
    EXPECT_TRUE(same_bits(used.solve_relaxation(), fresh.solve_relaxation()));
  }
}

TEST_P(Milp, FourThreadsAnswerAsOne) {
  constexpr std::uint64_t kModels = 30;
  const auto solve_all = [](std::vector<MilpResult>& results) {
    MilpSolver knapsack(benchmark_knapsack(3), GetParam());
    for (std::uint64_t index = 0; index < kModels; ++index) {
      knapsack.set_objective(draw_objective(index));
      results.push_back(knapsack.solve());
      RandomStream random(26, Purpose::kTest, index);
      const MilpModel model =
          draw_milp(random, {.integers = 8, .continuous = 4, .rows = 5, .whole_data = false});
      results.push_back(MilpSolver(model, GetParam()).solve());
    }
  };
  std::vector<MilpResult> alone;
  solve_all(alone);
  std::vector<std::vector<MilpResult>> together(4);
  {
    std::vector<std::jthread> threads;
    for (auto& results : together) threads.emplace_back([&] { solve_all(results); });
  }
  for (const auto& results : together) {
    ASSERT_EQ(results.size(), alone.size());
    for (std::size_t k = 0; k < alone.size(); ++k) EXPECT_TRUE(same_bits(results[k], alone[k])) << k;
  }
}

// Twelve knapsack rows at once over items of nearly equal value: far too many nodes for the limits below.
MilpModel hard_model() {
  MilpModel model{.sense = Sense::kMaximise};
  RandomStream random(27, Purpose::kTest);
  for (std::size_t item = 0; item < 60; ++item)
    model.add_binary(static_cast<double>(1000 + random.below(100)));
  for (int row = 0; row < 12; ++row) {
    std::vector<MilpEntry> entries;
    double total = 0.0;
    for (std::size_t item = 0; item < 60; ++item) {
      entries.push_back({item, static_cast<double>(100 + random.below(900))});
      total += entries.back().coefficient;
    }
    model.add_row(entries, -kUnbounded, std::floor(total / 2.0));
  }
  return model;
}

TEST_P(Milp, LimitsStopTheSearchWithASolutionAndABound) {
  const MilpSolver solver(hard_model(), GetParam());
  const MilpResult few = solver.solve({.nodes = 20});
  ASSERT_EQ(few.status, MilpStatus::kLimit);
  expect_honest(solver.model(), few, true);
  EXPECT_GT(few.bound, few.objective);
  EXPECT_LE(few.bound, solver.solve_relaxation().objective + 1e-6);

  const MilpResult rough = solver.solve({.relative_gap = 0.05});
  ASSERT_EQ(rough.status, MilpStatus::kOptimal);
  EXPECT_GE(rough.bound, rough.objective);
  EXPECT_LE(rough.bound - rough.objective, 0.05 * std::abs(rough.bound) + 1e-6);
}

// However little of the search a machine gets done in these times: what is said of it is true. The model has
// solutions, so that "infeasible" would be wrong, and no machine proves an optimum of it this soon.
TEST_P(Milp, SearchesStoppedByTheClockClaimNoProof) {
  const MilpSolver solver(hard_model(), GetParam());
  const double known = solver.solve({.nodes = 20}).objective;
  const double relaxed = solver.solve_relaxation().objective;
  for (int step = 0; step < 60; ++step) {
    const double seconds = 5e-4 * step;
    SCOPED_TRACE(seconds);
    const MilpResult result = solver.solve({.seconds = seconds});
    ASSERT_EQ(result.status, MilpStatus::kLimit);
    if (!std::isnan(result.bound)) {
      EXPECT_GE(result.bound, known);
      // HiGHS has bounds before it has solved a relaxation, which are no better than adding everything up.
      if (GetParam() == MilpEngine::kCoin) {
        EXPECT_LE(result.bound, relaxed + 1e-6);
      }
    }
    if (!result.solution.empty()) expect_honest(solver.model(), result, true);
  }
}

TEST(MilpErrors, NameThePlace) {
  EXPECT_EQ(input_error([] { MilpSolver{MilpModel{}}; }),
            "MILP model: it has no columns, expected at least one.");
  MilpModel model;
  model.columns.push_back({.name = "stock"});
  model.add_row({{3, 1.0}}, 0.0, 1.0);
  EXPECT_EQ(input_error([&] { MilpSolver{model}; }),
            "MILP row 0: it has an entry for column 3, expected a column below 1.");
  model.rows[0].entries = {{0, std::nan("")}};
  EXPECT_EQ(input_error([&] { MilpSolver{model}; }),
            "MILP row 0: its coefficient of column 0 is nan, expected a finite number.");
  model.rows.clear();
  MilpSolver solver(model);
  EXPECT_EQ(input_error([&] { solver.set_column_bounds(0, 2.0, 1.0); }),
            "MILP column 0 ('stock'): its bounds are 2 and 1, expected a lower one that is no more than the "
            "upper one.");
  EXPECT_EQ(input_error([&] {
              solver.set_objective(std::vector{1.0, 2.0});
            }),
            "MILP objective: it has 2 numbers, expected one for each of 1 columns.");
  EXPECT_EQ(input_error([&] { solver.set_objective(std::vector{kUnbounded}); }),
            "MILP column 0 ('stock'): its objective is inf, expected a finite number.");
  EXPECT_EQ(input_error([&] { solver.set_row_bounds(0, 0.0, 1.0); }),
            "MILP row 0: it does not exist, expected one below 0.");
  EXPECT_EQ(solver.solve().objective, 0.0);
}

}  // namespace
}  // namespace polystep::solvers
