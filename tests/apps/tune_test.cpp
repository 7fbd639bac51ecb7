// Tuning as a user meets it.
#include <csignal>

#include "apps/refusals.hpp"

namespace polystep {
namespace {

const Arguments kTune = {"tune",     "shortest-path",
                         "--method", "spo+",
                         "--set",    "source=generated",
                         "--set",    "degree=1",
                         "--set",    "epochs=1",
                         "--axis",   "rate=log:0.001..1",
                         "--points", "2",
                         "--seeds",  "7",
                         "--out",    "tuned"};

class Tune : public Refusals {};

TEST_F(Tune, WritesTheTableAndAConfigurationToTrainWith) {
  const Finished first = polystepor(kTune + Arguments{"--quiet"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(first.err, "");
  EXPECT_NE(first.out.find("2 runs trained, 0 found already, 0 failed"), std::string::npos) << first.out;
  EXPECT_NE(first.out.find("--set rate="), std::string::npos) << first.out;
  const std::string table = bytes("tuned/tuning.csv");
  EXPECT_EQ(table.substr(0, table.find('\n')), "rank,point,rate,mean_validation_cost,validation_cost_seed_7");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 3);
  train({"--config", "tuned/best.toml", "--seed", "3"}, "run");
  EXPECT_EQ(json("run/result.json").at("method"), "spo+");
  expect_refusal({"the results are there", kTune, {"results.csv", "--resume", "--force"}});
  const Finished again = polystepor(kTune + Arguments{"--quiet", "--resume"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_NE(again.out.find("0 runs trained, 2 found already"), std::string::npos) << again.out;
  EXPECT_EQ(bytes("tuned/tuning.csv"), table);
  expect_refusal({"another design in the directory",
                  kTune + Arguments{"--resume", "--seed", "1"},
                  {"design.txt describes another design", "--out", "--force"}});
}

TEST_F(Tune, ShowsTheDesignAndTrainsNothing) {
  const Finished shown = polystepor(kTune + Arguments{"--show"});
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_NE(shown.out.find("point"), std::string::npos);
  EXPECT_EQ(std::count(shown.out.begin(), shown.out.end(), '\n'), 3);
  EXPECT_FALSE(std::filesystem::exists(*this / "tuned"));
}

// Interrupted in the middle of a run that would take for ever; what is finished stays and nothing else.
TEST_F(Tune, StopsOnRequestAndGoesOn) {
  Arguments longer = kTune;
  for (std::string& argument : longer)
    if (argument == "epochs=1") argument = "epochs=1000000";
  Process process(POLYSTEPOR_PROGRAM, longer + Arguments{"--quiet"}, surroundings());
  while (!std::filesystem::exists(*this / "tuned/design.txt")) ::usleep(10000);
  process.send(SIGINT);
  const Finished stopped = process.wait();
  EXPECT_EQ(stopped.exit_code, 130) << stopped.err;
  EXPECT_NE(stopped.err.find("Stopped with 0 of 2 runs done; go on with the same command and --resume"),
            std::string::npos)
      << stopped.err;
  EXPECT_FALSE(std::filesystem::exists(*this / "tuned/best.toml"));
}

TEST_F(Tune, RefusesWhatCannotBeTuned) {
  expect_refusals({{"no ranges",
                    {"tune", "shortest-path", "--set", "source=generated", "--method", "mse"},
                    {"method mse", "states no ranges", "--axis"}},
                   {"no such option",
                    {"tune", "shortest-path", "--set", "source=generated", "--axis", "stepps=1,2"},
                    {"--axis", "did you mean 'steps'"}},
                   {"a range upside down",
                    {"tune", "shortest-path", "--axis", "step-start=log:2..1"},
                    {"--axis", "step-start=log:2..1", "the lower one first"}},
                   {"no points",
                    {"tune", "shortest-path", "--points", "0"},
                    {"--points", "0", "expected an integer from 1"}}});
}

}  // namespace
}  // namespace polystep
