// The portfolio solver against a barrier method, against its own guarded method, and on cases known by hand.
#include "solvers/portfolio/portfolio.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "input_error.hpp"
#include "portfolio_instances.hpp"
#include "solvers/portfolio/portfolio_guarded.hpp"

namespace polystep::solvers {
namespace {

Portfolio solver_of(const PortfolioInstance& instance) {
  return Portfolio(instance.loadings, instance.assets, instance.specific_variance, instance.risk_limit);
}

struct Solution {
  std::vector<double> x;
  double value = 0;
  double budget = 0;  // used, as a share
  double risk = 0;    // used, as a share
};

// Solves, and holds the decision to be feasible.
Solution solve(const PortfolioInstance& instance) {
  Solution found;
  found.x.resize(instance.assets);
  EXPECT_TRUE(solver_of(instance).solve(instance.values, found.x));
  for (std::size_t i = 0; i < instance.assets; ++i) {
    EXPECT_GE(found.x[i], 0.0);
    found.value += instance.values[i] * found.x[i];
    found.budget += found.x[i];
  }
  const Eigen::Map<const Eigen::VectorXd> x(found.x.data(), static_cast<Eigen::Index>(found.x.size()));
  found.risk = x.dot(instance.covariance() * x) / instance.risk_limit;
  EXPECT_LE(found.budget, 1 + 1e-12);
  EXPECT_LE(found.risk, 1 + 1e-11);
  return found;
}

TEST(Portfolio, AgreesWithTheBarrierMethod) {
  int both = 0, only_budget = 0, only_risk = 0, nothing = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    RandomStream random(21, Purpose::kTest, static_cast<std::uint64_t>(trial));
    const Returns kind = kAllReturns[trial % 5];
    const std::size_t assets = trial % 50 == 0 ? 50 : 1 + random.below(18);
    const double risk = std::exp(random.uniform(std::log(0.1), std::log(10.0)));
    const double loading = trial % 3 == 0 ? 20.0 : random.uniform(0.0, 4.0);
    const PortfolioInstance instance = draw_portfolio(random, assets, kind, risk, loading);
    const Solution found = solve(instance);
    const double best = Barrier(instance).best_value();
    ASSERT_NEAR(found.value, best, 1e-7 * best) << "trial " << trial << ", " << assets << " assets";
    const bool budget = found.budget > 1 - 1e-6, limit = found.risk > 1 - 1e-6;
    both += budget && limit, only_budget += budget && !limit, only_risk += !budget && limit;
    nothing += found.value == 0;
    ASSERT_TRUE(budget || limit || best == 0) << "trial " << trial;
  }
  EXPECT_GT(both, 150);
  EXPECT_GT(only_budget, 150);
  EXPECT_GT(only_risk, 150);
  EXPECT_GT(nothing, 20);
}

TEST(Portfolio, AgreesWithItsGuardedMethod) {
  for (int trial = 0; trial < 600; ++trial) {
    RandomStream random(22, Purpose::kTest, static_cast<std::uint64_t>(trial));
    const Returns kind = kAllReturns[trial % 5];
    const PortfolioInstance instance = draw_portfolio(random, 50, kind, trial % 2 == 0 ? 2.25 : 12.0, 3.0);
    const Solution found = solve(instance);
    const PortfolioTables tables(instance.loadings, 50, instance.specific_variance, instance.risk_limit);
    const portfolio::Instance scaled(tables, instance.values);
    portfolio::Holdings holdings;
    const auto guarded = portfolio::solve_guarded(tables, scaled, holdings);
    ASSERT_LE(guarded.bound - guarded.value, 1e-11 * guarded.bound) << "trial " << trial;
    double value = 0;
    for (std::size_t i = 0; i < 50; ++i) value += instance.values[i] * holdings.z[i] * guarded.scale;
    ASSERT_NEAR(found.value, value, 1e-11 * value) << "trial " << trial;
    if (kind != Returns::kPositive) continue;  // elsewhere optima need not be unique
    for (std::size_t i = 0; i < 50; ++i) ASSERT_NEAR(found.x[i], holdings.z[i] * guarded.scale, 1e-9);
  }
}

TEST(Portfolio, DominantFactorsNeverFail) {
  for (const double loading : {20.0, 100.0, 1000.0}) {
    for (int trial = 0; trial < 600; ++trial) {
      RandomStream random(23, Purpose::kTest, static_cast<std::uint64_t>(trial));
      const Returns kind = kAllReturns[trial % 5];
      const PortfolioInstance instance = draw_portfolio(random, 50, kind, 2.25, loading);
      std::vector<double> x(50);
      ASSERT_TRUE(solver_of(instance).solve(instance.values, x)) << loading << " trial " << trial;
    }
  }
}

TEST(Portfolio, HoldsNothingWithoutAPositiveValue) {
  RandomStream random(24, Purpose::kTest);
  PortfolioInstance instance = draw_portfolio(random, 7, Returns::kPositive, 2.25, 1.0);
  for (double& value : instance.values) value = -std::abs(value);
  instance.values[3] = 0.0;
  instance.values[4] = -0.0;
  EXPECT_EQ(solve(instance).x, std::vector<double>(7, 0.0));
}

TEST(Portfolio, OneAssetIsHeldUpToItsLimit) {
  PortfolioInstance instance{1, {0.01, 0.0, 0.02, 0.0}, 1e-4, 3.6e-3, {0.3}};  // variance 6e-4
  EXPECT_NEAR(solve(instance).x[0], 1.0, 1e-15);
  instance.risk_limit = 1.5e-4;
  EXPECT_NEAR(solve(instance).x[0], 0.5, 1e-15);
  instance.values[0] = -0.3;
  EXPECT_EQ(solve(instance).x[0], 0.0);
}

TEST(Portfolio, EqualAssetsAreHeldInEqualParts) {
  // Ten equal assets of variance s bear s / 10 together: enough for the first limit, too much for the second.
  PortfolioInstance instance{12, std::vector<double>(48, 0.0), 0.04, 0.005, std::vector<double>(12, 1.0)};
  instance.values[5] = instance.values[8] = 0.2;
  for (const double limit : {0.005, 0.001}) {
    instance.risk_limit = limit;
    const Solution found = solve(instance);
    const double held = limit == 0.005 ? 0.1 : found.x[0];
    for (std::size_t i = 0; i < 12; ++i) {
      if (i == 5 || i == 8) continue;
      EXPECT_NEAR(found.x[i], held, 1e-15);
    }
    EXPECT_NEAR(found.value, Barrier(instance).best_value(), 1e-7);
  }
}

TEST(Portfolio, WithoutFactorsTwoAssetsAreKnownByHand) {
  // x1 + x2 = 1 and x1^2 + x2^2 = 0.58: 0.7 and 0.3, the larger part for the better asset.
  const Portfolio solver(std::vector<double>{}, 2, 1.0, 0.58);
  std::vector<double> x(2);
  ASSERT_TRUE(solver.solve(std::vector<double>{2.0, 3.0}, x));
  EXPECT_NEAR(x[0], 0.3, 1e-14);
  EXPECT_NEAR(x[1], 0.7, 1e-14);
}

TEST(Portfolio, ScalingValuesByPowersOfTwoChangesNothing) {
  for (int trial = 0; trial < 50; ++trial) {
    RandomStream random(25, Purpose::kTest, static_cast<std::uint64_t>(trial));
    PortfolioInstance instance =
        draw_portfolio(random, 50, kAllReturns[trial % 5], 2.25, trial % 2 == 0 ? 1.0 : 20.0);
    const std::vector<double> x = solve(instance).x, values = instance.values;
    for (const int exponent : {-900, -3, 40, 1010}) {
      for (std::size_t i = 0; i < 50; ++i) instance.values[i] = std::ldexp(values[i], exponent);
      std::vector<double> scaled(50);
      ASSERT_TRUE(solver_of(instance).solve(instance.values, scaled));
      ASSERT_EQ(scaled, x) << exponent;
    }
  }
}

TEST(Portfolio, ExtremeValuesAreBorne) {
  const double huge = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::denorm_min();
  const Portfolio solver(std::vector<double>(12, 0.001), 3, 1e-4, 1.0);
  std::vector<double> x(3);
  ASSERT_TRUE(solver.solve(std::vector<double>{-huge, huge, 0.5 * huge}, x));
  EXPECT_NEAR(x[1], 1.0, 1e-15);
  ASSERT_TRUE(solver.solve(std::vector<double>{-huge, tiny, 0.0}, x));
  EXPECT_NEAR(x[1], 1.0, 1e-15);
}

TEST(Portfolio, ValuesThatAreNotFiniteAreRefused) {
  const Portfolio solver(std::vector<double>(12, 0.001), 3, 1e-4, 5e-5);
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    std::vector<double> x(3, 1.0);
    EXPECT_FALSE(solver.solve(std::vector<double>{0.1, bad, 0.2}, x));
    EXPECT_EQ(x, std::vector<double>(3, 0.0));
  }
}

