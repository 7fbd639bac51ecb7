// What is trained where nobody names a method: by what a problem states, not by what it is called.
#include <gtest/gtest.h>

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
