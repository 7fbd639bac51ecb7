#include "predictors/edge_mlp.hpp"

#include "predictors/composed.hpp"

namespace polystep {
namespace {

constexpr const char* kEdgeMlpKind = "edge-mlp";

}  // namespace

std::unique_ptr<Predictor> make_edge_mlp(std::size_t features, std::vector<std::size_t> hidden,
                                         std::shared_ptr<const Instances> instances, std::size_t nodes) {
  const std::size_t outputs = instances != nullptr && instances->alike() ? instances->shape(0).outputs : 0;
  return make_composed({.kind = kEdgeMlpKind,
                        .entry = FeatureEntry::kEdges,
                        .features = features,
                        .hidden = std::move(hidden),
                        .outputs = outputs,
                        .left = nodes,
                        .instances = std::move(instances)});
}

PredictorEntry edge_mlp_entry() {
  return {.name = kEdgeMlpKind,
          .help = "the same layers for every edge of a graph, on the features of the nodes it lies between",
          .entry = FeatureEntry::kEdges,
          .lists_layers = true,
          .least_layers = 0,
          .make = [](const PredictorShape& shape, std::shared_ptr<const Instances> instances) {
            return make_composed({.kind = kEdgeMlpKind,
                                  .entry = FeatureEntry::kEdges,
                                  .features = shape.features,
                                  .hidden = shape.layers,
                                  .outputs = shape.outputs,
                                  .left = shape.left,
                                  .instances = std::move(instances)});
          }};
}

}  // namespace polystep
