// `polystepor train task.toml` with a solver process: from outside, as a user runs it.
#include <fmt/format.h>

#include "apps/sandbox.hpp"

namespace polystep {
namespace {

class SolverProcess : public Sandbox {
 protected:
  // The example's tables, with as many copies of the rows as wanted.
  void put_task(const std::string& solver, int copies = 1) const {
    for (const std::string name : {"features.csv", "truth.csv"}) {
      const std::string text = TemporaryDirectory::contents("examples/solver_process/" + name);
      const std::size_t header = text.find('\n') + 1;
      std::string rows = text.substr(0, header);
      for (int copy = 0; copy < copies; ++copy) rows += text.substr(header);
      put(name, rows);
    }
    put("task.toml", "[data]\nfeatures = 'features.csv'\ntruth = 'truth.csv'\n[solver]\n" + solver);
  }
  static std::string faulty(const std::string& rules) {
    return fmt::format("command = ['{}'{}]\nformat = 'binary'\n", FAULTY_SOLVER, rules);
  }
  Finished train_task(const Arguments& more) const {
    return polystepor(Arguments{"train", "task.toml", "--quiet", "--steps", "3", "--bags", "1", "--starts",
                                "1", "--blend", "false", "--batch", "50"} +
                      more);
  }
};

TEST_F(SolverProcess, TheExampleTrainsEvaluatesAndDecides) {
  for (const std::string name : {"features.csv", "truth.csv", "task.toml", "solver.py"})
    put(name, TemporaryDirectory::contents("examples/solver_process/" + name));
  const Finished fit = polystepor({"train", "task.toml", "--quiet", "--method", "mse", "--out", "fit"});
  ASSERT_EQ(fit.exit_code, 0) << fit.err;
  const Finished run =
      polystepor({"train", "task.toml", "--quiet", "--method", "polystepor-output", "--out", "run"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const nlohmann::json result = json("run/result.json");
  EXPECT_LT(result.at("test_regret").get<double>(),
            0.5 * json("fit/result.json").at("test_regret").get<double>());
  EXPECT_EQ(result.at("solves").at("failed"), 0);
  EXPECT_EQ(result.at("solver_process").at("crashes"), 0);
  EXPECT_GT(result.at("solver_process").at("frames"), 0);
  const Finished evaluation = polystepor({"evaluate", "run", "--json"});
  ASSERT_EQ(evaluation.exit_code, 0) << evaluation.err;
  EXPECT_EQ(nlohmann::json::parse(evaluation.out).at("test_regret"), result.at("test_regret"));
  put("new.csv", "oil,season,demand\n0,0,0\n3,1,1\n");
  const Finished decision = polystepor({"decide", "run", "--features", "new.csv", "--out", "out.csv"});
  ASSERT_EQ(decision.exit_code, 0) << decision.err;
  EXPECT_TRUE(bytes("out.csv").starts_with("instance,solved,alder,birch,cedar,elm,fir,oak\n0,1,"))
      << bytes("out.csv");
}

// Crashes on 1 % of instances, hangs on 0.1 %, three kinds of garbage on 0.1 % between them.
TEST_F(SolverProcess, FaultsAreCountedAndTheRunIsComplete) {
  put_task(faulty(", 'crash:100:17', 'hang:1000:444', 'short:3000:5', 'number:3000:1006', 'nan:3000:2007'") +
               "time-limit = 0.05\n",
           13);
  const Finished run = train_task({"--out", "run", "--threads", "2"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const nlohmann::json result = json("run/result.json"), events = result.at("solver_process");
  for (const char* key :
       {"test_regret", "test_cost", "validation_cost", "failure_cost", "steps", "seconds", "notes"})
    EXPECT_TRUE(result.contains(key)) << key;
  EXPECT_EQ(result.at("steps"), 3);
  for (const char* kind : {"crashes", "hangs", "garbage", "restarts", "charged"})
    EXPECT_GT(events.at(kind), 0) << kind;
  // A few solves are timed before the run; their events are in the log, but they are none of its solves.
  const std::uint64_t charged = events.at("charged"), failed = result.at("solves").at("failed");
  EXPECT_GE(charged, failed);
  EXPECT_LE(charged, failed + 16);
  const std::string log = bytes("run/solver.log");
  EXPECT_NE(log.find("is charged the failure cost: the solver ended with signal 6 (Aborted)"),
            std::string::npos);
  EXPECT_NE(log.find("instance 444 is charged the failure cost: the solver gave no answer within 0.05 s"),
            std::string::npos);
}

TEST_F(SolverProcess, ThreadsAndFrameSizesDoNotChangeTheModel) {
  std::string first;
  for (const std::string frame_size : {"1", "50", "128"})
    for (const std::string threads : {"1", "3"}) {
      put_task(faulty(", 'crash:100:17', 'decline:40:3'") + "frame-size = " + frame_size + "\n");
      const std::string out = "run" + frame_size + threads;
      const Finished run = train_task({"--out", out, "--threads", threads});
      ASSERT_EQ(run.exit_code, 0) << run.err;
      if (first.empty()) first = bytes(out + "/model.bin");
      EXPECT_EQ(bytes(out + "/model.bin"), first) << frame_size << " per frame, " << threads << " threads";
    }
}

TEST_F(SolverProcess, ASolverThatDoesNotWorkIsRefusedBeforeAnythingIsWritten) {
  const struct {
    std::string solver, sentence;
  } cases[] = {
      {"command = 'no-such-solver'\n", "cannot start the solver 'no-such-solver'"},
      {"command = ['sh', '-c', 'echo no licence >&2; exit 1']\n", "(its last message: 'no licence')"},
      {"command = ['sh', '-c', 'echo Hello; cat']\n", "found the line 'Hello', expected a JSON object"},
      {faulty(", 'quit:1:0'"), "failed on each of the first 16 instances"},
  };
  for (const auto& [solver, sentence] : cases) {
    put_task(solver);
    const auto before = snapshot(root());
    const Finished run = train_task({"--out", "run"});
    EXPECT_EQ(run.exit_code, 2) << solver;
    EXPECT_NE(run.err.find(sentence), std::string::npos) << run.err;
    EXPECT_EQ(snapshot(root()), before) << solver;
    // Training from remembered decisions asks row by row; it must not take a lost solver for failed rows.
    const Finished frugal =
        polystepor({"train", "task.toml", "--quiet", "--out", "run", "--fidelity", "frugal", "--calls", "6"});
    EXPECT_EQ(frugal.exit_code, 2) << solver;
    EXPECT_NE(frugal.err.find(sentence), std::string::npos) << frugal.err;
    EXPECT_EQ(snapshot(root()), before) << solver;
  }
}

TEST_F(SolverProcess, DecidingNewRowsIsRefusedWhereTheSolverNeedsMore) {
  put_task(faulty("") + "send = ['features']\n");
  ASSERT_EQ(train_task({"--out", "run"}).exit_code, 0);
  const Finished run = polystepor({"decide", "run", "--features", "features.csv", "--out", "out.csv"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("needs data of each instance besides its predictions"), std::string::npos)
      << run.err;
}

}  // namespace
}  // namespace polystep
