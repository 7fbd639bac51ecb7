// The benchmark's file of results, and a grid that goes on where it was stopped.
#include "districting/bench_results.hpp"

#include <gtest/gtest.h>

#include "districting/bench_grid.hpp"
#include "districting/expected_sentence.hpp"
#include "districting/published_pace.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

DistrictingRecord record() {
  DistrictingRecord r;
  r.group = "cities", r.city = "London", r.units = 120, r.target = 12, r.method = "bd", r.seed = "-",
  r.model = "-", r.iterations = 7, r.chains = 2, r.scenarios = 10, r.scenario_seed = 3, r.perturbations = 100,
  r.cost = 1.0 / 3, r.districts = 10, r.search_seconds = 0.5, r.tour_seconds = 0.25;
  return r;
}

TEST(DistrictingResults, ReadBackToTheSameBits) {
  const std::string line = render_districting_line(record());
  const auto records = parse_districting_results(districting_results_header() + "\n" + line + "\n", "r.csv");
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].cost, 1.0 / 3);
  EXPECT_EQ(render_districting_line(records[0]), line);
  EXPECT_TRUE(same_question(records[0], record()));
  DistrictingRecord other = record();
  other.model = "1f";
  EXPECT_FALSE(same_question(records[0], other));
}

TEST(DistrictingResults, RefuseOtherTables) {
  const std::string header = districting_results_header() + "\n";
  expect_input_error([] { parse_districting_results("a,b\n", "r.csv"); }, {"r.csv line 1", "other columns"});
  expect_input_error([&] { parse_districting_results(header + "a,b\n", "r.csv"); },
                     {"r.csv line 2", "2 fields", "expected 20"});
  std::string line = render_districting_line(record());
  line.replace(line.find("120"), 3, "12x");
  expect_input_error([&] { parse_districting_results(header + line + "\n", "r.csv"); },
                     {"r.csv line 2", "'12x'"});
}

TEST(DistrictingResults, CutOffHalfALine) {
  TemporaryDirectory directory;
  const std::string whole = districting_results_header() + "\n" + render_districting_line(record()) + "\n";
  const auto path = directory.file("r.csv", whole + "cities,Lon");
  {
    DistrictingResults results(path, ExistingResults::kResume);
    EXPECT_TRUE(results.holds(record()));
    expect_input_error([&] { DistrictingResults(path, ExistingResults::kResume); }, {"another process"});
  }
  EXPECT_EQ(TemporaryDirectory::contents(path), whole);
  expect_input_error([&] { DistrictingResults(path, ExistingResults::kRefuse); }, {"exists", "--resume"});
}

TEST(DistrictingBench, GoesOnWhereItWasStopped) {
  TemporaryDirectory directory;
  const std::vector<BenchProblem> problems = {{"large", "synthetic:40", 40, 5},
                                              {"large", "Synth2000", 60, 12}};
  const std::vector<BenchMethod> methods = {{"bd", {}}, {"centre-distance", {}}};
  BenchSettings settings;
  settings.iterations = 2;
  settings.routing.demand = {.seed = 3, .scenarios = 3, .probability = 0};
  settings.routing.perturbations = 5;
  ThreadTeam team(1);
  const auto run = [&](const std::string& name, std::size_t most) {
    DistrictingResults results(directory.path() / name, ExistingResults::kResume);
    NumberMemory memory;
    std::size_t done = 0;
    return run_districting_bench(
        problems, methods, settings, results, memory, team, [&] { return done >= most; },
        [&](std::size_t count) { done = count; });
  };
  const auto costs = [&](const std::string& name) {
    std::vector<double> found;
    for (const DistrictingRecord& r :
         parse_districting_results(TemporaryDirectory::contents(directory.path() / name), name))
      found.push_back(r.cost);
    return found;
  };
  for (const char* name : {"one.csv", "two.csv"}) directory.file(name, "");
  EXPECT_EQ(run("one.csv", 100).priced, 4u);
  const BenchOutcome half = run("two.csv", 3);
  EXPECT_TRUE(half.stopped);
  EXPECT_EQ(half.priced, 3u);
  const BenchOutcome rest = run("two.csv", 100);
  EXPECT_EQ(rest.found, 3u);
  EXPECT_EQ(rest.priced, 1u);
  EXPECT_EQ(costs("one.csv"), costs("two.csv"));
  settings.iterations = 3;  // another question
  EXPECT_EQ(run("two.csv", 100).found, 0u);
  settings.published_limit = 1;
  EXPECT_EQ(run("two.csv", 100).found, 0u);
  EXPECT_EQ(run("two.csv", 100).found, 4u);
  settings.iterations = 4;  // not asked for by the published search
  EXPECT_EQ(run("two.csv", 100).found, 4u);
  settings.seed = 1;
  EXPECT_EQ(run("two.csv", 100).found, 0u);
  settings.routing.published_tours = true;
  EXPECT_EQ(run("two.csv", 100).found, 0u);
  settings.routing.perturbations = 6;  // nor are these by published tours
  EXPECT_EQ(run("two.csv", 100).found, 4u);
}

TEST(PublishedPace, IsThatOfWhatAValueTakes) {
  const BenchMethod trees = {"centre-distance", {}}, formula = {"bd", {}}, tours = {"avgtsp", {}};
  const BenchProblem london = {"cities", "London", 120, 12}, paris = {"cities", "Paris", 120, 12};
  EXPECT_EQ(published_pace(trees, london).value, published_pace(trees, paris).value);
  EXPECT_LT(10 * published_pace(trees, london).value, published_pace(formula, london).value);
  EXPECT_LT(published_pace(formula, paris).value, published_pace(tours, paris).value);
  EXPECT_LT(5 * published_pace(tours, paris).value, published_pace(tours, london).value);
  BenchProblem more = london;
  more.units = 480;
  EXPECT_DOUBLE_EQ(published_pace(trees, more).move, 4 * published_pace(trees, london).move);
  // The whole file is read for any part of the city.
  EXPECT_EQ(published_pace(tours, more).value, published_pace(tours, london).value);
}

}  // namespace
}  // namespace polystep
