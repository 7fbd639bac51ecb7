#include "predictors/set_network.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

#include "polystep/random.hpp"

namespace polystep {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Weights = Eigen::Map<const Matrix>;
using Bias = Eigen::Map<const Eigen::RowVectorXf>;

constexpr std::array<std::size_t, 4> kConvolutions = {64, 64, 64, 1024};
constexpr std::size_t kDense = 100;

Eigen::Index at(std::size_t index) { return static_cast<Eigen::Index>(index); }

// Where a layer's parameters are. `both`: W1 and W2, one after the other, as one matrix of 2 inputs rows.
struct SetLayer {
  std::size_t inputs = 0, units = 0, rows = 0;  // rows of the matrix: inputs, or twice as many
  std::size_t weight = 0, bias = 0;             // in theta
};

std::vector<SetLayer> layers_of(std::size_t inputs) {
  std::vector<SetLayer> layers;
  std::size_t place = 0;
  const auto add = [&](std::size_t from, std::size_t units, std::size_t rows) {
    layers.push_back({from, units, rows, place, place + rows * units});
    place += rows * units + units;
  };
  for (const std::size_t units : kConvolutions) {
    add(inputs, units, 2 * inputs);
    inputs = units;
  }
  add(inputs, kDense, inputs);
  add(kDense, 1, kDense);
  return layers;
}

// Sums of some products run in an order that depends on where memory begins, so parameters are put where that
// is the same every time.
using Placed = Eigen::VectorXf;
Placed placed(std::span<const float> theta) {
  return Eigen::Map<const Placed>(theta.data(), at(theta.size()));
}

Weights weights_of(const Placed& theta, const SetLayer& layer) {
  return {theta.data() + layer.weight, at(layer.rows), at(layer.units)};
}
Bias bias_of(const Placed& theta, const SetLayer& layer) {
  return {theta.data() + layer.bias, at(layer.units)};
}

// [own | sum of neighbours], for rows of several graphs below each other.
using RowPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
Matrix beside_neighbours(const Matrix& own, const RowPairs& pairs) {
  Matrix both = Matrix::Zero(own.rows(), 2 * own.cols());
  both.leftCols(own.cols()) = own;
  for (const auto& [a, b] : pairs) {
    both.row(a).tail(own.cols()) += own.row(b);
    both.row(b).tail(own.cols()) += own.row(a);
  }
  return both;
}

// What beside_neighbours does to gradients, backwards.
Matrix fold_back(const Matrix& both, const RowPairs& pairs) {
  const Eigen::Index columns = both.cols() / 2;
  Matrix own = both.leftCols(columns);
  for (const auto& [a, b] : pairs) {
    own.row(b) += both.row(a).tail(columns);
    own.row(a) += both.row(b).tail(columns);
  }
  return own;
}

void rectify(Matrix& values) { values = values.cwiseMax(0.0f); }
void block(Matrix& gradient, const Matrix& values) { gradient = (values.array() > 0).select(gradient, 0.0f); }

// The samples of a batch as one graph of many parts.
struct Batch {
  Matrix numbers;                  // [rows × inputs]
  RowPairs pairs;                  // of rows
  std::vector<std::size_t> begin;  // [samples + 1], rows
};

Batch lay_out(std::size_t inputs, std::span<const SetNetwork::Graph> graphs,
              std::span<const SetNetwork::Sample> samples) {
  Batch batch;
  batch.begin.push_back(0);
  for (const SetNetwork::Sample& sample : samples)
    batch.begin.push_back(batch.begin.back() + graphs[sample.graph].nodes);
  batch.numbers = Matrix::Zero(at(batch.begin.back()), at(inputs));
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const SetNetwork::Graph& graph = graphs[samples[s].graph];
    const auto first = static_cast<std::uint32_t>(batch.begin[s]);
    batch.numbers.block(at(first), 0, at(graph.nodes), at(inputs - 1)) =
        Weights(graph.numbers.data(), at(graph.nodes), at(inputs - 1));
    for (const std::uint32_t node : samples[s].nodes) batch.numbers(at(first + node), at(inputs - 1)) = 1;
    for (const auto& [a, b] : graph.neighbours) batch.pairs.emplace_back(first + a, first + b);
  }
  return batch;
}

void put_gradient(const SetLayer& layer, const Matrix& inputs, const Matrix& outputs, Placed& gradient) {
  Eigen::Map<Matrix>(gradient.data() + layer.weight, at(layer.rows), at(layer.units)).noalias() =
      inputs.transpose() * outputs;
  Eigen::Map<Eigen::RowVectorXf>(gradient.data() + layer.bias, at(layer.units)) = outputs.colwise().sum();
}

}  // namespace

