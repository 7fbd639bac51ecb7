// Tables in long format: instances of any size, and everything about them that does not fit together.
#include "own/long_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "input_error.hpp"
#include "own/own_task.hpp"
#include "own/process_problem.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

// Takes the cheapest of as many offers as there are; with a known limit, the first below it.
constexpr const char* kSolver = R"(import json, sys
greeting = json.loads(sys.stdin.readline())
assert greeting["outputs"] is None and greeting["decision_size"] is None, greeting
print(json.dumps({"polystepor": 1}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    decisions = []
    for i, costs in enumerate(request["predictions"]):
        at = min(range(len(costs)), key=costs.__getitem__)
        if "features" in request:
            at = int(request["features"][i][-1])
        decisions.append([1 if j == at else 0 for j in range(len(costs))])
    print(json.dumps({"frame": request["frame"], "decisions": decisions}), flush=True)
)";

constexpr const char* kData = "[data]\nformat = 'long'\nfeatures = 'features.csv'\ntruth = 'truth.csv'\n";
constexpr const char* kRest =
    "[predictor]\nkind = 'shared-linear'\n[solver]\ncommand = ['python3', 'solver.py']\n";

class LongTables : public testing::Test {
 protected:
  LongTables() {
    std::string features = "name,instance,sun,part\n", truth = "instance,value,name\n", known;
    for (int i = 0; i < 10; ++i) {
      const std::string label = "day " + std::to_string(i);
      for (int row = 0; row < 2 + i % 3; ++row) {
        const std::string name(1, static_cast<char>('a' + row));
        features +=
            name + "," + label + "," + std::to_string(10 * i + row) + "," + std::to_string(i % 3) + "\n";
      }
      known += label + "," + std::to_string(i % 2) + "\n";
    }
    for (int i = 9; i >= 0; --i)  // the truth may have its instances in another order
      for (int row = 0; row < 2 + i % 3; ++row)
        truth += "day " + std::to_string(i) + "," + std::to_string(100 * i + (7 * row) % 5) + "," +
                 std::string(1, static_cast<char>('a' + row)) + "\n";
    directory_.file("features.csv", features);
    directory_.file("truth.csv", truth);
    directory_.file("known.csv", "instance,limit\n" + known);
    directory_.file("solver.py", kSolver);
  }
  Task make(const std::string& toml) const {
    return make_own_task(parse_own_task(toml, "my.toml"), directory_.path());
  }
  std::string contents(const std::string& name) const {
    return TemporaryDirectory::contents(directory_ / name);
  }
  // What is said where `old` in a file is `by` instead; the folder's name is left out.
  std::string error_with(const std::string& file, const std::string& old, const std::string& by,
                         const std::string& more = "") const {
    const std::string kept = contents(file);
    std::string text = kept;
    EXPECT_NE(text.find(old), std::string::npos) << old;
    directory_.file(file, text.replace(text.find(old), old.size(), by));
    const std::string said = error(std::string(kData) + more + kRest);
    directory_.file(file, kept);
    return said;
  }
  std::string error(const std::string& toml) const {
    std::string said = input_error([&] { make(toml); });
    const std::string folder = directory_.path().string() + "/";
    for (std::size_t at = said.find(folder); at != std::string::npos; at = said.find(folder))
      said.erase(at, folder.size());
    return said;
  }
  TemporaryDirectory directory_;
};

TEST_F(LongTables, EveryInstanceHasItsOwnRows) {
  const Task task = make(std::string(kData) +
                         "split = 'in-order'\nstandardise = false\nfeature-columns = ['sun']\n" + kRest);
  const Split& training = task.data.training;
  ASSERT_EQ(training.rows, 6u);
  EXPECT_EQ(task.data.test.rows, 2u);
  EXPECT_TRUE(training.ragged());
  EXPECT_FALSE(task.problem->instances()->alike());
  for (std::size_t row = 0; row < training.rows; ++row) {
    ASSERT_EQ(training.truth_row(row).size(), 2 + row % 3);
    ASSERT_EQ(training.feature_row(row).size(), 2 + row % 3);
    EXPECT_EQ(task.problem->outputs(row), 2 + row % 3);
    EXPECT_EQ(training.feature_row(row)[1], 10.0 * static_cast<double>(row) + 1);
    EXPECT_EQ(training.truth_row(row)[1], 100.0 * static_cast<double>(row) + 2);
  }
  EXPECT_EQ(task.predictor->outputs(), 0u);
  EXPECT_EQ(task.data.feature_names, std::vector<std::string>{"sun"});
}

TEST_F(LongTables, InstancesOfOneSizeAreStillRowsOfAnySize) {
  std::string features = "instance,sun\n", truth = "instance,value\n";
  for (int row = 0; row < 20; ++row) {
    features += std::to_string(row / 2) + "," + std::to_string(row) + "\n";
    truth += std::to_string(row / 2) + "," + std::to_string(row % 7) + "\n";
  }
  directory_.file("features.csv", features);
  directory_.file("truth.csv", truth);
  const Task task = make(std::string(kData) + kRest);
  EXPECT_TRUE(task.data.validation.ragged());
  EXPECT_FALSE(task.problem->instances()->alike());
}

TEST_F(LongTables, AColumnDealsWholeInstances) {
  const Task task = make(std::string(kData) + "split = 'column'\nsplit-column = 'part'\n" + kRest);
  EXPECT_EQ(task.data.feature_names, std::vector<std::string>{"sun"});
  EXPECT_EQ(task.data.training.instances, (std::vector<std::size_t>{0, 3, 6, 9}));
  EXPECT_EQ(task.data.test.instances, (std::vector<std::size_t>{2, 5, 8}));
}

TEST_F(LongTables, TheSolverDecidesInstancesOfEverySize) {
  const Task task = make(std::string(kData) + kRest);
  for (std::size_t instance = 0; instance < 10; ++instance) {
    std::vector<double> prediction(task.problem->outputs(instance), 1.0), decision(prediction.size(), -1.0);
    prediction[instance % prediction.size()] = 0;
    ASSERT_EQ(task.problem->decide(prediction, instance, decision), SolveStatus::kSolved);
    for (std::size_t i = 0; i < decision.size(); ++i)
      EXPECT_EQ(decision[i], i == instance % prediction.size() ? 1 : 0);
  }
  EXPECT_EQ(task.problem->facts().optimises_prediction, Sense::kMinimise);
  EXPECT_EQ(task.problem->instances()->group(0), task.problem->instances()->group(3));
  EXPECT_NE(task.problem->instances()->group(0), task.problem->instances()->group(1));
  EXPECT_EQ(decision_size_of_new(*task.problem, 9), 9u);
}

// Tiles of one lane each, of many sizes in one batch: the same answers as one at a time.
TEST_F(LongTables, ManyInstancesAtOnceAreDecidedAsOneByOne) {
  const Task task = make(std::string(kData) + kRest + "frame-size = 3\n");
  const auto solver = task.problem->make_tile_solver();
  ASSERT_TRUE(solver->takes_any_width());
  const Split& split = task.data.training;
  std::vector<TileOutcome> outcomes(split.rows);
  std::vector<TileJob> jobs;
  for (std::size_t row = 0; row < split.rows; ++row) {
    Tile tile;
    tile.truth = split.truth_row(row).data();
    tile.shape = split.shape(row);
    tile.width = tile.lanes = 1;
    tile.instance.fill(split.instance(row));
    jobs.push_back({tile, tile.truth, &outcomes[row]});
  }
  solver->solve_all(jobs);
  for (std::size_t row = 0; row < split.rows; ++row) {
    EXPECT_EQ(outcomes[row].failed, 0u);
    EXPECT_EQ(outcomes[row].cost[0], *std::ranges::min_element(split.truth_row(row)));
  }
}

TEST_F(LongTables, KnownDataOfAnInstanceGoToTheSolver) {
  const Task task =
      make(std::string(kData) + "known = 'known.csv'\n" + kRest + "send = ['features', 'known']\n");
  EXPECT_TRUE(task.problem->facts().needs_instance_data);
  for (std::size_t instance = 0; instance < 10; ++instance) {
    std::vector<double> prediction(task.problem->outputs(instance), 1.0), decision(prediction.size());
    ASSERT_EQ(task.problem->decide(prediction, instance, decision), SolveStatus::kSolved);
    EXPECT_EQ(decision[instance % 2], 1);
  }
  EXPECT_EQ(decision_size_of_new(*task.problem, 9), std::nullopt);
}

TEST_F(LongTables, TablesThatDoNotFitTogetherAreRefused) {
  EXPECT_EQ(error_with("features.csv", "name,instance", "name,case"),
            "features.csv has no column 'instance'");
  EXPECT_EQ(error_with("truth.csv", "day 9,900,a", "day 8,900,a"),
            "truth.csv line 4: instance 'day 8' comes back, expected its rows to follow one another");
  EXPECT_EQ(error_with("features.csv", "a,day 1,", "a,,"),
            "features.csv line 4: column 'instance' is empty, expected an instance");
  EXPECT_EQ(error_with("features.csv", "b,day 0,", ",day 0,"),
            "features.csv line 3: column 'name' is empty, expected a name");
  EXPECT_EQ(error_with("features.csv", "b,day 0,", "a,day 0,"),
            "features.csv line 3: instance 'day 0' has the name 'a' a second time, expected another");
  EXPECT_EQ(error_with("features.csv", "b,day 0,", "c,day 0,"),
            "truth.csv line 30: the name is 'b', expected 'c' as in features.csv line 3");
  EXPECT_EQ(error_with("features.csv", "b,day 0,1,0\n", ""),
            "truth.csv line 29: instance 'day 0' has 2 rows, expected 1 as in features.csv line 2");
  EXPECT_EQ(error_with("truth.csv", "day 9,900,a\nday 9,902,b\n", ""),
            "features.csv line 29: instance 'day 9' is not in truth.csv, expected the same instances");
  EXPECT_EQ(error_with("truth.csv", "day 9,900,a\nday 9,902,b\n", "tag,900,a\ntag,902,b\n"),
            "truth.csv line 2: instance 'tag' is not in features.csv, expected the same instances");
  EXPECT_EQ(error_with("known.csv", "day 4,0\n", "", "known = 'known.csv'\n"),
            "features.csv line 13: instance 'day 4' is not in known.csv, expected the same instances");
  EXPECT_EQ(error_with("truth.csv", "day 9,900,a", "day 9,lots,a"),
            "truth.csv line 2: column 'value' is 'lots', expected a finite number");
  EXPECT_EQ(error_with("truth.csv", "instance,value,name", "instance,value,what"),
            "truth.csv line 2: column 'what' is 'a', expected a finite number");
  EXPECT_EQ(
      error_with("features.csv", "b,day 0,1,0", "b,day 0,1,1", "split = 'column'\nsplit-column = 'part'\n"),
      "features.csv line 3: column 'part' is 1, expected 0 as in the first row of the same instance");
  directory_.file("bare.csv", "instance,name\nday 0,a\n");
  EXPECT_EQ(
      error("[data]\nformat = 'long'\nfeatures = 'bare.csv'\ntruth = 'truth.csv'\n" + std::string(kRest)),
      "bare.csv has no columns besides 'instance' and 'name', expected at least one feature");
  EXPECT_EQ(
      error("[data]\nformat = 'long'\nfeatures = 'features.csv'\ntruth = 'features.csv'\n" +
            std::string(kRest)),
      "features.csv has 2 columns of numbers, expected one, of true values, besides 'instance' and 'name'");
}

TEST_F(LongTables, WhatTheTaskFileAsksForMustSuit) {
  const std::string data = kData;
  const std::string solver = "[solver]\ncommand = ['python3', 'solver.py']\n";
  EXPECT_EQ(
      error(data + solver + "[predictor]\nkind = 'mlp'\n"),
      "my.toml line 8, column 1: the predictor is 'mlp' and tables are in long format, expected one that is "
      "shared by outputs: kind = \"shared-linear\" or \"shared-mlp\"");
  EXPECT_NE(error(data + solver).find("the predictor is 'linear' and tables are in long format"),
            std::string::npos);
  EXPECT_EQ(
      error(data + kRest + "format = 'binary'\n"),
      "my.toml line 9, column 1: frames are binary and tables in long format, expected format = \"json\", "
      "which can say how large each instance is");
  EXPECT_EQ(error(data + kRest + "decision-size = 3\n"),
            "my.toml line 9, column 1: option 'decision-size' is 3, expected none, a component per row of "
            "truth.csv");
  EXPECT_EQ(error(data + kRest + "send = 'known'\n"),
            "my.toml line 9, column 1: there are no known data to send, expected 'known' in [data]");
  EXPECT_EQ(
      error(data + "name-column = 'instance'\n" + kRest),
      "my.toml line 5, column 1: 'name-column' is 'instance', which is the column of instances, expected "
      "another");
  EXPECT_EQ(
      error("[data]\nfeatures = 'a'\ntruth = 'b'\ninstance-column = 'c'\n" + std::string(kRest)),
      "my.toml line 4, column 1: 'instance-column' is given for tables in wide format, expected format = "
      "\"long\"");
  EXPECT_EQ(error("[data]\nformat = 'tall'\nfeatures = 'a'\ntruth = 'b'\n" + std::string(kRest)),
            "my.toml line 2, column 1: 'format' is 'tall', expected one of wide, long");
  EXPECT_EQ(
      error(data + "[predictor]\nkind = 'shared-mlp'\n[model]\nfile = 'a.lp'\n[[predict]]\nrhs = 'x'\n"),
      "my.toml line 10, column 1: a model file has one size and tables are in long format, expected format = "
      "\"wide\" in section [data], or a section [solver]");
}

}  // namespace
}  // namespace polystep
