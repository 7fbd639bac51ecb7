// Predictors put together from two choices: how rows of features enter, and a stack of dense layers.
//
// The features of an instance are a table, [table rows × features]. What enters the stack for an output are
// one or two of its rows, its ends: the table's only row (kWhole), its own row (kPerOutput), a left and a
// right row (kPairs), the nodes of an edge (kEdges). The first layer's sum for two ends is the sum of a share
// of each, so that its products run over table rows, of which there may be far fewer than outputs.
#pragma once

#include <memory>

#include "polystep/instances.hpp"
#include "polystep/predictor.hpp"

namespace polystep {

struct Composition {
  std::string kind;  // the name of its registry entry
  FeatureEntry entry = FeatureEntry::kWhole;
  std::size_t features = 0;              // of one table row
  std::vector<std::size_t> hidden = {};  // units of each hidden layer
  std::size_t outputs = 0;               // of an instance; 0 where instances differ
  std::size_t left = 0;                  // kPairs: left rows; kEdges: nodes, 0 where graphs differ
  bool logistic = false;
  std::shared_ptr<const Instances> instances = nullptr;  // kEdges: whose outputs are edges
};

// Throws InputError where a layer has no units, and where the parts do not fit each other.
std::unique_ptr<Predictor> make_composed(Composition composition);

// The same for kinds that are perceptrons by name: no hidden layer is an error, too.
std::unique_ptr<Predictor> make_perceptron(Composition composition);

}  // namespace polystep
