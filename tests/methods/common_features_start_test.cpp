#include "methods/starts/common_features_start.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "data/data_directory.hpp"
#include "evaluation/evaluator.hpp"
#include "methods/starts/initial_fit.hpp"
#include "polystep/random.hpp"
#include "polystep/train.hpp"

namespace polystep {
namespace {

constexpr std::size_t kFeatures = 6, kLeft = 3, kRight = 4, kHidden = 7, kRows = 9;

// Features 0 and 1 are frequent, the others rare; pairs are worth the more, the more features they share.
Split pairs() {
  Split split{kRows, (kLeft + kRight) * kFeatures, kLeft * kRight, {}, {}, {}};
  RandomStream random(2, Purpose::kTest);
  for (std::size_t i = 0; i < kRows * split.feature_columns; ++i)
    split.features.push_back(random.uniform() < (i % kFeatures < 2 ? 0.7 : 0.2));
  for (std::size_t row = 0; row < kRows; ++row)
    for (std::size_t pair = 0; pair < kLeft * kRight; ++pair) {
      const double* features = split.features.data() + row * split.feature_columns;
      double shared = 0;
      for (std::size_t f = 0; f < kFeatures; ++f)
        shared += features[pair / kRight * kFeatures + f] * features[(kLeft + pair % kRight) * kFeatures + f];
      split.truth.push_back(random.uniform() < 0.05 + 0.2 * shared);
    }
  return split;
}

std::vector<double> predictions(const Predictor& predictor, std::span<const double> theta,
                                const Split& split) {
  const TiledRows rows(split);
  AlignedDoubles tile(predictor.outputs() * kLanes);
  std::vector<double> all;
  for (std::size_t row = 0; row < split.rows; ++row) {
    predictor.predict(theta, rows.tile(row / kLanes), tile.data());
    for (std::size_t o = 0; o < predictor.outputs(); ++o) all.push_back(tile[o * kLanes + row % kLanes]);
  }
  return all;
}

double logit(double p) { return std::log(p / (1 - p)); }

class CommonFeaturesStart : public testing::Test {
 protected:
  std::unique_ptr<Predictor> network = make_pair_network(kFeatures, kLeft, kRight, kHidden);
  Split split = pairs();
};

// With a unit for every feature, the score is a weighted count of shared features, worked out here by hand.
TEST_F(CommonFeaturesStart, ScoresPairsByWhatTheyShare) {
  const auto theta = common_features_start(*network, split);
  ASSERT_TRUE(theta);
  const std::vector<double> scores = predictions(*network, *theta, split);
  std::vector<double> frequency(kFeatures);
  for (std::size_t i = 0; i < split.features.size(); ++i)
    frequency[i % kFeatures] += split.features[i] / (kRows * (kLeft + kRight));
  std::vector<double> common;
  for (std::size_t row = 0; row < kRows; ++row)
    for (std::size_t pair = 0; pair < kLeft * kRight; ++pair) {
      const double* features = split.features.data() + row * split.feature_columns;
      double sum = 0;
      for (std::size_t f = 0; f < kFeatures; ++f)
        if (features[pair / kRight * kFeatures + f] != 0 &&
            features[(kLeft + pair % kRight) * kFeatures + f] != 0)
          sum += std::log1p(1 / frequency[f]);
      common.push_back(sum);
    }
  // All logits lie on one rising line of it, and on average predictions are right.
  const auto [low, high] = std::ranges::minmax_element(common);
  const double slope =
      (logit(scores[high - common.begin()]) - logit(scores[low - common.begin()])) / (*high - *low);
  EXPECT_GT(slope, 0);
  double sum = 0, truth = 0;
  for (std::size_t k = 0; k < common.size(); ++k) {
    EXPECT_NEAR(logit(scores[k]), logit(scores[low - common.begin()]) + slope * (common[k] - *low), 1e-4);
    sum += scores[k];
    truth += split.truth[k];
  }
  EXPECT_NEAR(sum, truth, 0.01);
}

TEST_F(CommonFeaturesStart, UnitsDoNotMatter) {
  const std::vector<double> expected = predictions(*network, *common_features_start(*network, split), split);
  for (std::size_t i = 3; i < split.features.size(); i += kFeatures) split.features[i] *= 100;
  for (double& value : split.truth) value *= 7;
  const std::vector<double> found = predictions(*network, *common_features_start(*network, split), split);
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-5);
}

TEST_F(CommonFeaturesStart, SharesUnitsWhereThereAreFew) {
  const auto small = make_pair_network(kFeatures, kLeft, kRight, 3);
  const auto theta = common_features_start(*small, split);
  ASSERT_TRUE(theta);
  EXPECT_EQ(theta->size(), small->parameters());
  for (std::size_t f = 0; f < kFeatures; ++f) {  // every feature counts in exactly one of the two groups
    const double in_groups = (*theta)[f] + (*theta)[2 * kFeatures + f];
    EXPECT_EQ(in_groups, 1);
  }
}

TEST_F(CommonFeaturesStart, StaysFiniteWithoutAnythingToLearnFrom) {
  for (const double value : {0.0, 1.0}) {
    split.truth.assign(split.truth.size(), value);
    const auto theta = common_features_start(*network, split);
    ASSERT_TRUE(theta);
    for (const double parameter : *theta) EXPECT_TRUE(std::isfinite(parameter));
    for (const double score : predictions(*network, *theta, split)) EXPECT_NEAR(score, value, 0.01);
  }
}

TEST_F(CommonFeaturesStart, DeclinesWhatItCannotRead) {
  EXPECT_FALSE(common_features_start(*make_pair_network(kFeatures, kLeft, kRight, 1), split));
  EXPECT_FALSE(common_features_start(*make_linear(3, 2), split));
  Split negative = split;
  negative.features[5] = -1;
  EXPECT_FALSE(common_features_start(*network, negative));
  negative = split;
  negative.truth[5] = -1;
  EXPECT_FALSE(common_features_start(*network, negative));
}

// Articles that cite one another share words: without any training, far more pairs are found than by chance.
TEST(CommonFeatures, FindCitations) {
  const std::string directory = find_data_directory("");
  if (directory.empty()) GTEST_SKIP() << "skipped: needs data, see docs/data.md";
  const ProblemRegistry problems = builtin_problems();
  const ProblemEntry& entry = problems.find("matching", "test");
  Options options(entry.options);
  options.set_text("source", "published", "test");
  const Task task = entry.make(options, {directory, 0});
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  std::vector<std::size_t> rows(task.data.training.rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const auto theta = fitted_start(*task.predictor, task.data.training, rows);
  ASSERT_TRUE(theta);
  const TiledRows validation(task.data.validation);
  const double fitted = -evaluator.evaluate(*theta, validation).mean_cost;  // pairs found
  for (std::uint64_t seed = 0; seed < 3; ++seed)
    EXPECT_GT(fitted,
              -2 * evaluator.evaluate(task.predictor->initial_parameters(seed), validation).mean_cost);
}

}  // namespace
}  // namespace polystep
