#include <gtest/gtest.h>

#include <cmath>

#include "polystep/aligned.hpp"
#include "polystep/predictor.hpp"
#include "polystep/random.hpp"
#include "polystep/tile.hpp"
#include "predictors/pair_scores.hpp"

namespace polystep {
namespace {

constexpr std::size_t kFeatures = 9, kLeft = 5, kRight = 67, kHidden = 11;

// Mostly zeros, like word lists.
std::vector<double> sparse_features(std::size_t count, std::uint64_t index) {
  std::vector<double> values(count);
  RandomStream stream(3, Purpose::kTest, index);
  for (double& value : values) value = stream.below(3) == 0 ? stream.normal() : 0.0;
  return values;
}

class PairNetworkTest : public testing::Test {
 protected:
  std::unique_ptr<Predictor> predictor = make_pair_network(kFeatures, kLeft, kRight, kHidden);
  std::vector<double> theta = predictor->initial_parameters(4);
  std::vector<double> features = sparse_features(predictor->feature_columns() * kLanes, 1);

  double feature(std::size_t row, std::size_t f, std::size_t lane) const {
    return features[(row * kFeatures + f) * kLanes + lane];
  }

  // The network as one would write it down: the left row, then the right row, through both layers.
  double score(std::size_t left, std::size_t right, std::size_t lane) const {
    const double* weight = theta.data();
    const double* bias = weight + kHidden * 2 * kFeatures;
    const double* output = bias + kHidden;
    double z = output[kHidden];
    for (std::size_t h = 0; h < kHidden; ++h) {
      double unit = bias[h];
      for (std::size_t f = 0; f < kFeatures; ++f) {
        unit += weight[h * 2 * kFeatures + f] * feature(left, f, lane);
        unit += weight[h * 2 * kFeatures + kFeatures + f] * feature(kLeft + right, f, lane);
      }
      z += output[h] * std::max(0.0, unit);
    }
    return 1 / (1 + std::exp(-z));
  }

  // Sum of predictions weighted by `weights`, in double precision.
  double weighted_score(const std::vector<double>& weights) const {
    double sum = 0;
    for (std::size_t pair = 0; pair < kLeft * kRight; ++pair)
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        sum += weights[pair * kLanes + lane] * score(pair / kRight, pair % kRight, lane);
    return sum;
  }
};

TEST_F(PairNetworkTest, ScoresEveryPairLikeTheWrittenOutNetwork) {
  for (double& parameter : theta) parameter *= 8;  // far into both tails of the logistic function
  std::vector<double> prediction(predictor->outputs() * kLanes);
  predictor->predict(theta, features.data(), prediction.data());
  double smallest = 1, largest = 0;
  for (std::size_t pair = 0; pair < kLeft * kRight; ++pair)
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const double expected = score(pair / kRight, pair % kRight, lane);
      EXPECT_NEAR(prediction[pair * kLanes + lane], expected, 2e-6 + 2e-5 * expected);
      smallest = std::min(smallest, expected);
      largest = std::max(largest, expected);
    }
  EXPECT_LT(smallest, 0.1);
  EXPECT_GT(largest, 0.9);
}

TEST_F(PairNetworkTest, PullsGradientsBackLikeFiniteDifferences) {
  const std::vector<double> weights = sparse_features(predictor->outputs() * kLanes, 2);
  std::vector<double> gradient(theta.size());
  predictor->add_gradient(theta, features.data(), weights.data(), gradient);
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const double step = 1e-5, before = theta[i];
    theta[i] = before + step;
    const double above = weighted_score(weights);
    theta[i] = before - step;
    const double below = weighted_score(weights);
    theta[i] = before;
    const double slope = (above - below) / (2 * step);
    EXPECT_NEAR(gradient[i], slope, 1e-4 * (1 + std::abs(slope))) << "parameter " << i;
  }
}

TEST_F(PairNetworkTest, StatesMoveLinearlyAlongADirection) {
  const StagedPredictor& staged = *predictor->staged();
  std::vector<double> rows(features.begin(),
                           features.begin() + static_cast<std::ptrdiff_t>(predictor->feature_columns() * 2));
  SparseDirection direction;
  RandomStream stream(5, Purpose::kTest, 3);
  std::vector<double> moved = theta;
  for (std::uint32_t i = 0; i < theta.size(); i += 3) {
    direction.index.push_back(i);
    direction.value.push_back(stream.normal());
    moved[i] += direction.value.back();
  }
  AlignedFloats before(2 * staged.state_size()), after(before.size()), change(before.size());
  staged.states(theta, rows, before.data());
  staged.states(moved, rows, after.data());
  staged.state_changes(direction, rows, change.data());
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(before[i] + change[i], after[i], 1e-5);
}

TEST_F(PairNetworkTest, IsRebuiltFromItsShape) {
  const std::unique_ptr<Predictor> again = make_predictor(predictor->shape());
  EXPECT_EQ(again->shape(), predictor->shape());
  EXPECT_EQ(again->parameters(), predictor->parameters());
  EXPECT_EQ(again->feature_columns(), predictor->feature_columns());
}

TEST(PairNetwork, StartsWithinTheBoundsOfEachLayersFanIn) {
  const auto predictor = make_pair_network(1433, 50, 50, 200);
  EXPECT_EQ(predictor->parameters(), 573601u);
  const std::vector<double> theta = predictor->initial_parameters(0);
  const auto largest = [&](std::size_t from, std::size_t to) {
    double most = 0;
    for (std::size_t i = from; i < to; ++i) most = std::max(most, std::abs(theta[i]));
    return most;
  };
  EXPECT_NEAR(largest(0, 573400), 0.018679, 1e-5);
  EXPECT_NEAR(largest(573400, 573601), 0.070711, 2e-3);
  EXPECT_LE(largest(573400, 573601), 0.0707107);
}

TEST(PairScores, AllInstructionSetsGiveTheSameBits) {
  if (!simd::is_supported(simd::InstructionSet::kAvx512)) GTEST_SKIP() << "skipped: needs AVX-512";
  for (const std::size_t left : {1u, 2u, 7u, 50u}) {
    const std::size_t columns = 2 * kPairColumns, hidden = 13;
    std::vector<float> numbers(left * hidden + hidden * columns + hidden);
    RandomStream stream(6, Purpose::kTest, left);
    for (float& number : numbers) number = static_cast<float>(4 * stream.normal());
    const float* right = numbers.data() + left * hidden;
    const PairLayer layer{left, columns, hidden, numbers.data(), right, right + hidden * columns, 0.25f};
    std::vector<float> baseline(left * columns), wide(baseline.size());
    score_pairs_variant(simd::InstructionSet::kBaseline)(layer, baseline.data());
    score_pairs_variant(simd::InstructionSet::kAvx512)(layer, wide.data());
    EXPECT_EQ(baseline, wide);
  }
}

}  // namespace
}  // namespace polystep
