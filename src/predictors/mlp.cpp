#include "predictors/mlp.hpp"

#include "predictors/composed.hpp"

namespace polystep {
namespace {

constexpr const char* kMlpKind = "mlp";

}  // namespace

std::unique_ptr<Predictor> make_mlp(std::size_t features, std::vector<std::size_t> hidden,
                                    std::size_t outputs) {
  return make_perceptron({.kind = kMlpKind,
                          .entry = FeatureEntry::kWhole,
                          .features = features,
                          .hidden = std::move(hidden),
                          .outputs = outputs});
}

PredictorEntry mlp_entry() {
  return {.name = kMlpKind,
          .help = "hidden layers of rectified units and a linear layer of outputs",
          .entry = FeatureEntry::kWhole,
          .lists_layers = true,
          .least_layers = 1,
          .make = [](const PredictorShape& shape, std::shared_ptr<const Instances>) {
            return make_mlp(shape.features, shape.layers, shape.outputs);
          }};
}

}  // namespace polystep