SetNetwork::SetNetwork(std::size_t inputs) : inputs_(inputs) {
  const SetLayer last = layers_of(inputs).back();
  parameters_ = last.bias + last.units;
}

std::vector<float> SetNetwork::initial_parameters(std::uint64_t seed) const {
  std::vector<float> theta(parameters_, 0.0f);
  const std::vector<SetLayer> layers = layers_of(inputs_);
  for (std::size_t number = 0; number < layers.size(); ++number) {
    const SetLayer& layer = layers[number];
    RandomStream random(seed, Purpose::kInitialParameters, number);
    const double limit = std::sqrt(6.0 / static_cast<double>(layer.inputs + layer.units));
    for (std::size_t k = 0; k < layer.rows * layer.units; ++k)
      theta[layer.weight + k] = static_cast<float>(random.uniform(-limit, limit));
  }
  return theta;
}

double SetNetwork::error(std::span<const float> parameters, std::span<const Graph> graphs,
                         std::span<const Sample> samples, std::span<float> all_gradients) const {
  const Placed theta = placed(parameters);
  const std::vector<SetLayer> layers = layers_of(inputs_);
  constexpr std::size_t kDepth = kConvolutions.size();
  const Batch batch = lay_out(inputs_, graphs, samples);
  std::array<Matrix, kDepth> both;  // what each convolution gets
  std::array<Matrix, kDepth> out;
  for (std::size_t layer = 0; layer < kDepth; ++layer) {
    both[layer] = beside_neighbours(layer == 0 ? batch.numbers : out[layer - 1], batch.pairs);
    out[layer].noalias() = both[layer] * weights_of(theta, layers[layer]);
    out[layer].rowwise() += bias_of(theta, layers[layer]);
    rectify(out[layer]);
  }
  Matrix pooled(at(samples.size()), at(kConvolutions.back()));
  for (std::size_t s = 0; s < samples.size(); ++s)
    pooled.row(at(s)) =
        out.back().middleRows(at(batch.begin[s]), at(batch.begin[s + 1] - batch.begin[s])).colwise().sum();
  const SetLayer &dense = layers[kDepth], &last = layers[kDepth + 1];
  Matrix hidden = pooled * weights_of(theta, dense);
  hidden.rowwise() += bias_of(theta, dense);
  rectify(hidden);
  const Matrix estimates = hidden * weights_of(theta, last);
  double sum = 0;
  Matrix signs(at(samples.size()), 1);
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const double off = static_cast<double>(estimates(at(s), 0)) + static_cast<double>(theta[last.bias]) -
                       static_cast<double>(samples[s].target);
    sum += std::abs(off);
    signs(at(s), 0) = (off > 0 ? 1.0f : off < 0 ? -1.0f : 0.0f) / static_cast<float>(samples.size());
  }
  const double mean = sum / static_cast<double>(samples.size());
  if (all_gradients.empty()) return mean;
  Placed gradient(at(parameters_));

  put_gradient(last, hidden, signs, gradient);
  Matrix to_hidden = signs * weights_of(theta, last).transpose();
  block(to_hidden, hidden);
  put_gradient(dense, pooled, to_hidden, gradient);
  const Matrix to_pooled = to_hidden * weights_of(theta, dense).transpose();
  Matrix back(out.back().rows(), out.back().cols());
  for (std::size_t s = 0; s < samples.size(); ++s)
    for (std::size_t row = batch.begin[s]; row < batch.begin[s + 1]; ++row)
      back.row(at(row)) = to_pooled.row(at(s));
  for (std::size_t layer = kDepth; layer-- > 0;) {
    block(back, out[layer]);
    put_gradient(layers[layer], both[layer], back, gradient);
    if (layer == 0) break;
    const Matrix to_both = back * weights_of(theta, layers[layer]).transpose();
    back = fold_back(to_both, batch.pairs);
  }
  std::copy_n(gradient.data(), parameters_, all_gradients.data());
  return mean;
}

// Activations of the empty set, and room for what a set changes.
struct SetNetwork::Estimator::State {
  static constexpr std::size_t kDepth = kConvolutions.size();

