#include "predictors/composed.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "polystep/error.hpp"
#include "predictors/dense_stack.hpp"
#include "predictors/large_layer.hpp"

namespace polystep {
namespace {

// A direction that moves a smaller share of the first layer's weights than this is followed weight by weight.
constexpr std::size_t kDenseShare = 16;

// Where the ends of an instance's outputs lie in its table.
struct Layout {
  struct Range {
    std::size_t first = 0;
    std::size_t count = 0;
  };
  std::array<Range, 2> range;        // table rows that each end may be, of one end or of two
  std::size_t joints = 0;            // rows that enter the stack: outputs, or 1 for all of them
  std::span<const GraphEdge> edges;  // [joints], of a graph
  FeatureEntry entry = FeatureEntry::kWhole;

  // Counted from the first row of the end's range.
  std::size_t row(std::size_t end, std::size_t joint) const {
    if (entry == FeatureEntry::kPairs) return end == 0 ? joint / range[1].count : joint % range[1].count;
    if (entry == FeatureEntry::kEdges) return end == 0 ? edges[joint].from : edges[joint].to;
    return joint;
  }
};

struct Work {
  StackWork stack;
  AlignedDoubles rows;                            // of a block, [rows × features]
  std::array<AlignedDoubles, 2> shares;           // of two ends, [range × width × first units]
  std::array<AlignedDoubles, 2> share_gradients;  // likewise
  AlignedFloats state_rows, state_sums, state_weights, state_bias;
  LargeLayer large;
};

Work& work_of_thread() {
  static thread_local Work work;
  return work;
}

// Outputs of one hidden layer of rectified units at sums + step * change, for several steps at once. Sixteen
// running sums in a fixed order, whatever the processor has.
template <std::size_t Steps>
void one_layer_outputs(const float* sums, const float* change, std::size_t units, const float* steps,
                       const float* weights, const float* bias, float* outputs, std::size_t stride) {
  constexpr std::size_t kRunning = 16;
  float running[Steps][kRunning] = {};
  std::size_t u = 0;
  for (; u + kRunning <= units; u += kRunning)
    for (std::size_t s = 0; s < Steps; ++s)
      for (std::size_t i = 0; i < kRunning; ++i) {
        const float unit = sums[u + i] + steps[s] * change[u + i];
        running[s][i] += (unit > 0 ? unit : 0.0f) * weights[s * units + u + i];
      }
  for (std::size_t s = 0; s < Steps; ++s) {
    float total = bias[s];
    for (std::size_t i = 0; i < kRunning; ++i) total += running[s][i];
    for (std::size_t left = u; left < units; ++left)
      total += std::max(0.0f, sums[left] + steps[s] * change[left]) * weights[s * units + left];
    outputs[s * stride] = total;
  }
}

class Composed final : public StagedPredictor, public HasBatchPass {
 public:
  explicit Composed(Composition composition)
      : is_(std::move(composition)),
        ends_(is_.entry == FeatureEntry::kPairs || is_.entry == FeatureEntry::kEdges ? 2 : 1),
        stack_(ends_ * is_.features, is_.hidden, is_.entry == FeatureEntry::kWhole ? is_.outputs : 1,
               is_.logistic) {}

  std::unique_ptr<Predictor> clone() const override { return std::make_unique<Composed>(*this); }
  std::string kind() const override { return is_.kind; }
  PredictorFacts facts() const override { return {is_.entry, is_.hidden, is_.logistic}; }
  PredictorShape shape() const override {
    return {is_.kind, is_.features, is_.outputs, 0, is_.left, is_.hidden};
  }
  std::vector<TensorShape> tensors() const override { return stack_.tensors(); }
  std::size_t feature_columns() const override { return table_rows() * is_.features; }
  std::size_t row_features() const override { return is_.features; }
  std::size_t outputs() const override { return is_.outputs; }

