#include "methods/polystepor/flip_distances.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "methods/polystepor/polystepor_options.hpp"
#include "methods/probes/probe_costs.hpp"

namespace polystep {
namespace {

// Decides 1 where its only prediction is below 0, else 0: the decision changes exactly where the prediction
// crosses 0.
class Threshold final : public Problem {
 public:
  Threshold() : Problem(1, 1) {}
  SolveStatus decide(std::span<const double> prediction, std::size_t,
                     std::span<double> decision) const override {
    decision[0] = prediction[0] < 0 ? 1 : 0;
    return SolveStatus::kSolved;
  }
  double cost(std::span<const double> decision, std::span<const double> truth, std::size_t) const override {
    return decision[0] * truth[0];
  }
  ProblemFacts facts() const override { return linear_facts(Sense::kMinimise); }
};

Task threshold_task() {
  Task task;
  task.problem = std::make_unique<Threshold>();
  task.predictor = make_linear(1, 1);
  Split& rows = task.data.training;
  rows = {.rows = 4,
          .feature_columns = 1,
          .truth_columns = 1,
          .features = {2, 2, 2, 2},
          .truth = {1, 1, 1, 1},
          .instances = {}};
  task.data.validation = task.data.test = rows;
  return task;
}

Options probing(const std::string& rotation) {
  Options options(polystepor_options());
  options.set_text("space", "outputs", "test");
  options.set_text("rotation", rotation, "test");
  return options;
}

FlipDistances distances_of(const Task& task, const Options& options, const std::vector<double>& theta,
                           std::size_t pairs) {
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  return *measure_flip_distances(evaluator, options, theta, pairs, 5);
}

// Prediction 2 w + b = 3 falls by 2 per unit of -w and by 1 per unit of -b; along +w and +b it never crosses.
TEST(FlipDistance, IsWhereThePredictionCrosses) {
  const Task task = threshold_task();
  const FlipDistances found = distances_of(task, probing("identity"), {1, 1}, 100);
  EXPECT_EQ(found.pairs, 100u);
  EXPECT_TRUE(found.certain);
  std::size_t along_weight = 0, along_bias = 0;
  for (const double distance : found.distances) {
    along_weight += std::abs(distance - 1.5) <= 1.5 * kFlipDistanceAccuracy;
    along_bias += std::abs(distance - 3) <= 3 * kFlipDistanceAccuracy;
  }
  EXPECT_EQ(along_weight + along_bias, found.distances.size());
  EXPECT_GT(along_weight, 10u);
  EXPECT_GT(along_bias, 10u);
  EXPECT_LT(found.distances.size(), 80u);
}

TEST(FlipDistance, IsInTheUnitsOfPreparedFeatures) {
  Task task = threshold_task();
  task.data.training.features = {0, 2, 0, 2};  // mean 1, deviation 1: prepared features are -1 and 1
  Options options = probing("identity");
  options.set_text("standardise", "true", "test");
  // Prediction b = 3 for all rows; a unit of w moves it by -1 or 1, a unit of b by 1.
  for (const double distance : distances_of(task, options, {0, 3}, 50).distances)
    EXPECT_NEAR(distance, 3, 3 * kFlipDistanceAccuracy);
}

TEST(FlipDistance, GrowsWithThePredictions) {
  const Task task = threshold_task();
  const FlipDistances one = distances_of(task, probing("haar"), {1, 1}, 64);
  const FlipDistances ten = distances_of(task, probing("haar"), {10, 10}, 64);
  ASSERT_EQ(one.distances.size(), ten.distances.size());
  ASSERT_GT(one.distances.size(), 16u);
  EXPECT_TRUE(std::is_sorted(one.distances.begin(), one.distances.end()));
  for (std::size_t i = 0; i < one.distances.size(); ++i)
    EXPECT_NEAR(ten.distances[i], 10 * one.distances[i], 3e-5 * one.distances[i]);
}

TEST(FlipDistance, HasDirectionsForMethodsWithoutProbesToo) {
  const Task task = threshold_task();
  const FlipDistances found = distances_of(task, Options(OptionTable()), {1, 1}, 64);
  ASSERT_GT(found.distances.size(), 16u);
  // No unit direction moves the prediction faster than its gradient (2, 1) is long.
  EXPECT_GE(found.distances.front(), 3 / std::sqrt(5.0) * (1 - kFlipDistanceAccuracy));
}

// As many pairs change within a radius as probes of that radius flip decisions.
TEST(FlipDistance, AgreesWithTheFlipRateOfRealProbes) {
  const ProblemRegistry problems = builtin_problems();
  const ProblemEntry& entry = problems.find("shortest-path", "test");
  Options settings(entry.options);
  settings.set_text("source", "generated", "test");
  const Task task = entry.make(settings, {});
  const std::vector<double> theta = task.predictor->initial_parameters(1);
  const std::size_t pairs = 2000;
  const FlipDistances found = distances_of(task, probing("haar"), theta, pairs);
  ASSERT_GT(found.distances.size(), pairs / 4);
  const double radius = found.distances[found.distances.size() / 2];
  Options options = probing("haar");
  options.set("radius-start", 2 * radius, "test");  // a single probe lies halfway
  PolyStep optimizer = make_optimizer(options, *task.predictor, theta, 5);
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  ProbeEvaluator probe_evaluator(evaluator, true);
  ProbeCosts costs;
  probe_evaluator.evaluate(optimizer.ask(), theta, TiledRows(task.data.training), costs);
  ASSERT_NEAR(optimizer.ask().radii().back(), radius, 1e-9 * radius);
  const double within = 0.5 * static_cast<double>(found.distances.size()) / static_cast<double>(pairs);
  EXPECT_NEAR(costs.flip_rate(), within, 0.04);  // four standard errors
}

}  // namespace
}  // namespace polystep
