#include "solvers/knapsack/real_knapsack.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "input_error.hpp"
#include "polystep/random.hpp"
#include "solvers/knapsack/knapsack_recourse.hpp"
#include "solvers/milp/milp.hpp"

namespace polystep::solvers {
namespace {

struct Instance {
  std::vector<double> values;
  std::vector<double> weights;
  double capacity = 0;
};

// Whole weights, a share of them zero or negative, and real values; sometimes many equal ratios.
Instance draw(std::uint64_t number, std::size_t items) {
  RandomStream stream(11, Purpose::kTest, number);
  Instance instance;
  const bool tied = number % 5 == 0, any_sign = number % 3 == 0, real = number % 2 == 0;
  double total = 0;
  for (std::size_t i = 0; i < items; ++i) {
    double weight = real ? stream.uniform(0, 100) : std::floor(stream.uniform(0, 100));
    if (any_sign && stream.below(7) == 0) weight = -weight;
    double value = tied ? static_cast<double>(1 + stream.below(4)) : stream.uniform(0, 300);
    if (any_sign && stream.below(9) == 0) value = -value;
    instance.values.push_back(value);
    instance.weights.push_back(weight);
    total += std::max(0.0, weight);
  }
  instance.capacity = std::floor(total * stream.uniform(0, 0.7));
  return instance;
}

double by_milp(const Instance& instance) {
  MilpModel model{.sense = solvers::Sense::kMaximise};
  std::vector<MilpEntry> row;
  for (std::size_t i = 0; i < instance.values.size(); ++i)
    row.push_back({model.add_binary(instance.values[i]), instance.weights[i]});
  model.add_row(row, -kUnbounded, instance.capacity);
  const MilpResult result = MilpSolver(model).solve();
  EXPECT_EQ(result.status, MilpStatus::kOptimal);
  return result.objective;
}

double by_enumeration(const Instance& instance) {
  double best = -std::numeric_limits<double>::infinity();
  for (std::uint64_t set = 0; set < (std::uint64_t{1} << instance.values.size()); ++set)
    if (sum_over(set, instance.weights) <= instance.capacity)
      best = std::max(best, sum_over(set, instance.values));
  return best;
}

void expect_optimal(RealKnapsack& knapsack, const Instance& instance, double optimum) {
  const auto set = knapsack.solve(instance.values, instance.weights, instance.capacity);
  ASSERT_TRUE(set.has_value());
  EXPECT_LE(sum_over(*set, instance.weights), instance.capacity + 1e-9);
  EXPECT_NEAR(sum_over(*set, instance.values), optimum, 1e-7 * (1 + std::abs(optimum)));
}

TEST(RealKnapsack, EqualsEnumeration) {
  RealKnapsack knapsack(12);
  for (std::uint64_t number = 0; number < 3000; ++number) {
    const Instance instance = draw(number, 12);
    expect_optimal(knapsack, instance, by_enumeration(instance));
  }
}

TEST(RealKnapsack, EqualsTheGeneralSolver) {
  RealKnapsack knapsack(50);
  for (std::uint64_t number = 0; number < 120; ++number) {
    const Instance instance = draw(number, 50);
    expect_optimal(knapsack, instance, by_milp(instance));
  }
}

TEST(RealKnapsack, AnswersDependOnTheQuestionAlone) {
  RealKnapsack used(50);
  RatioOrder order(50);
  for (std::uint64_t number = 0; number < 400; ++number) {
    Instance instance = draw(number / 50, 50);  // fifty similar questions in a row
    RandomStream stream(12, Purpose::kTest, number);
    for (double& weight : instance.weights) weight += stream.uniform(-5, 5);
    RealKnapsack fresh(50);
    const auto expected = fresh.solve(instance.values, instance.weights, instance.capacity);
    const auto found = used.solve(instance.values, instance.weights, instance.capacity, order);
    ASSERT_EQ(found, expected) << number;
  }
}

TEST(RealKnapsack, TakesWhatIsFreeAndUsesTheRoomItMakes) {
  RealKnapsack knapsack(4);
  const std::vector<double> values = {1, 2, 5, -3};
  EXPECT_EQ(knapsack.solve(values, std::vector<double>{0, -4, 7, 1}, 3), 0b0111u);
  // An item that loses value is taken only for the room it makes.
  EXPECT_EQ(knapsack.solve(values, std::vector<double>{9, 9, 7, -4}, 3), 0b1100u);
  EXPECT_EQ(knapsack.solve(values, std::vector<double>{9, 9, 7, -3}, 3), 0b0000u);
}

TEST(RealKnapsack, GivesNoAnswerWithoutOne) {
  RealKnapsack knapsack(2);
  const std::vector<double> values = {1, 2};
  EXPECT_FALSE(knapsack.solve(values, std::vector<double>{1, 1}, -1).has_value());
  EXPECT_TRUE(knapsack.solve(values, std::vector<double>{1, -1}, -1).has_value());
  EXPECT_FALSE(knapsack.solve(values, std::vector<double>{std::nan(""), 1}, 1).has_value());
  EXPECT_FALSE(
      knapsack.solve(values, std::vector<double>{std::numeric_limits<double>::infinity(), 1}, 1).has_value());
  EXPECT_EQ(input_error([] { RealKnapsack(65); }), "knapsack: found 65 items, expected at most 64");
}

// The recourse as it is defined: additions where nothing was chosen, removals where something was.
double recourse_by_milp(const std::vector<double>& values, const std::vector<double>& weights,
                        double capacity, std::uint64_t chosen, double rho) {
  MilpModel model{.sense = solvers::Sense::kMaximise};
  std::vector<MilpEntry> row;
  double carried = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool in = (chosen >> i) & 1u;
    row.push_back({model.add_binary(in ? -rho * values[i] : values[i] / rho), in ? -weights[i] : weights[i]});
    if (in) carried += weights[i];
  }
  model.add_row(row, -kUnbounded, capacity - carried);
  const MilpResult result = MilpSolver(model).solve();
  EXPECT_EQ(result.status, MilpStatus::kOptimal);
  return sum_over(chosen, values) + result.objective;
}

TEST(KnapsackRecourse, IsTheBestChange) {
  for (std::uint64_t number = 0; number < 400; ++number) {
    RandomStream stream(13, Purpose::kTest, number);
    const std::size_t items = 30;
    std::vector<double> values(items), weights(items);
    for (std::size_t i = 0; i < items; ++i) {
      values[i] = stream.uniform(0.01, 300);
      weights[i] = std::floor(stream.uniform(0, 60));
    }
    const double capacity = std::floor(stream.uniform(0, 900)), rho = number % 2 == 0 ? 5 : 1.5;
    const std::uint64_t chosen = stream.bits() >> (64 - items);
    KnapsackRecourse recourse(values, rho);
    KnapsackRecourse::Truth truth;
    recourse.prepare(weights, capacity, truth);
    const RecourseOutcome outcome = recourse.apply(chosen, truth).value();
    EXPECT_LE(sum_over(outcome.kept, weights), capacity);
    const double expected = recourse_by_milp(values, weights, capacity, chosen, rho);
    EXPECT_NEAR(outcome.value, expected, 1e-7 * (1 + std::abs(expected)));
  }
}

TEST(KnapsackRecourse, LeavesAnOptimalDecisionAlone) {
  for (std::uint64_t number = 0; number < 60; ++number) {
    Instance instance = draw(6 * number + 1, 50);  // neither sign changes nor ties
    KnapsackRecourse recourse(instance.values, 10);
    KnapsackRecourse::Truth truth;
    recourse.prepare(instance.weights, instance.capacity, truth);
    const auto chosen = RealKnapsack(50).solve(instance.values, instance.weights, instance.capacity);
    const RecourseOutcome outcome = recourse.apply(*chosen, truth).value();
    EXPECT_EQ(outcome.kept, *chosen);
    EXPECT_EQ(outcome.value, sum_over(*chosen, instance.values));
  }
}

TEST(KnapsackRecourse, RefusesWhatItCannotPrice) {
  const std::vector<double> values = {1, 2};
  EXPECT_EQ(input_error([&] { KnapsackRecourse(values, 0.5); }),
            "knapsack recourse: found rho 0.5, expected a number from 1");
  EXPECT_EQ(input_error([&] {
              KnapsackRecourse::Truth truth;
              KnapsackRecourse(values, 2).prepare(std::vector<double>{1, -1}, 3, truth);
            }),
            "knapsack recourse: found weight -1, expected a number from 0");
}

}  // namespace
}  // namespace polystep::solvers