  std::size_t outputs_of(const RowShape& row, std::size_t instance) const override {
    if (row.features % is_.features != 0) return 0;
    const std::size_t rows = row.features / is_.features;
    if (table_rows() != 0 && rows != table_rows()) return 0;
    if (is_.entry == FeatureEntry::kWhole) return is_.outputs;
    if (is_.entry != FeatureEntry::kEdges) return layout(rows, instance).joints;
    if (is_.instances == nullptr) return is_.outputs;
    const std::span<const GraphEdge> edges = edges_of(instance);
    const auto fits = [&](const GraphEdge& edge) { return edge.from < rows && edge.to < rows; };
    return std::all_of(edges.begin(), edges.end(), fits) ? edges.size() : 0;
  }

  void predict(std::span<const double> theta, const Tile& tile, double* prediction) const override {
    if (large()) return make_large_pass(stack_, {})->predict(theta, {&tile, 1}, prediction);
    Work& work = work_of_thread();
    const Layout layout = layout_of(tile);
    if (ends_ == 2) find_shares(theta, tile, layout, work);
    for_blocks(layout.joints * tile.width, [&](std::size_t first, std::size_t rows) {
      find_sums(theta, tile, layout, first, rows, work);
      stack_.forward(theta.subspan(stack_.head_begin()), rows, work.stack);
      const AlignedDoubles& units = work.stack.units[stack_.layers().size() - 1];
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t u = 0; u < stack_.outputs(); ++u)
          prediction[place(first + row, u, tile.width)] = units[row * stack_.outputs() + u];
    });
  }

  void predict_tiles(std::span<const double> theta, std::span<const Tile> tiles,
                     double* predictions) const override {
    if (!large()) return StagedPredictor::predict_tiles(theta, tiles, predictions);
    make_large_pass(stack_, {})->predict(theta, tiles, predictions);
  }

  std::unique_ptr<BatchPass> batch_pass(ParallelFor parallel) const override {
    return large() ? make_large_pass(stack_, std::move(parallel)) : nullptr;
  }

  void add_gradient(std::span<const double> theta, const Tile& tile, const double* output_gradient,
                    std::span<double> gradient) const override {
    Work& work = work_of_thread();
    const Layout layout = layout_of(tile);
    const std::size_t units = stack_.first_units(), outputs = stack_.outputs();
    if (ends_ == 2) {
      find_shares(theta, tile, layout, work);
      for (std::size_t end = 0; end < 2; ++end)
        work.share_gradients[end].assign(layout.range[end].count * tile.width * units, 0.0);
    }
    const std::size_t head = stack_.head_begin();
    for_blocks(layout.joints * tile.width, [&](std::size_t first, std::size_t rows) {
      const double* entered = find_sums(theta, tile, layout, first, rows, work);
      stack_.forward(theta.subspan(head), rows, work.stack);
      work.stack.above.resize(rows * outputs);
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t u = 0; u < outputs; ++u)
          work.stack.above[row * outputs + u] = output_gradient[place(first + row, u, tile.width)];
      stack_.backward(theta.subspan(head), rows, work.stack, gradient.subspan(head));
      if (ends_ == 2)
        share_out(layout, first, rows, tile.width, work);
      else
        add_first_layer(work.stack.above.data(), rows, entered, 0, gradient);
    });
    if (ends_ == 2)
      for (std::size_t end = 0; end < 2; ++end)
        for_blocks(layout.range[end].count * tile.width, [&](std::size_t first, std::size_t rows) {
          add_first_layer(work.share_gradients[end].data() + first * units, rows,
                          rows_of(tile, layout.range[end], first, rows, work), end, gradient);
        });
  }

  // Of an affine one: every output may depend on every parameter.
  std::vector<std::uint32_t> touched_outputs(std::span<const std::uint32_t> parameters,
                                             std::size_t outputs) const override {
    std::vector<std::uint32_t> touched(parameters.empty() ? 0 : outputs);
    std::iota(touched.begin(), touched.end(), 0u);
    return touched;
  }

  void predict_change(const Direction& direction, std::span<const std::uint32_t> touched, std::size_t tiles,
                      const Tile& first, double* change) const override {
    const Layout layout = layout_of(first);
    const double* features = first.features;
    for (std::size_t tile = 0; tile < tiles; ++tile, features += first.shape.features * first.width)
      for (const std::uint32_t output : touched) {
        write_change(direction, layout, output, features, first.width, change);
        change += first.width;
      }
  }

