#include "predictors/set_network.hpp"

#include <algorithm>
#include <cmath>

#include "polystep/random.hpp"
#include "predictors/set_layers.hpp"

namespace polystep {
namespace {

constexpr std::size_t kDepth = kSetConvolutions.size();
// Samples that pass the network together, there and back: what they leave behind should stay in a cache.
constexpr std::size_t kSamplesAtOnce = 8;

// Some samples as one graph of many parts.
struct Batch {
  AlignedFloats numbers;           // [rows × inputs]
  RowPairs pairs;                  // of rows
  std::vector<std::size_t> begin;  // [samples + 1], rows

  std::size_t rows() const { return begin.back(); }

  void lay_out(std::size_t inputs, std::span<const SetNetwork::Graph> graphs,
               std::span<const SetNetwork::Sample> samples) {
    begin.assign(1, 0);
    pairs.clear();
    for (const SetNetwork::Sample& sample : samples)
      begin.push_back(begin.back() + graphs[sample.graph].nodes);
    numbers.assign(rows() * inputs, 0.0f);
    for (std::size_t s = 0; s < samples.size(); ++s) {
      const SetNetwork::Graph& graph = graphs[samples[s].graph];
      const auto first = static_cast<std::uint32_t>(begin[s]);
      float* own = numbers.data() + first * inputs;
      for (std::size_t node = 0; node < graph.nodes; ++node)
        std::copy_n(graph.numbers.data() + node * (inputs - 1), inputs - 1, own + node * inputs);
      for (const std::uint32_t node : samples[s].nodes) own[node * inputs + inputs - 1] = 1;
      for (const auto& [a, b] : graph.neighbours) pairs.emplace_back(first + a, first + b);
    }
  }
};

// What a thread needs to pass samples through the network and gradients back.
struct SetWork {
  std::array<PackedSetLayer, kDepth + 1> layers;  // convolutions and the first dense layer
  std::array<Panels, kDepth + 1> transposed;      // their weights [units × rows]; of the first none
  std::array<Panels, kDepth + 1> gradients;       // of these weights, [rows × units]
  std::array<AlignedFloats, kDepth + 1> bias_gradients;
  Batch batch;
  std::array<AlignedFloats, kDepth> both;  // what each convolution gets, [rows × 2 inputs]
  std::array<Panels, kDepth> out;          // what comes out, then the gradient there
  AlignedFloats turned;                    // what a layer gets, [2 inputs × rows]
  Panels to_both;                          // gradient of what a convolution gets
  AlignedFloats pooled;                    // [all samples × units of the last convolution]
  Panels hidden;
  AlignedFloats to_hidden;  // gradient there, [all samples × dense units]
  Panels to_pooled;
};

SetWork& set_work_of_thread() {
  static thread_local SetWork work;
  return work;
}

void turn(const float* matrix, std::size_t rows, std::size_t columns, AlignedFloats& turned) {
  turned.resize(rows * columns);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t c = 0; c < columns; ++c) turned[c * rows + row] = matrix[row * columns + c];
}

// gradient panel [inputs × kPanelWidth] and bias += what rows [rows × inputs], given turned, and the gradient
// of their outputs [rows × kPanelWidth] say.
void add_gradient(const AlignedFloats& turned, std::size_t rows, std::size_t inputs, const float* above,
                  float* gradient, float* bias) {
  multiply_rows({.values = turned.data(),
                 .rows = inputs,
                 .inputs = rows,
                 .value_stride = rows,
                 .weight = above,
                 .units = kPanelWidth,
                 .sums = gradient,
                 .sum_stride = kPanelWidth,
                 .goes_on = true});
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t u = 0; u < kPanelWidth; ++u) bias[u] += above[row * kPanelWidth + u];
}

void pass_on(std::size_t inputs, SetWork& work) {
  const float* own = work.batch.numbers.data();
  for (std::size_t layer = 0; layer < kDepth; ++layer) {
    put_beside_neighbours(own, work.batch.rows(), inputs, work.batch.pairs, work.both[layer]);
    work.layers[layer].pass(work.both[layer].data(), work.batch.rows(), work.out[layer]);
    own = work.out[layer].panel(0);
    inputs = kSetConvolutions[layer];
  }
}

