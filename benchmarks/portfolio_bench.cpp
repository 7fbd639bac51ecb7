// Portfolios per second on the benchmark's shape: 50 assets, four factors, and a batch of 128 instances.
//
// The argument says whose predictions are decided: 0 those of a random linear predictor, as at the start of
// training; 1 those of least squares on returns, 2 of least squares on the published sign (mostly x = 0).
#include <benchmark/benchmark.h>

#include <array>
#include <vector>

#include "data/benchmarks/portfolio_data.hpp"
#include "methods/starts/least_squares.hpp"
#include "polystep/aligned.hpp"
#include "polystep/random.hpp"
#include "polystep/tile.hpp"
#include "solvers/portfolio/portfolio.hpp"

namespace {

using namespace polystep;
using namespace polystep::solvers;

constexpr std::size_t kAssets = kPortfolioAssets;
constexpr std::size_t kTiles = 16;
constexpr std::size_t kTileSize = kAssets * kLanes;

struct Batch {
  PortfolioData data;
  AlignedDoubles predicted;  // [kTiles × assets × kLanes]
  AlignedDoubles truth;      // [kTiles × assets × kLanes]
  std::vector<double> rows;  // predicted, [kTiles * kLanes × assets]
};

std::vector<double> random_parameters() {
  RandomStream random(1, Purpose::kTest);
  std::vector<double> theta(kAssets * (kPortfolioFeatures + 1));
  for (double& parameter : theta) parameter = random.uniform(-0.447, 0.447);
  return theta;
}

Batch make_batch(std::int64_t predictor) {
  Batch batch;
  batch.data =
      generated_portfolio(4, predictor == 1 ? PortfolioSign::kReturns : PortfolioSign::kPublished, 0);
  const Split& training = batch.data.data.training;
  const std::vector<double> theta = predictor == 0 ? random_parameters() : least_squares_linear(training);
  batch.predicted.resize(kTiles * kTileSize);
  batch.truth.resize(kTiles * kTileSize);
  for (std::size_t row = 0; row < kTiles * kLanes; ++row) {
    const auto features = training.feature_row(row);
    for (std::size_t asset = 0; asset < kAssets; ++asset) {
      double value = theta[kAssets * features.size() + asset];
      for (std::size_t k = 0; k < features.size(); ++k)
        value += theta[asset * features.size() + k] * features[k];
      const std::size_t at = row / kLanes * kTileSize + asset * kLanes + row % kLanes;
      batch.predicted[at] = value;
      batch.truth[at] = training.truth_row(row)[asset];
      batch.rows.push_back(value);
    }
  }
  return batch;
}

Portfolio make_solver(const Batch& batch, InstructionSet set) {
  return Portfolio(batch.data.loadings, kAssets, kPortfolioSpecificVariance, batch.data.risk_limit, set);
}

void PortfolioPlain(benchmark::State& state) {
  const Batch batch = make_batch(state.range(0));
  const Portfolio solver = make_solver(batch, InstructionSet::kBaseline);
  std::array<double, kAssets> decision;
  for (auto _ : state) {
    for (std::size_t row = 0; row < kTiles * kLanes; ++row) {
      benchmark::DoNotOptimize(solver.solve(std::span(batch.rows).subspan(row * kAssets, kAssets), decision));
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kTiles * kLanes));
}
BENCHMARK(PortfolioPlain)->DenseRange(0, 2);

void run_tiles(benchmark::State& state, InstructionSet set) {
  if (!is_supported(set)) return state.SkipWithError("this processor has no AVX-512");
  const Batch batch = make_batch(state.range(0));
  const Portfolio solver = make_solver(batch, set);
  TileOutcome outcome;
  for (auto _ : state) {
    for (std::size_t tile = 0; tile < kTiles; ++tile) {
      outcome.failed = solver.solve_tile(&batch.predicted[tile * kTileSize], &batch.truth[tile * kTileSize],
                                         outcome.cost.data(), outcome.signature.data());
      benchmark::DoNotOptimize(outcome);
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kTiles * kLanes));
}

void PortfolioTileBaseline(benchmark::State& state) { run_tiles(state, InstructionSet::kBaseline); }
BENCHMARK(PortfolioTileBaseline)->DenseRange(0, 2);

void PortfolioTileAvx512(benchmark::State& state) { run_tiles(state, InstructionSet::kAvx512); }
BENCHMARK(PortfolioTileAvx512)->DenseRange(0, 2);

}  // namespace
