// Limits on infeasible decisions and the frontier, as a user meets them.
#include "apps/refusals.hpp"

namespace polystep {
namespace {

const Arguments kCover = {"set-cover", "--set", "source=generated", "--set", "size=5x25"};

class Frontier : public Refusals {};

TEST_F(Frontier, WritesRunsTableAndPlotAndGoesOnWhereItWasLeft) {
  const Arguments arguments = Arguments{"frontier"} + kCover +
                              Arguments{"--set", "steps=3", "--points", "2", "--seeds", "0", "--quiet"};
  const Finished first = polystepor(arguments);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_NE(first.out.find("5 runs trained"), std::string::npos) << first.out;
  const std::string table = bytes("runs/frontier-set-cover/frontier.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 6);
  EXPECT_EQ(bytes("runs/frontier-set-cover/frontier.svg").substr(0, 4), "<svg");
  expect_refusal({"the results are there", arguments, {"results.csv", "--resume", "--force"}});
  const Finished again = polystepor(arguments + Arguments{"--resume"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_NE(again.out.find("0 runs trained, 5 found already"), std::string::npos) << again.out;
  EXPECT_EQ(bytes("runs/frontier-set-cover/frontier.csv"), table);
}

TEST_F(Frontier, TakesATaskFileForTheNameOfAProblem) {
  for (const char* name : {"blending.toml", "blending.lp", "features.csv", "truth.csv", "known.csv"})
    put(name, TemporaryDirectory::contents(std::filesystem::path("examples/blending") / name));
  const Finished run = polystepor(
      {"frontier", "blending.toml", "--set", "steps=2", "--points", "1", "--seeds", "0", "--quiet"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(bytes("runs/frontier-blending/frontier.svg").substr(0, 4), "<svg");
}

TEST_F(Frontier, RefusesWhatHasNone) {
  expect_refusals(
      {{"nothing can be infeasible",
        {"frontier", "shortest-path", "--set", "source=generated"},
        {"shortest-path", "infeasible", "expected a problem whose predictions enter constraints"}},
       {"a method without limits",
        Arguments{"frontier"} + kCover + Arguments{"--method", "gaussian"},
        {"--method", "gaussian", "expected polystepor or polystepor-output"}},
       {"limits the wrong way round",
        Arguments{"frontier"} + kCover + Arguments{"--lowest", "0.5", "--highest", "0.1"},
        {"found limits from 0.5 to 0.1"}},
       {"train under a limit without constraints",
        {"train", "knapsack", "--source", "generated", "--max-infeasibility", "0.1"},
        {"max-infeasibility is 0.1", "expected 1"}}});
}

TEST_F(Frontier, TrainReportsLimitAndShares) {
  train(kCover + Arguments{"--max-infeasibility", "0.1", "--steps", "3"}, "run");
  const nlohmann::json result = json("run/result.json");
  EXPECT_EQ(result.at("max_infeasibility"), 0.1);
  EXPECT_LE(result.at("validation_infeasible"), 0.1);
  EXPECT_TRUE(result.contains("test_infeasible"));
}

}  // namespace
}  // namespace polystep
