// Probes of predictions: the gradient they estimate against smoothed costs whose gradient is known.
#include "methods/probes/prediction_probes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "polystep/random.hpp"

namespace polystep {
namespace {

constexpr std::size_t kThings = 3, kFeatures = 2;
using Vector = std::vector<double>;

// Takes every thing with a negative prediction and pays its true price. Smoothed over noise of deviation s,
// the cost is the sum of truth * Phi(-p / s).
class TakeCheap : public Problem {
 public:
  TakeCheap() : Problem(kThings, kThings) {}
  SolveStatus decide(std::span<const double> prediction, std::size_t,
                     std::span<double> decision) const override {
    for (std::size_t k = 0; k < kThings; ++k) decision[k] = prediction[k] < 0 ? 1 : 0;
    return SolveStatus::kSolved;
  }
  double cost(std::span<const double> decision, std::span<const double> truth, std::size_t) const override {
    double sum = 0;
    for (std::size_t k = 0; k < kThings; ++k) sum += decision[k] * truth[k];
    return sum;
  }
};

// Does what was predicted and pays the squared distance to the truth: no linear objective. Smoothing adds a
// constant.
class Track final : public TakeCheap {
 public:
  SolveStatus decide(std::span<const double> prediction, std::size_t,
                     std::span<double> decision) const override {
    std::copy(prediction.begin(), prediction.end(), decision.begin());
    return SolveStatus::kSolved;
  }
  double cost(std::span<const double> decision, std::span<const double> truth, std::size_t) const override {
    double sum = 0;
    for (std::size_t k = 0; k < kThings; ++k) sum += (decision[k] - truth[k]) * (decision[k] - truth[k]);
    return sum;
  }
};

// Gives no decision where the first prediction is positive, else one that costs nothing.
class FailAbove final : public TakeCheap {
 public:
  SolveStatus decide(std::span<const double> prediction, std::size_t,
                     std::span<double> decision) const override {
    std::fill(decision.begin(), decision.end(), 0.0);
    return prediction[0] > 0 ? SolveStatus::kFailed : SolveStatus::kSolved;
  }
};

Task make_task(std::unique_ptr<Problem> problem, std::size_t rows) {
  Task task;
  task.problem = std::move(problem);
  task.predictor = make_linear(kFeatures, kThings);
  Split& split = task.data.training;
  split.rows = rows;
  split.feature_columns = kFeatures;
  split.truth_columns = kThings;
  RandomStream random(1, Purpose::kTest);
  for (std::size_t i = 0; i < rows * kFeatures; ++i) split.features.push_back(random.normal());
  for (std::size_t i = 0; i < rows * kThings; ++i) split.truth.push_back(random.uniform(-1, 2));
  task.data.validation = task.data.test = split;
  return task;
}

using Slope = std::function<double(double prediction, double truth)>;  // of one thing's smoothed cost

// The gradient of the mean smoothed cost for theta: weights [things × features], then biases [things].
Vector analytic_gradient(const Task& task, const Vector& theta, const Slope& slope) {
  const Split& split = task.data.training;
  Vector gradient(theta.size(), 0.0);
  for (std::size_t row = 0; row < split.rows; ++row)
    for (std::size_t k = 0; k < kThings; ++k) {
      double prediction = theta[kThings * kFeatures + k];
      for (std::size_t f = 0; f < kFeatures; ++f)
        prediction += theta[k * kFeatures + f] * split.feature_row(row)[f];
      const double share = slope(prediction, split.truth_row(row)[k]) / static_cast<double>(split.rows);
      for (std::size_t f = 0; f < kFeatures; ++f)
        gradient[k * kFeatures + f] += share * split.feature_row(row)[f];
      gradient[kThings * kFeatures + k] += share;
    }
  return gradient;
}

// The mean over independent draws must lie within five of its standard errors, which must be small.
void expect_unbiased(std::unique_ptr<Problem> problem, double noise, const Slope& slope) {
  constexpr std::size_t kDraws = 60, kSamples = 300;
  const Task task = make_task(std::move(problem), 13);  // the last tile is not full
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  PredictionProbes probes(evaluator, kSamples, 5);
  const TiledRows rows(task.data.training);
  const Vector theta = task.predictor->initial_parameters(2);
  const Vector expected = analytic_gradient(task, theta, slope);
  Vector sum(theta.size(), 0.0), squares(theta.size(), 0.0);
  SmoothedGradient result;
  for (std::size_t draw = 0; draw < kDraws; ++draw) {
    probes.evaluate(theta, rows, draw, noise, result);
    for (std::size_t i = 0; i < theta.size(); ++i) {
      sum[i] += result.gradient[i];
      squares[i] += result.gradient[i] * result.gradient[i];
    }
  }
  EXPECT_EQ(result.solves.requested, 2 * 13 * kSamples);
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const double mean = sum[i] / kDraws;
    const double error = std::sqrt((squares[i] / kDraws - mean * mean) / kDraws);
    EXPECT_NEAR(mean, expected[i], 5 * error) << "parameter " << i;
    EXPECT_LT(error, 0.02) << "parameter " << i;
  }
  double largest = 0;
  for (const double entry : expected) largest = std::max(largest, std::abs(entry));
  EXPECT_GT(largest, 0.15);  // or the comparison would show nothing
}

TEST(PredictionProbes, EstimateTheGradientOfTheSmoothedCost) {
  for (const double noise : {0.3, 1.0})
    expect_unbiased(std::make_unique<TakeCheap>(), noise, [noise](double prediction, double truth) {
      const double z = prediction / noise;
      return -truth * std::exp(-z * z / 2) / (noise * std::sqrt(2 * std::numbers::pi));
    });
}

TEST(PredictionProbes, NeedNoLinearObjective) {
  expect_unbiased(std::make_unique<Track>(), 0.5,
                  [](double prediction, double truth) { return 2 * (prediction - truth); });
}

TEST(PredictionProbes, GiveTheSameBitsForAnyNumberOfThreads) {
  const Task task = make_task(std::make_unique<TakeCheap>(), 203);
  const TiledRows rows(task.data.training);
  const Vector theta = task.predictor->initial_parameters(2);
  SmoothedGradient expected;
  for (const std::size_t threads : {1, 2, 5}) {
    ThreadTeam team(threads);
    Evaluator evaluator(task, team);
    PredictionProbes probes(evaluator, 2, 5);
    SmoothedGradient result;
    probes.evaluate(theta, rows, 7, 0.4, result);
    if (threads == 1) expected = result;
    EXPECT_TRUE(result.gradient == expected.gradient) << threads << " threads";
    EXPECT_EQ(result.mean_cost, expected.mean_cost);
    EXPECT_EQ(result.flips, expected.flips);
  }
  EXPECT_GT(expected.flips, 0u);
  EXPECT_LT(expected.flip_rate(), 1);
}

TEST(PredictionProbes, LearnExactlyNothingOnAPlateau) {
  const Task task = make_task(std::make_unique<TakeCheap>(), 21);
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  PredictionProbes probes(evaluator, 3, 5);
  SmoothedGradient result;
  const Vector theta = task.predictor->initial_parameters(2);
  probes.evaluate(theta, TiledRows(task.data.training), 0, 1e-9, result);
  EXPECT_EQ(result.flips, 0u);
  EXPECT_EQ(result.gradient, Vector(theta.size(), 0.0));
  probes.evaluate(theta, TiledRows(task.data.training), 0, 1, result);
  EXPECT_NE(result.gradient, Vector(theta.size(), 0.0));
}

// Predictions of 0: one side of every pair fails, so each pair is a flip and half the probes pay for it.
TEST(PredictionProbes, ChargeAndCountFailures) {
  const Task task = make_task(std::make_unique<FailAbove>(), 11);
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  evaluator.set_failure_cost(8);
  PredictionProbes probes(evaluator, 4, 5);
  SmoothedGradient result;
  const Vector theta(task.predictor->parameters(), 0.0);
  probes.evaluate(theta, TiledRows(task.data.training), 0, 1, result);
  EXPECT_EQ(result.solves.performed, 88u);
  EXPECT_EQ(result.solves.failed, 44u);
  EXPECT_EQ(result.flips, 44u);
  EXPECT_EQ(result.mean_cost, 4);
  EXPECT_GT(result.gradient[kThings * kFeatures], 0);  // the first prediction should fall
}

}  // namespace
}  // namespace polystep
