// Eight portfolios at once are the same, bit for bit, as one at a time.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <set>

#include "polystep/tile.hpp"
#include "portfolio_instances.hpp"
#include "solvers/portfolio/portfolio.hpp"

namespace polystep::solvers {
namespace {

// Values and truth of eight instances, [assets × kLanes].
struct ValueTile {
  std::vector<double> predicted, truth;
};

ValueTile draw_tile(RandomStream& random, std::size_t assets) {
  ValueTile tile{std::vector<double>(assets * kLanes), std::vector<double>(assets * kLanes)};
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::vector<double> values = draw_returns(random, kAllReturns[random.below(5)], assets);
    const double sign = random.below(4) == 0 ? -1 : 1;
    for (std::size_t i = 0; i < assets; ++i) {
      tile.predicted[i * kLanes + lane] = sign * values[i];
      tile.truth[i * kLanes + lane] = random.normal();
    }
  }
  return tile;
}

void expect_same_as_plain(const Portfolio& solver, const ValueTile& tile) {
  const std::size_t assets = solver.assets();
  TileOutcome outcome;
  const std::uint32_t failed = solver.solve_tile(tile.predicted.data(), tile.truth.data(),
                                                 outcome.cost.data(), outcome.signature.data());
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    std::vector<double> values(assets), x(assets);
    for (std::size_t i = 0; i < assets; ++i) values[i] = tile.predicted[i * kLanes + lane];
    const bool solved = solver.solve(values, x);
    ASSERT_EQ(failed >> lane & 1, solved ? 0u : 1u);
    double realised = 0;
    for (std::size_t i = 0; i < assets; ++i) realised += tile.truth[i * kLanes + lane] * x[i];
    ASSERT_EQ(std::bit_cast<std::uint64_t>(outcome.cost[lane]), std::bit_cast<std::uint64_t>(realised));
    ASSERT_EQ(outcome.signature[lane], Portfolio::signature(x));
  }
}

class PortfolioTile : public ::testing::TestWithParam<InstructionSet> {
 protected:
  void SetUp() override {
    if (!is_supported(GetParam())) GTEST_SKIP() << "skipped: this processor has no AVX-512";
  }
};

TEST_P(PortfolioTile, DecidesLikeThePlainSolver) {
  for (int trial = 0; trial < 1200; ++trial) {
    RandomStream random(31, Purpose::kTest, static_cast<std::uint64_t>(trial));
    const std::size_t assets = trial % 2 == 0 ? 50 : 1 + random.below(70);
    const double loading = trial % 3 == 0 ? 20.0 : 1.0;
    const double risk = trial % 4 == 0 ? std::exp(random.uniform(-2.0, 3.0)) : 2.25;
    const PortfolioInstance instance = draw_portfolio(random, assets, Returns::kPositive, risk, loading);
    const Portfolio solver(instance.loadings, assets, instance.specific_variance, instance.risk_limit,
                           GetParam());
    expect_same_as_plain(solver, draw_tile(random, assets));
  }
}

TEST_P(PortfolioTile, LanesDoNotSeeEachOther) {
  RandomStream random(32, Purpose::kTest);
  const PortfolioInstance instance = draw_portfolio(random, 50, Returns::kPositive, 2.25, 1.0);
  const Portfolio solver(instance.loadings, 50, instance.specific_variance, instance.risk_limit, GetParam());
  const ValueTile tile = draw_tile(random, 50);
  for (const double other : {0.0, -1.0, std::nan(""), HUGE_VAL, 1e300}) {
    ValueTile changed = tile;
    for (std::size_t lane = 0; lane < kLanes; lane += 3) changed.predicted[7 * kLanes + lane] = other;
    expect_same_as_plain(solver, changed);
  }
}

TEST_P(PortfolioTile, NothingHeldIsWorthPlainZero) {
  const Portfolio solver(std::vector<double>(20, 0.001), 5, 1e-4, 5e-5, GetParam());
  const std::vector<double> predicted(5 * kLanes, -0.1), truth(5 * kLanes, -2.0);
  TileOutcome outcome;
  EXPECT_EQ(solver.solve_tile(predicted.data(), truth.data(), outcome.cost.data(), outcome.signature.data()),
            0u);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(outcome.cost[lane]), 0u);
    EXPECT_EQ(outcome.signature[lane], Portfolio::signature(std::vector<double>(5, 0.0)));
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, PortfolioTile,
                         ::testing::Values(InstructionSet::kBaseline, InstructionSet::kAvx512),
                         [](const auto& set) {
                           return set.param == InstructionSet::kAvx512 ? "Avx512" : "Baseline";
                         });

TEST(PortfolioSignature, TellsDecisionsApart) {
  RandomStream random(33, Purpose::kTest);
  std::set<std::uint64_t> seen;
  std::vector<double> x(50);
  for (int trial = 0; trial < 20000; ++trial) {
    for (double& held : x) held = random.uniform() < 0.5 ? 0.0 : random.uniform();
    EXPECT_TRUE(seen.insert(Portfolio::signature(x)).second);
    std::swap(x[0], x[1]);
    EXPECT_EQ(seen.insert(Portfolio::signature(x)).second, x[0] != x[1]);
  }
}

}  // namespace
}  // namespace polystep::solvers
