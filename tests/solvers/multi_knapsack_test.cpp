#include "solvers/knapsack/multi_knapsack.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "input_error.hpp"
#include "solvers/multi_knapsack_instances.hpp"

namespace polystep::solvers {
namespace {

constexpr MultiKnapsackKind kKinds[] = {
    {},
    {.real = true},
    {.tied = true},
    {.any_sign = true},
    {.real = true, .any_sign = true},
    {.tied = true, .any_sign = true},
};

std::optional<std::uint64_t> solve(MultiKnapsack& knapsack, const MultiKnapsackInstance& instance) {
  return knapsack.solve(instance.values, instance.weights, instance.capacities);
}

void expect_optimal(MultiKnapsack& knapsack, const MultiKnapsackInstance& instance,
                    std::optional<double> optimum) {
  const auto set = solve(knapsack, instance);
  ASSERT_EQ(set.has_value(), optimum.has_value());
  if (!set) return;
  EXPECT_TRUE(instance.fits(*set, 1e-9));
  EXPECT_NEAR(sum_over(*set, instance.values), *optimum, 1e-9 * (1 + std::abs(*optimum)));
}

TEST(MultiKnapsack, EqualsEnumeration) {
  std::size_t without_solution = 0;
  for (std::size_t resources = 1; resources <= 4; ++resources) {
    MultiKnapsack knapsack(10, resources);
    for (const MultiKnapsackKind& kind : kKinds)
      for (std::uint64_t number = 0; number < 250; ++number) {
        const MultiKnapsackInstance instance = draw_multi_knapsack(number, 10, resources, kind);
        const auto optimum = multi_knapsack_by_enumeration(instance);
        without_solution += !optimum.has_value();
        expect_optimal(knapsack, instance, optimum);
      }
  }
  EXPECT_GT(without_solution, 50u);
  EXPECT_LT(without_solution, 1500u);
}

TEST(MultiKnapsack, EqualsTheGeneralSolver) {
  MultiKnapsack knapsack(20, 3);
  for (const MultiKnapsackKind& kind : kKinds)
    for (std::uint64_t number = 0; number < 20; ++number) {
      const MultiKnapsackInstance instance = draw_multi_knapsack(number, 20, 3, kind);
      const MilpResult result = MilpSolver(multi_knapsack_model(instance)).solve();
      ASSERT_TRUE(result.status == MilpStatus::kOptimal || result.status == MilpStatus::kInfeasible);
      const auto set = solve(knapsack, instance);
      ASSERT_EQ(set.has_value(), result.status == MilpStatus::kOptimal);
      if (!set) continue;
      EXPECT_NEAR(sum_over(*set, instance.values), result.objective, 1e-6 * (1 + std::abs(result.objective)));
    }
}

// The best value, item by item with running sums: far quicker than set by set.
struct Enumeration {
  const MultiKnapsackInstance& instance;
  std::optional<double> best = {};

