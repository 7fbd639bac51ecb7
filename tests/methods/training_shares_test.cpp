#include "methods/frugal/training_shares.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "polystep/random.hpp"

namespace polystep {
namespace {

// Costs of rows that all trainings share for the most part, dearer on average by what is given.
std::vector<std::vector<double>> drawn_costs(std::span<const double> above, std::size_t rows) {
  std::vector<double> common(rows);
  RandomStream(1, Purpose::kTest).fill_normal(std::span<double>(common));
  std::vector<std::vector<double>> costs;
  for (std::size_t training = 0; training < above.size(); ++training) {
    std::vector<double>& of = costs.emplace_back(rows);
    RandomStream(2, Purpose::kTest, training).fill_normal(std::span<double>(of));
    double mean = 0;
    for (const double value : of) mean += value / static_cast<double>(rows);
    for (std::size_t row = 0; row < rows; ++row)
      of[row] = 10 * common[row] + 0.1 * (of[row] - mean) + above[training];
  }
  return costs;
}

double sum_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

TEST(TrainingShares, TheCheapestCountsMostAndTheClearlyDearerHardly) {
  const double above[] = {0.01, 0, 0.1};
  const TrainingShares found = shares_by_costs(drawn_costs(above, 400));
  EXPECT_EQ(found.cheapest, 1u);
  EXPECT_NEAR(sum_of(found.shares), 1, 1e-12);
  EXPECT_GT(found.shares[1], found.shares[0]);
  EXPECT_GT(found.shares[0], 0.01);  // dearer by one or two standard errors of .007
  EXPECT_LT(found.shares[2], 0.001);
}

TEST(TrainingShares, MoreRowsTellTrainingsApart) {
  const double above[] = {0, 0.02};
  EXPECT_GT(shares_by_costs(drawn_costs(above, 2000)).shares[0],
            shares_by_costs(drawn_costs(above, 50)).shares[0]);
}

TEST(TrainingShares, KnowNeitherUnitNorOrigin) {
  const double above[] = {0.01, 0, 0.02};
  std::vector<std::vector<double>> costs = drawn_costs(above, 100);
  const TrainingShares found = shares_by_costs(costs);
  for (std::vector<double>& training : costs)
    for (double& cost : training) cost = 64 * cost + 1000;
  const TrainingShares scaled = shares_by_costs(costs);
  EXPECT_EQ(scaled.cheapest, found.cheapest);
  for (std::size_t training = 0; training < 3; ++training)
    EXPECT_NEAR(scaled.shares[training], found.shares[training], 1e-9);
}

TEST(TrainingShares, AreEqualWhereNothingTellsThemApart) {
  for (const std::vector<double>& rows : {std::vector<double>{}, {1, 2, 3}}) {
    const TrainingShares found = shares_by_costs(std::vector(4, rows));
    EXPECT_EQ(found.cheapest, 0u);
    EXPECT_EQ(found.shares, std::vector<double>(4, 0.25));
  }
}

TEST(TrainingShares, OneIsAllWhereEveryRowAgrees) {
  const std::vector<std::vector<double>> costs = {{2, 3, 4}, {1, 2, 3}};
  const TrainingShares found = shares_by_costs(costs);
  EXPECT_EQ(found.cheapest, 1u);
  EXPECT_EQ(found.shares, (std::vector<double>{0, 1}));
}

}  // namespace
}  // namespace polystep
