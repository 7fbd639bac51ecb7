#include "export/exported_model.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "polystep/error.hpp"

namespace polystep {

ExportedModel to_layers(const SavedModel& model, const std::string& origin) {
  const std::string& kind = model.predictor.kind;
  if (kind != "linear" && kind != "shared-linear" && kind != "mlp")
    throw InputError(fmt::format("{} holds a {} predictor, expected linear, shared-linear or mlp to export",
                                 origin, kind));
  const std::unique_ptr<Predictor> predictor = model.make_predictor();
  ExportedModel exported;
  exported.kind = kind;
  exported.features = predictor->row_features();
  exported.rows = predictor->feature_columns() / predictor->row_features();
  exported.outputs = predictor->outputs();
  exported.feature_names = model.feature_names;
  exported.scaling = model.scaling;
  exported.output_scaling = model.output_scaling;
  // These predictors declare a weight matrix and a bias per layer, in the order of theta.
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
    layer.rectified = t + 2 < tensors.size();
    exported.layers.push_back(std::move(layer));
  }
  return exported;
}

}  // namespace polystep