  void visit(std::size_t item, double value, std::vector<double> room) {
    if (item == instance.items) {
      if (std::ranges::all_of(room, [](double left) { return left >= -1e-9; }) && (!best || value > *best))
        best = value;
      return;
    }
    visit(item + 1, value, room);
    for (std::size_t r = 0; r < instance.resources; ++r) room[r] -= instance.row(r)[item];
    visit(item + 1, value + instance.values[item], std::move(room));
  }
};

// Weights around one size, of which about half fit, so that searches go on by the number of items.
MultiKnapsackInstance draw_alike(std::uint64_t number, std::size_t items, double spread, bool any_sign) {
  RandomStream stream(24, Purpose::kTest, number);
  MultiKnapsackInstance instance{items, 3, {}, {}, {}};
  const bool tied = number % 3 == 0;
  for (std::size_t j = 0; j < items; ++j)
    instance.values.push_back(tied ? 90 + 10.0 * static_cast<double>(stream.below(3))
                                   : stream.uniform(60, 140));
  for (std::size_t k = 0; k < 3 * items; ++k) {
    const double weight = 18 + spread * stream.normal();
    instance.weights.push_back(any_sign && stream.below(8) == 0 ? -weight : weight);
  }
  for (std::size_t r = 0; r < 3; ++r)
    instance.capacities.push_back(
        number % 10 == 9 && r == 0 ? 0.0 : 18 * stream.uniform(0.4, 0.6) * static_cast<double>(items));
  return instance;
}

TEST(MultiKnapsack, SearchesByTheNumberOfItemsEqualEnumeration) {
  MultiKnapsack knapsack(15, 3);
  std::size_t by_count = 0;
  for (const double spread : {0.0, 0.01, 1.0, 6.0})
    for (const bool any_sign : {false, true})
      for (std::uint64_t number = 0; number < 40; ++number) {
        const MultiKnapsackInstance instance = draw_alike(number, 15, spread, any_sign);
        Enumeration enumeration{instance};
        enumeration.visit(0, 0, instance.capacities);
        expect_optimal(knapsack, instance, enumeration.best);
        by_count += knapsack.nodes() > MultiKnapsack::kShortSearch;
      }
  EXPECT_GT(by_count, 10u);
}

// Fifty items that nothing but their values tells apart: the most valuable of those that fit.
TEST(MultiKnapsack, ChoosesAmongFiftyItemsAlike) {
  MultiKnapsack knapsack(50, 3);
  for (std::uint64_t number = 0; number < 30; ++number) {
    MultiKnapsackInstance instance = draw_alike(number, 50, 0, false);
    const double room = *std::ranges::min_element(instance.capacities);
    std::vector<double> sorted = instance.values;
    std::ranges::sort(sorted, std::greater<>());
    double optimum = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(room / 18); ++k) optimum += sorted[k];
    expect_optimal(knapsack, instance, optimum);
    EXPECT_LT(knapsack.nodes(), 2 * MultiKnapsack::kShortSearch);
  }
}

TEST(MultiKnapsack, EqualsTheGeneralSolverOnFiftyItems) {
  MultiKnapsack knapsack(50, 3);
  for (std::uint64_t number = 0; number < 12; ++number) {
    const MultiKnapsackInstance instance = draw_alike(number, 50, 7, number % 4 == 0);
    const MilpResult result = MilpSolver(multi_knapsack_model(instance)).solve();
    ASSERT_EQ(result.status, MilpStatus::kOptimal);
    const auto set = solve(knapsack, instance);
    ASSERT_TRUE(set.has_value());
    EXPECT_NEAR(sum_over(*set, instance.values), result.objective, 1e-6 * (1 + std::abs(result.objective)));
  }
}

TEST(MultiKnapsack, AnswersDependOnTheQuestionAlone) {
  MultiKnapsack used(20, 3);
  for (std::uint64_t number = 0; number < 300; ++number) {
    const MultiKnapsackInstance instance = draw_multi_knapsack(number, 20, 3, kKinds[number % 6]);
    MultiKnapsack fresh(20, 3);
    ASSERT_EQ(solve(used, instance), solve(fresh, instance)) << number;
  }
}

// A known set changes nothing unless it ties; a known set that does not fit changes nothing at all.
TEST(MultiKnapsack, KnownSetsWinTies) {
  MultiKnapsack knapsack(10, 3);
  for (std::uint64_t number = 0; number < 600; ++number) {
    const MultiKnapsackInstance instance = draw_multi_knapsack(number, 10, 3, kKinds[number % 6]);
    const auto alone = solve(knapsack, instance);
    if (!alone) continue;
    EXPECT_EQ(knapsack.solve(instance.values, instance.weights, instance.capacities, *alone), *alone);
    RandomStream stream(22, Purpose::kTest, number);
    const std::uint64_t guess = stream.below(1024);
    const auto helped = knapsack.solve(instance.values, instance.weights, instance.capacities, guess);
    ASSERT_TRUE(helped.has_value());
    const double best = sum_over(*alone, instance.values);
    EXPECT_NEAR(sum_over(*helped, instance.values), best, 1e-9 * (1 + std::abs(best)));
    if (!instance.fits(guess)) {
      EXPECT_EQ(*helped, *alone);
    }
  }
  const std::vector<double> values = {5, 5, 5}, weights = {1, 1, 1, 2, 2, 2}, capacities = {1, 9};
  for (const std::uint64_t known : {1u, 2u, 4u})
    EXPECT_EQ(MultiKnapsack(3, 2).solve(values, weights, capacities, known), known);
}

TEST(MultiKnapsack, TakesWhatIsFreeAndUsesTheRoomItMakes) {
  const std::vector<double> values = {1, 2, 5};
  const std::vector<double> weights = {0,  -4, 7,   //
                                       -1, 0,  3};  //
  MultiKnapsack knapsack(3, 2);
  EXPECT_EQ(knapsack.solve(values, weights, std::vector<double>{3, 2}), 0b111u);
  EXPECT_EQ(knapsack.solve(values, weights, std::vector<double>{2, 2}), 0b011u);
  EXPECT_EQ(knapsack.solve(values, weights, std::vector<double>{3, 1}), 0b011u);
  EXPECT_EQ(knapsack.solve(values, weights, std::vector<double>{-4, -1}), 0b011u);
}

TEST(MultiKnapsack, GivesNoAnswerWithoutOne) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> values = {1, 2}, weights = {1, 1, 1, 1};
  MultiKnapsack knapsack(2, 2);
  EXPECT_FALSE(knapsack.solve(values, weights, std::vector<double>{1, -1}).has_value());
  EXPECT_EQ(knapsack.solve(values, weights, std::vector<double>{0, 0}), 0u);
  EXPECT_FALSE(knapsack.solve(values, weights, std::vector<double>{1, std::nan("")}).has_value());
  EXPECT_FALSE(knapsack.solve(values, weights, std::vector<double>{1, infinity}).has_value());
  EXPECT_FALSE(knapsack.solve(values, std::vector<double>{1, 1, -infinity, 1}, std::vector<double>{1, 1}));
  EXPECT_FALSE(knapsack.solve(std::vector<double>{infinity, 1}, weights, std::vector<double>{1, 1}));
}