  const StagedPredictor* staged() const override {
    const bool same_ends =
        is_.entry != FeatureEntry::kEdges || (is_.instances != nullptr && is_.instances->alike());
    return !facts().affine() && is_.outputs != 0 && table_rows() != 0 && same_ends ? this : nullptr;
  }

  std::size_t state_size() const override {
    const Layout all = layout(table_rows(), 0);
    return (all.range[0].count + all.range[1].count) * stack_.first_units();
  }
  std::size_t head_begin() const override { return stack_.head_begin(); }
  std::size_t scratch_size() const override { return 0; }  // threads keep workspaces of their own

  void states(std::span<const double> theta, std::span<const double> features, float* states) const override {
    if (large()) return write_large_states(theta, features, states);
    Work& work = work_of_thread();
    const auto bias = theta.begin() + static_cast<std::ptrdiff_t>(stack_.layers().front().bias);
    work.state_weights.assign(theta.begin(), bias);
    work.state_bias.assign(bias, bias + static_cast<std::ptrdiff_t>(stack_.first_units()));
    write_states(features, states, work);
  }

  void state_changes(const Direction& direction, std::span<const double> features,
                     float* changes) const override {
    const DenseStack::Layer& layer = stack_.layers().front();
    if (!direction.dense() && direction.size() * kDenseShare < layer.units * layer.inputs)
      return follow_weights(direction, features, changes);
    Work& work = work_of_thread();
    work.state_weights.assign(layer.bias, 0.0f);
    work.state_bias.assign(layer.units, 0.0f);
    direction.for_each([&](std::size_t parameter, double value) {
      if (parameter < layer.bias)
        work.state_weights[parameter] = static_cast<float>(value);
      else if (parameter < stack_.head_begin())
        work.state_bias[parameter - layer.bias] = static_cast<float>(value);
    });
    write_states(features, changes, work);
  }

  void predict_from_state(std::span<const double> head, const float* state, float*,
                          float* prediction) const override {
    Work& work = work_of_thread();
    const Layout all = layout(table_rows(), 0);
    const std::size_t units = stack_.first_units();
    const float* second = state + all.range[0].count * units;
    for_blocks(all.joints, [&](std::size_t first, std::size_t rows) {
      work.stack.prepare(stack_, rows);
      for (std::size_t row = 0; row < rows; ++row) {
        double* sums = work.stack.units[0].data() + row * units;
        const float* share = state + all.row(0, first + row) * units;
        for (std::size_t u = 0; u < units; ++u) sums[u] = share[u];
        if (ends_ == 1) continue;
        share = second + all.row(1, first + row) * units;
        for (std::size_t u = 0; u < units; ++u) sums[u] += share[u];
      }
      stack_.forward(head, rows, work.stack);
      const AlignedDoubles& outputs = work.stack.units[stack_.layers().size() - 1];
      for (std::size_t i = 0; i < outputs.size(); ++i)
        prediction[first * stack_.outputs() + i] = static_cast<float>(outputs[i]);
    });
  }

  std::size_t plain_rows() const override {
    const bool one_of_each = ends_ == 1 && is_.hidden.size() == 1 && stack_.outputs() == 1 && !is_.logistic;
    return one_of_each && staged() != nullptr ? table_rows() : 0;
  }

  void predict_along(std::span<const double> head, std::span<const double> head_change, const float* state,
                     const float* change, std::span<const double> steps, float* predictions) const override {
    constexpr std::size_t kTogether = 4;
    const std::size_t units = stack_.first_units(), rows = table_rows();
    AlignedFloats& weights = work_of_thread().state_weights;
    weights.resize(kTogether * units);
    for (std::size_t first = 0; first < steps.size(); first += kTogether) {
      const std::size_t count = std::min(kTogether, steps.size() - first);
      float factors[kTogether], bias[kTogether];
      for (std::size_t s = 0; s < count; ++s) {
        const double step = steps[first + s];
        factors[s] = static_cast<float>(step);
        bias[s] = static_cast<float>(head[units] + step * head_change[units]);
        for (std::size_t u = 0; u < units; ++u)
          weights[s * units + u] = static_cast<float>(head[u] + step * head_change[u]);
      }
      const auto kernel = count == 1   ? one_layer_outputs<1>
                          : count == 2 ? one_layer_outputs<2>
                          : count == 3 ? one_layer_outputs<3>
                                       : one_layer_outputs<4>;
      for (std::size_t row = 0; row < rows; ++row)
        kernel(state + row * units, change + row * units, units, factors, weights.data(), bias,
               predictions + first * rows + row, rows);
    }
  }

