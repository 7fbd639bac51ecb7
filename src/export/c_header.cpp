#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "export/exported_model.hpp"
#include "polystep/version.hpp"

namespace polystep {
namespace {

// "  static const double NAME[4] = {1, 2,\n      3, 4};": decimals with which a compiler gets the same bits.
void put_array(std::string& text, const std::string& name, const std::vector<double>& values) {
  std::string line = fmt::format("  static const double {}[{}] = {{", name, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string item = fmt::format("{}{}", values[i], i + 1 < values.size() ? "," : "};");
    if (line.size() + item.size() + 1 > 100) {
      text += line + '\n';
      line = "     ";
    }
    line += (i == 0 ? "" : " ") + item;
  }
  text += line + '\n';
}

void put_arrays(std::string& text, const ExportedModel& model) {
  if (!model.scaling.mean.empty()) {
    put_array(text, "feature_mean", model.scaling.mean);
    put_array(text, "feature_deviation", model.scaling.deviation);
  }
  for (std::size_t l = 0; l < model.layers.size(); ++l) {
    put_array(text, fmt::format("weight_{}", l), model.layers[l].weight);
    put_array(text, fmt::format("bias_{}", l), model.layers[l].bias);
  }
  if (!model.output_scaling.mean.empty()) {
    put_array(text, "output_mean", model.output_scaling.mean);
    put_array(text, "output_deviation", model.output_scaling.deviation);
  }
}

const char* activated(Activation activation) {
  switch (activation) {
    case Activation::kNone:
      return "sum";
    case Activation::kRectified:
      return "sum < 0 ? 0 : sum";
    case Activation::kLogistic:
      return "1 / (1 + exp(-sum))";
  }
  return "";
}

// `from` and `to` are arrays of the generated function.
void put_layer(std::string& text, const DenseLayer& layer, std::size_t number, const std::string& from,
               const std::string& to) {
  fmt::format_to(
      std::back_inserter(text),
      "    for (unit = 0; unit < {0}; ++unit) {{\n"
      "      double sum = bias_{1}[unit];\n"
      "      for (input = 0; input < {2}; ++input) sum += weight_{1}[unit * {2} + input] * {3}[input];\n"
      "      {4}[unit] = {5};\n"
      "    }}\n",
      layer.units, number, layer.inputs, from, to, activated(layer.activation));
}

// Copies one row of the features, scaled, to `even`, from entry `offset` on. `row`: an expression.
void put_inputs(std::string& text, const ExportedModel& model, const std::string& row, std::size_t offset) {
  const std::string place = fmt::format("features[{} * {} + input]", row, model.features);
  fmt::format_to(std::back_inserter(text),
                 "    for (input = 0; input < {0}; ++input)\n      even[{1}input] = {2};\n", model.features,
                 offset == 0 ? "" : fmt::format("{} + ", offset),
                 model.scaling.mean.empty()
                     ? place
                     : fmt::format("({} - feature_mean[input]) / feature_deviation[input]", place));
}

void put_body(std::string& text, const ExportedModel& model) {
  const auto out = std::back_inserter(text);
  std::size_t widest = model.layers.front().inputs;
  for (const DenseLayer& layer : model.layers) widest = std::max(widest, layer.units);
  fmt::format_to(out, "  double even[{0}], odd[{0}];\n  int row, unit, input;\n", widest);
  fmt::format_to(out, "  for (row = 0; row < {}; ++row) {{\n", model.left == 0 ? model.rows : model.outputs);
  if (model.left == 0) {
    put_inputs(text, model, "row", 0);
  } else {
    put_inputs(text, model, fmt::format("(row / {})", model.right()), 0);
    put_inputs(text, model, fmt::format("({} + row % {})", model.left, model.right()), model.features);
  }
  const char* buffers[] = {"even", "odd"};
  for (std::size_t l = 0; l < model.layers.size(); ++l)
    put_layer(text, model.layers[l], l, buffers[l % 2], buffers[(l + 1) % 2]);
  const std::size_t units = model.layers.back().units;
  const std::string place = fmt::format("row * {} + unit", units);
  fmt::format_to(out, "    for (unit = 0; unit < {}; ++unit)\n      prediction[{}] = {}[unit]{};\n  }}\n",
                 units, place, buffers[model.layers.size() % 2],
                 model.output_scaling.mean.empty()
                     ? ""
                     : fmt::format(" * output_deviation[{0}] + output_mean[{0}]", place));
}

// What a comment may hold without ending early.
std::string in_comment(std::string text) {
  for (char& letter : text)
    if (letter == '*' || letter == '/' || letter == '\\' || static_cast<unsigned char>(letter) < ' ')
      letter = '?';
  return text;
}

// What the rows of an instance are, as the end of a sentence in a comment.
std::string rows_in_words(const ExportedModel& model) {
  if (model.per_output)
    return fmt::format(
        ".\n * An instance has any number of these: call it for each, with {}.",
        model.left != 0 ? "the features of the two rows that it lies between" : "its row of features");
  if (model.left != 0)
    return fmt::format(
        ".\n * Features are {} left rows of {}, then {} right rows; prediction[left * {} + right] is of a "
        "pair.",
        model.left, model.features, model.right(), model.right());
  if (model.rows == 1) return ".";
  return fmt::format(".\n * Features are {} rows of {}, one row per output.", model.rows, model.features);
}

}  // namespace

bool is_c_identifier(std::string_view name) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !name.empty() && letter(name.front()) && std::all_of(name.begin(), name.end(), [&](char c) {
    return letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
}

std::string to_c_header(const ExportedModel& model, const std::string& name) {
  std::string upper = name;
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
  std::string text = fmt::format(
      "/* A trained {} predictor, written by polystepor {}. C99, {}.\n *\n"
      " * {}_predict turns {} raw features into {} predicted parameters{}\n",
      model.kind, kVersion, model.is_logistic() ? "nothing but exp of math.h" : "no dependencies", name,
      model.features * model.rows, model.outputs, rows_in_words(model));
  for (std::size_t f = 0; f < model.feature_names.size(); ++f)
    text += fmt::format(" * {} {}: {}\n", f == 0 ? "Features:" : "         ", f,
                        in_comment(model.feature_names[f]));
  text += fmt::format(
      " */\n#ifndef {0}_H\n#define {0}_H\n\n{4}#define {0}_FEATURES {1}\n#define {0}_OUTPUTS {2}\n\n"
      "static inline void {3}_predict(const double features[{1}], double prediction[{2}]) {{\n",
      upper, model.features * model.rows, model.outputs, name,
      model.is_logistic() ? "#include <math.h>\n\n" : "");
  put_arrays(text, model);
  put_body(text, model);
  return text + "}\n\n#endif\n";
}

}  // namespace polystep