// pooled [samples × units]: sums over each sample's rows.
void pool(const Batch& batch, const Panels& out, float* pooled) {
  constexpr std::size_t kUnits = kSetConvolutions.back();
  const std::size_t samples = batch.begin.size() - 1;
  std::fill_n(pooled, samples * kUnits, 0.0f);
  for (std::size_t p = 0; p < out.count(); ++p)
    for (std::size_t s = 0; s < samples; ++s) {
      float* sum = pooled + s * kUnits + p * kPanelWidth;
      for (std::size_t row = batch.begin[s]; row < batch.begin[s + 1]; ++row)
        for (std::size_t u = 0; u < kPanelWidth; ++u) sum[u] += out.panel(p)[row * kPanelWidth + u];
    }
}

// What a sum over rows sends back to each of them, where the unit was not cut off.
void spread(const Batch& batch, const Panels& to_pooled, Panels& out) {
  for (std::size_t p = 0; p < out.count(); ++p)
    for (std::size_t s = 0; s + 1 < batch.begin.size(); ++s) {
      const float* above = to_pooled.panel(p) + s * kPanelWidth;
      for (std::size_t row = batch.begin[s]; row < batch.begin[s + 1]; ++row) {
        float* unit = out.panel(p) + row * kPanelWidth;
        for (std::size_t u = 0; u < kPanelWidth; ++u) unit[u] = unit[u] > 0 ? above[u] : 0.0f;
      }
    }
}

// From the gradient behind a convolution's units to that of its inputs, which are the units of the one
// before: what put_beside_neighbours does, backwards, where those were not cut off.
void fold_back(const Batch& batch, Panels& to_both, Panels& below) {
  float* own = to_both.panel(0);
  const float* sums = to_both.panel(1);
  const auto add = [&](std::uint32_t to, std::uint32_t from) {
    for (std::size_t u = 0; u < kPanelWidth; ++u) own[to * kPanelWidth + u] += sums[from * kPanelWidth + u];
  };
  for (const auto& [a, b] : batch.pairs) {
    add(b, a);
    add(a, b);
  }
  float* units = below.panel(0);
  for (std::size_t k = 0; k < batch.rows() * kPanelWidth; ++k) units[k] = units[k] > 0 ? own[k] : 0.0f;
}

void pass_back(std::span<const SetLayer> layers, SetWork& work) {
  const std::size_t rows = work.batch.rows();
  for (std::size_t layer = kDepth; layer-- > 0;) {
    const std::size_t inputs = layers[layer].rows;
    Panels& above = work.out[layer];
    turn(work.both[layer].data(), rows, inputs, work.turned);
    if (layer > 0) work.to_both.resize(rows, inputs);
    for (std::size_t p = 0; p < above.count(); ++p) {
      add_gradient(work.turned, rows, inputs, above.panel(p), work.gradients[layer].panel(p),
                   work.bias_gradients[layer].data() + p * kPanelWidth);
      for (std::size_t q = 0; layer > 0 && q < work.to_both.count(); ++q)
        multiply_rows({.values = above.panel(p),
                       .rows = rows,
                       .inputs = kPanelWidth,
                       .value_stride = kPanelWidth,
                       .weight = work.transposed[layer].panel(q) + p * kPanelWidth * kPanelWidth,
                       .units = kPanelWidth,
                       .sums = work.to_both.panel(q),
                       .sum_stride = kPanelWidth,
                       .goes_on = p > 0});
    }
    if (layer > 0) fold_back(work.batch, work.to_both, work.out[layer - 1]);
  }
}

}  // namespace

SetNetwork::SetNetwork(std::size_t inputs) : inputs_(inputs) {
  const SetLayer last = set_layers(inputs).back();
  parameters_ = last.bias + last.units;
}

std::vector<float> SetNetwork::initial_parameters(std::uint64_t seed) const {
  std::vector<float> theta(parameters_, 0.0f);
  const std::vector<SetLayer> layers = set_layers(inputs_);
  for (std::size_t number = 0; number < layers.size(); ++number) {
    const SetLayer& layer = layers[number];
    RandomStream random(seed, Purpose::kInitialParameters, number);
    const double limit = std::sqrt(6.0 / static_cast<double>(layer.inputs + layer.units));
    for (std::size_t k = 0; k < layer.rows * layer.units; ++k)
      theta[layer.weight + k] = static_cast<float>(random.uniform(-limit, limit));
  }
  return theta;
}

