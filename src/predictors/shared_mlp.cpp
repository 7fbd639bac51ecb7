#include "predictors/shared_mlp.hpp"

#include "predictors/composed.hpp"

namespace polystep {
namespace {

constexpr const char* kSharedMlpKind = "shared-mlp";

}  // namespace

std::unique_ptr<Predictor> make_shared_mlp(std::size_t features, std::vector<std::size_t> hidden,
                                           std::size_t outputs) {
  return make_perceptron({.kind = kSharedMlpKind,
                          .entry = FeatureEntry::kPerOutput,
                          .features = features,
                          .hidden = std::move(hidden),
                          .outputs = outputs});
}

PredictorEntry shared_mlp_entry() {
  return {.name = kSharedMlpKind,
          .help = "the same hidden layers for every output, each with its own row of features",
          .entry = FeatureEntry::kPerOutput,
          .lists_layers = true,
          .least_layers = 1,
          .make = [](const PredictorShape& shape, std::shared_ptr<const Instances>) {
            return make_shared_mlp(shape.features, shape.layers, shape.outputs);
          }};
}

}  // namespace polystep
