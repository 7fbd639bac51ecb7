#include "runtime/bench/frontier_grid.hpp"

#include <gtest/gtest.h>

#include "input_error.hpp"

namespace polystep {
namespace {

FrontierRequest small_request() {
  FrontierRequest request;
  request.problem = "set-cover";
  request.points = 3;
  request.lowest = 0.01;
  request.highest = 1;
  request.seeds = {0, 4};
  request.given = {{"source", "generated", "--set"}, {"size", "5x25", "--set"}, {"steps", "5", "--set"}};
  return request;
}

std::string error_of(const FrontierRequest& request) {
  return input_error([&] { frontier_grid(builtin_problems(), request); });
}

TEST(FrontierGrid, LimitsAreEvenInTheirLogarithm) {
  EXPECT_EQ(frontier_limits(small_request()), (std::vector<double>{0.01, 0.1, 1}));
  FrontierRequest one = small_request();
  one.points = 1;
  EXPECT_EQ(frontier_limits(one), (std::vector<double>{1}));
}

TEST(FrontierGrid, IsEveryLimitAndTheMarkedMethodsForEverySeed) {
  const ProblemRegistry problems = builtin_problems();
  const std::vector<GridCell> cells = frontier_grid(problems, small_request());
  ASSERT_EQ(cells.size(), 2u * (3 + 3));
  EXPECT_EQ(cells[1].preset, "best max-infeasibility=0.1");
  EXPECT_EQ(cells[1].request.method_options.number("max-infeasibility"), 0.1);
  EXPECT_EQ(cells[1].request.method_options.integer("steps"), 5);
  EXPECT_EQ(cells[1].request.problem_options.text("size"), "5x25");
  EXPECT_EQ(cells[3].preset, "best");
  EXPECT_EQ(cells[3].request.method_options.number("max-infeasibility"), 1);
  EXPECT_EQ(cells[4].request.method->name, "gaussian");
  EXPECT_EQ(cells[5].request.method->name, "sfge");
  EXPECT_EQ(cells[5].task, 0u);
  EXPECT_EQ(cells[6].task, 1u);
  EXPECT_EQ(cells[6].request.seed, 4u);
}

TEST(FrontierGrid, RefusesWhatHasNoFrontier) {
  FrontierRequest request = small_request();
  request.problem = "shortest-path";
  request.given = {{"source", "generated", "--set"}};
  EXPECT_EQ(error_of(request),
            "polystepor frontier: no decision of shortest-path can turn out infeasible, expected a problem "
            "whose predictions enter constraints");
  request = small_request();
  request.method = "sfge";
  EXPECT_EQ(error_of(request),
            "polystepor frontier --method: sfge cannot be held to a share of infeasible decisions, expected "
            "polystepor or polystepor-output");
  request = small_request();
  request.lowest = 0.5;
  request.highest = 0.5;
  EXPECT_EQ(error_of(request),
            "polystepor frontier: found limits from 0.5 to 0.5, expected 0 < lowest < highest <= 1");
  request = small_request();
  request.given.push_back({"stepps", "5", "--set"});
  EXPECT_NE(error_of(request).find("did you mean 'steps'"), std::string::npos);
}

}  // namespace
}  // namespace polystep
