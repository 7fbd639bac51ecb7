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

// Three settings of names that files cannot have, two methods, one of them never cut.
TEST_F(Curve, DrawsATableOfRuns) {
  put("runs.csv",
      "setting,method,calls,seed,made,regret\n\"path, degree 8\",ours,3,0,3,0.2\n\"path, degree "
      "8\",ours,10,0,9,0.1\n"
      "\"path, degree 8\",ours,0,0,500,0.9\n\"path, degree 8\",fit,0,0,1,0.3\nbag/../7,ours,3,0,3,0.2\n");
  const Arguments arguments = {"curve", "--from", "runs.csv", "--out", "drawn"};
  const Finished drawn = polystepor(arguments);
  ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
  const std::string picture = bytes("drawn/curve-path-degree-8.svg");
  EXPECT_EQ(picture.substr(0, 4), "<svg");
  for (const char* word : {"path, degree 8", "ours", "fit", "solver calls per training row"})
    EXPECT_NE(picture.find(word), std::string::npos) << word;
  EXPECT_EQ(bytes("drawn/curve-bag-7.svg").substr(0, 4), "<svg");
  expect_refusal({"pictures are there", arguments, {"curve-path-degree-8.svg", "--force"}});
  EXPECT_EQ(polystepor(arguments + Arguments{"--force"}).exit_code, 0);
}

TEST_F(Curve, RefusesWhatItCannotTrace) {
  put("other.csv", "method,calls,made,regret\nours,3,3,0.2\n");
  put("words.csv", "setting,method,calls,made,regret\npath,ours,3,3,low\n");
  expect_refusals(
      {{"nothing to draw", {"curve"}, {"neither", "--from"}},
       {"two things to draw", {"curve", "knapsack", "--from", "other.csv"}, {"--from", "expected one"}},
       {"no such table", {"curve", "--from", "none.csv"}, {"none.csv"}},
       {"a table of something else", {"curve", "--from", "other.csv"}, {"other.csv", "setting"}},
       {"no number", {"curve", "--from", "words.csv"}, {"words.csv", "regret", "low"}},
       {"no such method", {"curve", "knapsack", "--methods", "polystep"}, {"polystep", "polystepor"}},
       {"no such preset", {"curve", "knapsack", "--methods", "polystepor:worst"}, {"worst", "best"}},
       {"no such problem", {"curve", "knapsac"}, {"knapsac", "knapsack"}}});
}

}  // namespace
}  // namespace polystep
