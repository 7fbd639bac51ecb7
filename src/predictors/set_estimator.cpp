// Estimates of SetNetwork for sets of one graph, from what a set changes alone.
#include <algorithm>

#include "predictors/set_layers.hpp"
#include "predictors/set_network.hpp"

namespace polystep {

// Activations of the empty set, and room for what a set changes.
struct SetNetwork::Estimator::State {
  static constexpr std::size_t kDepth = kSetConvolutions.size();

  std::size_t inputs = 0;
  std::array<PackedSetLayer, kDepth + 1> layers;   // convolutions and the first dense layer
  std::vector<float> last;                         // weights, then the bias
  std::vector<std::vector<std::uint32_t>> beside;  // [nodes]
  AlignedFloats numbers;                           // [nodes × inputs], nothing marked
  std::array<Panels, kDepth> empty;                // of each convolution, with nothing marked
  std::vector<float> pooled;                       // sum of the last over nodes
  // Of the present set.
  std::array<AlignedFloats, kDepth - 1> now;  // [nodes × units], rows of changed nodes alone are up to date
  AlignedFloats both;
  Panels out, hidden;
  AlignedFloats sums;                  // like pooled
  std::vector<std::uint32_t> reached;  // changed nodes, in the order in which they were met
  std::vector<std::uint8_t>
      met;  // [nodes]: 0 unchanged, 1 changed, 2 changed by this layer for the first time

  // What a node sends to a layer.
  const float* sent(std::size_t layer, std::uint32_t node) const {
    if (layer == 0) return numbers.data() + node * inputs;
    return (met[node] == 1 ? now[layer - 1].data() : empty[layer - 1].panel(0)) + node * kPanelWidth;
  }
};

SetNetwork::Estimator::Estimator(const SetNetwork& network, std::span<const float> theta, const Graph& graph)
    : state_(std::make_unique<State>()) {
  State& state = *state_;
  const std::vector<SetLayer> layers = set_layers(network.inputs());
  state.inputs = network.inputs();
  for (std::size_t layer = 0; layer <= State::kDepth; ++layer) state.layers[layer].pack(layers[layer], theta);
  state.last.assign(theta.begin() + static_cast<std::ptrdiff_t>(layers.back().weight), theta.end());
  state.beside.resize(graph.nodes);
  for (const auto& [a, b] : graph.neighbours) {
    state.beside[a].push_back(b);
    state.beside[b].push_back(a);
  }
  const std::size_t known = network.inputs() - 1;
  state.numbers.assign(graph.nodes * network.inputs(), 0.0f);
  for (std::size_t node = 0; node < graph.nodes; ++node)
    std::copy_n(graph.numbers.data() + node * known, known, state.numbers.data() + node * network.inputs());
  const float* own = state.numbers.data();
  std::size_t inputs = network.inputs();
  for (std::size_t layer = 0; layer < State::kDepth; ++layer) {
    put_beside_neighbours(own, graph.nodes, inputs, graph.neighbours, state.both);
    state.layers[layer].pass(state.both.data(), graph.nodes, state.empty[layer]);
    own = state.empty[layer].panel(0);
    inputs = kSetConvolutions[layer];
    if (layer + 1 < State::kDepth) state.now[layer].resize(graph.nodes * inputs);
  }
  state.pooled.assign(kSetConvolutions.back(), 0.0f);
  for (std::size_t p = 0; p < state.empty.back().count(); ++p)
    for (std::size_t node = 0; node < graph.nodes; ++node)
      for (std::size_t u = 0; u < kPanelWidth; ++u)
        state.pooled[p * kPanelWidth + u] += state.empty.back().panel(p)[node * kPanelWidth + u];
  state.met.assign(graph.nodes, 0);
}

SetNetwork::Estimator::~Estimator() = default;
SetNetwork::Estimator::Estimator(const Estimator& other) : state_(std::make_unique<State>(*other.state_)) {}

double SetNetwork::Estimator::estimate(std::span<const std::uint32_t> nodes) {
  State& state = *state_;
  const auto mark = [&](float marked) {
    for (const std::uint32_t node : nodes) state.numbers[node * state.inputs + state.inputs - 1] = marked;
  };
  mark(1);
  state.reached.assign(nodes.begin(), nodes.end());
  for (const std::uint32_t node : nodes) state.met[node] = 1;
  std::size_t columns = state.inputs;
  for (std::size_t layer = 0; layer < State::kDepth; ++layer) {
    // A convolution carries what changed one step further.
    const std::size_t before = state.reached.size();
    for (std::size_t k = 0; k < before; ++k)
      for (const std::uint32_t next : state.beside[state.reached[k]])
        if (state.met[next] == 0) {
          state.met[next] = 2;
          state.reached.push_back(next);
        }
    state.both.resize(state.reached.size() * 2 * columns);
    float* row = state.both.data();
    for (const std::uint32_t node : state.reached) {
      std::copy_n(state.sent(layer, node), columns, row);
      float* sum = row + columns;
      std::fill_n(sum, columns, 0.0f);
      for (const std::uint32_t next : state.beside[node]) {
        const float* sent = state.sent(layer, next);
        for (std::size_t c = 0; c < columns; ++c) sum[c] += sent[c];
      }
      row += 2 * columns;
    }
    state.layers[layer].pass(state.both.data(), state.reached.size(), state.out);
    columns = kSetConvolutions[layer];
    for (std::size_t k = 0; k < state.reached.size(); ++k) {
      state.met[state.reached[k]] = 1;
      if (layer + 1 < State::kDepth)
        std::copy_n(state.out.panel(0) + k * columns, columns,
                    state.now[layer].data() + state.reached[k] * columns);
    }
  }
  state.sums.assign(state.pooled.begin(), state.pooled.end());
  for (std::size_t p = 0; p < state.out.count(); ++p) {
    float* sum = state.sums.data() + p * kPanelWidth;
    for (std::size_t k = 0; k < state.reached.size(); ++k) {
      const float* now = state.out.panel(p) + k * kPanelWidth;
      const float* empty = state.empty.back().panel(p) + state.reached[k] * kPanelWidth;
      for (std::size_t u = 0; u < kPanelWidth; ++u) sum[u] += now[u] - empty[u];
    }
  }
  state.layers[State::kDepth].pass(state.sums.data(), 1, state.hidden);
  double estimate = static_cast<double>(state.last[kSetDense]);
  for (std::size_t u = 0; u < kSetDense; ++u)
    estimate += static_cast<double>(state.hidden.panel(u / kPanelWidth)[u % kPanelWidth]) *
                static_cast<double>(state.last[u]);
  mark(0);
  for (const std::uint32_t node : state.reached) state.met[node] = 0;
  return estimate;
}

}  // namespace polystep
