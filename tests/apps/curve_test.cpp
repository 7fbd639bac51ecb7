// Curves of regret against solver calls, as a user meets them.
#include "apps/refusals.hpp"

namespace polystep {
namespace {

class Curve : public Refusals {};

TEST_F(Curve, WritesTableAndPlotAndKeepsWhatIsThere) {
  const Arguments arguments = {
      "curve", "knapsack",         "--methods", "polystepor:best", "--seeds", "0",
      "--set", "capacity=60",      "--set",     "steps=3",         "--set",   "bags=2",
      "--set", "source=generated", "--quiet"};
  const Finished first = polystepor(arguments);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_NE(first.out.find("polystepor (best"), std::string::npos) << first.out;
  const std::string table = bytes("runs/curve-knapsack/curve.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 5);  // head, start and three steps
  EXPECT_EQ(bytes("runs/curve-knapsack/curve.svg").substr(0, 4), "<svg");
  expect_refusal({"the curve is there", arguments, {"curve.csv", "--force"}});
  EXPECT_EQ(polystepor(arguments + Arguments{"--force"}).exit_code, 0);
  EXPECT_EQ(bytes("runs/curve-knapsack/curve.csv"), table);
}

TEST_F(Curve, RefusesWhatItCannotTrace) {
  expect_refusals(
      {{"no such method", {"curve", "knapsack", "--methods", "polystep"}, {"polystep", "polystepor"}},
       {"no such preset", {"curve", "knapsack", "--methods", "polystepor:worst"}, {"worst", "best"}},
       {"no such problem", {"curve", "knapsac"}, {"knapsac", "knapsack"}}});
}

}  // namespace
}  // namespace polystep