 private:
  bool large() const { return ends_ == 1 && LargeLayer::serves(stack_.inputs(), stack_.first_units()); }

  // Of one instance; 0 where instances differ.
  std::size_t table_rows() const {
    switch (is_.entry) {
      case FeatureEntry::kWhole:
        return 1;
      case FeatureEntry::kPerOutput:
        return is_.outputs;
      case FeatureEntry::kPairs:
        return is_.left + is_.outputs / is_.left;
      case FeatureEntry::kEdges:
        return is_.left;
      case FeatureEntry::kLineGraph:  // graph_network.cpp has these
        break;
    }
    return 0;
  }

  std::span<const GraphEdge> edges_of(std::size_t instance) const {
    if (is_.instances == nullptr)
      throw InputError(fmt::format(
          "{} predictor: found no graph to predict the edges of, expected the instances it was made for",
          is_.kind));
    return is_.instances->edges(is_.instances->alike() ? 0 : instance);
  }

  Layout layout(std::size_t rows, std::size_t instance) const {
    Layout layout{.range = {{{0, rows}, {}}}, .joints = rows, .edges = {}, .entry = is_.entry};
    if (is_.entry == FeatureEntry::kPairs) {
      layout.range = {{{0, is_.left}, {is_.left, rows - is_.left}}};
      layout.joints = is_.outputs;
    } else if (is_.entry == FeatureEntry::kEdges) {
      layout.range[1] = layout.range[0];
      layout.edges = edges_of(instance);
      layout.joints = layout.edges.size();
    }
    return layout;
  }
  Layout layout_of(const Tile& tile) const {
    return layout(tile.shape.features / is_.features, tile.instance[0]);
  }

  template <class Block>
  static void for_blocks(std::size_t rows, const Block& block) {
    for (std::size_t first = 0; first < rows; first += kRowsPerBlock)
      block(first, std::min(kRowsPerBlock, rows - first));
  }

  // Of a unit of the last layer in the tile's predictions: row joint × width + lane of the stack belongs to
  // output joint × units + unit of that lane.
  std::size_t place(std::size_t row, std::size_t unit, std::size_t width) const {
    return (row / width * stack_.outputs() + unit) * width + row % width;
  }

  // Rows of the table in an end's range, lanes as rows of their own: row table_row × width + lane.
  const double* rows_of(const Tile& tile, const Layout::Range& range, std::size_t first, std::size_t rows,
                        Work& work) const {
    const std::size_t features = is_.features;
    if (tile.width == 1) return tile.features + (range.first + first) * features;
    work.rows.resize(rows * features);
    const double* from = tile.features + (range.first * kLanes + first) * features;
    for (std::size_t row = 0; row < rows; row += kLanes, from += features * kLanes)
      for (std::size_t block = 0; block < features; block += kLanes)  // a cache line of each lane at a time
        for (std::size_t lane = 0; lane < kLanes; ++lane)
          for (std::size_t f = block; f < std::min(features, block + kLanes); ++f)
            work.rows[(row + lane) * features + f] = from[f * kLanes + lane];
    return work.rows.data();
  }

  const double* weight_of(std::span<const double> theta, std::size_t end) const {
    return theta.data() + end * is_.features;
  }

  void write_bias(std::span<const double> theta, std::size_t rows, double* sums) const {
    const DenseStack::Layer& layer = stack_.layers().front();
    for (std::size_t row = 0; row < rows; ++row)
      std::copy_n(theta.data() + layer.bias, layer.units, sums + row * layer.units);
  }

