#include "export/exported_model.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "polystep/error.hpp"

namespace polystep {

ExportedModel to_layers(const SavedModel& model, const std::string& origin) {
  const std::unique_ptr<Predictor> predictor = model.make_predictor();
  const PredictorFacts facts = predictor->facts();
  if (facts.entry == FeatureEntry::kLineGraph)
    throw InputError(
        fmt::format("{} holds a {} predictor, whose edges see their neighbours in a graph that is no part of "
                    "the model, expected one of rows of features to export",
                    origin, predictor->kind()));
  if (!model.member_deviations.empty())
    throw InputError(fmt::format("{} holds an average of {} predictors, expected a single one to export",
                                 origin, model.member_deviations.size()));
  ExportedModel exported;
  exported.kind = predictor->kind();
  exported.features = predictor->row_features();
  const bool two_rows = facts.entry == FeatureEntry::kPairs || facts.entry == FeatureEntry::kEdges;
  exported.per_output = predictor->outputs() == 0 || facts.entry == FeatureEntry::kEdges;
  if (exported.per_output) {
    exported.rows = two_rows ? 2 : 1;
    exported.outputs = 1;
    exported.left = two_rows ? 1 : 0;
  } else {
    exported.rows = predictor->feature_columns() / predictor->row_features();
    exported.outputs = predictor->outputs();
    exported.left = two_rows ? model.predictor.left : 0;
  }
  exported.feature_names = model.feature_names;
  exported.scaling = model.scaling;
  if (exported.per_output && model.output_scaling.mean.size() > 1)
    throw InputError(
        fmt::format("{} holds a {} predictor with {} units of outputs, expected one for all of them "
                    "to export what predicts any of them",
                    origin, predictor->kind(), model.output_scaling.mean.size()));
  if (!model.output_scaling.mean.empty())
    for (std::size_t o = 0; o < exported.outputs; ++o) {
      exported.output_scaling.mean.push_back(model.output_scaling.mean_of(o));
      exported.output_scaling.deviation.push_back(model.output_scaling.deviation_of(o));
    }
  // Predictors declare a weight matrix and a bias per layer, in the order of theta.
  const std::vector<TensorShape> tensors = predictor->tensors();
  auto from = model.parameters.begin();
  const auto take = [&](const TensorShape& tensor) {
    const auto to = from + static_cast<std::ptrdiff_t>(tensor.size());
    std::vector<double> values(from, to);
    from = to;
    return values;
  };
  for (std::size_t t = 0; t + 1 < tensors.size(); t += 2) {
    DenseLayer layer{
        .inputs = tensors[t].dimensions[1], .units = tensors[t].dimensions[0], .weight = {}, .bias = {}};
    layer.weight = take(tensors[t]);
    layer.bias = take(tensors[t + 1]);
    layer.activation = t + 2 < tensors.size() ? Activation::kRectified
                       : facts.logistic       ? Activation::kLogistic
                                              : Activation::kNone;
    exported.layers.push_back(std::move(layer));
  }
  return exported;
}

}  // namespace polystep