  std::vector<SetLayer> layers;
  Placed theta;
  std::vector<std::vector<std::uint32_t>> beside;  // [nodes]
  Matrix numbers;                                  // [nodes × inputs], nothing marked
  std::array<Matrix, kDepth> empty;                // of each convolution, with nothing marked
  Eigen::RowVectorXf pooled;                       // sum of the last over nodes
  // Of the present set.
  std::array<Matrix, kDepth> now;  // rows of changed nodes alone are up to date
  Matrix both, out;
  std::vector<std::uint32_t> reached;  // changed nodes, in the order in which they were met
  std::vector<std::uint8_t>
      met;  // [nodes]: 0 unchanged, 1 changed, 2 changed by this layer for the first time
};

SetNetwork::Estimator::Estimator(const SetNetwork& network, std::span<const float> theta, const Graph& graph)
    : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.layers = layers_of(network.inputs());
  state.theta = placed(theta);
  state.beside.resize(graph.nodes);
  for (const auto& [a, b] : graph.neighbours) {
    state.beside[a].push_back(b);
    state.beside[b].push_back(a);
  }
  Sample nothing;
  const Batch batch = lay_out(network.inputs(), std::span(&graph, 1), std::span(&nothing, 1));
  state.numbers = batch.numbers;
  for (std::size_t layer = 0; layer < State::kDepth; ++layer) {
    const Matrix both = beside_neighbours(layer == 0 ? state.numbers : state.empty[layer - 1], batch.pairs);
    state.empty[layer].noalias() = both * weights_of(state.theta, state.layers[layer]);
    state.empty[layer].rowwise() += bias_of(state.theta, state.layers[layer]);
    rectify(state.empty[layer]);
    state.now[layer] = Matrix(state.empty[layer].rows(), state.empty[layer].cols());
  }
  state.pooled = state.empty.back().colwise().sum();
  state.met.assign(graph.nodes, 0);
}

SetNetwork::Estimator::~Estimator() = default;
SetNetwork::Estimator::Estimator(const Estimator& other) : state_(std::make_unique<State>(*other.state_)) {}

double SetNetwork::Estimator::estimate(std::span<const std::uint32_t> nodes) {
  State& state = *state_;
  const Eigen::Index mark = state.numbers.cols() - 1;
  state.reached.assign(nodes.begin(), nodes.end());
  for (const std::uint32_t node : nodes) {
    state.met[node] = 1;
    state.numbers(node, mark) = 1;
  }
  for (std::size_t layer = 0; layer < State::kDepth; ++layer) {
    const SetLayer& shape = state.layers[layer];
    const std::size_t before = state.reached.size();
    // A convolution carries what changed one step further.
    for (std::size_t k = 0; k < before; ++k)
      for (const std::uint32_t next : state.beside[state.reached[k]])
        if (state.met[next] == 0) {
          state.met[next] = 2;
          state.reached.push_back(next);
        }
    const auto input = [&](std::uint32_t node) {
      if (layer == 0) return state.numbers.row(node);
      return state.met[node] == 1 ? state.now[layer - 1].row(node) : state.empty[layer - 1].row(node);
    };
    const Eigen::Index columns = at(shape.inputs);
    state.both.resize(at(state.reached.size()), 2 * columns);
    for (std::size_t k = 0; k < state.reached.size(); ++k) {
      auto row = state.both.row(at(k));
      row.head(columns) = input(state.reached[k]);
      row.tail(columns).setZero();
      for (const std::uint32_t next : state.beside[state.reached[k]]) row.tail(columns) += input(next);
    }
    state.out.noalias() = state.both * weights_of(state.theta, shape);
    state.out.rowwise() += bias_of(state.theta, shape);
    rectify(state.out);
    for (std::size_t k = 0; k < state.reached.size(); ++k) {
      state.now[layer].row(state.reached[k]) = state.out.row(at(k));
      state.met[state.reached[k]] = 1;
    }
  }
  Matrix pooled = state.pooled;
  for (std::size_t k = 0; k < state.reached.size(); ++k)
    pooled.row(0) += state.out.row(at(k)) - state.empty.back().row(state.reached[k]);
  const SetLayer &dense = state.layers[State::kDepth], &last = state.layers[State::kDepth + 1];
  Matrix hidden = pooled * weights_of(state.theta, dense);
  hidden += bias_of(state.theta, dense);
  rectify(hidden);
  const Matrix estimate = hidden * weights_of(state.theta, last);
  for (const std::uint32_t node : nodes) state.numbers(node, mark) = 0;
  for (const std::uint32_t node : state.reached) state.met[node] = 0;
  return static_cast<double>(estimate(0, 0)) + static_cast<double>(state.theta[at(last.bias)]);
}

}  // namespace polystep
