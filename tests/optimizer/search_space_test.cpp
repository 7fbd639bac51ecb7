#include "polystep/search_space.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "black_box.hpp"
#include "optimizer/dense_columns.hpp"
#include "optimizer/principal_directions.hpp"
#include "polystep/error.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

using polystep::testing::copy;
using polystep::testing::dot;
using polystep::testing::norm;

// Column c of A as a dense vector.
std::vector<double> column(const SearchSpace& space, std::size_t c) {
  Direction direction;
  const double one = 1;
  space.direction(c, std::span(&one, 1), direction);
  std::vector<double> dense(space.parameter_count(), 0.0);
  direction.for_each([&](std::size_t parameter, double value) { dense[parameter] = value; });
  return dense;
}

void expect_orthonormal(const SearchSpace& space, double tolerance = 1e-12) {
  std::vector<std::vector<double>> columns;
  for (std::size_t c = 0; c < space.dimension(); ++c) columns.push_back(column(space, c));
  for (std::size_t a = 0; a < columns.size(); ++a)
    for (std::size_t b = 0; b <= a; ++b) ASSERT_NEAR(dot(columns[a], columns[b]), a == b, tolerance);
}

// place(y) and the directions describe the same map.
void expect_consistent(const SearchSpace& space) {
  std::vector<double> y(space.dimension()), theta(space.parameter_count());
  RandomStream(8, Purpose::kTest).fill_normal(y);
  space.place(y, theta);
  std::vector<double> expected = copy(space.origin());
  Direction direction;
  space.direction(0, y, direction);
  const std::vector<std::uint32_t> parameters = direction.parameters();
  ASSERT_EQ(parameters.size(), direction.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (i > 0) {
      ASSERT_LT(parameters[i - 1], parameters[i]);
    }
    expected[parameters[i]] += direction.value()[i];
  }
  for (std::size_t i = 0; i < theta.size(); ++i) ASSERT_NEAR(theta[i], expected[i], 1e-12);
}

const std::vector<TensorShape> kKnapsackWeight = {{"weight", {50, 5}}, {"bias", {50}}};

std::unique_ptr<SearchSpace> knapsack_space(std::uint64_t seed) {
  return make_layer_space(kKnapsackWeight, std::vector<double>(300, 0.5), {.rank = 4}, seed);
}