// The error is a sum over samples, so that a few go there and back before the next ones: a sample's share of
// the gradient depends on its own estimate alone.
double SetNetwork::error(std::span<const float> theta, std::span<const Graph> graphs,
                         std::span<const Sample> samples, std::span<float> gradient) const {
  constexpr std::size_t kPooled = kSetConvolutions.back();
  const std::vector<SetLayer> layers = set_layers(inputs_);
  const SetLayer& last = layers[kDepth + 1];
  const bool back = !gradient.empty();
  SetWork& work = set_work_of_thread();
  for (std::size_t layer = 0; layer <= kDepth; ++layer) {
    work.layers[layer].pack(layers[layer], theta);
    if (!back) continue;
    if (layer > 0) {
      work.transposed[layer].resize(layers[layer].units, layers[layer].rows);
      work.transposed[layer].take_transposed(theta.data() + layers[layer].weight);
    }
    work.gradients[layer].resize(layers[layer].rows, layers[layer].units);
    work.gradients[layer].clear();
    work.bias_gradients[layer].assign(work.layers[layer].bias.size(), 0.0f);
  }
  const std::size_t hidden_units = work.layers[kDepth].bias.size();  // filled up
  work.pooled.resize(samples.size() * kPooled);
  work.to_hidden.assign(samples.size() * hidden_units, 0.0f);
  std::vector<float> last_gradient(kSetDense + 1, 0.0f);
  double sum = 0;
  for (std::size_t first = 0; first < samples.size(); first += kSamplesAtOnce) {
    const std::size_t count = std::min(kSamplesAtOnce, samples.size() - first);
    work.batch.lay_out(inputs_, graphs, samples.subspan(first, count));
    pass_on(inputs_, work);
    float* pooled = work.pooled.data() + first * kPooled;
    pool(work.batch, work.out.back(), pooled);
    work.layers[kDepth].pass(pooled, count, work.hidden);
    for (std::size_t s = 0; s < count; ++s) {
      const auto hidden = [&](std::size_t u) {
        return work.hidden.panel(u / kPanelWidth)[s * kPanelWidth + u % kPanelWidth];
      };
      double estimate = static_cast<double>(theta[last.bias]);
      for (std::size_t u = 0; u < kSetDense; ++u)
        estimate += static_cast<double>(hidden(u)) * static_cast<double>(theta[last.weight + u]);
      const double off = estimate - static_cast<double>(samples[first + s].target);
      sum += std::abs(off);
      const float sign = (off > 0 ? 1.0f : off < 0 ? -1.0f : 0.0f) / static_cast<float>(samples.size());
      float* to_hidden = work.to_hidden.data() + (first + s) * hidden_units;
      for (std::size_t u = 0; u < kSetDense; ++u) {
        last_gradient[u] += sign * hidden(u);
        if (hidden(u) > 0) to_hidden[u] = sign * theta[last.weight + u];
      }
      last_gradient[kSetDense] += sign;
    }
    if (!back) continue;
    work.to_pooled.resize(count, kPooled);
    for (std::size_t p = 0; p < work.to_pooled.count(); ++p)
      multiply_rows({.values = work.to_hidden.data() + first * hidden_units,
                     .rows = count,
                     .inputs = kSetDense,
                     .value_stride = hidden_units,
                     .weight = work.transposed[kDepth].panel(p),
                     .units = kPanelWidth,
                     .sums = work.to_pooled.panel(p),
                     .sum_stride = kPanelWidth});
    spread(work.batch, work.to_pooled, work.out.back());
    pass_back(layers, work);
  }
  const double mean = sum / static_cast<double>(samples.size());
  if (!back) return mean;
  turn(work.pooled.data(), samples.size(), kPooled, work.turned);
  Panels& above = work.hidden;
  above.resize(samples.size(), hidden_units);
  above.take(work.to_hidden.data());
  for (std::size_t p = 0; p < above.count(); ++p)
    add_gradient(work.turned, samples.size(), kPooled, above.panel(p), work.gradients[kDepth].panel(p),
                 work.bias_gradients[kDepth].data() + p * kPanelWidth);
  for (std::size_t layer = 0; layer <= kDepth; ++layer) {
    work.gradients[layer].give(gradient.data() + layers[layer].weight);
    std::copy_n(work.bias_gradients[layer].data(), layers[layer].units, gradient.data() + layers[layer].bias);
  }
  std::copy_n(last_gradient.data(), kSetDense, gradient.data() + last.weight);
  gradient[last.bias] = last_gradient[kSetDense];
  return mean;
}

}  // namespace polystep