  // What each table row adds to the sums as either end; the bias is part of the first.
  void find_shares(std::span<const double> theta, const Tile& tile, const Layout& layout, Work& work) const {
    const std::size_t units = stack_.first_units();
    for (std::size_t end = 0; end < 2; ++end) {
      const std::size_t all = layout.range[end].count * tile.width;
      work.shares[end].assign(all * units, 0.0);
      if (end == 0) write_bias(theta, all, work.shares[end].data());
      for_blocks(all, [&](std::size_t first, std::size_t rows) {
        add_products(rows_of(tile, layout.range[end], first, rows, work), rows, is_.features,
                     weight_of(theta, end), stack_.inputs(), units, work.shares[end].data() + first * units);
      });
    }
  }

  // The first layer's sums for a block of rows of the stack. Returns what entered, where there is one end.
  const double* find_sums(std::span<const double> theta, const Tile& tile, const Layout& layout,
                          std::size_t first, std::size_t rows, Work& work) const {
    work.stack.prepare(stack_, rows);
    const std::size_t units = stack_.first_units();
    double* sums = work.stack.units[0].data();
    if (ends_ == 1) {
      const double* entered = rows_of(tile, layout.range[0], first, rows, work);
      write_bias(theta, rows, sums);
      add_products(entered, rows, is_.features, theta.data(), stack_.inputs(), units, sums);
      return entered;
    }
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t joint = (first + row) / tile.width, lane = (first + row) % tile.width;
      const double* from = work.shares[0].data() + (layout.row(0, joint) * tile.width + lane) * units;
      const double* to = work.shares[1].data() + (layout.row(1, joint) * tile.width + lane) * units;
      for (std::size_t u = 0; u < units; ++u) sums[row * units + u] = from[u] + to[u];
    }
    return nullptr;
  }

  // Adds the gradient of a block's sums to those of the shares they were summed from.
  void share_out(const Layout& layout, std::size_t first, std::size_t rows, std::size_t width,
                 Work& work) const {
    const std::size_t units = stack_.first_units();
    for (std::size_t end = 0; end < 2; ++end)
      for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t joint = (first + row) / width, lane = (first + row) % width;
        double* share = work.share_gradients[end].data() + (layout.row(end, joint) * width + lane) * units;
        add_rows(work.stack.above.data() + row * units, 1, units, share);
      }
  }

  void add_first_layer(const double* sums, std::size_t rows, const double* entered, std::size_t end,
                       std::span<double> gradient) const {
    const DenseStack::Layer& layer = stack_.layers().front();
    add_weight_gradient(sums, rows, layer.units, entered, is_.features, layer.inputs,
                        gradient.data() + end * is_.features);
    if (end == 0) add_rows(sums, rows, layer.units, gradient.data() + layer.bias);
  }

  // One output's change, from its tile's features.
  void write_change(const Direction& direction, const Layout& layout, std::uint32_t output,
                    const double* features, std::size_t width, double* change) const {
    const DenseStack::Layer& layer = stack_.layers().front();
    const std::size_t joint = output / layer.units, unit = output % layer.units;
    std::fill_n(change, width, 0.0);
    direction.for_each([&](std::size_t parameter, double value) {
      if (parameter >= layer.bias) {
        if (parameter - layer.bias != unit) return;
        for (std::size_t lane = 0; lane < width; ++lane) change[lane] += value;
        return;
      }
      if (parameter / layer.inputs != unit) return;
      const std::size_t input = parameter % layer.inputs, end = input / is_.features;
      const std::size_t row = layout.range[end].first + layout.row(end, joint);
      const double* feature = features + (row * is_.features + input % is_.features) * width;
      for (std::size_t lane = 0; lane < width; ++lane) change[lane] += value * feature[lane];
    });
  }

  // States of instances for the weights and bias in `work`: the shares of each end one after the other.
  void write_states(std::span<const double> features, float* states, Work& work) const {
    const Layout all = layout(table_rows(), 0);
    const std::size_t instances = features.size() / feature_columns(), units = stack_.first_units();
    std::size_t begin = 0;  // of the end's shares in a state
    for (std::size_t end = 0; end < ends_; ++end) {
      const Layout::Range& range = all.range[end];
      for_blocks(instances * range.count, [&](std::size_t first, std::size_t rows) {
        work.state_rows.resize(rows * is_.features);
        work.state_sums.assign(rows * units, 0.0f);
        for (std::size_t row = 0; row < rows; ++row) {
          const std::size_t instance = (first + row) / range.count;
          const std::size_t own = range.first + (first + row) % range.count;
          const double* from = features.data() + instance * feature_columns() + own * is_.features;
          std::copy_n(from, is_.features, work.state_rows.data() + row * is_.features);
          if (end == 0) std::copy_n(work.state_bias.data(), units, work.state_sums.data() + row * units);
        }
        add_products<float>(work.state_rows.data(), rows, is_.features,
                            work.state_weights.data() + end * is_.features, stack_.inputs(), units,
                            work.state_sums.data());
        for (std::size_t row = 0; row < rows; ++row)
          std::copy_n(work.state_sums.data() + row * units, units,
                      states + (first + row) / range.count * state_size() + begin +
                          (first + row) % range.count * units);
      });
      begin += range.count * units;
    }
  }

  void write_large_states(std::span<const double> theta, std::span<const double> features,
                          float* states) const {
    const DenseStack::Layer& layer = stack_.layers().front();
    Tile all;
    all.features = features.data();
    all.shape.features = features.size();
    all.width = 1;
    LargeLayer& products = work_of_thread().large;
    products.multiply(theta.data(), layer.units, layer.inputs, {&all, 1}, {});
    for (std::size_t row = 0; row < features.size() / layer.inputs; ++row)
      for (std::size_t u = 0; u < layer.units; ++u)
        states[row * layer.units + u] = static_cast<float>(theta[layer.bias + u]) + products.product(u, row);
  }

  // The change of states along a direction, weight by weight.
  void follow_weights(const Direction& direction, std::span<const double> features, float* changes) const {
    const DenseStack::Layer& layer = stack_.layers().front();
    const Layout all = layout(table_rows(), 0);
    const std::size_t instances = features.size() / feature_columns();
    std::fill_n(changes, instances * state_size(), 0.0f);
    direction.for_each([&](std::size_t parameter, double along) {
      if (parameter >= stack_.head_begin()) return;
      const bool is_bias = parameter >= layer.bias;
      const std::size_t unit = is_bias ? parameter - layer.bias : parameter / layer.inputs;
      const std::size_t input = is_bias ? 0 : parameter % layer.inputs, end = input / is_.features;
      const auto value = static_cast<float>(along);
      const std::size_t begin = end == 0 ? 0 : all.range[0].count * layer.units;
      for (std::size_t instance = 0; instance < instances; ++instance) {
        const double* from = features.data() + instance * feature_columns() +
                             all.range[end].first * is_.features + input % is_.features;
        float* to = changes + instance * state_size() + begin + unit;
        for (std::size_t row = 0; row < all.range[end].count; ++row)
          to[row * layer.units] += is_bias ? value : value * static_cast<float>(from[row * is_.features]);
      }
    });
  }

  Composition is_;
  std::size_t ends_;
  DenseStack stack_;
};

}  // namespace

std::unique_ptr<Predictor> make_composed(Composition composition) {
  const auto refuse = [&](const std::string& sentence) {
    throw InputError(composition.kind + " predictor: " + sentence);
  };
  if (std::find(composition.hidden.begin(), composition.hidden.end(), 0u) != composition.hidden.end())
    refuse("found a hidden layer without units, expected at least one unit in each");
  if (composition.features == 0) refuse("found rows without features, expected at least one");
  if (composition.entry == FeatureEntry::kPairs &&
      (composition.left == 0 || composition.outputs == 0 || composition.outputs % composition.left != 0))
    refuse(fmt::format("found {} outputs and {} left rows, expected a multiple of the left rows",
                       composition.outputs, composition.left));
  return std::make_unique<Composed>(std::move(composition));
}

std::unique_ptr<Predictor> make_perceptron(Composition composition) {
  const std::vector<std::size_t>& hidden = composition.hidden;
  if (hidden.empty() || std::find(hidden.begin(), hidden.end(), 0u) != hidden.end())
    throw InputError(composition.kind +
                     " predictor: found no hidden layer or one without units, expected at least one unit in "
                     "each");
  return make_composed(std::move(composition));
}

}  // namespace polystep
