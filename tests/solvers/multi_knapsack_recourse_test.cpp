#include "solvers/knapsack/multi_knapsack_recourse.hpp"

#include <gtest/gtest.h>

#include "input_error.hpp"
#include "solvers/multi_knapsack_instances.hpp"

namespace polystep::solvers {
namespace {

constexpr MultiKnapsackKind kKinds[] = {{}, {.real = true}, {.tied = true}};
constexpr double kRho[] = {1, 1.5, 5, 20};

// By definition: additions where nothing was chosen, removals where something was.
double best_change(const MultiKnapsackInstance& instance, std::uint64_t chosen, double rho) {
  double best = -std::numeric_limits<double>::infinity();
  for (std::uint64_t kept = 0; kept < (std::uint64_t{1} << instance.items); ++kept) {
    if (!instance.fits(kept)) continue;
    const double value = sum_over(chosen, instance.values) + sum_over(kept & ~chosen, instance.values) / rho -
                         rho * sum_over(chosen & ~kept, instance.values);
    best = std::max(best, value);
  }
  return best;
}

double best_change_by_milp(const MultiKnapsackInstance& instance, std::uint64_t chosen, double rho) {
  MilpModel model{.sense = Sense::kMaximise};
  std::vector<std::vector<MilpEntry>> rows(instance.resources);
  for (std::size_t j = 0; j < instance.items; ++j) {
    const bool in = (chosen >> j) & 1u;
    const auto change = model.add_binary(in ? -rho * instance.values[j] : instance.values[j] / rho);
    for (std::size_t r = 0; r < instance.resources; ++r)
      rows[r].push_back({change, in ? -instance.row(r)[j] : instance.row(r)[j]});
  }
  for (std::size_t r = 0; r < instance.resources; ++r)
    model.add_row(rows[r], -kUnbounded, instance.capacities[r] - sum_over(chosen, instance.row(r)));
  const MilpResult result = MilpSolver(model).solve();
  EXPECT_EQ(result.status, MilpStatus::kOptimal);
  return sum_over(chosen, instance.values) + result.objective;
}

TEST(MultiKnapsackRecourse, IsTheBestChange) {
  for (std::size_t resources = 1; resources <= 3; ++resources)
    for (std::uint64_t number = 0; number < 600; ++number) {
      const MultiKnapsackInstance instance = draw_multi_knapsack(number, 10, resources, kKinds[number % 3]);
      const double rho = kRho[number % 4];
      const std::uint64_t chosen = RandomStream(24, Purpose::kTest, number).below(1024);
      MultiKnapsackRecourse recourse(instance.values, resources, rho);
      const RecourseOutcome outcome = recourse.apply(chosen, instance.weights, instance.capacities).value();
      const double expected = best_change(instance, chosen, rho);
      EXPECT_TRUE(instance.fits(outcome.kept, 1e-9));
      EXPECT_NEAR(outcome.value, expected, 1e-9 * (1 + std::abs(expected)));
      EXPECT_EQ(outcome.value, recourse_value(instance.values, rho, chosen, outcome.kept));
    }
}

TEST(MultiKnapsackRecourse, EqualsTheGeneralSolver) {
  for (std::uint64_t number = 0; number < 60; ++number) {
    const MultiKnapsackInstance instance = draw_multi_knapsack(number, 20, 3, kKinds[number % 3]);
    const double rho = kRho[number % 4];
    const std::uint64_t chosen = RandomStream(25, Purpose::kTest, number).below(std::uint64_t{1} << 20);
    MultiKnapsackRecourse recourse(instance.values, 3, rho);
    const double expected = best_change_by_milp(instance, chosen, rho);
    EXPECT_NEAR(recourse.apply(chosen, instance.weights, instance.capacities)->value, expected,
                1e-6 * (1 + std::abs(expected)));
  }
}

// With one resource it is the recourse of the single knapsack.
TEST(MultiKnapsackRecourse, EqualsTheSingleKnapsack) {
  for (std::uint64_t number = 0; number < 400; ++number) {
    const MultiKnapsackInstance instance = draw_multi_knapsack(number, 20, 1, kKinds[number % 3]);
    const double rho = kRho[number % 4];
    const std::uint64_t chosen = RandomStream(26, Purpose::kTest, number).below(std::uint64_t{1} << 20);
    KnapsackRecourse single(instance.values, rho);
    KnapsackRecourse::Truth truth;
    single.prepare(instance.weights, instance.capacities[0], truth);
    const double expected = single.apply(chosen, truth)->value;
    MultiKnapsackRecourse recourse(instance.values, 1, rho);
    EXPECT_NEAR(recourse.apply(chosen, instance.weights, instance.capacities)->value, expected,
                1e-9 * (1 + std::abs(expected)));
  }
}

TEST(MultiKnapsackRecourse, LeavesAnOptimalDecisionAlone) {
  for (std::uint64_t number = 0; number < 300; ++number) {
    const MultiKnapsackInstance instance = draw_multi_knapsack(number, 20, 3, kKinds[number % 3]);
    const auto chosen = MultiKnapsack(20, 3).solve(instance.values, instance.weights, instance.capacities);
    MultiKnapsackRecourse recourse(instance.values, 3, kRho[number % 4]);
    const RecourseOutcome outcome =
        recourse.apply(chosen.value(), instance.weights, instance.capacities).value();
    EXPECT_EQ(outcome.kept, *chosen);
    EXPECT_EQ(outcome.value, sum_over(*chosen, instance.values));
  }
}

TEST(MultiKnapsackRecourse, RefusesWhatItCannotPrice) {
  const std::vector<double> values = {1, 2}, one = {1, 1};
  EXPECT_EQ(input_error([&] { MultiKnapsackRecourse(values, 1, 0.5); }),
            "knapsack recourse: found rho 0.5, expected a number from 1");
  EXPECT_EQ(input_error([&] {
              MultiKnapsackRecourse(values, 1, 2).apply(1, std::vector<double>{1, -1}, one);
            }),
            "multi-knapsack recourse: found weight -1, expected a number from 0");
  EXPECT_EQ(input_error([&] { MultiKnapsackRecourse(values, 1, 2).apply(1, one, std::vector<double>{-3}); }),
            "multi-knapsack recourse: found capacity -3, expected a number from 0");
}

}  // namespace
}  // namespace polystep::solvers
