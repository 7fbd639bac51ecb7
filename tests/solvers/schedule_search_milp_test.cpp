// Schedules against the general MILP solver, on instances too large to enumerate.
#include <gtest/gtest.h>

#include "scheduling_instances.hpp"
#include "solvers/milp.hpp"
#include "solvers/schedule_search.hpp"

namespace polystep::solvers {
namespace {

struct Tally {
  int feasible = 0;
  std::uint64_t nodes = 0;
};

void compare(RandomStream& random, const InstanceShape& shape, Prices kind, Tally& tally) {
  const SchedulingInstance instance = draw_scheduling(random, shape);
  const std::vector<double> prices = draw_prices(random, kind, instance.slots);
  const MilpResult general = MilpSolver(scheduling_model(instance, prices)).solve();
  const Scheduling scheduling(instance);
  ScheduleSearch search(scheduling);
  std::vector<int> starts(scheduling.tasks());
  const SolveStatus status = search.solve(prices, starts);
  tally.nodes += search.nodes();
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
  const InstanceShape shape{.most_tasks = 7,
                            .most_machines = 3,
                            .most_slots = 12,
                            .most_delay = 5,
                            .least_capacity = 6,
                            .capacity_range = 8};
  for (int round = 0; round < 1050; ++round)
    ASSERT_NO_FATAL_FAILURE(compare(random, shape, kAllPrices[round % std::size(kAllPrices)], tally));
  EXPECT_GT(tally.feasible, 500);
  EXPECT_GT(tally.nodes, 500u);
}

}  // namespace
}  // namespace polystep::solvers
