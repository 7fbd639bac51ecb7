#include "methods/starts/prepared_data.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "evaluation/tiled_rows.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

// Chooses the cheaper of two outputs, or leaves the objective unknown.
struct CheaperOfTwo final : Problem {
  explicit CheaperOfTwo(bool linear) : Problem(2, 2), linear(linear) {}
  SolveStatus decide(std::span<const double> prediction, std::size_t,
                     std::span<double> decision) const override {
    decision[0] = prediction[0] <= prediction[1];
    decision[1] = 1 - decision[0];
    return SolveStatus::kSolved;
  }
  double cost(std::span<const double> decision, std::span<const double> truth, std::size_t) const override {
    return decision[0] * truth[0] + decision[1] * truth[1];
  }
  ProblemFacts facts() const override { return linear ? linear_facts(Sense::kMinimise) : ProblemFacts{}; }
  bool linear;
};

Task some_task(bool linear, RegretMetric metric) {
  Split rows{40, 3, 2, {}, {}, {}};
  RandomStream random(1, Purpose::kTest);
  for (std::size_t row = 0; row < rows.rows; ++row) {
    rows.features.insert(rows.features.end(), {random.normal(), 50 + 9 * random.normal(), 4.0});
    for (int k = 0; k < 2; ++k) rows.truth.push_back(std::exp(3 * random.normal()));
  }
  return {"", std::make_unique<CheaperOfTwo>(linear), make_linear(3, 2), split_at_random(rows, 0.25, 0.25, 1),
          metric};
}

double row_size(const Split& split, std::size_t row) {
  return (std::abs(split.truth_row(row)[0]) + std::abs(split.truth_row(row)[1])) / 2;
}

TEST(PreparedData, StandardisedFeaturesHaveMeanZeroAndDeviationOne) {
  const Task task = some_task(true, RegretMetric::kRelative);
  const PreparedData data = prepare_data(task, true, false);
  for (std::size_t f = 0; f < 2; ++f) {
    double sum = 0, squares = 0;
    for (std::size_t row = 0; row < data.training.rows; ++row) {
      sum += data.training.feature_row(row)[f];
      squares += data.training.feature_row(row)[f] * data.training.feature_row(row)[f];
    }
    EXPECT_NEAR(sum, 0, 1e-12);
    EXPECT_NEAR(squares, static_cast<double>(data.training.rows), 1e-10);
  }
  for (std::size_t row = 0; row < data.training.rows; ++row)
    EXPECT_EQ(data.training.feature_row(row)[2], 0.0);
  EXPECT_EQ(data.training.truth, task.data.training.truth);
}

TEST(PreparedData, RelativeMetricGivesEveryRowTheSameSize) {
  const Task task = some_task(true, RegretMetric::kRelative);
  const PreparedData data = prepare_data(task, false, true);
  for (std::size_t row = 0; row < data.training.rows; ++row)
    EXPECT_NEAR(row_size(data.training, row), 1, 1e-15);
  for (std::size_t row = 0; row < data.validation.rows; ++row)
    EXPECT_NEAR(row_size(data.validation, row), 1, 1e-15);
}

TEST(PreparedData, AbsoluteMetricKeepsTheRatiosOfRows) {
  const Task task = some_task(true, RegretMetric::kAbsolute);
  const PreparedData data = prepare_data(task, false, true);
  const double ratio = task.data.training.truth[0] / data.training.truth[0];
  for (std::size_t i = 0; i < data.training.truth.size(); ++i)
    EXPECT_NEAR(task.data.training.truth[i] / data.training.truth[i], ratio, 1e-12 * ratio);
  EXPECT_NEAR(data.prediction_scale, ratio, 1e-12 * ratio);
}

TEST(PreparedData, WithoutALinearObjectiveTheTruthStays) {
  const Task task = some_task(false, RegretMetric::kRelative);
  const PreparedData data = prepare_data(task, true, true);
  EXPECT_EQ(data.training.truth, task.data.training.truth);
  EXPECT_FALSE(data.scale_free);
  EXPECT_EQ(data.prediction_scale, 1);
}

