// The [solver] section of a task file: what it becomes and what it refuses.
#include <gtest/gtest.h>

#include "input_error.hpp"
#include "own/own_task.hpp"
#include "polystep/solver_monitor.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

class OwnSolver : public testing::Test {
 protected:
  OwnSolver() {
    std::string features = "a,b\n", truth = "x,y,z\n", known = "size\n";
    for (int row = 0; row < 30; ++row) {
      features += std::to_string(row) + "," + std::to_string(row % 4) + "\n";
      truth += std::to_string(row % 5) + "," + std::to_string(row % 3) + ",2\n";
      known += std::to_string(1000 + row) + "\n";
    }
    directory_.file("features.csv", features);
    directory_.file("truth.csv", truth);
    directory_.file("known.csv", known);
  }
  Task make(const std::string& solver, const std::string& data = "") const {
    const std::string toml =
        "[data]\nfeatures = 'features.csv'\ntruth = 'truth.csv'\n" + data + "[solver]\n" + solver;
    return make_own_task(parse_own_task(toml, "my.toml"), directory_.path());
  }
  std::string error(const std::string& solver, const std::string& data = "") const {
    return input_error([&] { make(solver, data); });
  }

  // A solver that keeps the requests it gets in a file and decides nothing.
  std::string spy() const {
    return "command = ['sh', '-c', 'read greeting; echo $greeting > greeting; echo {\\\"polystepor\\\":1}; "
           "read request; echo $request > request; exit 1']\n";
  }
  std::string file(const std::string& name) const { return TemporaryDirectory::contents(directory_ / name); }

  TemporaryDirectory directory_;
};

std::string practice() { return std::string("command = '") + FAULTY_SOLVER + "'\nformat = 'binary'\n"; }

TEST_F(OwnSolver, BecomesAProblemWithALinearObjective) {
  const Task task = make(practice());
  EXPECT_EQ(task.problem->outputs(), 3u);
  EXPECT_EQ(task.problem->decision_size(), 3u);
  EXPECT_EQ(task.problem->facts().linear_objective(), Sense::kMinimise);
  EXPECT_EQ(task.problem->decision_name(1), "y");
  EXPECT_FALSE(task.problem->facts().needs_instance_data);
  EXPECT_EQ(make(practice() + "cost = 'maximise'\n").problem->facts().linear_objective(), Sense::kMaximise);
  EXPECT_EQ(make(practice() + "cost = 'solver'\ndecision-size = 0\n").problem->facts().linear_objective(),
            std::nullopt);
}

TEST_F(OwnSolver, SendsWhatIsAskedForOfTheInstanceThatIsMeant) {
  const Task task = make(spy() + "send = ['known', 'features', 'truth']\nframe-size = 1\n",
                         "known = 'known.csv'\nstandardise = true\n");
  std::vector<double> decision(3);
  EXPECT_EQ(task.problem->decide(std::vector<double>{0.5, 1, 2}, 17, decision), SolveStatus::kFailed);
  EXPECT_EQ(file("greeting"), R"({"polystepor":1,"outputs":3,"decision_size":3,"feature_columns":3,)"
                              R"("truth_columns":3,"solver_cost":false})"
                              "\n");
  EXPECT_EQ(file("request"), R"({"frame":0,"want_cost":false,"instances":[17],"predictions":[[0.5,1,2]],)"
                             R"("features":[[17,1,1017]]})"
                             "\n");
  EXPECT_TRUE(task.problem->facts().needs_instance_data);
}

TEST_F(OwnSolver, RefusesWhatMakesNoSense) {
  EXPECT_EQ(error("format = 'json'\n"),
            "my.toml line 4, column 1: there is no command, expected a program and its arguments");
  EXPECT_NE(error(practice() + "cots = 'solver'\n").find("did you mean 'cost'?"), std::string::npos);
  EXPECT_NE(error(practice() + "cost = 'average'\n").find("expected one of minimise, maximise, solver"),
            std::string::npos);
  EXPECT_NE(error("command = 'x'\nformat = 'xml'\n").find("expected one of json, binary"), std::string::npos);
  EXPECT_NE(error("command = 'x'\ntime-limit = 0\n").find("time-limit"), std::string::npos);
  EXPECT_NE(error("command = 'x'\nframe-size = 0\n").find("frame-size"), std::string::npos);
  EXPECT_NE(error("command = 'x'\nsend = ['everything']\n")
                .find("found 'everything', expected features, known or truth"),
            std::string::npos);
  EXPECT_NE(error(practice() + "send = ['known']\n").find("there are no known data to send"),
            std::string::npos);
  EXPECT_NE(error(practice() + "decision-size = 2\n").find("option 'decision-size' is 2, expected 3"),
            std::string::npos);
  EXPECT_NE(error("command = 'no-such-solver'\n").find("cannot start the solver 'no-such-solver'"),
            std::string::npos);
}

}  // namespace
}  // namespace polystep
