// The ONNX form. Field numbers are those of onnx.proto; names beside them say which field is meant.
#include <fmt/format.h>

#include <bit>
#include <span>

#include "export/exported_model.hpp"
#include "export/protobuf_writer.hpp"
#include "polystep/version.hpp"

namespace polystep {
namespace {

static_assert(std::endian::native == std::endian::little, "raw_data is little-endian");

constexpr std::uint64_t kIrVersion = 7;     // the one that came with operator set 13
constexpr std::uint64_t kOperatorSet = 13;  // the first in which Squeeze takes its axes as an input
enum ElementType : std::uint64_t { kInt64 = 7, kDouble = 11 };

class GraphWriter {
 public:
  // Rows of a value [instances × rows × units], in the given order and as often as they are named.
  std::string take_rows(const std::string& value, const std::string& name,
                        const std::vector<std::int64_t>& rows) {
    const std::string index = constant<std::int64_t>(name, {rows.size()}, kInt64, rows);
    const std::string output = fmt::format("Gather_{}", nodes_++);
    ProtobufWriter node;
    node.text(1, value).text(1, index);                                // input
    node.text(2, output).text(3, output + "_node").text(4, "Gather");  // output, name, op_type
    node.message(5, ProtobufWriter()                                   // attribute
                        .text(1, "axis")
                        .number(3, 1)     // i
                        .number(20, 2));  // type: INT
    graph_.message(1, node);              // node
    return output;
  }

  // Adds a node whose output is named after it, and returns that name.
  std::string node(const std::string& operation, const std::vector<std::string>& inputs) {
    const std::string name = fmt::format("{}_{}", operation, nodes_++);
    return named_node(operation, inputs, name);
  }
  std::string named_node(const std::string& operation, const std::vector<std::string>& inputs,
                         const std::string& output) {
    ProtobufWriter node;
    for (const std::string& input : inputs) node.text(1, input);        // input
    node.text(2, output).text(3, output + "_node").text(4, operation);  // output, name, op_type
    graph_.message(1, node);                                            // node
    return output;
  }

  template <class Number>
  std::string constant(const std::string& name, const std::vector<std::size_t>& dimensions, ElementType type,
                       std::span<const Number> values) {
    ProtobufWriter tensor;
    for (const std::size_t size : dimensions) tensor.number(1, size);                     // dims
    tensor.number(2, type).text(8, name);                                                 // data_type, name
    tensor.text(9, {reinterpret_cast<const char*>(values.data()), values.size_bytes()});  // raw_data
    graph_.message(5, tensor);                                                            // initializer
    return name;
  }
  std::string constant(const std::string& name, const std::vector<std::size_t>& dimensions,
                       const std::vector<double>& values) {
    return constant<double>(name, dimensions, kDouble, values);
  }

  // `field` 11: input of the graph, 12: output. The first dimension is free: the number of instances.
  void value(std::uint32_t field, const std::string& name, const std::vector<std::size_t>& dimensions) {
    ProtobufWriter shape;
    shape.message(1, ProtobufWriter().text(2, "instances"));  // dim: dim_param
    for (const std::size_t size : dimensions)
      shape.message(1, ProtobufWriter().number(1, size));  // dim_value
    ProtobufWriter tensor_type;
    tensor_type.number(1, kDouble).message(2, shape);  // elem_type, shape
    ProtobufWriter info;
    info.text(1, name).message(2, ProtobufWriter().message(1, tensor_type));  // name, type: tensor_type
    graph_.message(field, info);
  }

  const ProtobufWriter& finish() { return graph_.text(2, "polystepor"); }  // name

