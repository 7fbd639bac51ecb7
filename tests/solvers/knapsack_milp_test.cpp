// The knapsack's methods (dynamic programme, weight classes, tiles of every instruction set) against the
// general solver.
#include <gtest/gtest.h>

#include <cmath>

#include "general_models.hpp"
#include "knapsack_instances.hpp"
#include "solvers/milp/milp.hpp"

namespace polystep::solvers {
namespace {

std::vector<double> taken_by(std::uint64_t signature, std::size_t items) {
  std::vector<double> take(items);
  for (std::size_t item = 0; item < items; ++item) take[item] = static_cast<double>(signature >> item & 1);
  return take;
}

// One lane's decisions by all methods, each feasible and worth as much as the general solver's.
void compare(const Instance& instance, MilpSolver& general, const std::vector<double>& values,
             const std::vector<std::vector<double>>& decisions) {
  general.set_objective(values);
  const MilpResult reference = general.solve();
  ASSERT_EQ(reference.status, MilpStatus::kOptimal);
  for (const auto& take : decisions) {
    ASSERT_EQ(general.model().violation_of(take), 0.0);
    const double worth = general.model().objective_of(take);
    ASSERT_NEAR(worth, reference.objective, 1e-8 * (1 + std::abs(reference.objective)));
    ASSERT_NO_FATAL_FAILURE(expect_valid(instance, values, take, worth));
  }
}

void compare_tile(const Instance& instance, const std::vector<double>& values, int& with_kernel) {
  MilpSolver general(knapsack_model(instance.weights, static_cast<double>(instance.capacity)));
  const std::size_t items = instance.weights.size();
  std::vector<std::vector<std::vector<double>>> decisions(kLanes);  // [lanes][methods][items]
  for (const InstructionSet set : supported_sets()) {
    const Knapsack knapsack(instance.weights, instance.capacity, set);
    with_kernel += knapsack.has_tile_kernel() ? 1 : 0;
    TileOutcome outcome;
    knapsack.solve_tile(values.data(), values.data(), outcome.cost.data(), outcome.signature.data());
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      decisions[lane].push_back(taken_by(outcome.signature[lane], items));
      if (set != InstructionSet::kBaseline) continue;
      std::vector<double> take(items);
      knapsack.solve(lane_of(values, lane), take);
      decisions[lane].push_back(take);
      knapsack.solve_by_classes(lane_of(values, lane), take);
      decisions[lane].push_back(take);
    }
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    ASSERT_NO_FATAL_FAILURE(compare(instance, general, lane_of(values, lane), decisions[lane]));
}

TEST(KnapsackMilp, AllMethodsAgreeOnInstancesOfEverySize) {
  int with_kernel = 0;
  for (const Values kind : kAllValues) {
    RandomStream random(32, Purpose::kTest, static_cast<std::uint64_t>(kind));
    for (int trial = 0; trial < 18; ++trial) {  // 8 instances each: 1008 in all
      const Instance instance = draw_instance(random, trial % 3 == 0 ? 3 : 30);
      ASSERT_NO_FATAL_FAILURE(
          compare_tile(instance, draw_values(random, kind, instance.weights.size() * kLanes), with_kernel))
          << "values " << static_cast<int>(kind) << ", trial " << trial;
    }
  }
  EXPECT_GT(with_kernel, 50);
}

TEST(KnapsackMilp, AllMethodsAgreeOnTheBenchmarkShape) {
  int with_kernel = 0;
  for (const std::int64_t capacity : {0, 60, 120, 180, 240}) {
    const Instance instance{benchmark_weights(), capacity};
    for (const Values kind : kAllValues) {
      RandomStream random(33, Purpose::kTest, static_cast<std::uint64_t>(kind),
                          static_cast<std::uint64_t>(capacity));
      ASSERT_NO_FATAL_FAILURE(compare_tile(instance, draw_values(random, kind, 48 * kLanes), with_kernel))
          << "capacity " << capacity << ", values " << static_cast<int>(kind);
    }
  }
  EXPECT_GE(with_kernel, 35);
}

}  // namespace
}  // namespace polystep::solvers
