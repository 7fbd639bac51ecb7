// The scheduling loads: published files, damaged ones, and the generated stand-in.
#include "data/benchmarks/scheduling_load.hpp"

#include <gtest/gtest.h>

#include "data/benchmarks/energy_data.hpp"
#include "data/published_files.hpp"
#include "solvers/scheduling/schedule_search.hpp"

namespace polystep {
namespace {

using solvers::ScheduleSearch;
using solvers::Scheduling;
using solvers::SchedulingInstance;
using testing::TemporaryDirectory;
using testing::write_text;

struct Golden {
  std::size_t machines, tasks;
  double energy;      // of all tasks
  double optimum[5];  // days 0 to 4 with true prices, found by another solver
};
constexpr Golden kGolden[kLoads] = {
    {3, 10, 32269.87, {1818019.90125, 1678245.13585, 2076008.30545, 1837438.1186, 2223473.40515}},
    {3, 15, 27359.405, {1530444.94235, 1404901.5393, 1642206.5822, 1475313.64015, 1763833.50895}},
    {5, 20, 49560.19, {2735883.4599, 2497091.161, 2858119.31485, 2622016.42795, 3066673.1693}},
};

TEST(SchedulingLoad, PublishedLoadsHaveTheirKnownOptima) {
  POLYSTEP_NEEDS_DATA();
  const std::string directory = find_data_directory("");
  const EnergyDays days = read_energy_days(directory, EnergyTarget::kPrice);
  for (int load = 1; load <= kLoads; ++load) {
    const Golden& golden = kGolden[load - 1];
    const Scheduling scheduling(published_scheduling_load(directory, load));
    EXPECT_EQ(scheduling.instance().capacities.size(), golden.machines);
    ASSERT_EQ(scheduling.tasks(), golden.tasks);
    ScheduleSearch search(scheduling);
    std::vector<int> starts(golden.tasks);
    std::vector<double> profile(kSlotsPerDay);
    for (std::size_t day = 0; day < 5; ++day) {
      const auto prices = std::span(days.target).subspan(day * kSlotsPerDay, kSlotsPerDay);
      ASSERT_EQ(search.solve(prices, starts), SolveStatus::kSolved);
      scheduling.profile(starts, profile);
      EXPECT_NEAR(solvers::energy_cost(profile, prices), golden.optimum[day], 1e-7);
      EXPECT_NEAR(solvers::energy_cost(profile, std::vector<double>(kSlotsPerDay, 1.0)), golden.energy, 1e-9);
    }
  }
}

class LoadFiles : public ::testing::Test {
 protected:
  // The load with one line replaced, counted from 1.
  std::string with(std::size_t line, const std::string& text) {
    std::vector<std::string> lines = {"30",
                                      "1",
                                      "2",
                                      "0 190 0.1 0.0",
                                      "5481",
                                      "1 170 0.1 0.1",
                                      "5583",
                                      "2",
                                      "0 10 1 25 471.40",
                                      "2610",
                                      "1 23 8 47 426.43",
                                      "2361"};
    if (line > 0) lines[line - 1] = text;
    std::string all;
    for (const std::string& each : lines) all += each + "\n";
    return written(all);
  }
  std::string written(const std::string& text) {
    write_text(place_.path() / "load.txt", text);
    return (place_.path() / "load.txt").string();
  }

  TemporaryDirectory place_;
};

TEST_F(LoadFiles, WellFormedOneIsRead) {
  const SchedulingInstance instance = read_scheduling_load(with(0, ""));
  EXPECT_EQ(instance.slots, 48);
  EXPECT_EQ(instance.slot_hours, 0.5);
  EXPECT_EQ(instance.capacities, (std::vector<int>{5481, 5583}));
  ASSERT_EQ(instance.tasks.size(), 2u);
  EXPECT_EQ(instance.tasks[1].duration, 23);
  EXPECT_EQ(instance.tasks[1].earliest, 8);
  EXPECT_EQ(instance.tasks[1].latest_end, 47);
  EXPECT_EQ(instance.tasks[1].power, 426.43);
  EXPECT_EQ(instance.tasks[1].resource, 2361);
}

TEST_F(LoadFiles, EveryErrorNamesFileAndLine) {
  const struct {
    std::size_t line;
    const char *text, *found, *expected;
  } kDamages[] = {
      {1, "15", "load.txt line 1: found slot length '15'", "expected a whole number from 30 to 30"},
      {2, "2", "line 2: found number of resources '2'", "from 1 to 1"},
      {3, "0", "line 3: found number of machines '0'", "from 1 to 1000"},
      {4, "0 190 0.1", "line 4: found 3 fields", "expected 4: a machine's id"},
      {4, "7 190 0.1 0.0", "line 4: found machine id '7'", "from 0 to 0"},
      {4, "0 190 x 0.0", "line 4: found machine cost 'x'", "expected a number"},
      {5, "-1", "line 5: found capacity '-1'", "from 0 to 1000000"},
      {8, "2.0", "line 8: found number of tasks '2.0'", "expected a whole number"},
      {9, "0 49 1 25 471.40", "line 9: found duration '49'", "from 1 to 48"},
      {9, "0 10 39 49 471.40", "line 9: found earliest start '39'", "from 0 to 38"},
      {9, "0 10 20 29 471.40", "line 9: found latest end '29'", "from 30 to 48"},
      {9, "0 10 1 25 nan", "line 9: found power 'nan'", "expected a number from 0"},
      {9, "0  10 1 25 471.40", "line 9: found 6 fields", "expected 5"},
      {10, "", "line 10: found resource use ''", "expected a whole number"},
  };
  for (const auto& damage : kDamages)
    EXPECT_INPUT_ERROR(read_scheduling_load(with(damage.line, damage.text)), damage.found, damage.expected);
}

TEST_F(LoadFiles, MissingTruncatedOrTooLong) {
  EXPECT_INPUT_ERROR(published_scheduling_load(place_.string(), 2), "energy/load2.txt", "No such file");
  EXPECT_INPUT_ERROR(read_scheduling_load(written("30\n1\n")), "line 3: found the end of the file",
                     "expected the number of machines");
  EXPECT_INPUT_ERROR(read_scheduling_load(with(12, "2361\n7")), "line 13: found another line",
                     "expected the end of the file");
}

TEST(SchedulingGenerator, MakesLoadsThatHaveASchedule) {
  for (int load = 1; load <= kLoads; ++load) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Scheduling scheduling(generated_scheduling_load(load, seed));
      EXPECT_EQ(scheduling.instance().capacities.size(), kGolden[load - 1].machines);
      EXPECT_EQ(scheduling.tasks(), kGolden[load - 1].tasks);
      std::vector<int> starts(scheduling.tasks());
      EXPECT_EQ(ScheduleSearch(scheduling).solve(std::vector<double>(kSlotsPerDay, 1.0), starts),
                SolveStatus::kSolved);
    }
  }
}

TEST(SchedulingGenerator, DependsOnLoadAndSeedOnly) {
  const auto powers = [](int load, std::uint64_t seed) {
    std::vector<double> all;
    for (const auto& task : generated_scheduling_load(load, seed).tasks) all.push_back(task.power);
    return all;
  };
  EXPECT_EQ(powers(1, 5), powers(1, 5));
  EXPECT_NE(powers(1, 5), powers(1, 6));
  EXPECT_NE(powers(1, 5)[0], powers(2, 5)[0]);
}

}  // namespace
}  // namespace polystep
