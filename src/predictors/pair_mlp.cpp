#include "predictors/pair_mlp.hpp"

#include "predictors/composed.hpp"

namespace polystep {
namespace {

constexpr const char* kPairMlpKind = "pair-mlp";

std::unique_ptr<Predictor> make(std::size_t features, std::size_t left, std::size_t outputs,
                                std::vector<std::size_t> hidden) {
  return make_perceptron({.kind = kPairMlpKind,
                          .entry = FeatureEntry::kPairs,
                          .features = features,
                          .hidden = std::move(hidden),
                          .outputs = outputs,
                          .left = left,
                          .logistic = true});
}

}  // namespace

std::unique_ptr<Predictor> make_pair_mlp(std::size_t features, std::size_t left, std::size_t right,
                                         std::vector<std::size_t> hidden) {
  return make(features, left, left * right, std::move(hidden));
}

PredictorEntry pair_mlp_entry() {
  return {.name = kPairMlpKind,
          .help = "hidden layers and a logistic score for every pair of a left and a right row",
          .entry = FeatureEntry::kPairs,
          .lists_layers = true,
          .least_layers = 1,
          .make = [](const PredictorShape& shape, std::shared_ptr<const Instances>) {
            return make(shape.features, shape.left, shape.outputs, shape.layers);
          }};
}

}  // namespace polystep