TEST(PreparedData, FoldedParametersPredictTheSameFromRawFeatures) {
  const Task task = some_task(true, RegretMetric::kAbsolute);
  const PreparedData data = prepare_data(task, true, true);
  const std::vector<double> theta = task.predictor->initial_parameters(7);
  const std::vector<double> folded = data.fold(*task.predictor, theta);
  const TiledRows prepared(data.validation), raw(task.data.validation);
  AlignedDoubles expected(2 * kLanes), found(2 * kLanes);
  for (std::size_t tile = 0; tile < raw.tiles(); ++tile) {
    task.predictor->predict(theta, prepared.tile(tile), expected.data());
    task.predictor->predict(folded, raw.tile(tile), found.data());
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i], data.prediction_scale * expected[i], 1e-10 * data.prediction_scale);
  }
}

// Outputs in fixed units: raw * deviation + mean, where no parameter multiplies the mean.
class FixedUnits : public testing::TestWithParam<std::tuple<const char*, RegretMetric, bool>> {
 protected:
  static std::unique_ptr<Predictor> inner(const std::string& kind) {
    if (kind == "linear") return make_linear(4, 2);
    if (kind == "shared-linear") return make_shared_linear(2, 2);
    return make_mlp(4, {3}, 2);
  }
  Task task() const {
    Split rows{60, 4, 2, {}, {}, {}};
    RandomStream random(2, Purpose::kTest);
    for (std::size_t row = 0; row < rows.rows; ++row) {
      for (int f = 0; f < 4; ++f) rows.features.push_back(7 + 3 * random.normal());
      for (int k = 0; k < 2; ++k) rows.truth.push_back(500 * std::exp(random.normal()));
    }
    const bool one_for_all = std::get<2>(GetParam());
    const OutputScaling units =
        one_for_all ? OutputScaling{{500}, {300}} : OutputScaling{{500, 700}, {300, 20}};
    return {"", std::make_unique<CheaperOfTwo>(true), make_scaled(inner(std::get<0>(GetParam())), units),
            split_at_random(rows, 0.25, 0.25, 1), std::get<1>(GetParam())};
  }
};

TEST_P(FixedUnits, FoldedParametersDecideAlikeFromRawFeatures) {
  const Task task = this->task();
  const bool affine = task.predictor->affine();
  const PreparedData data = prepare_data(task, true, true);
  EXPECT_FALSE(data.scale_free);  // parameters twice as large do not predict twice as much
  std::size_t first_is_cheaper = 0, rows_seen = 0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const std::vector<double> theta = task.predictor->initial_parameters(seed);
    const std::vector<double> folded = data.fold(*task.predictor, theta);
    const TiledRows prepared(data.training), raw(task.data.training);
    AlignedDoubles expected(2 * kLanes), found(2 * kLanes);
    for (std::size_t tile = 0; tile < raw.tiles(); ++tile) {
      task.predictor->predict(theta, prepared.tile(tile), expected.data());
      task.predictor->predict(folded, raw.tile(tile), found.data());
      for (std::size_t i = 0; affine && i < found.size(); ++i)
        EXPECT_NEAR(found[i], data.prediction_scale * expected[i], 1e-9 * data.prediction_scale * 1000);
      for (std::size_t lane = 0; lane < raw.tile(tile).lanes; ++lane) {
        EXPECT_EQ(found[lane] <= found[kLanes + lane], expected[lane] <= expected[kLanes + lane]);
        first_is_cheaper += found[lane] <= found[kLanes + lane];
        ++rows_seen;
      }
    }
  }
  EXPECT_GT(first_is_cheaper, 0u);
  EXPECT_LT(first_is_cheaper, rows_seen);
}

TEST_P(FixedUnits, RowsOfARelativeMetricHaveOneSize) {
  const Task task = this->task();
  const PreparedData data = prepare_data(task, false, true);
  if (std::get<1>(GetParam()) == RegretMetric::kRelative) {
    for (std::size_t row = 0; row < data.training.rows; ++row)
      EXPECT_NEAR(row_size(data.training, row), row_size(data.training, 0),
                  1e-9 * row_size(data.training, 0));
  } else {
    for (std::size_t i = 0; i < data.training.truth.size(); ++i)
      EXPECT_NEAR(data.prediction_scale * data.training.truth[i], task.data.training.truth[i], 1e-9 * 500);
  }
}

INSTANTIATE_TEST_SUITE_P(Predictors, FixedUnits,
                         testing::Combine(testing::Values("linear", "shared-linear", "mlp"),
                                          testing::Values(RegretMetric::kRelative, RegretMetric::kAbsolute),
                                          testing::Bool()));

}  // namespace
}  // namespace polystep
