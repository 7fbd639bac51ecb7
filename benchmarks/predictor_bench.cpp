// A perceptron shared by outputs on the shape of image features: 4096 -> 512 -> 1, 10 rows per instance, 32
// instances. Each pass is measured beside Eigen's plain product of the same size, in turn, so that both meet
// the same machine: "of_eigen" is the share of its rate.
#include <benchmark/benchmark.h>

#include <Eigen/Core>
#include <chrono>
#include <vector>

#include "polystep/aligned.hpp"
#include "polystep/predictor.hpp"
#include "polystep/random.hpp"
#include "polystep/tile.hpp"

namespace {

using namespace polystep;

constexpr std::size_t kFeatures = 4096, kHidden = 512, kOutputs = 10, kInstances = 32;
constexpr std::size_t kRows = kOutputs * kInstances;
constexpr double kProduct = 2.0 * kRows * kFeatures * kHidden;  // operations of the first layer

AlignedDoubles normals(std::size_t count, std::uint64_t index) {
  AlignedDoubles values(count);
  RandomStream(1, Purpose::kTest, index).fill_normal(values);
  return values;
}

struct Batch {
  std::unique_ptr<Predictor> predictor = make_shared_mlp(kFeatures, {kHidden}, kOutputs);
  std::vector<double> theta = predictor->initial_parameters(0);
  AlignedDoubles features = normals(kRows * kFeatures, 1);  // [tiles × columns × kLanes]
  AlignedDoubles weights = normals(kRows, 2);
  AlignedDoubles prediction = AlignedDoubles(kRows);
  std::vector<double> gradient = std::vector<double>(theta.size());

  template <class Pass>
  void for_tiles(const Pass& pass) {
    Tile tile;
    tile.shape.features = kOutputs * kFeatures;
    for (std::size_t first = 0; first < kInstances; first += kLanes) {
      tile.features = features.data() + first * tile.shape.features;
      pass(tile, first * kOutputs);
    }
  }
  void predict() {
    for_tiles(
        [&](const Tile& tile, std::size_t at) { predictor->predict(theta, tile, prediction.data() + at); });
  }
  void add_gradient() {
    for_tiles([&](const Tile& tile, std::size_t at) {
      predictor->add_gradient(theta, tile, weights.data() + at, gradient);
    });
  }
};

template <class Real>
struct PlainProduct {
  using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Matrix rows = Matrix::Random(kRows, kFeatures), weight = Matrix::Random(kHidden, kFeatures);
  Matrix sums = Matrix::Zero(kRows, kHidden);

  void run() { sums.noalias() = rows * weight.transpose(); }
};

template <class Work>
double seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// `products`: how many products of the first layer's size the pass consists of.
template <class Real, class Pass>
void beside_eigen(benchmark::State& state, double products, const Pass& pass) {
  PlainProduct<Real> plain;
  double own = 0, eigen = 0;
  for (auto _ : state) {
    eigen += seconds_of([&] { plain.run(); });
    benchmark::DoNotOptimize(plain.sums.data());
    const double seconds = seconds_of(pass);
    own += seconds;
    state.SetIterationTime(seconds);
    benchmark::ClobberMemory();
  }
  const auto passes = static_cast<double>(state.iterations());
  state.counters["gflops"] = passes * products * kProduct / own / 1e9;
  state.counters["eigen_gflops"] = passes * kProduct / eigen / 1e9;
  state.counters["of_eigen"] = products * eigen / own;
}

void SharedMlpPredict(benchmark::State& state) {
  Batch batch;
  beside_eigen<double>(state, 1, [&] { batch.predict(); });
}
BENCHMARK(SharedMlpPredict)->UseManualTime()->Unit(benchmark::kMillisecond);

// Forward, then the gradient of the weights: features need none.
void SharedMlpGradient(benchmark::State& state) {
  Batch batch;
  beside_eigen<double>(state, 2, [&] { batch.add_gradient(); });
}
BENCHMARK(SharedMlpGradient)->UseManualTime()->Unit(benchmark::kMillisecond);

// States of a minibatch, in single precision.
void SharedMlpStates(benchmark::State& state) {
  Batch batch;
  const StagedPredictor& staged = *batch.predictor->staged();
  AlignedFloats states(kInstances * staged.state_size());
  beside_eigen<float>(state, 1, [&] { staged.states(batch.theta, batch.features, states.data()); });
}
BENCHMARK(SharedMlpStates)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
