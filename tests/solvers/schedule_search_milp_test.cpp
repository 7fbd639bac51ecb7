// Schedules against the general MILP solver, on instances too large to enumerate; and the bound that keeps
// searches short there.
#include <gtest/gtest.h>

#include "data/benchmarks/energy_data.hpp"
#include "data/benchmarks/price_generator.hpp"
#include "data/benchmarks/scheduling_load.hpp"
#include "scheduling_instances.hpp"
#include "solvers/knapsack/capacity_multipliers.hpp"
#include "solvers/milp/milp.hpp"
#include "solvers/scheduling/schedule_search.hpp"

namespace polystep::solvers {
namespace {

struct Tally {
  int feasible = 0;
  int branched = 0;
};

void compare(const SchedulingInstance& instance, const std::vector<double>& prices, Tally& tally) {
  const MilpResult general = MilpSolver(scheduling_model(instance, prices)).solve();
  const Scheduling scheduling(instance);
  ScheduleSearch search(scheduling);
  std::vector<int> starts(scheduling.tasks());
  const SolveStatus status = search.solve(prices, starts);
  tally.branched += search.nodes() > 0;
  if (status == SolveStatus::kFailed) {
    ASSERT_EQ(general.status, MilpStatus::kInfeasible);
    return;
  }
  ++tally.feasible;
  ASSERT_EQ(general.status, MilpStatus::kOptimal);
  ASSERT_NEAR(plain_cost(instance, starts, prices), general.objective,
              1e-6 * (1 + std::abs(general.objective)));
}

TEST(ScheduleSearch, AgreesWithTheGeneralSolver) {
  RandomStream random(5, Purpose::kTest);
  Tally tally;
  const InstanceShape shape{.most_tasks = 9, .most_slots = 16, .most_delay = 7, .least_capacity = 6};
  for (int round = 0; round < 1050; ++round) {
    const SchedulingInstance instance = draw_scheduling(random, shape);
    const auto prices = draw_prices(random, kAllPrices[round % std::size(kAllPrices)], instance.slots);
    ASSERT_NO_FATAL_FAILURE(compare(instance, prices, tally));
  }
  EXPECT_GT(tally.feasible, 500);
  EXPECT_GT(tally.branched, 200);
}

// The generated loads, of the benchmark's three sizes, on a few of its days.
TEST(ScheduleSearch, AgreesWithTheGeneralSolverOnTheBenchmarkShape) {
  const std::vector<double> days = generated_energy(0, 0, EnergyTarget::kPrice).training.truth;
  Tally tally;
  int rounds = 0;
  for (const auto& [load, count] : {std::pair{1, 6}, {2, 2}, {3, 1}}) {
    const SchedulingInstance instance = generated_scheduling_load(load, 0);
    for (int day = 0; day < count; ++day, ++rounds) {
      const auto first = days.begin() + static_cast<std::ptrdiff_t>(day) * instance.slots;
      ASSERT_NO_FATAL_FAILURE(compare(instance, std::vector<double>(first, first + instance.slots), tally))
          << "load " << load << ", day " << day;
    }
  }
  EXPECT_EQ(tally.feasible, rounds);
}

// Every solve is counted once at most, as packed or recalled, and a repeated one proves what it remembers.
TEST(ScheduleSearch, CountsHowSolvesEnd) {
  RandomStream random(8, Purpose::kTest);
  std::uint64_t searched = 0;
  for (int round = 0; round < 40; ++round) {
    const SchedulingInstance instance = draw_crowded(random, 7, 16);
    const std::vector<double> prices = draw_valley(random, 16);
    const Scheduling scheduling(instance);
    ScheduleSearch search(scheduling);
    std::vector<int> starts(scheduling.tasks());
    if (search.solve(prices, starts) != SolveStatus::kSolved) continue;
    ASSERT_EQ(search.recalled(), 0u);  // nothing was known yet
    ASSERT_EQ(search.packed(), search.nodes() == 0 ? 1u : 0u);
    searched += search.nodes() > 0 ? 1 : 0;
    const bool packed = search.packed() == 1;
    search.solve(prices, starts);
    ASSERT_EQ(search.packed(), packed ? 2u : 0u);
    ASSERT_EQ(search.recalled(), packed ? 0u : 1u);
  }
  EXPECT_GT(searched, 10u);
}

// All tasks want the same few slots, so both solvers have to search.
TEST(ScheduleSearch, AgreesWithTheGeneralSolverWhereTasksCrowd) {
  RandomStream random(6, Purpose::kTest);
  Tally tally;
  for (int round = 0; round < 8; ++round) {
    const SchedulingInstance instance = draw_crowded(random, 9, 20);
    const std::vector<double> prices = draw_valley(random, 20);
    ASSERT_NO_FATAL_FAILURE(compare(instance, prices, tally));
  }
  EXPECT_EQ(tally.feasible, 8);
  EXPECT_EQ(tally.branched, 8);
}

// Charges never lift the bound above what some schedule costs, and where tasks crowd they do lift it.
TEST(CapacityMultipliers, BoundIsValidAndHigherThanWithout) {
  RandomStream random(7, Purpose::kTest);
  int lifted = 0;
  for (int round = 0; round < 100; ++round) {
    const SchedulingInstance instance =
        draw_scheduling(random, {.most_tasks = 9, .most_slots = 16, .most_delay = 7});
    const std::vector<double> prices = draw_prices(random, Prices::kMixedSigns, instance.slots);
    const Scheduling scheduling(instance);
    std::vector<int> starts(scheduling.tasks());
    if (ScheduleSearch(scheduling).solve(prices, starts) != SolveStatus::kSolved) continue;
    std::vector<std::int64_t> costs(scheduling.options()), charged(scheduling.options());
    ASSERT_TRUE(scheduling.option_costs(prices, costs));
    std::int64_t optimum = 0, plain = 0, bound = 0;
    const auto least = [](const Job& job, const std::vector<std::int64_t>& all) {
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(job.first_option);
      return *std::min_element(first, first + static_cast<std::ptrdiff_t>(job.options));
    };
    CapacityMultipliers multipliers(scheduling);
    for (std::size_t job = 0; job < starts.size(); ++job) {
      const Job& each = scheduling.jobs()[job];
      optimum += costs[each.first_option + static_cast<std::size_t>(starts[job] - each.earliest)];
      plain += least(each, costs);
    }
    multipliers.improve(costs, optimum);
    bound = -multipliers.charge(costs, charged);
    for (const Job& job : scheduling.jobs()) bound += least(job, charged);
    ASSERT_LE(bound, optimum);
    ASSERT_GE(bound, plain);
    lifted += bound > plain;
  }
  EXPECT_GT(lifted, 10);
}

}  // namespace
}  // namespace polystep::solvers
