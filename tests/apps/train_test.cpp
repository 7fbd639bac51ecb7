// What a run leaves behind, and that every other command agrees with it.
#include <set>

#include "apps/sandbox.hpp"
#include "data/benchmarks/shortest_path_data.hpp"
#include "data/tables/csv.hpp"
#include "problems/shortest_path.hpp"

namespace polystep {
namespace {

namespace fs = std::filesystem;

class Train : public Sandbox {
 protected:
  nlohmann::json trained(const Arguments& arguments) const {
    train(arguments + Arguments{"--force"}, "run");
    return json("run/result.json");
  }
};

TEST_F(Train, RunDirectoryHoldsFiveFilesAndALock) {
  train(kShortPath, "deep/er/run");
  std::set<std::string> names;
  for (const auto& [name, content] : snapshot(root() / "deep/er/run")) names.insert(name);
  EXPECT_EQ(names, (std::set<std::string>{".lock", "checkpoint.bin", "config.toml", "metrics.jsonl",
                                          "model.bin", "result.json"}));
}

TEST_F(Train, DirectoryIsNamedAfterTheRunByDefault) {
  ASSERT_EQ(polystepor(Arguments{"train"} + kShortPath + Arguments{"--quiet", "--seed", "3"}).exit_code, 0);
  EXPECT_TRUE(fs::exists(root() / "runs/shortest-path-polystepor-3/result.json"));
}

TEST_F(Train, ConfigurationRunsAgainToTheSameBits) {
  const Arguments options = {"--noise",   "0.25", "--set",          "degree=4",
                             "--jitter",  "0.1",  "--seed",         "18446744073709551615",
                             "--threads", "2",    "--momentum-end", "0.3"};
  for (const Arguments& problem : {kShortPath, kShortKnapsack}) {
    const bool path = problem == kShortPath;
    train(problem + (path ? options : Arguments{"--capacity", "120", "--seed", "5"}) + Arguments{"--force"},
          "first");
    train({"--config", "first/config.toml", "--force"}, "second");
    EXPECT_TRUE(bytes("second/model.bin") == bytes("first/model.bin"));
    EXPECT_EQ(bytes("second/config.toml"), bytes("first/config.toml"));
  }
}

TEST_F(Train, FlagsWinOverTheConfiguration) {
  put("run.toml",
      "problem = \"shortest-path\"\nseed = 1\n[shortest-path]\nsource = \"generated\"\ndegree = 2\n"
      "[polystepor]\nsteps = 5\n");
  train({"--config", "run.toml", "--degree", "4", "--seed", "2"}, "run");
  const nlohmann::json result = json("run/result.json");
  EXPECT_EQ(result.at("seed"), 2);
  EXPECT_EQ(result.at("steps"), 5);
  EXPECT_TRUE(result.at("setting").get<std::string>().starts_with("degree=4")) << result.at("setting");
  train({"--config", "run.toml", "--method", "mse", "--force"}, "run");  // [polystepor] has no meaning then
  EXPECT_EQ(json("run/result.json").at("method"), "mse");
}

TEST_F(Train, JsonIsExactlyTheResultFile) {
  const Finished run =
      polystepor(Arguments{"train"} + kShortPath + Arguments{"--json", "--quiet", "--out", "run"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, bytes("run/result.json"));
  EXPECT_EQ(run.err, "");
}

TEST_F(Train, ProgressGoesToStderrOnly) {
  const Finished run = polystepor(Arguments{"train"} + kShortPath + Arguments{"--json", "--out", "run"});
  EXPECT_EQ(run.out, bytes("run/result.json"));
  EXPECT_NE(run.err.find("step 3/3"), std::string::npos) << run.err;
}

TEST_F(Train, ResultHasItsKeysAndTheyAddUp) {
  for (const char* method : {"polystepor", "mse"}) {
    Arguments arguments = {"shortest-path", "--source", "generated", "--method", method};
    const nlohmann::json result = trained(arguments);
    EXPECT_EQ(result.at("problem"), "shortest-path");
    EXPECT_EQ(result.at("method"), method);
    EXPECT_EQ(result.at("seed"), 0);
    EXPECT_EQ(result.at("threads"), 1);
    EXPECT_EQ(result.at("regret_metric"), "relative");
    EXPECT_GE(result.at("steps"), 1);
    EXPECT_TRUE(result.at("stopped_by") == "budget" || result.at("stopped_by") == "patience");
    for (const char* cost : {"validation_cost", "test_cost", "failure_cost"})
      EXPECT_GT(result.at(cost), 0) << cost;
    EXPECT_GT(result.at("test_regret"), 0);
    EXPECT_LT(result.at("test_regret"), 2);
    EXPECT_EQ(result.at("preset"), std::string(method) == "mse" ? "least-squares" : "best");
    for (const char* time : {"setup", "train", "evaluate"})
      EXPECT_GE(result.at("seconds").at(time), 0) << time;
    EXPECT_TRUE(result.at("notes").is_array());
    EXPECT_TRUE(result.at("version").is_string());

    const nlohmann::json& solves = result.at("solves");
    for (const char* count : {"requested", "performed", "certified", "failed"}) {
      std::uint64_t sum = 0;
      for (const char* part : {"setup", "training", "validation", "reference", "test"})
        sum += solves.at(part).at(count).get<std::uint64_t>();
      EXPECT_EQ(solves.at(count), sum) << count;
    }
    EXPECT_EQ(solves.at("requested"),
              solves.at("performed").get<std::uint64_t>() + solves.at("certified").get<std::uint64_t>());
    EXPECT_EQ(solves.at("test").at("requested"), 10000);
  }
}

TEST_F(Train, EvaluateAgreesWithTheResult) {
  for (const Arguments& problem : {kShortPath, kShortKnapsack}) {
    const nlohmann::json result = trained(problem);
    const Finished evaluation = polystepor({"evaluate", "run", "--json", "--threads", "2"});
    ASSERT_EQ(evaluation.exit_code, 0) << evaluation.err;
    const nlohmann::json again = nlohmann::json::parse(evaluation.out);
    for (const char* key : {"problem", "setting", "method", "preset", "seed", "validation_cost", "test_cost",
                            "test_regret", "version"})
      EXPECT_EQ(again.at(key), result.at(key)) << key;
    const Finished words = polystepor({"evaluate", "run"});
    EXPECT_NE(words.out.find("test regret"), std::string::npos) << words.out;
  }
}

// The difference of two runs' regrets, and how much of it may be the luck of the test rows.
TEST_F(Train, EvaluateComparesRowByRow) {
  for (const auto& [name, method, seed] : {std::tuple("a", "mse", "0"), {"b", "polystepor", "0"}, {"c", "mse", "1"}}) {
    const Finished run = polystepor({"train", "shortest-path", "--source", "generated", "--data-seed",
                                     std::string(name) == "c" ? "2" : "1", "--method", method, "--preset",
                                     std::string(method) == "mse" ? "least-squares" : "best", "--seed", seed,
                                     "--out", name, "--quiet"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }
  const Finished run = polystepor({"evaluate", "a", "--against", "b", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const nlohmann::json found = nlohmann::json::parse(run.out), beside = found.at("against");
  EXPECT_EQ(beside.at("rows"), 10000);
  EXPECT_NEAR(beside.at("regret"), json("b/result.json").at("test_regret").get<double>(), 1e-12);
  const double difference = beside.at("difference");
  EXPECT_NEAR(difference, found.at("test_regret").get<double>() - beside.at("regret").get<double>(), 1e-12);
  EXPECT_GT(difference, 3 * beside.at("standard_error").get<double>());  // least squares is far worse
  EXPECT_GT(beside.at("worse"), beside.at("better"));
  const nlohmann::json itself =
      nlohmann::json::parse(polystepor({"evaluate", "a", "--against", "a", "--json"}).out).at("against");
  EXPECT_EQ(itself.at("difference"), 0);
  EXPECT_EQ(itself.at("standard_error"), 0);
  const Finished refused = polystepor({"evaluate", "a", "--against", "c"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("have different test rows"), std::string::npos) << refused.err;
}

// The regret of the decisions `decide` writes for the test rows, computed here from the CSV alone.
TEST_F(Train, DecideReproducesTheTestRegret) {
  const nlohmann::json result =
      trained({"shortest-path", "--source", "generated", "--data-seed", "1", "--steps", "40"});
  const Split test = generated_shortest_path(5, 8, 0.5, 1).test;
  put("features.csv", render_csv({"z1", "z2", "z3", "z4", "z5"}, test.features));
  const Finished run = polystepor({"decide", "run", "--features", "features.csv", "--out", "decisions.csv"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, "10000 decisions written to decisions.csv\n");
  const CsvTable decisions = read_csv(root() / "decisions.csv");
  ASSERT_EQ(decisions.rows, test.rows);
  ASSERT_EQ(decisions.columns.size(), 2 + test.truth_columns);
  EXPECT_EQ(decisions.columns[2], "edge_0_1");
  const ShortestPath problem(solvers::GridPath(5));
  std::vector<double> best(test.truth_columns);
  double sum = 0;
  for (std::size_t row = 0; row < test.rows; ++row) {
    const double* decision = decisions.values.data() + row * decisions.columns.size();
    ASSERT_EQ(decision[0], static_cast<double>(row));
    ASSERT_EQ(decision[1], 1);
    double cost = 0;
    for (std::size_t edge = 0; edge < best.size(); ++edge)
      cost += decision[2 + edge] * test.truth_row(row)[edge];
    problem.decide(test.truth_row(row), row, best);
    const double optimal = problem.cost(best, test.truth_row(row), row);
    sum += (cost - optimal) / optimal;
  }
  EXPECT_NEAR(sum / static_cast<double>(test.rows), result.at("test_regret").get<double>(), 1e-10);
}

TEST_F(Train, DecideFindsColumnsByName) {
  trained(kShortPath);
  put("features.csv", "z1,z2,z3,z4,z5\n1,-2,3,0.5,-1\n-1,2,0.25,4,1\n");
  put("moved.csv", "note,z4,z2,z5,z1,z3\nfirst,0.5,-2,-1,1,3\nsecond,4,2,1,-1,0.25\n");
  for (const char* name : {"features", "moved"}) {
    const std::string table = std::string(name) + ".csv";
    const Finished run = polystepor({"decide", "run", "--features", table, "--out", "of_" + table});
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }
  EXPECT_EQ(bytes("of_moved.csv"), bytes("of_features.csv"));
}

// Long enough for the preparation, however busy the machine is: a limit that ends there leaves nothing to
// hand over.
TEST_F(Train, TimeLimitStops) {
  const nlohmann::json result = trained({"shortest-path", "--source", "generated", "--steps", "100000000",
                                         "--patience", "0", "--max-seconds", "3"});
  EXPECT_EQ(result.at("stopped_by"), "time");
  EXPECT_LT(result.at("steps"), 100000000);
}

TEST_F(Train, PatienceStops) {
  // Without a step nothing improves: two validations after the first, and training ends.
  const nlohmann::json result =
      trained({"shortest-path", "--source", "generated", "--steps", "50", "--checks", "50", "--patience", "2",
               "--step-start", "0", "--step-end", "0", "--bags", "1"});
  EXPECT_EQ(result.at("stopped_by"), "patience");
  EXPECT_EQ(result.at("steps"), 2);
}

TEST_F(Train, ProbesThatChangeNoDecisionAreNoted) {
  const Arguments twelve = {"shortest-path", "--source", "generated", "--steps", "12"};
  const nlohmann::json result = trained(twelve + Arguments{"--radius-start", "1e-9", "--radius-end", "1e-9"});
  ASSERT_GE(result.at("notes").size(), 1u);  // whether training was kept is another
  EXPECT_NE(result.at("notes").back().get<std::string>().find("larger radius-start"), std::string::npos);
  EXPECT_EQ(trained(twelve).at("notes").size(), 0u);
}

TEST_F(Train, ListsProblemsMethodsAndPresets) {
  const Finished list = polystepor({"list"});
  EXPECT_EQ(list.exit_code, 0);
  for (const char* word : {"Problems", "shortest-path", "knapsack", "Methods", "polystepor", "mse", "Presets",
                           "paper", "least-squares", "(default)"})
    EXPECT_NE(list.out.find(word), std::string::npos) << word;
}

TEST_F(Train, OptionsPageIsTheOneInTheDocumentation) {
  const Finished options = polystepor({"options"});
  EXPECT_EQ(options.exit_code, 0);
  for (const char* word : {"shortest-path", "knapsack", "polystepor", "mse", "radius-start", "capacity"})
    EXPECT_NE(options.out.find(word), std::string::npos) << word;
  if (!fs::exists("docs/options.md")) GTEST_SKIP() << "skipped: docs/options.md is not written yet";
  EXPECT_TRUE(TemporaryDirectory::contents("docs/options.md") == options.out)
      << "docs/options.md is out of date; write it anew by 'polystepor options > docs/options.md'";
}

}  // namespace
}  // namespace polystep