TEST(FullSpace, IsTheIdentity) {
  const auto space = make_full_space({1, 2, 3});
  EXPECT_EQ(space->dimension(), 3u);
  Direction direction;
  space->direction(1, std::vector<double>{0.25, -0.5}, direction);
  EXPECT_EQ(direction.parameters(), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(copy(direction.value()), (std::vector<double>{0.25, -0.5}));
  expect_orthonormal(*space);
  expect_consistent(*space);
  EXPECT_THROW(make_full_space({}), InputError);
}

TEST(FullSpace, LeavesOutCoefficientsThatAreZero) {
  const auto space = make_full_space({1, 2, 3});
  Direction direction;
  space->direction(0, std::vector<double>{0, 1, 0}, direction);
  EXPECT_EQ(direction.parameters(), (std::vector<std::uint32_t>{1}));
}

TEST(LayerSpace, HasOrthonormalColumnsWithinEachTensor) {
  const auto space = knapsack_space(4);
  EXPECT_EQ(space->dimension(), 270u);
  expect_orthonormal(*space);
  expect_consistent(*space);
  std::vector<std::uint32_t> support;
  space->support(0, 1, support);
  EXPECT_EQ(support.size(), 250u);
  EXPECT_EQ(support.back(), 249u);
}

TEST(LayerSpace, KeepsBiasesExact) {
  const auto space = knapsack_space(4);
  for (std::size_t c = 220; c < 270; ++c) {
    const auto dense = column(*space, c);
    for (std::size_t i = 0; i < dense.size(); ++i) ASSERT_EQ(dense[i], i == c + 30 ? 1.0 : 0.0);
  }
}

TEST(LayerSpace, DirectionsWithinABasisAreDenseAndOthersSparse) {
  const auto space = knapsack_space(4);
  const std::vector<double> coefficients = {0.5, -1, 0.25, 2};
  Direction dense, sparse;
  space->direction(3, coefficients, dense);
  EXPECT_TRUE(dense.dense());
  EXPECT_EQ(dense.first(), 0u);
  EXPECT_EQ(dense.size(), 250u);
  space->direction(218, coefficients, sparse);  // two dense columns, two biases
  EXPECT_FALSE(sparse.dense());
  EXPECT_EQ(sparse.size(), 252u);
  // What both share has the same bits: the first two coefficients alone are dense.
  space->direction(218, std::span(coefficients).first(2), dense);
  ASSERT_TRUE(dense.dense());
  for (std::size_t i = 0; i < 250; ++i) ASSERT_EQ(dense.value()[i], sparse.value()[i]);
  space->direction(3, std::vector<double>(4, 0.0), dense);
  EXPECT_TRUE(dense.empty());
  space->direction(230, coefficients, dense);
  EXPECT_FALSE(dense.dense());
  EXPECT_EQ(dense.parameters(), (std::vector<std::uint32_t>{260, 261, 262, 263}));
}

TEST(LayerSpace, BlockAcrossTensorsTouchesBoth) {
  const auto space = knapsack_space(4);
  std::vector<std::uint32_t> support;
  space->support(216, 8, support);  // four dense columns, four biases
  ASSERT_EQ(support.size(), 254u);
  EXPECT_EQ(support[249], 249u);
  EXPECT_EQ(support[250], 250u);
  EXPECT_EQ(support[253], 253u);
}

TEST(LayerSpace, DependsOnTheSeedOnly) {
  EXPECT_EQ(column(*knapsack_space(4), 7), column(*knapsack_space(4), 7));
  EXPECT_NE(column(*knapsack_space(4), 7), column(*knapsack_space(5), 7));
}

TEST(LayerSpace, RefusesTheWrongNumberOfParameters) {
  EXPECT_THROW(make_layer_space(kKnapsackWeight, std::vector<double>(299), {.rank = 4}, 1), InputError);
  EXPECT_THROW(make_layer_space({}, {}, {}, 1), InputError);
}

TEST(DenseColumns, OrthonormalizeIsTheSignFixedGramSchmidt) {
  DenseColumns columns(30, 7);
  columns.draw_gaussian(2, 0);
  std::vector<std::vector<double>> expected;
  for (std::size_t j = 0; j < 7; ++j) {
    std::vector<double> next = copy(columns.column(j));
    for (int pass = 0; pass < 2; ++pass)
      for (const auto& earlier : expected) {
        const double overlap = dot(earlier, next);
        for (std::size_t i = 0; i < 30; ++i) next[i] -= overlap * earlier[i];
      }
    const double length = norm(next);
    for (double& x : next) x /= length;
    expected.push_back(next);
  }
  columns.orthonormalize();
  for (std::size_t j = 0; j < 7; ++j)
    for (std::size_t i = 0; i < 30; ++i) EXPECT_NEAR(columns.column(j)[i], expected[j][i], 1e-12);
}

TEST(DenseColumns, OrthonormalizeSurvivesNearlyDependentColumns) {
  DenseColumns columns(40, 3);
  columns.draw_gaussian(2, 0);
  for (std::size_t i = 0; i < 40; ++i)
    columns.column(1)[i] = columns.column(0)[i] + 1e-9 * columns.column(1)[i];
  columns.orthonormalize();
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) EXPECT_NEAR(dot(columns.column(a), columns.column(b)), a == b, 1e-12);
}

TEST(PrincipalDirections, FindsTheLongestFirst) {
  const std::vector<double> short_one = {0, 0.1, 0, 0}, long_one = {3, 0, 0, 4}, parallel = {0.3, 0, 0, 0.4};
  const std::vector<std::span<const double>> vectors = {short_one, long_one, parallel};
  std::vector<double> a(4), b(4), c(4);
  const std::vector<std::span<double>> outputs = {a, b, c};
  ASSERT_EQ(principal_directions<double>(vectors, outputs), 2u);  // two of the three are parallel
  EXPECT_NEAR(std::abs(a[0]), 0.6, 1e-12);
  EXPECT_NEAR(std::abs(a[3]), 0.8, 1e-12);
  EXPECT_NEAR(std::abs(b[1]), 1.0, 1e-12);
}

TEST(PrincipalDirections, IgnoresTinyAndBrokenHistory) {
  std::vector<double> a(2);
  const std::vector<std::span<double>> outputs = {a};
  for (const double size : {1e-11, 0.0 / 0.0}) {
    const std::vector<double> vector = {size, 0};
    const std::vector<std::span<const double>> vectors = {vector};
    EXPECT_EQ(principal_directions<double>(vectors, outputs), 0u);
  }
}

