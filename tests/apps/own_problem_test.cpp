// The example of a problem of one's own: short, and with the whole command line behind it.
#include <algorithm>

#include "apps/sandbox.hpp"

namespace polystep {
namespace {

class OwnProblem : public Sandbox {
 protected:
  double test_regret(const Arguments& arguments) const {
    const Finished run =
        own_problem(Arguments{"train", "bakery", "--quiet", "--json", "--force", "--out", "run"} + arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return nlohmann::json::parse(run.out).at("test_regret");
  }
};

TEST_F(OwnProblem, FitsOnAScreen) {
  const std::string source = TemporaryDirectory::contents("examples/own_problem/own_problem.cpp");
  ASSERT_FALSE(source.empty());
  EXPECT_LE(std::count(source.begin(), source.end(), '\n'), 40);
}

TEST_F(OwnProblem, TrainsEvaluatesAndDecides) {
  for (const std::string method : {"mse", "polystepor"}) {
    const Finished run = own_problem({"train", "bakery", "--method", method, "--quiet", "--out", method});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const Finished evaluation = own_problem({"evaluate", method, "--json"});
    ASSERT_EQ(evaluation.exit_code, 0) << evaluation.err;
    EXPECT_EQ(nlohmann::json::parse(evaluation.out).at("test_regret"),
              json(method + "/result.json").at("test_regret"));
    put("days.csv", "weekend,sun\n0,0.1\n1,0.9\n");
    const std::string out = method + ".csv";
    const Finished decision = own_problem({"decide", method, "--features", "days.csv", "--out", out});
    ASSERT_EQ(decision.exit_code, 0) << decision.err;
    EXPECT_TRUE(bytes(out).starts_with("instance,solved,x0,x1,x2\n0,1,")) << bytes(out);
    EXPECT_EQ(std::ranges::count(bytes(out), '\n'), 3);
    EXPECT_EQ(bytes(out).find("-0"), std::string::npos) << bytes(out);
  }
}

TEST_F(OwnProblem, TrainingForDecisionsBeatsLeastSquares) {
  const double least_squares = test_regret({"--method", "mse"});
  for (const char* seed : {"0", "1", "2"}) {
    const double regret = test_regret({"--seed", seed});
    EXPECT_LT(regret, least_squares) << "seed " << seed << ": " << regret << " trained for decisions, "
                                     << least_squares << " by least squares";
    RecordProperty(std::string("regret_of_seed_") + seed, std::to_string(regret));
  }
  RecordProperty("regret_of_least_squares", std::to_string(least_squares));
}

TEST_F(OwnProblem, BuiltInProblemsAreThereToo) {
  const Finished list = own_problem({"list"});
  for (const char* name : {"bakery", "shortest-path", "knapsack"})
    EXPECT_NE(list.out.find(name), std::string::npos) << name;
}

}  // namespace
}  // namespace polystep