TEST(Portfolio, RejectsBadInstances) {
  const std::vector<double> loadings(8, 0.001);
  const auto error = [&](std::size_t assets, double variance, double limit) {
    return input_error([&] { Portfolio(loadings, assets, variance, limit); });
  };
  EXPECT_EQ(error(0, 1e-4, 1e-5), "portfolio: there are 0 assets, expected 1 to 500");
  EXPECT_EQ(error(501, 1e-4, 1e-5), "portfolio: there are 501 assets, expected 1 to 500");
  EXPECT_EQ(error(3, 1e-4, 1e-5),
            "portfolio: there are 8 factor loadings for 3 assets, expected 0 to 4 for each asset");
  EXPECT_EQ(error(1, 1e-4, 1e-5),
            "portfolio: there are 8 factor loadings for 1 assets, expected 0 to 4 for each asset");
  EXPECT_EQ(error(2, 0.0, 1e-5), "portfolio: the specific variance is 0, expected a positive number");
  EXPECT_EQ(error(2, 1e-4, std::nan("")), "portfolio: the risk limit is nan, expected a positive number");
  EXPECT_EQ(input_error([] {
              Portfolio(std::vector<double>{0.1, HUGE_VAL}, 2, 1e-4, 1e-5);
            }),
            "portfolio: loading 0 of asset 1 is inf, expected a finite number");
}

}  // namespace
}  // namespace polystep::solvers