// Even weights never fill an odd capacity, but no bound sees that: the search gives up.
TEST(MultiKnapsack, GivesUpOnSearchesWithoutEnd) {
  RandomStream stream(23, Purpose::kTest);
  std::vector<double> weights(60);
  double total = 0;
  for (double& weight : weights) total += weight = 2 * (1000 + static_cast<double>(stream.below(1000)));
  MultiKnapsack knapsack(60, 1);
  EXPECT_FALSE(
      knapsack.solve(weights, weights, std::vector<double>{2 * std::floor(total / 4) + 1}).has_value());
  EXPECT_GT(knapsack.nodes(), MultiKnapsack::kMostNodes);
  EXPECT_LT(knapsack.nodes(), MultiKnapsack::kMostNodes + 200);
}

// Sixty nearly equal items of which half fit: only their number tells them apart.
TEST(MultiKnapsack, SolvesWhatOnlyTheNumberOfItemsTellsApart) {
  RandomStream stream(23, Purpose::kTest);
  std::vector<double> values(60), weights(180);
  for (double& value : values) value = 1000 + stream.uniform();
  for (double& weight : weights) weight = 1000 + std::floor(stream.uniform(0, 20));
  MultiKnapsack knapsack(60, 3);
  EXPECT_TRUE(knapsack.solve(values, weights, std::vector<double>(3, 29500)).has_value());
  EXPECT_LT(knapsack.nodes(), 2 * MultiKnapsack::kShortSearch);
}

TEST(MultiKnapsack, BenchmarkSizesAreFarFromTheLimit) {
  MultiKnapsack knapsack(20, 3);
  std::uint64_t most = 0;
  for (const MultiKnapsackKind& kind : kKinds)
    for (std::uint64_t number = 0; number < 300; ++number) {
      solve(knapsack, draw_multi_knapsack(number, 20, 3, kind));
      most = std::max(most, knapsack.nodes());
    }
  EXPECT_LT(most, 100'000u);
}

TEST(MultiKnapsack, RefusesOtherSizes) {
  EXPECT_EQ(input_error([] { MultiKnapsack(65, 1); }), "multi-knapsack: found 65 items, expected at most 64");
  EXPECT_EQ(input_error([] { MultiKnapsack(5, 9); }), "multi-knapsack: found 9 resources, expected 1 to 8");
  EXPECT_EQ(input_error([] { MultiKnapsack(5, 0); }), "multi-knapsack: found 0 resources, expected 1 to 8");
}

// The bound that the multipliers give is the optimum of the relaxation.
TEST(ResourceMultipliers, ReachTheRelaxation) {
  using Row = ResourceMultipliers::Row;
  ResourceMultipliers multipliers;
  std::size_t compared = 0;
  for (std::uint64_t number = 0; number < 240; ++number) {
    const MultiKnapsackInstance instance = draw_multi_knapsack(number, 15, 3, kKinds[number % 6]);
    std::vector<Row> weights(15, Row{});
    Row capacities{};
    for (std::size_t r = 0; r < 3; ++r) {
      capacities[r] = instance.capacities[r];
      for (std::size_t j = 0; j < 15; ++j) weights[j][r] = instance.row(r)[j];
    }
    const Row& price = multipliers.find(instance.values, weights, capacities, 3);
    double bound = 0;
    for (std::size_t r = 0; r < 3; ++r) {
      EXPECT_GE(price[r], 0);
      bound += price[r] * capacities[r];
    }
    for (std::size_t j = 0; j < 15; ++j) {
      double reduced = instance.values[j];
      for (std::size_t r = 0; r < 3; ++r) reduced -= price[r] * weights[j][r];
      bound += std::max(0.0, reduced);
    }
    const MilpResult relaxed = MilpSolver(multi_knapsack_model(instance)).solve_relaxation();
    if (relaxed.status != MilpStatus::kOptimal) continue;
    EXPECT_NEAR(bound, relaxed.objective, 1e-6 * (1 + std::abs(relaxed.objective))) << number;
    ++compared;
  }
  EXPECT_GT(compared, 150u);
}

}  // namespace
}  // namespace polystep::solvers
