// Alloy production as a user meets it: training, fresh rows, the benchmark.
#include <csignal>

#include "apps/refusals.hpp"

namespace polystep {
namespace {

const Arguments kSmall = {"--set", "source=generated",   "--set", "features=12",
                          "--set", "hidden=16",          "--set", "training-rows=40",
                          "--set", "validation-rows=10", "--set", "test-rows=12"};

class AlloyRuns : public Refusals {};

TEST_F(AlloyRuns, TrainReportsInfeasibilityAndRegretsAndEvaluateRepeatsThem) {
  train(Arguments{"alloy"} + kSmall + Arguments{"--method", "mse", "--preset", "paper", "--seed", "11"},
        "run");
  const nlohmann::json result = json("run/result.json");
  EXPECT_TRUE(result.contains("test_infeasible"));
  EXPECT_TRUE(result.contains("batch_figures"));
  EXPECT_EQ(result.at("steps"), 40);  // 20 epochs of 32 and 8 rows
  const Finished again = polystepor({"evaluate", "run", "--json", "--fresh", "130"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  const nlohmann::json figures = nlohmann::json::parse(again.out);
  EXPECT_EQ(figures.at("test_regret"), result.at("test_regret"));
  EXPECT_EQ(figures.at("test_infeasible"), result.at("test_infeasible"));
  EXPECT_EQ(figures.at("batch_figures"), result.at("batch_figures"));
  EXPECT_EQ(figures.at("fresh").at("rows"), 130);
  EXPECT_TRUE(figures.at("fresh").contains("infeasible"));
}

TEST_F(AlloyRuns, FreshRowsAreRefusedWhereNoneCanBeDrawn) {
  train({"knapsack", "--set", "source=generated", "--method", "mse"}, "run");
  expect_refusal({"no generator of fresh rows",
                  {"evaluate", "run", "--fresh", "10"},
                  {"fresh rows", "knapsack", "draws none"}});
}

TEST_F(AlloyRuns, BenchWritesTheTableAndPicturesAndGoesOnWhereItWasLeft) {
  const Arguments arguments = Arguments{"bench", "alloy"} + kSmall +
                              Arguments{"--set",   "steps=3",      "--set",     "epochs=2",
                                        "--set",   "dimension=16", "--methods", "mse,polystepor:paper",
                                        "--seeds", "11-12",        "--fresh",   "20",
                                        "--quiet"};
  const Finished first = polystepor(arguments);
  ASSERT_EQ(first.exit_code, 0) << first.err << first.out;
  EXPECT_NE(first.out.find("16 runs trained"), std::string::npos) << first.out;
  EXPECT_NE(first.out.find("What a constant comes to"), std::string::npos);
  for (const char* profile : {"blind", "line", "arc", "spread"})
    EXPECT_EQ(bytes(std::string("runs/bench-alloy/profile-") + profile + ".svg").substr(0, 4), "<svg");
  const std::string table = bytes("runs/bench-alloy/results.md");
  const Finished again = polystepor(arguments + Arguments{"--resume"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_NE(again.out.find("0 runs trained"), std::string::npos) << again.out;
  EXPECT_EQ(bytes("runs/bench-alloy/results.md"), table);
}

// Interrupted in the middle of a run that would take for ever: its table stays whole, and the command goes
// on.
TEST_F(AlloyRuns, BenchStopsOnRequestAndGoesOn) {
  const auto arguments = [](const char* epochs) {
    return Arguments{"bench", "alloy"} + kSmall + Arguments{"--set",     "profile=arc", "--set",   epochs,
                                                            "--methods", "mse",         "--seeds", "11-12",
                                                            "--fresh",   "0",           "--quiet"};
  };
  Process process(POLYSTEPOR_PROGRAM, arguments("epochs=1000000"), surroundings());
  while (!std::filesystem::exists(*this / "runs/bench-alloy/results.csv")) ::usleep(10000);
  process.send(SIGINT);
  const Finished stopped = process.wait();
  EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
  EXPECT_NE(stopped.err.find("Stopped with 0 of 2 runs done; go on with the same command and --resume"),
            std::string::npos)
      << stopped.err;
  const Finished again = polystepor(arguments("epochs=2") + Arguments{"--resume"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_NE(again.out.find("2 runs trained, 0 found already"), std::string::npos) << again.out;
}

TEST_F(AlloyRuns, BadSettingsAreRefused) {
  expect_refusals(
      {{"an unknown profile",
        {"train", "alloy", "--set", "profile=curve"},
        {"profile", "curve", "expected one of blind, line, arc"}},
       {"published data that are not there", {"train", "alloy", "--set", "source=published"}, {"alloy"}},
       {"data that are not there",
        {"bench", "alloy", "--data", "nowhere", "--methods", "mse", "--seeds", "11"},
        {"nowhere"}},
       {"options of another suite",
        {"bench", "alloy", "--problems", "knapsack"},
        {"polystepor bench alloy", "--problems"}}});
}

}  // namespace
}  // namespace polystep
