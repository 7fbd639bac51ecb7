// Tasks from a TOML file, a model file and tables, through the whole command line; the blending example.
#include "apps/refusals.hpp"

namespace polystep {
namespace {

class OwnTaskFiles : public Refusals {
 protected:
  OwnTaskFiles() {
    for (const char* name : {"blending.toml", "blending.lp", "features.csv", "truth.csv", "known.csv"})
      put(name, TemporaryDirectory::contents(std::filesystem::path("examples/blending") / name));
  }
  void replace_in(const std::string& name, const std::string& old, const std::string& by) const {
    std::string text = bytes(name);
    const std::size_t at = text.find(old);
    ASSERT_NE(at, std::string::npos) << old;
    put(name, text.replace(at, old.size(), by));
  }
};

const Arguments kByOutputs = {"blending.toml", "--method", "polystepor-output", "--steps"};

TEST_F(OwnTaskFiles, TrainingForDecisionsBeatsLeastSquaresOnTheExample) {
  train({"blending.toml", "--method", "mse"}, "mse");
  train(kByOutputs + Arguments{"120"}, "trained");
  const double least_squares = json("mse/result.json").at("test_cost");
  const double trained = json("trained/result.json").at("test_cost");
  EXPECT_LT(trained, 0.98 * least_squares);
  EXPECT_EQ(json("trained/result.json").at("solves").at("failed"), 0);
  RecordProperty("cost_of_least_squares", std::to_string(least_squares));
  RecordProperty("cost_trained_for_decisions", std::to_string(trained));
}

TEST_F(OwnTaskFiles, ThreadsChangeNothing) {
  train(kByOutputs + Arguments{"6", "--threads", "1"}, "one");
  train(kByOutputs + Arguments{"6", "--threads", "3"}, "three");
  EXPECT_EQ(bytes("one/model.bin"), bytes("three/model.bin"));
}

TEST_F(OwnTaskFiles, RunsAreEvaluatedDecidedAndResumedByWhatTheyRemember) {
  train({"blending.toml", "--method", "mse"}, "run");
  put("blending.toml", "gone");
  const Finished evaluation = polystepor({"evaluate", "run", "--json"});
  ASSERT_EQ(evaluation.exit_code, 0) << evaluation.err;
  EXPECT_EQ(nlohmann::json::parse(evaluation.out).at("test_cost"), json("run/result.json").at("test_cost"));
  put("days.csv", "rain,weekend,temperature,herds\n0,0,10,1\n1,1,-5,1.2\n");
  const Arguments decide = {"decide", "run", "--features", "days.csv", "--out", "plan.csv"};
  expect_refusal({"no known data", decide, {"barley, maize, soy, bran", "expected --known"}});
  put("stock.csv", "bran,soy,maize,barley,note\n35,40,55,60,usual\n0,40,55,60,no bran\n");
  const Finished decision = polystepor(decide + Arguments{"--known", "stock.csv"});
  ASSERT_EQ(decision.exit_code, 0) << decision.err;
  EXPECT_TRUE(bytes("plan.csv").starts_with("instance,solved,barley_calf,barley_dairy,barley_beef,"));
  EXPECT_EQ(std::ranges::count(bytes("plan.csv"), '\n'), 3);
  const Finished resumed = polystepor({"train", "--resume", "--out", "run"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  put("truth.csv", bytes("truth.csv") + "1,2,3\n");
  expect_refusal({"changed data", {"evaluate", "run"}, {"blending.toml", "have changed since this run"}});
}

// Two files of one name in two folders, with other tables: as different as tasks of different names.
TEST_F(OwnTaskFiles, TasksOfOneNameAreComparedAsTheTwoTheyAre) {
  for (const char* folder : {"a", "b"})
    for (const char* name : {"blending.toml", "blending.lp", "features.csv", "truth.csv", "known.csv"})
      put(std::string(folder) + "/" + name, bytes(name));
  train({"a/blending.toml", "--method", "mse"}, "first");
  train({"b/blending.toml", "--method", "mse", "--seed", "1"}, "same");
  replace_in("b/blending.toml", "[data]", "# other rows\n[data]");
  train({"b/blending.toml", "--method", "mse"}, "second");
  const Finished same = polystepor({"compare", "first", "same"});
  ASSERT_EQ(same.exit_code, 0) << same.err;
  EXPECT_EQ(same.out.find("task=blending ("), std::string::npos) << same.out;
  const Finished different = polystepor({"compare", "first", "second"});
  ASSERT_EQ(different.exit_code, 0) << different.err;
  for (const char* run : {"first", "second"}) {
    const std::string fingerprint = json(std::string(run) + "/result.json").at("task_fingerprint");
    EXPECT_NE(different.out.find("task=blending (" + fingerprint + ")"), std::string::npos) << different.out;
  }
}

TEST_F(OwnTaskFiles, CheckShowsWhatMatchedAndWhatIsAtStake) {
  const Finished check = polystepor({"check", "blending.toml", "--no-plan"});
  ASSERT_EQ(check.exit_code, 0) << check.err;
  for (const char* part :
       {"12 columns (0 of them whole numbers), 13 rows, 47 entries",
        "predicted: rhs = \"demand_*\" matches 3: demand_calf, demand_dairy, demand_beef",
        "known: rhs = \"stock_*\" matches 4", "360 training, 120 validation and 120 test rows", "optimal",
        "decided by the mean of the training rows", "decided by the truth itself"})
    EXPECT_NE(check.out.find(part), std::string::npos) << part << "\n" << check.out;
  const Finished plan = polystepor({"check", "blending.toml", "--steps", "2", "--batch", "8", "--bags", "1"});
  EXPECT_NE(plan.out.find("forecast"), std::string::npos) << plan.out << plan.err;
}

TEST_F(OwnTaskFiles, AModelThatIsAlwaysInfeasibleEndsWithAnErrorAndNoResult) {
  replace_in("blending.lp", "End", "  never: barley_calf + maize_calf <= -1\nEnd");
  for (const char* method : {"mse", "polystepor"})
    expect_refusal({method,
                    {"train", "blending.toml", "--method", method, "--quiet"},
                    {"the solver failed on all of 360 rows", "expected at least one to be solved"}});
}

TEST_F(OwnTaskFiles, RefusesWhatDoesNotFit) {
  const auto refuse = [&](const std::string& name, const std::string& file, const std::string& old,
                          const std::string& by, const std::vector<std::string>& parts) {
    const std::string kept = bytes(file);
    replace_in(file, old, by);
    for (const char* command : {"train", "check"})
      expect_refusal({name + " " + command, {command, "blending.toml"}, parts});
    put(file, kept);
  };
  refuse("a broken task", "blending.toml", "[data]", "[data", {"blending.toml line ", "column"});
  refuse("an unknown key", "blending.toml", "below = 900.0", "bellow = 900.0",
         {"blending.toml line ", "column 1: unknown key 'bellow'; did you mean 'below'?"});
  refuse("an unknown section", "blending.toml", "[predictor]", "[predicter]",
         {"unknown section 'predicter'; did you mean 'predictor'?"});
  refuse("a pattern without a match", "blending.toml", "\"stock_*\"", "\"store_*\"",
         {"'store_*' matches no row of", "blending.lp"});
  refuse("a missing file", "blending.toml", "truth.csv", "truths.csv", {"truths.csv", "No such file"});
  refuse("a broken model", "blending.lp", ">= 25", "=> ",
         {"blending.lp line 11, column", "expected a number"});
  refuse("a quadratic model", "blending.lp", "210 barley_calf", "210 barley_calf ^ 2",
         {"blending.lp line 4, column", "quadratic"});
  refuse("a word among numbers", "truth.csv", "\n", "\nn/a,1,2\n",
         {"truth.csv line 2: column 'calf' is 'n/a', expected a finite number"});
  refuse("a missing column", "truth.csv", "calf", "calves", {"truth.csv has no column 'calf'"});
  refuse("tables of other lengths", "truth.csv", "\n", "\n1,2,3\n", {"known.csv has 600 rows, expected 601"});
  expect_refusal({"no such task", {"train", "none.toml"}, {"none.toml", "No such file"}});
  expect_refusal({"nothing to check", {"check"}, {"expected a task file"}});
}

}  // namespace
}  // namespace polystep
