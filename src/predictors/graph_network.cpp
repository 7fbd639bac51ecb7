#include "predictors/graph_network.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "polystep/aligned.hpp"
#include "polystep/error.hpp"
#include "polystep/instances.hpp"
#include "predictors/dense_stack.hpp"
#include "simd/row_products.hpp"

namespace polystep {
namespace {

constexpr const char* kGraphNetworkKind = "graph-network";

struct Layer {
  bool convolution;
  bool rectified;
  std::size_t inputs;
  std::size_t units;
  std::size_t weight;      // its first parameter
  std::size_t neighbours;  // likewise, of a convolution
  std::size_t bias;        // likewise

  std::size_t all_inputs() const { return convolution ? 2 * inputs : inputs; }  // with those of the mean
};

// How far apart rows lie that hold a layer's inputs. The layer before writes padded units; the mean comes
// behind its own.
std::size_t row_stride(const Layer& layer) {
  return padded_units(layer.convolution ? 2 * layer.inputs : layer.inputs);
}

// The graph of one instance as sums over its nodes need it.
template <class Real>
struct LineGraph {
  std::span<const GraphEdge> edges;
  std::size_t nodes = 0;
  std::vector<Real> degree;  // [nodes]
  std::vector<Real> share;   // [edges], of a neighbour in the mean; 0 without neighbours

  void set(std::span<const GraphEdge> of) {
    edges = of;
    nodes = 0;
    for (const GraphEdge& edge : edges)
      nodes = std::max<std::size_t>(nodes, std::max(edge.from, edge.to) + std::size_t{1});
    degree.assign(nodes, 0);
    for (const GraphEdge& edge : edges) degree[edge.from] += 1, degree[edge.to] += 1;
    share.resize(edges.size());
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const Real neighbours = degree[edges[e].from] + degree[edges[e].to] - 2;
      share[e] = neighbours > 0 ? 1 / neighbours : 0;
    }
  }

  // sums [nodes × units]: what the edges at each node have together, in the order of the edges.
  // value(e): the units of an edge.
  template <class Value>
  void add_at_nodes(std::size_t units, const Value& value, Real* sums) const {
    std::fill_n(sums, nodes * units, Real{0});
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const Real* own = value(e);
      Real* from = sums + edges[e].from * units;
      Real* to = sums + edges[e].to * units;
      for (std::size_t u = 0; u < units; ++u) from[u] += own[u];
      for (std::size_t u = 0; u < units; ++u) to[u] += own[u];
    }
  }
};

struct GraphWork {
  LineGraph<float> graph;
  AlignedFloats weights;   // of all stages, packed: [inputs × padded units], then the bias [padded units]
  AlignedFloats unfused;   // of a layer that is multiplied into the next
  AlignedFloats rows;      // of one instance, [edges × stride]
  AlignedFloats next;      // likewise
  AlignedFloats at_nodes;  // [nodes × units]

  // Of a pass back, in double precision.
  LineGraph<double> exact_graph;
  std::vector<AlignedDoubles> own;   // [layers + 1], inputs of each layer, [edges × inputs]
  std::vector<AlignedDoubles> mean;  // [layers], means of neighbours, likewise
  AlignedDoubles above, below, below_mean, sums;
};

GraphWork& graph_work_of_thread() {
  static thread_local GraphWork work;
  return work;
}

class GraphNetwork final : public Predictor {
 public:
  GraphNetwork(const PredictorShape& shape, std::shared_ptr<const Instances> instances)
      : features_(shape.features),
        outputs_(shape.outputs),
        convolutions_(shape.convolutions),
        dense_(shape.layers),
        instances_(std::move(instances)) {
    std::size_t inputs = features_, next = 0;
    const auto add = [&](bool convolution, std::size_t units, bool rectified) {
      const std::size_t matrix = units * inputs;
      layers_.push_back({convolution, rectified, inputs, units, next, next + matrix,
                         next + (convolution ? 2 * matrix : matrix)});
      next = layers_.back().bias + units;
      inputs = units;
    };
    for (std::size_t l = 0; l < convolutions_.size(); ++l)
      add(true, convolutions_[l], l + 1 < convolutions_.size() || dense_.empty());
    for (std::size_t l = 0; l < dense_.size(); ++l)
      add(false, dense_[l], l + 1 < dense_.size() || dense_.size() == 1);
    add(false, 1, false);
    plan_stages();
  }

