// The first steps of runs with the released settings and draws, against released_steps.py, which computes
// them without the engine.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "data/data_directory.hpp"
#include "evaluation/evaluator.hpp"
#include "polystep/method.hpp"
#include "prepared.hpp"

namespace polystep {
namespace {

using nlohmann::json;

json golden_run(const std::string& problem) {
  std::ifstream file("tests/methods/released_steps.json");
  for (const json& run : json::parse(file))
    if (run.at("problem") == problem) return run;
  return {};
}

void set_all(Options& options, const json& values) {
  for (const auto& [name, value] : values.items())
    options.set_text(name, value.is_string() ? value.get<std::string>() : value.dump(), "test");
}

Options paper_options(const ProblemEntry& problem, const Options& settings, const json& changes) {
  const MethodEntry& method = find_method("polystepor", "test");
  Options options(method.options);
  for (const auto& [name, value] :
       method.preset("paper", "test").values(PresetContext::of(problem, settings)))
    options.set(name, value, "test");
  set_all(options, changes);
  return options;
}

// Both sides draw in single precision and go on in double precision, so what is left is the rounding of
// logarithms and sines of the draws. A single decision that differs moves parameters by a hundred times as
// much.
constexpr double kTolerance = 2e-5;

void expect_parameters(std::span<const double> theta, const json& golden) {
  ASSERT_EQ(theta.size(), golden.at("count").get<std::size_t>());
  const double squares = std::inner_product(theta.begin(), theta.end(), theta.begin(), 0.0);
  const double size = std::sqrt(squares / static_cast<double>(theta.size()));  // of a typical parameter
  for (const json& entry : golden.at("entries"))
    EXPECT_NEAR(theta[entry.at(0).get<std::size_t>()], entry.at(1).get<double>(), kTolerance * size)
        << "parameter " << entry.at(0);
  EXPECT_NEAR(std::accumulate(theta.begin(), theta.end(), 0.0), golden.at("sum").get<double>(),
              kTolerance * size * std::sqrt(static_cast<double>(theta.size())));
  EXPECT_NEAR(squares, golden.at("squares").get<double>(), kTolerance * squares);
}

class ReleasedSteps : public testing::TestWithParam<const char*> {};

TEST_P(ReleasedSteps, AreThoseOfTheScript) {
  const std::string directory = find_data_directory("");
  if (!holds_classical_data(directory) || !holds_constraint_data(directory))
    GTEST_SKIP() << "skipped: needs data, see docs/data.md";
  const json golden = golden_run(GetParam());
  ASSERT_TRUE(golden.is_object());

  const ProblemRegistry problems = builtin_problems();
  const ProblemEntry& problem = problems.find(GetParam(), "test");
  Options settings(problem.options, problem.name);
  settings.set_text("source", "published", "test");
  set_all(settings, golden.at("setting"));
  const auto seed = golden.at("seed").get<std::uint64_t>();
  const Task task = problem.make(settings, {directory, seed});

  const Options options = paper_options(problem, settings, golden.at("method"));
  ThreadTeam team(2);
  Evaluator evaluator(task, team);
  const auto learner = make_prepared(find_method("polystepor", "test"), {evaluator, options, seed});
  for (const json& step : golden.at("steps")) {
    learner->step();
    SCOPED_TRACE("step " + std::to_string(&step - &golden.at("steps")[0] + 1));
    expect_parameters(learner->parameters(), step);
  }
}

INSTANTIATE_TEST_SUITE_P(Problems, ReleasedSteps,
                         testing::Values("shortest-path", "knapsack", "energy-scheduling", "portfolio",
                                         "matching", "knapsack-capacity", "knapsack-weight", "set-cover"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace polystep
