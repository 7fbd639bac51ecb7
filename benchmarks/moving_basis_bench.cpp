// The moving basis at the size of a network of 2.1 million parameters (4096 -> 512 -> 1): building it, and
// what a step asks of it. A basis of 128 columns takes 2.1 GB in double precision, half of that in single.
#include <benchmark/benchmark.h>

#include <vector>

#include "optimizer/dense_columns.hpp"
#include "polystep/search_space.hpp"
#include "polystep/team.hpp"

namespace {

using namespace polystep;

constexpr std::size_t kParameters = 4096 * 512 + 512 + 512 + 1;
constexpr std::size_t kDimension = 128;

// Random columns, made orthonormal. range(0): threads
template <class Real>
void BuildBasis(benchmark::State& state) {
  ThreadTeam team(static_cast<std::size_t>(state.range(0)));
  ColumnsOf<Real> columns(kParameters, kDimension);
  std::uint64_t index = 0;
  for (auto _ : state) {
    columns.draw_gaussian(1, index++, 0, threads_of(team));
    columns.orthonormalize(threads_of(team));
  }
}
BENCHMARK(BuildBasis<double>)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(BuildBasis<float>)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

// The orthonormal part alone, of columns that have to be turned as far each time.
template <class Real>
void OrthonormalizeBasis(benchmark::State& state) {
  ThreadTeam team(static_cast<std::size_t>(state.range(0)));
  ColumnsOf<Real> columns(kParameters, kDimension);
  for (auto _ : state) {
    state.PauseTiming();
    columns.draw_gaussian(1, 0, 0, threads_of(team));
    state.ResumeTiming();
    columns.orthonormalize(threads_of(team));
  }
}
BENCHMARK(OrthonormalizeBasis<double>)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(OrthonormalizeBasis<float>)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

// Columns that need not be orthonormal to be added up.
template <class Real>
ColumnsOf<Real> some_columns() {
  ColumnsOf<Real> columns(kParameters, kDimension);
  for (std::size_t j = 0; j < kDimension; ++j)
    for (std::size_t i = 0; i < kParameters; ++i)
      columns.column(j)[i] = static_cast<Real>((i * 7 + j) % 13) - 6;
  return columns;
}

// What place() does: all columns into the parameters. range(0): threads
template <class Real>
void Place(benchmark::State& state) {
  ThreadTeam team(static_cast<std::size_t>(state.range(0)));
  const ColumnsOf<Real> columns = some_columns<Real>();
  const std::vector<double> y(kDimension, 0.1);
  std::vector<double> theta(kParameters);
  for (auto _ : state) {
    columns.add_to(0, y, theta, threads_of(team));
    benchmark::DoNotOptimize(theta.data());
  }
}
BENCHMARK(Place<double>)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(Place<float>)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

// What direction() does: some columns into a dense direction. range(0): columns, one coordinate or a block
template <class Real>
void DenseDirection(benchmark::State& state) {
  const ColumnsOf<Real> columns = some_columns<Real>();
  const std::vector<double> coefficients(static_cast<std::size_t>(state.range(0)), 0.1);
  Direction direction;
  for (auto _ : state) {
    columns.combine(0, coefficients, direction.make_dense(0, kParameters));
    benchmark::DoNotOptimize(direction.value().data());
  }
}
BENCHMARK(DenseDirection<double>)->Arg(1)->Arg(8)->Unit(benchmark::kMillisecond);
BENCHMARK(DenseDirection<float>)->Arg(1)->Arg(8)->Unit(benchmark::kMillisecond);

}  // namespace
