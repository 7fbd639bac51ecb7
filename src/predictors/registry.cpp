// The predictors the program knows: one line each.
#include <stdexcept>

#include "polystep/instances.hpp"
#include "polystep/options.hpp"
#include "polystep/predictor.hpp"
#include "predictors/edge_mlp.hpp"
#include "predictors/graph_network.hpp"
#include "predictors/linear.hpp"
#include "predictors/mlp.hpp"
#include "predictors/pair_mlp.hpp"
#include "predictors/pair_network.hpp"
#include "predictors/shared_linear.hpp"
#include "predictors/shared_mlp.hpp"

namespace polystep {

const std::vector<PredictorEntry>& predictor_entries() {
  static const std::vector<PredictorEntry> all = {
      linear_entry(),       shared_linear_entry(),  //
      mlp_entry(),          shared_mlp_entry(),     //
      pair_network_entry(), pair_mlp_entry(),       //
      edge_mlp_entry(),     graph_network_entry(),
  };
  return all;
}

const PredictorEntry& find_predictor(const std::string& name, const std::string& where) {
  std::vector<std::string> names;
  for (const PredictorEntry& entry : predictor_entries()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  throw_unknown_name(where, "predictor", name, names);
}

const PredictorEntry& dense_predictor(bool hidden_layers) {
  for (const PredictorEntry& entry : predictor_entries())
    if (entry.entry == FeatureEntry::kWhole && entry.lists_layers == hidden_layers) return entry;
  throw std::logic_error("no registered predictor takes all features at once");
}

std::unique_ptr<Predictor> make_predictor(const PredictorShape& shape,
                                          std::shared_ptr<const Instances> instances) {
  return find_predictor(shape.kind, "model").make(shape, std::move(instances));
}

}  // namespace polystep