  std::unique_ptr<Predictor> clone() const override { return std::make_unique<GraphNetwork>(*this); }
  std::string kind() const override { return kGraphNetworkKind; }
  PredictorFacts facts() const override {
    std::vector<std::size_t> hidden = convolutions_;
    hidden.insert(hidden.end(), dense_.begin(), dense_.end());
    return {.entry = FeatureEntry::kLineGraph, .hidden = std::move(hidden)};
  }
  PredictorShape shape() const override {
    return {kGraphNetworkKind, features_, outputs_, 0, 0, dense_, convolutions_};
  }
  std::vector<TensorShape> tensors() const override {
    std::vector<TensorShape> tensors;
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      const Layer& layer = layers_[l];
      const std::string name = layer.convolution ? fmt::format("convolution{}", l)
                                                 : fmt::format("layer{}", l - convolutions_.size());
      tensors.push_back({name + ".weight", {layer.units, layer.inputs}});
      if (layer.convolution) tensors.push_back({name + ".neighbours", {layer.units, layer.inputs}});
      tensors.push_back({name + ".bias", {layer.units}});
    }
    return tensors;
  }
  InitialDraw usual_draw() const override { return InitialDraw::kGlorot; }
  std::size_t feature_columns() const override { return outputs_ * features_; }
  std::size_t row_features() const override { return features_; }
  std::size_t outputs() const override { return outputs_; }
  using Predictor::outputs_of;
  std::size_t outputs_of(const RowShape& row, std::size_t instance) const override {
    if (row.features % features_ != 0) return 0;
    const std::size_t rows = row.features / features_;
    if (outputs_ != 0 && rows != outputs_) return 0;
    return instances_ == nullptr || edges_of(instance).size() == rows ? rows : 0;
  }

  void predict(std::span<const double> theta, const Tile& tile, double* prediction) const override {
    predict_tiles(theta, {&tile, 1}, prediction);
  }

  void predict_tiles(std::span<const double> theta, std::span<const Tile> tiles,
                     double* predictions) const override {
    GraphWork& work = graph_work_of_thread();
    pack(theta, work);
    for (const Tile& tile : tiles) {
      work.graph.set(edges_of(tile.instance[0]));
      for (std::size_t lane = 0; lane < tile.width; ++lane) predict_lane(tile, lane, work, predictions);
      predictions += work.graph.edges.size() * tile.width;
    }
  }

  void add_gradient(std::span<const double> theta, const Tile& tile, const double* output_gradient,
                    std::span<double> gradient) const override {
    GraphWork& work = graph_work_of_thread();
    work.exact_graph.set(edges_of(tile.instance[0]));
    work.own.resize(std::max(work.own.size(), layers_.size() + 1));
    work.mean.resize(std::max(work.mean.size(), layers_.size()));
    const std::size_t edges = work.exact_graph.edges.size();
    for (std::size_t lane = 0; lane < tile.width; ++lane) {
      work.own[0].resize(edges * features_);
      for (std::size_t i = 0; i < edges * features_; ++i)
        work.own[0][i] = tile.features[i * tile.width + lane];
      for (std::size_t l = 0; l < layers_.size(); ++l) pass_on(theta, l, work);
      work.above.resize(edges);
      for (std::size_t e = 0; e < edges; ++e) work.above[e] = output_gradient[e * tile.width + lane];
      for (std::size_t l = layers_.size(); l-- > 0;) pass_back(theta, l, work, gradient);
    }
  }

 private:
  // Layers that rows pass at once: linear ones are multiplied into the dense layer that follows.
  struct Stage {
    std::size_t first;   // of its layers
    std::size_t last;    // likewise
    std::size_t weight;  // where its packed weights begin
    std::size_t inputs;
    std::size_t units;  // padded
    std::size_t bias() const { return weight + inputs * units; }
  };

  void plan_stages() {
    std::size_t next = 0;
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      std::size_t last = l;
      while (last + 1 < layers_.size() && !layers_[last].rectified && !layers_[last + 1].convolution) ++last;
      stages_.push_back({l, last, next, layers_[l].all_inputs(), padded_units(layers_[last].units)});
      next = stages_.back().bias() + stages_.back().units;
      l = last;
    }
    packed_size_ = next;
  }

  std::span<const GraphEdge> edges_of(std::size_t instance) const {
    if (instances_ == nullptr)
      throw InputError(fmt::format(
          "{} predictor: found no graph to predict the edges of, expected the instances it was made for",
          kGraphNetworkKind));
    return instances_->edges(instances_->alike() ? 0 : instance);
  }

  // One layer as [all inputs × padded units], then its bias; what is padded is 0.
  static void pack_layer(std::span<const double> theta, const Layer& layer, float* packed) {
    const std::size_t units = padded_units(layer.units);
    std::fill_n(packed, (layer.all_inputs() + 1) * units, 0.0f);
    const auto transpose = [&](std::size_t from, float* to) {
      for (std::size_t u = 0; u < layer.units; ++u)
        for (std::size_t i = 0; i < layer.inputs; ++i)
          to[i * units + u] = static_cast<float>(theta[from + u * layer.inputs + i]);
    };
    transpose(layer.weight, packed);
    if (layer.convolution) transpose(layer.neighbours, packed + layer.inputs * units);
    for (std::size_t u = 0; u < layer.units; ++u)
      packed[layer.all_inputs() * units + u] = static_cast<float>(theta[layer.bias + u]);
  }

  void pack(std::span<const double> theta, GraphWork& work) const {
    work.weights.resize(packed_size_);
    for (const Stage& stage : stages_) {
      float* packed = work.weights.data() + stage.weight;
      if (stage.first == stage.last) {
        pack_layer(theta, layers_[stage.first], packed);
        continue;
      }
      // From the last layer to the first, what a layer's inputs and bias come to behind those that follow.
      work.next.resize((layers_[stage.last].all_inputs() + 1) * stage.units);
      pack_layer(theta, layers_[stage.last], work.next.data());
      for (std::size_t l = stage.last; l-- > stage.first;) {
        const Layer& layer = layers_[l];
        const std::size_t units = padded_units(layer.units), rows = layer.all_inputs() + 1;
        work.unfused.resize(rows * units);
        pack_layer(theta, layer, work.unfused.data());
        work.rows.resize(rows * stage.units);
        multiply_rows({.values = work.unfused.data(),
                       .rows = rows,
                       .inputs = layer.units,
                       .value_stride = units,
                       .weight = work.next.data(),
                       .units = stage.units,
                       .sums = work.rows.data(),
                       .sum_stride = stage.units});
        const float* bias = work.next.data() + layer.units * stage.units;
        float* sums = work.rows.data() + (rows - 1) * stage.units;
        for (std::size_t u = 0; u < stage.units; ++u) sums[u] += bias[u];
        std::swap(work.rows, work.next);
      }
      std::copy_n(work.next.data(), (stage.inputs + 1) * stage.units, packed);
    }
  }

  void predict_lane(const Tile& tile, std::size_t lane, GraphWork& work, double* prediction) const {
    const std::size_t edges = work.graph.edges.size();
    std::size_t stride = row_stride(layers_.front());
    work.rows.resize(edges * stride);
    const double* feature = tile.features + lane;
    for (std::size_t e = 0; e < edges; ++e)
      for (std::size_t f = 0; f < features_; ++f, feature += tile.width)
        work.rows[e * stride + f] = static_cast<float>(*feature);
    for (const Stage& stage : stages_) {
      const Layer& layer = layers_[stage.first];
      if (layer.convolution) find_means(layer.inputs, stride, work);
      const bool ends = stage.last + 1 == layers_.size();
      const std::size_t next_stride = std::max(stage.units, ends ? 0 : row_stride(layers_[stage.last + 1]));
      work.next.resize(edges * next_stride);
      multiply_rows({.values = work.rows.data(),
                     .rows = edges,
                     .inputs = stage.inputs,
                     .value_stride = stride,
                     .weight = work.weights.data() + stage.weight,
                     .units = stage.units,
                     .bias = work.weights.data() + stage.bias(),
                     .rectified = layers_[stage.last].rectified,
                     .sums = work.next.data(),
                     .sum_stride = next_stride});
      std::swap(work.rows, work.next);
      stride = next_stride;
    }
    for (std::size_t e = 0; e < edges; ++e) prediction[e * tile.width + lane] = work.rows[e * stride];
  }

  // Behind the units of every row, the mean of its neighbours'.
  static void find_means(std::size_t units, std::size_t stride, GraphWork& work) {
    const LineGraph<float>& graph = work.graph;
    work.at_nodes.resize(graph.nodes * units);
    graph.add_at_nodes(
        units, [&](std::size_t e) { return work.rows.data() + e * stride; }, work.at_nodes.data());
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      const float* __restrict own = work.rows.data() + e * stride;
      float* __restrict mean = work.rows.data() + e * stride + units;
      const float* from = work.at_nodes.data() + graph.edges[e].from * units;
      const float* to = work.at_nodes.data() + graph.edges[e].to * units;
      const float share = graph.share[e];
      for (std::size_t u = 0; u < units; ++u) mean[u] = (from[u] + to[u] - 2 * own[u]) * share;
    }
  }

  // From the inputs of layer l to those of the next, in double precision.
  void pass_on(std::span<const double> theta, std::size_t l, GraphWork& work) const {
    const Layer& layer = layers_[l];
    const LineGraph<double>& graph = work.exact_graph;
    const std::size_t edges = graph.edges.size();
    const AlignedDoubles& own = work.own[l];
    AlignedDoubles& sums = work.own[l + 1];
    sums.resize(edges * layer.units);
    for (std::size_t e = 0; e < edges; ++e)
      std::copy_n(theta.data() + layer.bias, layer.units, sums.data() + e * layer.units);
    multiply(own, edges, layer, theta.data() + layer.weight, sums);
    if (layer.convolution) {
      AlignedDoubles& mean = work.mean[l];
      mean.resize(own.size());
      spread(graph, layer.inputs, own.data(), work, mean.data());
      for (std::size_t e = 0; e < edges; ++e)
        for (std::size_t i = 0; i < layer.inputs; ++i) mean[e * layer.inputs + i] *= graph.share[e];
      multiply(mean, edges, layer, theta.data() + layer.neighbours, sums);
    }
    if (layer.rectified)
      for (double& unit : sums) unit = std::max(unit, 0.0);
  }

  // After pass_on of all layers: from the gradient of layer l's units in work.above to that of its inputs,
  // in the same place.
  void pass_back(std::span<const double> theta, std::size_t l, GraphWork& work,
                 std::span<double> gradient) const {
    const Layer& layer = layers_[l];
    const LineGraph<double>& graph = work.exact_graph;
    const std::size_t edges = graph.edges.size();
    AlignedDoubles& above = work.above;
    if (layer.rectified)
      for (std::size_t i = 0; i < above.size(); ++i)
        if (!(work.own[l + 1][i] > 0)) above[i] = 0;
    add_to_weight(work.own[l], edges, layer, above, gradient.data() + layer.weight);
    if (layer.convolution)
      add_to_weight(work.mean[l], edges, layer, above, gradient.data() + layer.neighbours);
    add_rows(above.data(), edges, layer.units, gradient.data() + layer.bias);
    if (l == 0) return;  // features need no gradient
    work.below.resize(edges * layer.inputs);
    pull_back(above.data(), edges, layer.units, theta.data() + layer.weight, layer.inputs, work.below.data());
    if (layer.convolution) {
      work.below_mean.resize(work.below.size());
      pull_back(above.data(), edges, layer.units, theta.data() + layer.neighbours, layer.inputs,
                work.below_mean.data());
      for (std::size_t e = 0; e < edges; ++e)
        for (std::size_t i = 0; i < layer.inputs; ++i)
          work.below_mean[e * layer.inputs + i] *= graph.share[e];
      above.resize(work.below.size());
      spread(graph, layer.inputs, work.below_mean.data(), work, above.data());
      for (std::size_t i = 0; i < above.size(); ++i) above[i] += work.below[i];
    } else {
      std::swap(above, work.below);
    }
  }

  // What the neighbours of every edge have together; the map is its own transpose.
  static void spread(const LineGraph<double>& graph, std::size_t units, const double* values, GraphWork& work,
                     double* together) {
    work.sums.resize(graph.nodes * units);
    graph.add_at_nodes(
        units, [&](std::size_t e) { return values + e * units; }, work.sums.data());
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      const double* from = work.sums.data() + graph.edges[e].from * units;
      const double* to = work.sums.data() + graph.edges[e].to * units;
      for (std::size_t u = 0; u < units; ++u)
        together[e * units + u] = from[u] + to[u] - 2 * values[e * units + u];
    }
  }

  static void multiply(const AlignedDoubles& values, std::size_t rows, const Layer& layer,
                       const double* weight, AlignedDoubles& sums) {
    for (std::size_t first = 0; first < rows; first += kRowsPerBlock)
      add_products(values.data() + first * layer.inputs, std::min(kRowsPerBlock, rows - first), layer.inputs,
                   weight, layer.inputs, layer.units, sums.data() + first * layer.units);
  }

  static void add_to_weight(const AlignedDoubles& values, std::size_t rows, const Layer& layer,
                            const AlignedDoubles& above, double* gradient) {
    add_weight_gradient(above.data(), rows, layer.units, values.data(), layer.inputs, layer.inputs, gradient);
  }

  std::size_t features_;
  std::size_t outputs_;  // 0 where instances differ
  std::vector<std::size_t> convolutions_;
  std::vector<std::size_t> dense_;
  std::shared_ptr<const Instances> instances_;
  std::vector<Layer> layers_;
  std::vector<Stage> stages_;
  std::size_t packed_size_ = 0;
};

