#include "runtime/plan/budget.hpp"

#include <gtest/gtest.h>

#include "input_error.hpp"

namespace polystep {
namespace {

TEST(ParseBudget, ReadsSecondsAndSolvesAndWritesThemBack) {
  const Budget seconds = parse_budget("seconds=60", "--budget");
  EXPECT_EQ(seconds.unit, BudgetUnit::kSeconds);
  EXPECT_EQ(seconds.amount, 60);
  const Budget solves = parse_budget("solves=1e6", "--budget");
  EXPECT_EQ(solves.unit, BudgetUnit::kSolves);
  EXPECT_EQ(solves.amount, 1e6);
  for (const char* text : {"seconds=0.1", "solves=1234567", "seconds=1e-7"}) {
    const Budget budget = parse_budget(text, "");
    EXPECT_EQ(parse_budget(to_text(budget), "").amount, budget.amount) << text;
    EXPECT_EQ(parse_budget(to_text(budget), "").unit, budget.unit) << text;
  }
}

TEST(ParseBudget, SaysWhatIsWrong) {
  for (const char* text : {"", "60", "minutes=1", "=3", "seconds", "Seconds=3"})
    EXPECT_EQ(input_error([&] { parse_budget(text, "--budget"); }),
              "--budget: found '" + std::string(text) + "', expected seconds=NUMBER or solves=NUMBER");
  for (const char* text : {"seconds=", "seconds=0", "solves=-1", "solves=1e999", "seconds=nan", "seconds=inf",
                           "seconds=1s", "solves= 5"})
    EXPECT_EQ(input_error([&] { parse_budget(text, "run.toml line 2"); }),
              "run.toml line 2: found '" + std::string(text) +
                  "', expected a number above 0 behind the equals sign");
}

}  // namespace
}  // namespace polystep