TEST(MovingSpace, RebuildKeepsThePointAndFollowsTheStep) {
  auto space = make_moving_space(std::vector<double>(60, 1.0), {.dimension = 6}, 3);
  expect_orthonormal(*space);
  expect_consistent(*space);
  const std::vector<double> y = {0.3, -0.2, 0.1, 0, 0.5, 0.7};
  std::vector<double> before(60), after(60);
  space->place(y, before);
  ASSERT_TRUE(space->finish_step(y, y));
  space->place(std::vector<double>(6, 0.0), after);
  EXPECT_EQ(before, after);
  expect_orthonormal(*space);
  std::vector<double> step(60);
  for (std::size_t i = 0; i < 60; ++i) step[i] = before[i] - 1.0;
  EXPECT_NEAR(std::abs(dot(column(*space, 0), step)) / norm(step), 1.0, 1e-12);
}

TEST(MovingSpace, KeepsMoreDirectionsLater) {
  const MovingSpaceOptions options{.dimension = 6, .kept_start = 0, .kept_end = 0.5, .horizon = 4};
  auto space = make_moving_space(std::vector<double>(40, 0.0), options, 3);
  std::vector<std::vector<double>> steps;
  for (std::size_t t = 0; t < 6; ++t) {
    std::vector<double> y(6, 0.0), before = copy(space->origin());
    RandomStream(1, Purpose::kTest, t).fill_normal(y);
    space->finish_step(y, y);
    std::vector<double> step = copy(space->origin());
    for (std::size_t i = 0; i < 40; ++i) step[i] -= before[i];
    steps.push_back(step);
  }
  // Three of six columns now span the main part of the last five steps; one random direction would miss most
  // of it.
  double kept = 0, all = 0;
  for (std::size_t t = 1; t < 6; ++t) {
    all += dot(steps[t], steps[t]);
    for (std::size_t c = 0; c < 3; ++c) kept += std::pow(dot(column(*space, c), steps[t]), 2);
  }
  EXPECT_GT(kept / all, 0.7);
}

TEST(MovingSpace, IntervalDelaysTheRebuild) {
  auto space = make_moving_space(std::vector<double>(10, 0.0), {.dimension = 2, .interval = 3}, 3);
  const std::vector<double> y = {1, 0};
  const auto first = column(*space, 0);
  EXPECT_FALSE(space->finish_step(y, y));
  EXPECT_FALSE(space->finish_step(y, y));
  EXPECT_EQ(column(*space, 0), first);
  EXPECT_TRUE(space->finish_step(y, y));
}

TEST(MovingSpace, RefusesWhatCannotBeUsed) {
  const std::vector<double> theta0(10, 0.0);
  EXPECT_THROW(make_moving_space(theta0, {.dimension = 11}, 1), InputError);
  EXPECT_THROW(make_moving_space(theta0, {.dimension = 2, .interval = 0}, 1), InputError);
  EXPECT_THROW(make_moving_space(theta0, {.dimension = 2, .history = 0}, 1), InputError);
  EXPECT_THROW(make_moving_space(theta0, {.dimension = 2, .kept_end = 1.5}, 1), InputError);
  EXPECT_THROW(make_moving_space(theta0, {.dimension = 2, .horizon = 0}, 1), InputError);
}

TEST(OrderedSpace, MovesTheParametersInTheGivenOrder) {
  const auto space = make_ordered_space({10, 20, 30, 40}, {2, 0, 3, 1});
  expect_orthonormal(*space);
  expect_consistent(*space);
  std::vector<double> theta(4);
  space->place(std::vector<double>{1, 2, 3, 4}, theta);
  EXPECT_EQ(theta, (std::vector<double>{12, 24, 31, 43}));
  std::vector<std::uint32_t> support;
  space->support(0, 2, support);
  EXPECT_EQ(support, (std::vector<std::uint32_t>{0, 2}));
  Direction direction;
  space->direction(0, std::vector<double>{5, 6}, direction);
  EXPECT_EQ(direction.parameters(), (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(copy(direction.value()), (std::vector<double>{6, 5}));
}

TEST(OrderedSpace, RefusesAnOrderThatLeavesOutOrRepeats) {
  EXPECT_THROW(make_ordered_space({1, 2, 3}, {0, 1}), InputError);
  EXPECT_THROW(make_ordered_space({1, 2, 3}, {0, 1, 1}), InputError);
  EXPECT_THROW(make_ordered_space({}, {}), InputError);
}

}  // namespace
}  // namespace polystep