std::unique_ptr<Predictor> make_checked(const PredictorShape& shape,
                                        std::shared_ptr<const Instances> instances) {
  if (shape.features == 0)
    throw InputError(fmt::format("{} predictor: found 0 features, expected at least 1", kGraphNetworkKind));
  if (shape.convolutions.empty())
    throw InputError(
        fmt::format("{} predictor: found no convolutions, expected at least 1", kGraphNetworkKind));
  for (const std::vector<std::size_t>* widths : {&shape.convolutions, &shape.layers})
    for (const std::size_t units : *widths)
      if (units == 0)
        throw InputError(
            fmt::format("{} predictor: found a layer of 0 units, expected at least 1", kGraphNetworkKind));
  return std::make_unique<GraphNetwork>(shape, std::move(instances));
}

}  // namespace

std::unique_ptr<Predictor> make_graph_network(std::size_t features, std::vector<std::size_t> convolutions,
                                              std::vector<std::size_t> dense,
                                              std::shared_ptr<const Instances> instances) {
  const std::size_t outputs = instances != nullptr && instances->alike() ? instances->shape(0).outputs : 0;
  return make_checked({kGraphNetworkKind, features, outputs, 0, 0, std::move(dense), std::move(convolutions)},
                      std::move(instances));
}

PredictorEntry graph_network_entry() {
  return {.name = kGraphNetworkKind,
          .help =
              "graph convolutions over edges that share nodes, each with a row of features, then dense "
              "layers",
          .entry = FeatureEntry::kLineGraph,
          .lists_layers = true,
          .least_layers = 0,
          .lists_convolutions = true,
          .make = [](const PredictorShape& shape, std::shared_ptr<const Instances> instances) {
            return make_checked(shape, std::move(instances));
          }};
}

}  // namespace polystep
