// Energy-cost-aware scheduling as a problem: tiles against single decisions, and its entry in the registry.
#include "problems/energy_scheduling.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "data/benchmarks/scheduling_load.hpp"
#include "input_error.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

constexpr std::size_t kSlots = 48;

struct PriceTile {
  std::vector<double> predicted = std::vector<double>(kSlots * kLanes);  // [slots × kLanes]
  std::vector<double> truth = std::vector<double>(kSlots * kLanes);      // [slots × kLanes]

  explicit PriceTile(RandomStream& random) {
    for (double& price : predicted) price = random.uniform(-5, 60);
    for (double& price : truth) price = random.uniform(-5, 60);
  }
  Tile tile() const {
    Tile tile;
    tile.truth = truth.data();
    tile.shape.truth = kSlots;
    return tile;
  }
};

std::vector<double> lane_of(const std::vector<double>& rows, std::size_t lane) {
  std::vector<double> column;
  for (std::size_t at = lane; at < rows.size(); at += kLanes) column.push_back(rows[at]);
  return column;
}

TEST(EnergyScheduling, TilesEqualSingleDecisions) {
  RandomStream random(7, Purpose::kTest);
  for (int load = 1; load <= kLoads; ++load) {
    const EnergyScheduling problem(generated_scheduling_load(load, 0));
    const auto solver = problem.make_tile_solver();
    for (int round = 0; round < 25; ++round) {
      const PriceTile prices(random);
      TileOutcome outcome;
      solver->solve(prices.tile(), prices.predicted.data(), outcome);
      EXPECT_EQ(outcome.failed, 0u);
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        std::vector<double> profile(problem.decision_size());
        ASSERT_EQ(problem.decide(lane_of(prices.predicted, lane), 0, profile), SolveStatus::kSolved);
        EXPECT_EQ(outcome.cost[lane], problem.cost(profile, lane_of(prices.truth, lane), 0));
      }
    }
  }
}

TEST(EnergyScheduling, SignaturesTellDecisionsApart) {
  const EnergyScheduling problem(generated_scheduling_load(1, 0));
  const auto solver = problem.make_tile_solver();
  RandomStream random(8, Purpose::kTest);
  PriceTile prices(random);
  for (std::size_t slot = 0; slot < kSlots; ++slot)  // lane 1 repeats lane 0 at twice the prices
    prices.predicted[slot * kLanes + 1] = 2 * prices.predicted[slot * kLanes];
  TileOutcome outcome;
  solver->solve(prices.tile(), prices.predicted.data(), outcome);
  EXPECT_EQ(outcome.signature[0], outcome.signature[1]);
  EXPECT_NE(outcome.signature[0], outcome.signature[2]);
}

TEST(EnergyScheduling, OnlyTheLaneWithABadPriceFails) {
  const EnergyScheduling problem(generated_scheduling_load(1, 0));
  const auto solver = problem.make_tile_solver();
  RandomStream random(9, Purpose::kTest);
  PriceTile prices(random);
  prices.predicted[5 * kLanes + 3] = std::numeric_limits<double>::quiet_NaN();
  TileOutcome outcome;
  solver->solve(prices.tile(), prices.predicted.data(), outcome);
  EXPECT_EQ(outcome.failed, 1u << 3);
  std::vector<double> profile(kSlots);
  EXPECT_EQ(problem.decide(lane_of(prices.predicted, 3), 0, profile), SolveStatus::kFailed);
}

TEST(EnergyScheduling, InstanceWithoutScheduleFailsInEveryLane) {
  solvers::SchedulingInstance instance = generated_scheduling_load(1, 0);
  instance.capacities = {1};
  const EnergyScheduling problem(instance);
  RandomStream random(10, Purpose::kTest);
  const PriceTile prices(random);
  TileOutcome outcome;
  problem.make_tile_solver()->solve(prices.tile(), prices.predicted.data(), outcome);
  EXPECT_EQ(outcome.failed, 0xffu);
}

TEST(EnergyScheduling, IsMadeByTheRegistry) {
  const ProblemRegistry registry = builtin_problems();
  const ProblemEntry& entry = registry.find("energy-scheduling", "test");
  Options options(entry.options, entry.name);
  options.set_text("load", "3", "test");
  entry.settle(options, {});
  EXPECT_EQ(options.text("source"), "generated");
  const Task task = entry.make(options, {});
  EXPECT_EQ(task.setting, "load=3 data-seed=0");
  EXPECT_EQ(task.problem->outputs(), kSlots);
  EXPECT_EQ(task.predictor->outputs(), kSlots);
  EXPECT_EQ(task.data.training.truth_columns, kSlots);
  EXPECT_EQ(task.problem->decision_name(7), "energy_7");
  options.set_text("source", "published", "test");
  EXPECT_NE(input_error([&] { entry.make(options, {}); }).find("published data were not found"),
            std::string::npos);
  EXPECT_NE(input_error([&] { options.set_text("load", "4", "test"); }).find("from 1 to 3"),
            std::string::npos);
}

}  // namespace
}  // namespace polystep
