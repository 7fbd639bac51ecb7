// A trained predictor as plain layers, the form in which it is written for use elsewhere.
//
// Raw features are scaled, pass dense layers, and come out in the units of the predicted parameters. Where
// the outputs share one small predictor, an instance is a table with one row per output and every row passes
// the layers by itself. Where outputs are pairs, its left rows come first, then its right rows, and every
// pair of them passes the layers, the left row's features before the right row's. Where instances differ in
// size, or outputs are edges of the instance's own graph, what is written predicts one output from its row,
// or from the rows of the two nodes that the edge leads from and to, and is called once for each.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "polystep/dataset.hpp"
#include "polystep/predictor.hpp"
#include "runtime/run/model_file.hpp"

namespace polystep {

enum class Activation {
  kNone,
  kRectified,  // units below 0 give 0
  kLogistic,   // 1 / (1 + exp(-unit))
};

struct DenseLayer {
  std::size_t inputs = 0;
  std::size_t units = 0;
  std::vector<double> weight;  // [units × inputs]
  std::vector<double> bias;    // [units]
  Activation activation = Activation::kNone;
};

struct ExportedModel {
  std::string kind;
  std::size_t features = 0;                // of one row
  std::size_t rows = 1;                    // of one instance
  std::size_t outputs = 0;                 // of one instance
  std::size_t left = 0;                    // rows of the left side, where outputs are pairs; else 0
  bool per_output = false;                 // one output; an instance has any number of them
  std::vector<std::string> feature_names;  // [features], or empty
  FeatureScaling scaling;                  // both empty: features enter as they are
  std::vector<DenseLayer> layers;
  OutputScaling output_scaling;  // [outputs]; both empty: outputs leave as they are

  bool is_logistic() const { return layers.back().activation == Activation::kLogistic; }
  std::size_t right() const { return rows - left; }
};

// Throws InputError where the model does not hold all that an output depends on, as where edges see their
// neighbours in a graph. `origin` names the model in the message.
ExportedModel to_layers(const SavedModel& model, const std::string& origin);

// A C99 header without dependencies: void NAME_predict(const double *features, double *prediction). Sums run
// in the order of the inputs, so that predictions without hidden layers have the engine's bits where the
// compiler does not fuse operations. `name` must be a C identifier.
std::string to_c_header(const ExportedModel& model, const std::string& name);

// An ONNX model in double precision, any number of instances at once.
std::string to_onnx(const ExportedModel& model);

std::string to_json(const ExportedModel& model);

// Letters, digits and underscores, not starting with a digit.
bool is_c_identifier(std::string_view name);

}  // namespace polystep