 private:
  ProtobufWriter graph_;
  int nodes_ = 0;
};

// Columns [first, first + count) of a layer's weights, transposed.
std::vector<double> transposed(const DenseLayer& layer, std::size_t first, std::size_t count) {
  std::vector<double> weight(count * layer.units);
  for (std::size_t u = 0; u < layer.units; ++u)
    for (std::size_t i = 0; i < count; ++i)
      weight[i * layer.units + u] = layer.weight[u * layer.inputs + first + i];
  return weight;
}

std::string multiply(GraphWriter& graph, const std::string& value, const std::string& name,
                     const DenseLayer& layer, std::size_t first, std::size_t count) {
  return graph.node("MatMul",
                    {value, graph.constant(name, {count, layer.units}, transposed(layer, first, count))});
}

// The first layer's sums for every pair: what its left row adds, and what its right row does.
std::string multiply_pairs(GraphWriter& graph, const std::string& value, const ExportedModel& model) {
  std::vector<std::int64_t> left, right;
  for (std::size_t pair = 0; pair < model.outputs; ++pair) {
    left.push_back(static_cast<std::int64_t>(pair / model.right()));
    right.push_back(static_cast<std::int64_t>(model.left + pair % model.right()));
  }
  const DenseLayer& layer = model.layers.front();
  const std::string of_left = multiply(graph, value, "weight_0_left", layer, 0, model.features);
  const std::string of_right =
      multiply(graph, value, "weight_0_right", layer, model.features, model.features);
  return graph.node(
      "Add", {graph.take_rows(of_left, "left_rows", left), graph.take_rows(of_right, "right_rows", right)});
}

// MatMul works on the last two dimensions, so the same nodes serve instances of one row and of several.
std::string put_layers(GraphWriter& graph, const ExportedModel& model, std::string value) {
  for (std::size_t l = 0; l < model.layers.size(); ++l) {
    const DenseLayer& layer = model.layers[l];
    value = l == 0 && model.left != 0
                ? multiply_pairs(graph, value, model)
                : multiply(graph, value, fmt::format("weight_{}", l), layer, 0, layer.inputs);
    value = graph.node("Add", {value, graph.constant(fmt::format("bias_{}", l), {layer.units}, layer.bias)});
    if (layer.activation == Activation::kRectified) value = graph.node("Relu", {value});
    if (layer.activation == Activation::kLogistic) value = graph.node("Sigmoid", {value});
  }
  return value;
}

}  // namespace

std::string to_onnx(const ExportedModel& model) {
  GraphWriter graph;
  std::vector<std::size_t> input_shape = {model.features};
  if (model.rows > 1) input_shape.insert(input_shape.begin(), model.rows);
  graph.value(11, "features", input_shape);
  graph.value(12, "prediction", {model.outputs});
  std::string value = "features";
  if (!model.scaling.mean.empty()) {
    value = graph.node("Sub", {value, graph.constant("feature_mean", {model.features}, model.scaling.mean)});
    value = graph.node(
        "Div", {value, graph.constant("feature_deviation", {model.features}, model.scaling.deviation)});
  }
  value = put_layers(graph, model, value);
  if (model.rows > 1) {  // [instances × rows × 1] to [instances × rows]
    const std::vector<std::int64_t> last = {2};
    value = graph.node("Squeeze", {value, graph.constant<std::int64_t>("last_axis", {1}, kInt64, last)});
  }
  if (!model.output_scaling.mean.empty()) {
    value = graph.node(
        "Mul", {value, graph.constant("output_deviation", {model.outputs}, model.output_scaling.deviation)});
    value =
        graph.node("Add", {value, graph.constant("output_mean", {model.outputs}, model.output_scaling.mean)});
  }
  graph.named_node("Identity", {value}, "prediction");
  ProtobufWriter file;
  file.number(1, kIrVersion)
      .text(2, "polystepor")
      .text(3, kVersion);           // ir_version, producer_name and _version
  file.message(7, graph.finish());  // graph
  file.message(8, ProtobufWriter().text(1, "").number(2, kOperatorSet));  // opset_import: domain, version
  for (std::size_t f = 0; f < model.feature_names.size(); ++f)
    file.message(14, ProtobufWriter()  // metadata_props: key, value
                         .text(1, fmt::format("feature_{}", f))
                         .text(2, model.feature_names[f]));
  return file.bytes();
}

}  // namespace polystep
