// Instances of any size through the command line: the example with tables in long format and a solver
// process.
#include <algorithm>
#include <thread>

#include "apps/refusals.hpp"

namespace polystep {
namespace {

class LongFormat : public Refusals {
 protected:
  LongFormat() {
    for (const std::string name : {"features.csv", "truth.csv", "task.toml", "solver.py"})
      put(name, TemporaryDirectory::contents("examples/deliveries/" + name));
  }
  static Arguments training(const std::string& method, const std::string& out, const Arguments& more) {
    return Arguments{"train", "task.toml", "--quiet", "--method", method, "--out", out} + more;
  }
};

TEST_F(LongFormat, ThreadsDoNotChangeTheModel) {
  const std::pair<std::string, Arguments> ways[] = {
      {"mse", {}}, {"polystepor", {"--steps", "4", "--bags", "2"}}, {"polystepor-output", {"--steps", "30"}}};
  for (const auto& [method, options] : ways) {
    SCOPED_TRACE(method);
    for (const std::string threads : {"1", "2"}) {
      const Finished run =
          polystepor(training(method, method + threads, options + Arguments{"--threads", threads}));
      ASSERT_EQ(run.exit_code, 0) << run.err;
    }
    EXPECT_TRUE(bytes(method + "1/model.bin") == bytes(method + "2/model.bin"));
    const nlohmann::json result = json(method + "1/result.json");
    EXPECT_EQ(result.at("test_failed"), 0);
    const Finished evaluation = polystepor({"evaluate", method + "1", "--json"});
    ASSERT_EQ(evaluation.exit_code, 0) << evaluation.err;
    EXPECT_EQ(nlohmann::json::parse(evaluation.out).at("test_regret"), result.at("test_regret"));
  }
}

// The kill comes after some steps, whatever the machine does meanwhile.
TEST_F(LongFormat, AKilledRunGoesOnToTheSameBits) {
  const Arguments long_run = {"--steps", "200"};
  const std::string method = "polystepor-output";
  ASSERT_EQ(polystepor(training(method, "whole", long_run)).exit_code, 0);
  Process process(POLYSTEPOR_PROGRAM,
                  training(method, "broken", long_run + Arguments{"--checkpoint-seconds", "0"}),
                  surroundings());
  while (!std::filesystem::exists(root() / "broken/checkpoint.bin") ||
         std::ranges::count(bytes("broken/metrics.jsonl"), '\n') < 5)
    std::this_thread::yield();
  process.send(SIGKILL);
  process.wait();
  const Finished rest = polystepor(training(method, "broken", long_run + Arguments{"--resume"}));
  ASSERT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_TRUE(bytes("broken/model.bin") == bytes("whole/model.bin"));
}

TEST_F(LongFormat, ChecksTheTask) {
  const Finished check = polystepor({"check", "task.toml", "--no-plan"});
  ASSERT_EQ(check.exit_code, 0) << check.err;
  for (const char* part : {"200 instances of 3 to 12 outputs", "120 training, 40 validation and 40 test rows",
                           "3 features to one output, in each row of an instance, 4 parameters",
                           "Mean cost of 40 validation rows"})
    EXPECT_NE(check.out.find(part), std::string::npos) << part << " in: " << check.out;
}

TEST_F(LongFormat, DecidesNewInstancesOfAnySize) {
  ASSERT_EQ(polystepor(training("mse", "run", {})).exit_code, 0);
  std::string rows = "rain,hills,name,distance,instance\n9,9,dear,9,one\n0,0,cheap,0,one\n";
  for (int i = 0; i < 15; ++i)  // more than any instance of the history has
    rows += std::to_string(i) + ",0," + std::to_string(i) + ",0,\"two, three\"\n";
  put("new.csv", rows);
  const Finished decision = polystepor({"decide", "run", "--features", "new.csv", "--out", "out.csv"});
  ASSERT_EQ(decision.exit_code, 0) << decision.err;
  const std::string out = bytes("out.csv");
  EXPECT_TRUE(
      out.starts_with("instance,name,solved,value\none,dear,1,0\none,cheap,1,1\n\"two, three\",0,1,1\n"))
      << out;
  EXPECT_TRUE(out.ends_with("\"two, three\",14,1,0\n")) << out;
  EXPECT_EQ(std::ranges::count(out, '\n'), 1 + 2 + 15);

  put("back.csv", "instance,rain,hills,distance\n1,0,0,0\n2,0,0,0\n1,0,0,0\n");
  expect_refusal({"an instance that comes back",
                  {"decide", "run", "--features", "back.csv", "--out", "none.csv"},
                  {"back.csv line 4: instance '1' comes back"}});
  put("wide.csv", "rain,hills,distance\n1,0,0\n");
  expect_refusal({"no column of instances",
                  {"decide", "run", "--features", "wide.csv", "--out", "none.csv"},
                  {"wide.csv has no column 'instance'"}});
}

// The solver says the cost, so that outputs have units, which the model file keeps.
TEST_F(LongFormat, ASolverThatSaysTheCostHasDecisionsOfItsOwnSize) {
  put("solver.py", R"(import json, sys
sys.stdin.readline()
print(json.dumps({"polystepor": 1}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    taken = [costs.index(min(costs)) for costs in request["predictions"]]
    answer = {"frame": request["frame"], "decisions": [[at] for at in taken]}
    if request["want_cost"]:
        answer["costs"] = [truth[at] for truth, at in zip(request["truth"], taken)]
    print(json.dumps(answer), flush=True)
)");
  put("task.toml", bytes("task.toml") + "cost = 'solver'\ndecision-size = 1\n");
  const Finished run = polystepor(training("polystepor-output", "run", {"--steps", "5"}));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Finished evaluation = polystepor({"evaluate", "run", "--json"});
  ASSERT_EQ(evaluation.exit_code, 0) << evaluation.err;
  EXPECT_EQ(nlohmann::json::parse(evaluation.out).at("test_cost"), json("run/result.json").at("test_cost"));
  put("new.csv", "instance,rain,hills,distance\n1,9,9,9\n1,0,0,0\n");
  const Finished decision = polystepor({"decide", "run", "--features", "new.csv", "--out", "out.csv"});
  ASSERT_EQ(decision.exit_code, 0) << decision.err;
  EXPECT_EQ(bytes("out.csv"), "instance,name,solved,value\n1,0,1,1\n");
}

TEST_F(LongFormat, BrokenTablesAreRefused) {
  std::string truth = bytes("truth.csv");
  put("truth.csv", truth.substr(0, truth.rfind("\nday199,") + 1));
  for (const char* command : {"train", "check"})
    expect_refusal(
        {command, {command, "task.toml"}, {"instance 'day199' has", "rows, expected", "features.csv line"}});
}

// A problem in C++ knows its own instances alone.
TEST_F(LongFormat, DecidingForInstancesThatOnlyTheProblemKnowsIsRefused) {
  const Finished run =
      Process(RAGGED_PROGRAM, {"train", "paths", "--method", "mse", "--quiet", "--out", "paths"},
              surroundings())
          .wait();
  ASSERT_EQ(run.exit_code, 0) << run.err;
  put("new.csv", "a,b,c\n1,2,3\n");
  expect_refusal({"paths",
                  {"decide", "paths", "--features", "new.csv", "--out", "none.csv"},
                  {"polystepor decide: instances of sides=4..9 differ in size"}},
                 RAGGED_PROGRAM);
}

}  // namespace
}  // namespace polystep
