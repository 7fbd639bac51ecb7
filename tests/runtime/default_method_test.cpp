// What is trained where nobody names a method: by what a problem states, not by what it is called.
#include <gtest/gtest.h>

#include "polystep/error.hpp"
#include "runtime/run/run_request.hpp"

namespace polystep {
namespace {

TEST(DefaultMethod, GoesByFacts) {
  const ProblemRegistry problems = builtin_problems();
  EXPECT_EQ(default_method(problems.find("districting", "test")), "polystepor-output");
  EXPECT_EQ(default_method(problems.find("shortest-path", "test")), "polystepor");
  ProblemEntry own;
  own.name = "own";
  EXPECT_EQ(default_method(own), "polystepor");
  own.facts = [](const Options&) { return ProblemFacts{.has_prior = true}; };
  EXPECT_EQ(default_method(own), "polystepor");
  own.facts = [](const Options&) {
    return ProblemFacts{.optimises_prediction = Sense::kMinimise, .has_prior = true};
  };
  EXPECT_EQ(default_method(own), "polystepor-output");
}

// A preset settled by facts that the problem does not have would train in the wrong way and say nothing.
TEST(StatedFacts, MustBeThoseOfTheProblem) {
  ProblemRegistry problems;
  ProblemEntry entry = builtin_problems().find("knapsack-capacity", "test");
  entry.facts = nullptr;
  problems.add(entry);
  RunConfig config;
  config.problem = "knapsack-capacity";
  RunRequest request = resolve_run(problems, config, "test", {{"source", "generated", "--source"}});
  try {
    make_task(request);
    FAIL() << "expected a refusal";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("see ProblemEntry::facts"), std::string::npos) << error.what();
  }
}

TEST(DefaultMethod, IsTakenByRunsThatNameNone) {
  const ProblemRegistry problems = builtin_problems();
  RunConfig config;
  config.problem = "districting";
  EXPECT_EQ(resolve_run(problems, config, "test", {}).method->name, "polystepor-output");
  config.method = "fenchel-young";
  EXPECT_EQ(resolve_run(problems, config, "test", {}).method->name, "fenchel-young");
}

}  // namespace
}  // namespace polystep
