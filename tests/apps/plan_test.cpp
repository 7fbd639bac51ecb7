// Plans, budgets and explanations, as a user meets them.
#include "apps/refusals.hpp"

namespace polystep {
namespace {

const Arguments kPath = {"shortest-path", "--source", "generated", "--data-seed", "1"};

class Plan : public Refusals {
 protected:
  nlohmann::json planned(const Arguments& arguments) const {
    const Finished plan = polystepor(Arguments{"plan"} + arguments + Arguments{"--json"});
    EXPECT_EQ(plan.exit_code, 0) << plan.err;
    return nlohmann::json::parse(plan.out);
  }
};

TEST_F(Plan, ForecastsTheSolvesOfTheRunAndWritesNothing) {
  const Arguments arguments = kPath + Arguments{"--steps", "3", "--bags", "3", "--blend", "false"};
  const nlohmann::json plan = planned(arguments);
  EXPECT_TRUE(snapshot(root()).empty());
  train(arguments, "run");
  const nlohmann::json result = json("run/result.json");
  EXPECT_EQ(plan.at("forecast").at("total").at("solves"), result.at("solves").at("requested"));
  EXPECT_EQ(plan.at("forecast").at("training").at("solves"),
            result.at("solves").at("training").at("requested"));
  EXPECT_FALSE(result.contains("forecast"));
  const Finished words = polystepor(Arguments{"plan"} + arguments);
  for (const char* part : {"bags 3, steps 3", "training", "validation", "final evaluation", "total"})
    EXPECT_NE(words.out.find(part), std::string::npos) << words.out;
}

TEST_F(Plan, BudgetOfSolvesIsKeptAndSettledInTheConfiguration) {
  train(kPath + Arguments{"--budget", "solves=3e6", "--set", "fidelity=probes"}, "run");
  const nlohmann::json result = json("run/result.json");
  EXPECT_LE(result.at("solves").at("requested"), 3000000);
  EXPECT_GE(result.at("solves").at("requested"), 1500000);
  const nlohmann::json& solves = result.at("forecast").at("solves");
  EXPECT_GE(solves.at("forecast"), solves.at("actual"));  // blends may need fewer than are planned for
  EXPECT_LE(solves.at("forecast"), 1.05 * solves.at("actual").get<double>());
  EXPECT_EQ(solves.at("actual"), result.at("solves").at("requested").get<double>());
  EXPECT_GT(result.at("forecast").at("seconds").at("ratio"), 0);
  EXPECT_EQ(bytes("run/config.toml").find("budget"), std::string::npos);
  // The same again needs no clock and keeps the forecast; another run has none.
  train({"--config", "run/config.toml"}, "again");
  EXPECT_EQ(bytes("again/config.toml"), bytes("run/config.toml"));
  EXPECT_EQ(bytes("again/model.bin"), bytes("run/model.bin"));
  train({"--config", "run/config.toml", "--seed", "9"}, "other");
  EXPECT_FALSE(json("other/result.json").contains("forecast"));
}

TEST_F(Plan, TrainingSaysWhatItsBudgetCameTo) {
  const Arguments arguments = Arguments{"train"} + kPath + Arguments{"--budget", "solves=1e6", "--force"};
  const Finished run = polystepor(arguments + Arguments{"--json", "--out", "run"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, bytes("run/result.json"));
  EXPECT_NE(run.err.find("Planned: bags "), std::string::npos) << run.err;
  EXPECT_EQ(polystepor(arguments + Arguments{"--quiet", "--out", "run"}).err, "");
}

TEST_F(Plan, BudgetOfSecondsComesFromAConfigurationToo) {
  put("run.toml",
      "problem = \"shortest-path\"\nbudget = \"seconds=600\"\n[shortest-path]\nsource = \"generated\"\n");
  const nlohmann::json plan = planned({"--config", "run.toml", "--save", "plan.toml"});
  EXPECT_LE(plan.at("forecast").at("total").at("seconds"), 600);
  EXPECT_EQ(bytes("plan.toml").find("\nbudget"), std::string::npos);
  EXPECT_NE(bytes("plan.toml").find("forecast-seconds"), std::string::npos);
  expect_refusal({"saved over",
                  Arguments{"plan", "--config", "run.toml", "--save", "plan.toml"},
                  {"--save: plan.toml exists", "--force"}});
}

TEST_F(Plan, AResumedRunKeepsItsChoice) {
  const Arguments arguments = kPath + Arguments{"--budget", "seconds=100"};
  train(arguments, "run");
  const std::string config = bytes("run/config.toml");
  const std::string model = bytes("run/model.bin");
  std::filesystem::remove(root() / "run/result.json");
  train(arguments + Arguments{"--resume"}, "run");
  EXPECT_EQ(bytes("run/config.toml"), config);
  EXPECT_EQ(bytes("run/model.bin"), model);
  EXPECT_TRUE(json("run/result.json").contains("forecast"));
}

TEST_F(Plan, BadBudgetsAreRefused) {
  put("run.toml", "problem = \"shortest-path\"\nbudget = \"soon\"\n");
  put("number.toml", "problem = \"shortest-path\"\nbudget = 60\n");
  const auto budget = [](const char* text) {
    return Arguments{"train"} + kPath + Arguments{"--quiet", "--budget", text};
  };
  expect_refusals({
      {"no unit", budget("60"), {"--budget: found '60', expected seconds=NUMBER or solves=NUMBER"}},
      {"unknown unit", budget("hours=1"), {"--budget: found 'hours=1'"}},
      {"zero", budget("solves=0"), {"--budget: found 'solves=0', expected a number above 0"}},
      {"too small", budget("solves=5"), {"--budget: found solves=5, expected at least solves="}},
      {"steps besides",
       budget("solves=1e6") + Arguments{"--steps", "3"},
       {"--budget: option 'steps' is given"}},
      {"another method",
       budget("solves=1e6") + Arguments{"--method", "mse"},
       {"--budget: method mse has no steps", "expected polystepor"}},
      {"in a file", {"train", "--config", "run.toml"}, {"run.toml line 2: found 'soon'"}},
      {"a number in a file", {"plan", "--config", "number.toml"}, {"number.toml line 2", "'budget' is 60"}},
      {"plan of nothing", {"plan"}, {"polystepor plan: no problem was named"}},
  });
}

class Explain : public Refusals {};

TEST_F(Explain, TellsStepsDistancesAndWhatLimitedTheRun) {
  train(kShortPath, "run");
  const auto before = snapshot(root());
  const Finished words = polystepor({"explain", "run"});
  ASSERT_EQ(words.exit_code, 0) << words.err;
  for (const char* part : {"moving rows", "256 pairs", "quantiles", "#", "run"})
    EXPECT_NE(words.out.find(part), std::string::npos) << words.out;
  const Finished machine = polystepor({"explain", "run", "--json", "--pairs", "100"});
  const nlohmann::json explained = nlohmann::json::parse(machine.out);
  EXPECT_EQ(explained.at("steps").size(), 4u);
  for (std::size_t step = 1; step < 4; ++step) {
    EXPECT_GT(explained.at("steps")[step].at("moving_share"), 0);
    EXPECT_LE(explained.at("steps")[step].at("moving_share"), 1);
  }
  const nlohmann::json& distances = explained.at("flip_distances");
  EXPECT_EQ(distances.at("pairs"), 100);
  EXPECT_EQ(distances.at("distances").size() + distances.at("never").get<std::size_t>(), 100u);
  EXPECT_TRUE(explained.at("diagnosis").at("limit").is_string());
  EXPECT_EQ(polystepor({"explain", "run", "--json", "--pairs", "100"}).out, machine.out);
  EXPECT_TRUE(snapshot(root()) == before);
}

TEST_F(Explain, WorksForOtherMethods) {
  train({"shortest-path", "--source", "generated", "--method", "mse"}, "run");
  const Finished words = polystepor({"explain", "run"});
  EXPECT_EQ(words.exit_code, 0) << words.err;
  EXPECT_NE(words.out.find("quantiles"), std::string::npos) << words.out;
}

TEST_F(Explain, RefusesWhatIsNoFinishedRun) {
  train(kShortPath, "run");
  put("run/metrics.jsonl", "{\"step\":0}\nnot JSON\n");
  expect_refusals({{"no run", {"explain", "nowhere"}, {"nowhere holds no run"}},
                   {"no argument", {"explain"}, {"polystepor explain", "run"}},
                   {"broken metrics", {"explain", "run"}, {"run/metrics.jsonl line 2: found no step"}}});
  std::filesystem::remove(root() / "run/result.json");
  expect_refusal({"unfinished", {"explain", "run"}, {"run holds an unfinished run"}});
}

}  // namespace
}  // namespace polystep
