#include "solvers/milp/central_path.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "polystep/random.hpp"
#include "solvers/milp/milp.hpp"

namespace polystep::solvers {
namespace {

struct Programme {
  std::size_t rows, columns;
  std::vector<double> c, G, h;
};

// Like purchases of ore: prices and requirements above 0, contents mostly.
Programme random_programme(std::uint64_t number, double lowest) {
  RandomStream stream(3, Purpose::kTest, number);
  Programme programme{
      .rows = 1 + stream.below(3), .columns = 1 + stream.below(10), .c = {}, .G = {}, .h = {}};
  for (std::size_t j = 0; j < programme.columns; ++j) programme.c.push_back(stream.uniform(1, 40));
  for (std::size_t k = 0; k < programme.rows * programme.columns; ++k)
    programme.G.push_back(stream.uniform(lowest, 35));
  for (std::size_t m = 0; m < programme.rows; ++m) programme.h.push_back(stream.uniform(-50, 600));
  return programme;
}

double value(const Programme& programme, std::span<const double> x) {
  double sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += programme.c[j] * x[j];
  return sum;
}

MilpResult exact(const Programme& programme) {
  MilpModel model;
  for (const double price : programme.c) model.add_column(0, kUnbounded, price);
  for (std::size_t m = 0; m < programme.rows; ++m) {
    std::vector<MilpEntry> entries;
    for (std::size_t j = 0; j < programme.columns; ++j)
      entries.push_back({j, programme.G[m * programme.columns + j]});
    model.add_row(entries, programme.h[m], kUnbounded);
  }
  return MilpSolver(model).solve_relaxation();
}

TEST(CentralPath, EndsAtTheOptimumOfTheLinearProgramme) {
  std::size_t solved = 0, impossible = 0;
  for (std::uint64_t number = 0; number < 2000; ++number) {
    const Programme programme = random_programme(number, number % 2 == 0 ? 15 : -30);
    CentralPath path(programme.rows, programme.columns);
    const bool found = path.solve(programme.c, programme.G, programme.h, 1e-7);
    const MilpResult reference = exact(programme);
    ASSERT_EQ(found, reference.status == MilpStatus::kOptimal) << number;
    if (!found) {
      ++impossible;
      continue;
    }
    ++solved;
    EXPECT_NEAR(value(programme, path.x()), reference.objective, 1e-5 * (1 + std::abs(reference.objective)));
    double dual = 0;
    for (std::size_t m = 0; m < programme.rows; ++m) dual += path.y()[m] * programme.h[m];
    EXPECT_NEAR(dual, reference.objective, 1e-5 * (1 + std::abs(reference.objective)));
  }
  EXPECT_GT(solved, 1000u);
  EXPECT_GT(impossible, 20u);
}

TEST(CentralPath, GradientsAreThoseOfThePoint) {
  for (std::uint64_t number = 0; number < 60; ++number) {
    Programme programme = random_programme(number, 15);
    const std::size_t n = programme.columns;
    RandomStream stream(4, Purpose::kTest, number);
    std::vector<double> g(n), G_gradient(programme.rows * n), h_gradient(programme.rows);
    for (double& entry : g) entry = stream.uniform(-1, 1);
    CentralPath path(programme.rows, n);
    ASSERT_TRUE(path.solve(programme.c, programme.G, programme.h, 0.1));
    path.pull_back(g, 0, G_gradient, h_gradient);
    const auto loss = [&] {
      CentralPath other(programme.rows, n);
      EXPECT_TRUE(other.solve(programme.c, programme.G, programme.h, 0.1));
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += g[j] * other.x()[j];
      return sum;
    };
    const auto slope = [&](double& entry, double h) {
      const double before = entry;
      entry = before + h;
      const double above = loss();
      entry = before - h;
      const double below = loss();
      entry = before;
      return (above - below) / (2 * h);
    };
    for (std::size_t k = 0; k < G_gradient.size(); ++k)
      EXPECT_NEAR(G_gradient[k], slope(programme.G[k], 1e-4), 1e-4 * (1 + std::abs(G_gradient[k]))) << number;
    for (std::size_t m = 0; m < programme.rows; ++m)
      EXPECT_NEAR(h_gradient[m], slope(programme.h[m], 1e-3), 1e-4) << number;
  }
}

TEST(CentralPath, SolvesSystemsAndSaysWhereItCannot) {
  std::vector<double> matrix = {4, 2, 2, 3}, right = {2, 1};
  ASSERT_TRUE(solve_positive_definite(matrix, right));
  EXPECT_NEAR(right[0], 0.5, 1e-12);
  EXPECT_NEAR(right[1], 0, 1e-12);
  std::vector<double> indefinite = {1, 2, 2, 1}, other = {1, 1};
  EXPECT_FALSE(solve_positive_definite(indefinite, other));
}

}  // namespace
}  // namespace polystep::solvers
