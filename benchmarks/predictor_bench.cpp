// A perceptron shared by outputs on the shape of image features: 4096 -> 512 -> 1, 10 rows per instance, 32
// instances. Each pass is measured beside Eigen's plain product of the same size, in turn, so that both meet
// the same machine: "of_eigen" is the share of its rate.
//
// And the graph network of published districting on cities of 30 units, 87 edges each: microseconds per city,
// alone or eight at a time by the same parameters as probes have them, and GFLOP/s of the published layers.
#include <benchmark/benchmark.h>

#include <Eigen/Core>
#include <chrono>
#include <vector>

#include "polystep/aligned.hpp"
#include "polystep/instances.hpp"
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

// 5 × 6 units, neighbours side by side and some across, and a depot that touches all.
std::shared_ptr<const Instances> city() {
  constexpr std::uint32_t kRowsOfUnits = 5, kColumns = 6, kDepot = kRowsOfUnits * kColumns;
  std::vector<GraphEdge> edges;
  for (std::uint32_t row = 0; row < kRowsOfUnits; ++row)
    for (std::uint32_t column = 0; column < kColumns; ++column) {
      const std::uint32_t unit = row * kColumns + column;
      if (column + 1 < kColumns) edges.push_back({unit, unit + 1});
      if (row + 1 < kRowsOfUnits) edges.push_back({unit, unit + kColumns});
      if (row + 1 < kRowsOfUnits && column < 2) edges.push_back({unit, unit + kColumns + 1});
      edges.push_back({unit, kDepot});
    }
  std::vector<InstanceShape> shapes(1, {edges.size(), edges.size()});
  auto instances = std::make_shared<Instances>(shapes);
  instances->set_edges({edges});
  return instances;
}

struct CityBatch {
  std::shared_ptr<const Instances> instances = city();
  std::size_t edges = instances->edges(0).size();
  std::unique_ptr<Predictor> predictor = make_graph_network(7, {64, 64, 64}, {64, 64}, instances);
  std::vector<double> theta = predictor->initial_parameters(0);
  AlignedDoubles features = normals(edges * 7, 1);
  AlignedDoubles weights = normals(edges, 2);
  AlignedDoubles prediction = AlignedDoubles(8 * edges);
  std::vector<double> gradient = std::vector<double>(theta.size());
  Tile tile;

  CityBatch() {
    tile.features = features.data();
    tile.shape.features = features.size();
    tile.width = tile.lanes = 1;
  }

  // Counters for so many cities per iteration and passes of forward's size.
  void count(benchmark::State& state, double cities, double passes) const {
    const double operations = 2 * 25536.0 * static_cast<double>(edges);
    const double done = static_cast<double>(state.iterations()) * cities;
    state.counters["gflops"] =
        benchmark::Counter(done * passes * operations / 1e9, benchmark::Counter::kIsRate);
    state.counters["cities"] = benchmark::Counter(done, benchmark::Counter::kIsRate);
  }
};

void GraphNetworkPredict(benchmark::State& state) {
  CityBatch batch;
  const std::vector<Tile> tiles(static_cast<std::size_t>(state.range(0)), batch.tile);
  for (auto _ : state) {
    batch.predictor->predict_tiles(batch.theta, tiles, batch.prediction.data());
    benchmark::ClobberMemory();
  }
  batch.count(state, static_cast<double>(tiles.size()), 1);
}
BENCHMARK(GraphNetworkPredict)->Arg(1)->Arg(8)->Unit(benchmark::kMicrosecond);

// Forward, then gradients of weights and of inputs.
void GraphNetworkGradient(benchmark::State& state) {
  CityBatch batch;
  for (auto _ : state) {
    batch.predictor->add_gradient(batch.theta, batch.tile, batch.weights.data(), batch.gradient);
    benchmark::ClobberMemory();
  }
  batch.count(state, 1, 3);
}
BENCHMARK(GraphNetworkGradient)->Unit(benchmark::kMicrosecond);

}  // namespace
