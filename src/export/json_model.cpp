#include <nlohmann/json.hpp>

#include "export/exported_model.hpp"
#include "polystep/version.hpp"

namespace polystep {
namespace {

const char* name_of(Activation activation) {
  switch (activation) {
    case Activation::kNone:
      return "none";
    case Activation::kRectified:
      return "relu";
    case Activation::kLogistic:
      return "logistic";
  }
  return "";
}

}  // namespace

std::string to_json(const ExportedModel& model) {
  using Json = nlohmann::ordered_json;
  Json json = {{"polystepor_model", 1},
               {"version", kVersion},
               {"kind", model.kind},
               {"features", model.features},
               {"rows", model.rows},
               {"outputs", model.outputs},
               {"feature_names", model.feature_names}};
  if (model.per_output) json["per_output"] = true;
  if (model.left != 0) json["pairs"] = {{"left", model.left}, {"right", model.right()}};
  if (!model.scaling.mean.empty())
    json["feature_scaling"] = {{"mean", model.scaling.mean}, {"deviation", model.scaling.deviation}};
  json["layers"] = Json::array();
  for (const DenseLayer& layer : model.layers) {
    Json weight = Json::array();
    for (std::size_t u = 0; u < layer.units; ++u) {
      const auto first = layer.weight.begin() + static_cast<std::ptrdiff_t>(u * layer.inputs);
      weight.push_back(std::vector<double>(first, first + static_cast<std::ptrdiff_t>(layer.inputs)));
    }
    json["layers"].push_back(
        {{"weight", weight}, {"bias", layer.bias}, {"activation", name_of(layer.activation)}});
  }
  if (!model.output_scaling.mean.empty())
    json["output_scaling"] = {{"mean", model.output_scaling.mean},
                              {"deviation", model.output_scaling.deviation}};
  return json.dump(1) + "\n";
}

}  // namespace polystep
