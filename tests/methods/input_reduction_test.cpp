// Inputs that data prove: planted directions are found and noise is not, by means, by variance and by
// squares; and a network on them becomes an ordinary one.
#include "methods/inputs/input_reduction.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <numeric>

#include "data/benchmarks/alloy_data.hpp"
#include "methods/fits/network_fit.hpp"
#include "methods/inputs/class_means.hpp"
#include "methods/inputs/principal_inputs.hpp"
#include "methods/inputs/table_rows.hpp"
#include "methods/inputs/target_classes.hpp"
#include "methods/wide_tasks.hpp"

namespace polystep {
namespace {

TEST(TargetClasses, AreValuesWhereThereAreFewAndBinsWhereThereAreMany) {
  const TargetClasses few = classes_of(std::vector<double>{3, 1, 3, 2, 1, 1});
  EXPECT_EQ(few.count, 3u);
  EXPECT_EQ(few.sizes, (std::vector<std::size_t>{3, 1, 2}));
  EXPECT_EQ(few.of, (std::vector<std::uint16_t>{2, 0, 2, 1, 0, 0}));
  std::vector<double> many(1000);
  std::iota(many.begin(), many.end(), 0.0);
  std::fill_n(many.begin(), 300, 0.0);  // one value may fill several bins
  const TargetClasses bins = classes_of(many);
  EXPECT_LE(bins.count, 20u);
  EXPECT_GE(bins.count, 14u);
  EXPECT_EQ(std::accumulate(bins.sizes.begin(), bins.sizes.end(), std::size_t{0}), 1000u);
  EXPECT_EQ(bins.sizes.front(), 300u);
  EXPECT_EQ(*std::min_element(bins.sizes.begin(), bins.sizes.end()), 50u);
  EXPECT_EQ(classes_of(std::vector<double>(9, 4.0)).count, 1u);
}

TEST(TargetClasses, TheRatioIsThatOfATextbookAndChanceDoesNotReachItsBound) {
  const TargetClasses classes = classes_of(std::vector<double>{0, 0, 0, 1, 1, 1, 2, 2, 2});
  // Means 2, 4, 9 around 5: between 3 (9 + 1 + 16) / 2 = 39, within (2 + 2 + 2) / 6 = 1.
  const std::vector<double> scores = {1, 2, 3, 3, 4, 5, 8, 9, 10};
  EXPECT_NEAR(variance_ratio(scores, classes), 39, 1e-12);
  std::vector<double> targets(2100), noise(targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i) targets[i] = static_cast<double>(i % 21);
  const TargetClasses levels = classes_of(targets);
  EXPECT_NEAR(chance_ratio(levels), 3.07, 0.01);
  double largest = 0;
  for (std::uint64_t draw = 0; draw < 1000; ++draw) {
    RandomStream(1, Purpose::kTest, draw).fill_normal(noise);
    largest = std::max(largest, variance_ratio(noise, levels));
  }
  EXPECT_LT(largest, chance_ratio(levels));
  EXPECT_GT(largest, 1.8);  // it is not out of reach by far
}

TEST(PrincipalInputs, AreThoseOfTheCovarianceMatrixAndNoneInNoise) {
  ThreadTeam team(1);
  for (const Signal signal : {Signal::kNone, Signal::kStrong}) {
    const Task task = wide_task({.signal = signal});
    const TableRows table = table_rows(task.data.training, 300, team);
    const PrincipalInputs found = find_spikes(table, team);
    // Three templates around their mean, and two more for the signal.
    ASSERT_EQ(found.count, signal == Signal::kNone ? 2u : 4u);
    EXPECT_NEAR(found.noise * table.scaling.deviation[0] * table.scaling.deviation[0], 1e-4, 4e-6);
    const Eigen::Map<const Eigen::Matrix<float, -1, -1, Eigen::RowMajor>> rows(table.values.data(), 1000,
                                                                               300);
    const Eigen::MatrixXd exact = rows.cast<double>();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(exact.transpose() * exact / 1000);
    for (std::size_t k = 0; k < found.count; ++k) {
      const auto number = static_cast<Eigen::Index>(299 - k);
      EXPECT_NEAR(found.variance[k] * found.noise, eigen.eigenvalues()[number],
                  1e-3 * eigen.eigenvalues()[number]);
      const Eigen::Map<const Eigen::VectorXd> direction(found.directions.data() + k * 300, 300);
      EXPECT_NEAR(std::abs(direction.dot(eigen.eigenvectors().col(number))), 1, 1e-3);
    }
  }
}

TEST(PrincipalInputs, FreshRowsLieAsFarOutAsIsSaid) {
  ThreadTeam team(3);
  const Task task = wide_task();
  const TableRows table = table_rows(task.data.training, 300, team);
  const PrincipalInputs found = find_spikes(table, team);
  const Split fresh =
      projected(wide_split({}, 5000, 1500), table.scaling, found.directions, found.count, team);
  for (std::size_t k = 2; k < found.count; ++k) {  // the signal's, where it matters
    double squares = 0;
    for (std::size_t i = k; i < fresh.features.size(); i += found.count)
      squares += fresh.features[i] * fresh.features[i];
    const double seen = std::sqrt(squares / 6000 / (found.variance[k] * found.noise));
    EXPECT_NEAR(seen, found.shrink[k], 0.05);
    EXPECT_LT(found.shrink[k], 0.97);
  }
  EXPECT_EQ(fresh_share(1.2, 0.5), 1);  // within the noise nothing is said
}

TEST(ClassMeans, FindWhatVarianceCannotAndNothingInNoise) {
  ThreadTeam team(1);
  const WideData spread{.signal = Signal::kSpread};
  const Task task = wide_task(spread);
  const TableRows table = table_rows(task.data.training, 300, team);
  const PrincipalInputs spikes = find_spikes(table, team);
  EXPECT_EQ(spikes.count, 2u);  // the templates
  const TargetClasses classes = classes_of(task.data.training.truth);
  const ClassMeanInputs found = find_class_means(table, classes, spikes, team);
  ASSERT_GE(found.count, 2u);
  // Rows that directions were found on know no more of their classes than fresh ones.
  const Split test = wide_split(spread, 5000, 250);
  const Split fresh = projected(test, table.scaling, found.directions, found.count, team);
  std::vector<double> scores;
  for (std::size_t i = 0; i < fresh.features.size(); i += found.count) scores.push_back(fresh.features[i]);
  const double on_fresh = variance_ratio(scores, classes_of(test.truth));
  const double on_own = variance_ratio(std::span(found.scores).first(table.rows), classes);
  EXPECT_GT(on_fresh, 5);
  EXPECT_NEAR(on_own / on_fresh, 1, 0.5);

  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Split noise = wide_split({.signal = Signal::kNone, .seed = seed}, 0, 250);
    const TableRows rows = table_rows(noise, 300, team);
    EXPECT_EQ(find_class_means(rows, classes_of(noise.truth), find_spikes(rows, team), team).count, 0u)
        << seed;
  }
}

// What profile `spread` of the alloy stand-in is for: its components are the eleven of twelve templates, its
// class means tell contents.
TEST(ClassMeans, FindTheSpreadOfTheStandInThatVarianceDoesNotShow) {
  ThreadTeam team(1);
  AlloyStandIn stand_in;
  stand_in.profile = find_alloy_profile("spread");
  stand_in.features = 1024;
  stand_in.training = 90;
  stand_in.validation = stand_in.test = 1;
  const Split training = generated_alloy(stand_in).data.training;
  const TableRows table = table_rows(training, 1024, team);
  const PrincipalInputs spikes = find_spikes(table, team);
  EXPECT_EQ(spikes.count, 11u);
  const ClassMeanInputs found = find_class_means(table, classes_of(training.truth), spikes, team);
  EXPECT_GE(found.count, 8u);
  EXPECT_LE(found.count, 20u);
}

class ReducedInputsOf : public testing::TestWithParam<Signal> {};

TEST_P(ReducedInputsOf, FoldBackIntoAnOrdinaryNetwork) {
  const Task task = wide_task({.signal = GetParam()});
  ThreadTeam team(1), three(3);
  const InputReduction found = InputReduction::find(*task.predictor, task.data.training, true, three);
  EXPECT_EQ(found.numbers(), InputReduction::find(*task.predictor, task.data.training, true, team).numbers());
  const InputReduction reduction = InputReduction::from_numbers(found.numbers());
  EXPECT_EQ(reduction.numbers(), found.numbers());
  EXPECT_EQ(reduction.proves_nothing(), GetParam() == Signal::kNone);
  EXPECT_LE(reduction.inputs(), 6u);
  const std::unique_ptr<Predictor> small = reduction.small_predictor(*task.predictor);
  const std::vector<double> theta = small->initial_parameters(3);
  const std::vector<double> whole = reduction.fold(*task.predictor, theta);
  const Split scores = reduction.fresh(task.data.test, team);
  const auto expected = predictions_of(*small, theta, TiledRows(scores), team);
  const auto predictions = predictions_of(*task.predictor, whole, TiledRows(task.data.test), team);
  ASSERT_EQ(expected.size(), predictions.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(predictions[i], expected[i], 1e-10);

  // On the reduced inputs the truth is found, where there is any, and on fresh rows as well as on held-out
  // ones.
  const Split training = reduction.training(task.data.training);
  const Split validation = reduction.fresh(task.data.validation, team);
  NetworkFit fit(*small, training, validation, team, {.epochs = 40, .seed = 1});
  fit.run();
  const double explained =
      1 - unexplained_share(*small, fit.best(), TiledRows(scores), std::vector<double>{6.06}, team);
  if (GetParam() == Signal::kStrong) {
    EXPECT_GT(explained, 0.85);
  }
  if (GetParam() == Signal::kSpread) {
    EXPECT_GT(explained, 0.1);
  }
  if (GetParam() == Signal::kSquare) {
    EXPECT_GT(explained, 0.7);
  }
}

INSTANTIATE_TEST_SUITE_P(Signals, ReducedInputsOf,
                         testing::Values(Signal::kNone, Signal::kStrong, Signal::kSpread, Signal::kSquare));

TEST(InputReduction, WithoutTargetsKeepsAllThatStandsOutOfTheNoise) {
  const Task task = wide_task();
  ThreadTeam team(1);
  const InputReduction reduction = InputReduction::find(*task.predictor, task.data.training, false, team);
  EXPECT_EQ(reduction.inputs(), 4u);
  EXPECT_EQ(reduction.class_means(), 0u);
}

// One row of features for several outputs: a target per output, each with directions of its own.
TEST(InputReduction, ServesNetworksOfSeveralOutputs) {
  ThreadTeam team(1);
  Split split{
      .rows = 900, .feature_columns = 200, .truth_columns = 3, .features = {}, .truth = {}, .instances = {}};
  std::vector<double> noise(200);
  const auto first = unit_direction(200, 1, 0), second = unit_direction(200, 1, 1);
  for (std::size_t row = 0; row < split.rows; ++row) {
    RandomStream stream(5, Purpose::kTest, row);
    const double a = stream.normal(), b = stream.normal();
    for (const double truth : {a, b, stream.normal()}) split.truth.push_back(truth);
    stream.fill_normal(noise);
    for (std::size_t c = 0; c < 200; ++c)
      split.features.push_back(noise[c] + 2 * a * first[c] + 2 * b * second[c]);
  }
  const std::unique_ptr<Predictor> predictor = make_mlp(200, {16}, 3);
  EXPECT_TRUE(can_reduce_inputs(*predictor));
  const InputReduction reduction = InputReduction::find(*predictor, split, true, team);
  EXPECT_EQ(reduction.class_means(), 2u);
  EXPECT_FALSE(can_reduce_inputs(*make_pair_network(2, 2, 3, 4)));
}

}  // namespace
}  // namespace polystep
