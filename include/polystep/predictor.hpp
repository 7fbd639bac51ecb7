// A predictor maps features to predicted parameters; its own parameters theta are what training searches.
//
// Theta is one flat vector: the tensors in declaration order, each flattened row-major (out, in). Predictors
// that are affine in theta also know how a prediction changes along a parameter direction, which lets a probe
// recompute only the outputs it touches; predictors that are affine up to a last stage know how a state does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "polystep/direction.hpp"
#include "polystep/tile.hpp"

namespace polystep {

class Instances;

// Shape of one parameter tensor. A bias has one dimension; a weight matrix has two: (out, in).
struct TensorShape {
  std::string name;
  std::vector<std::size_t> dimensions;
  std::string released_name =
      {};  // what the released runs call it; empty: the same. Their draws depend on it

  std::size_t size() const {
    std::size_t product = 1;
    for (const std::size_t n : dimensions) product *= n;
    return product;
  }
};

// What a model file says about a predictor, besides its parameters.
struct PredictorShape {
  std::string kind;                            // the name of a registry entry
  std::size_t features = 0;                    // of one table row
  std::size_t outputs = 0;                     // of one instance; 0 where instances differ
  std::size_t hidden = 0;                      // units of the hidden layer, for networks of exactly one
  std::size_t left = 0;                        // rows of the left side of pairs, or nodes of a graph
  std::vector<std::size_t> layers = {};        // units of each hidden layer, for entries that list them
  std::vector<std::size_t> convolutions = {};  // units of each convolution, likewise

  friend bool operator==(const PredictorShape&, const PredictorShape&) = default;
};

// How rows of features enter a predictor's dense layers.
enum class FeatureEntry {
  kWhole,      // all features of an instance at once; every output has weights of its own
  kPerOutput,  // one row of features per output, the same weights for all
  kPairs,      // a left and a right row per output, the same weights for all
  kEdges,      // the two nodes that an output, an edge of the instance's graph, lies between
  kLineGraph,  // one row per output, an edge of the instance's graph that sees the edges it shares nodes with
};

// What a predictor is, stated by itself.
struct PredictorFacts {
  FeatureEntry entry = FeatureEntry::kWhole;
  std::vector<std::size_t> hidden = {};  // units of the hidden layers, rectified
  bool logistic = false;                 // outputs go through the logistic function

  bool curved = false;  // not affine in its parameters for another reason

  bool affine() const { return hidden.empty() && !logistic && !curved; }
  // Whether every output has a row of weights and a bias of its own.
  bool has_output_rows() const { return affine() && entry == FeatureEntry::kWhole; }
};

// Which generator the starting parameters come from.
enum class InitialDraw {
  kStreams,  // the program's own streams, one per tensor
  kTwister,  // one Mersenne twister in single precision, the draws that the published baselines started from
  kGlorot,   // weights uniform up to sqrt(6 / (fan-in + fan-out)), biases 0, from the program's own streams
};

// Fixed units of the outputs: prediction = raw output * deviation + mean. Never trained, never probed; saved
// with the model.
struct OutputScaling {
  std::vector<double> mean;       // [outputs], or a single one for every output
  std::vector<double> deviation;  // likewise, above 0

  double mean_of(std::size_t output) const { return mean[mean.size() == 1 ? 0 : output]; }
  double deviation_of(std::size_t output) const { return deviation[deviation.size() == 1 ? 0 : output]; }
};
class StagedPredictor;

class Predictor {
 public:
  virtual ~Predictor() = default;

  // The same predictor once more, given starting parameters included.
  virtual std::unique_ptr<Predictor> clone() const = 0;

  virtual std::string kind() const = 0;  // its name in files; nothing is decided by it
  virtual PredictorFacts facts() const = 0;
  virtual PredictorShape shape() const { return {kind(), row_features(), outputs()}; }
  virtual std::vector<TensorShape> tensors() const = 0;
  // Of one instance; 0 where instances differ.
  virtual std::size_t feature_columns() const = 0;
  virtual std::size_t outputs() const = 0;
  // Features of one table row: all of an instance's, or one output's share where outputs have rows of their
  // own.
  virtual std::size_t row_features() const { return feature_columns(); }
  // Outputs of one instance, from the shape of its row; 0 where such a row does not fit.
  virtual std::size_t outputs_of(const RowShape& row, std::size_t instance) const {
    (void)instance;
    return row.features == feature_columns() ? outputs() : 0;
  }
  std::size_t outputs_of(const Tile& tile) const { return outputs_of(tile.shape, tile.instance[0]); }
  std::size_t parameters() const;
  virtual const OutputScaling* output_scaling() const { return nullptr; }  // nullptr: outputs are raw
  // Of an average of several predictors: what the outputs of each are divided by. Empty: it is none.
  virtual std::span<const double> member_deviations() const { return {}; }

  // Predictions for one tile, into [outputs × width].
  virtual void predict(std::span<const double> theta, const Tile& tile, double* prediction) const = 0;

  // The same for several tiles by the same parameters, one after the other. Worth overriding where
  // parameters are prepared before rows pass; a prediction must not depend on the tiles beside it.
  virtual void predict_tiles(std::span<const double> theta, std::span<const Tile> tiles,
                             double* predictions) const;

  // True where predictions are affine in theta; the two functions below are then implemented.
  bool affine() const { return facts().affine(); }

  // The outputs of an instance that can change when the given parameters do, ascending.
  virtual std::vector<std::uint32_t> touched_outputs(std::span<const std::uint32_t> parameters,
                                                     std::size_t outputs) const;

  // The change of the touched outputs per unit step along `direction`, for several tiles of one shape whose
  // features follow those of `first`: into [tiles × touched × width].
  virtual void predict_change(const Direction& direction, std::span<const std::uint32_t> touched,
                              std::size_t tiles, const Tile& first, double* change) const;

  // This predictor as one of two stages, where it is; see below.
  virtual const StagedPredictor* staged() const { return nullptr; }

  // Pulls a gradient with respect to predictions [outputs × width] back to theta and adds it to `gradient`,
  // for methods that use the predictor's own Jacobian.
  virtual void add_gradient(std::span<const double> theta, const Tile& tile, const double* output_gradient,
                            std::span<double> gradient) const = 0;

  // Drawn from the run's seed; kStreams: as the predictor usually is. Uniform in ±1/sqrt(fan_in) for weights
  // and biases alike, unless the draw says otherwise.
  std::vector<double> initial_parameters(std::uint64_t seed, InitialDraw draw = InitialDraw::kStreams) const;
  virtual InitialDraw usual_draw() const { return InitialDraw::kStreams; }

  // From now on initial_parameters are these, such as the weights of a model trained elsewhere.
  void start_from(std::vector<double> parameters);  // throws InputError where their number is wrong
  void copy_start(const Predictor& other) { start_ = other.start_; }

 private:
  std::vector<double> start_;  // [parameters]; empty: drawn at random
};

// A predictor in two stages: all parameters but the last few enter through an affine map that gives each
// instance a state, and a head turns the state into predictions. A probe moves states along a line; what one
// search coordinate does to them is computed once and serves every probe of every step.
//
// States are single precision, and the order of their entries is the predictor's own business.
class StagedPredictor : public Predictor {
 public:
  const StagedPredictor* staged() const override { return this; }

  virtual std::size_t state_size() const = 0;    // entries per instance
  virtual std::size_t head_begin() const = 0;    // the first parameter of the head
  virtual std::size_t scratch_size() const = 0;  // entries that predict_from_state needs

  // States of instances whose features are [instances × feature_columns], into [instances × state_size].
  virtual void states(std::span<const double> theta, std::span<const double> features,
                      float* states) const = 0;

  // Their change per unit step along `direction`, head parameters left out of account.
  virtual void state_changes(const Direction& direction, std::span<const double> features,
                             float* changes) const = 0;

  // Predictions of one instance, [outputs]. head: the parameters from head_begin() on; scratch:
  // [scratch_size]
  virtual void predict_from_state(std::span<const double> head, const float* state, float* scratch,
                                  float* prediction) const = 0;

  // Rows of features per instance, where a state is the products of plain rows of features with the first
  // tensor [units × inputs], plus the second, [rows × units]; 0: it is something else. The function below is
  // then implemented.
  virtual std::size_t plain_rows() const { return 0; }

  // Predictions [steps × outputs] of one instance at state + step * change, with the head moved alike.
  virtual void predict_along(std::span<const double> head, std::span<const double> head_change,
                             const float* state, const float* change, std::span<const double> steps,
                             float* predictions) const;
};

// A kind of predictor: how its model files and task files name it, what it needs, and how one is made.
struct PredictorEntry {
  std::string name;
  std::string help;                           // one line
  FeatureEntry entry = FeatureEntry::kWhole;  // how rows enter
  bool lists_layers = false;                  // its shape and its model file list hidden layers
  std::size_t least_layers = 0;               // that it must have, where it lists them
  bool lists_convolutions = false;            // likewise convolutions, of which it has at least one
  // Throws InputError where the shape makes no sense. Only predictors of edges look at the instances; without
  // them they have parameters but cannot predict.
  std::function<std::unique_ptr<Predictor>(const PredictorShape&, std::shared_ptr<const Instances>)> make;

  // Whether its features are a plain table: a row per instance, or a row per output.
  bool reads_tables() const { return entry == FeatureEntry::kWhole || entry == FeatureEntry::kPerOutput; }
  // Table rows of features per instance, where it reads tables.
  std::size_t rows_each(std::size_t outputs) const { return entry == FeatureEntry::kPerOutput ? outputs : 1; }
};

const std::vector<PredictorEntry>& predictor_entries();
const PredictorEntry& find_predictor(const std::string& name, const std::string& where);  // throws InputError

// The first kind that takes all features of an instance at once, with or without hidden layers.
const PredictorEntry& dense_predictor(bool hidden_layers);

// By the shape written in a model file; throws InputError where it makes no sense.
std::unique_ptr<Predictor> make_predictor(const PredictorShape& shape,
                                          std::shared_ptr<const Instances> instances = nullptr);

// One output per predicted parameter, each with its own weights: prediction = W z + b.
std::unique_ptr<Predictor> make_linear(std::size_t features, std::size_t outputs);

// The same few weights for every output, each of which has its own row of features: prediction_o = w . z_o +
// b. 0 outputs: instances differ, each has an output per row of features.
std::unique_ptr<Predictor> make_shared_linear(std::size_t features, std::size_t outputs);

// A network that scores every pair of a left and a right row of features: its input is the left row followed
// by the right one, then come a hidden layer of rectified units and one output through the logistic function.
// An instance is [left + right rows × features]; output left_row * right + right_row. Zero features cost
// nothing.
std::unique_ptr<Predictor> make_pair_network(std::size_t features, std::size_t left, std::size_t right,
                                             std::size_t hidden);

// A multilayer perceptron: hidden layers of rectified units, at least one, and a linear layer of outputs.
std::unique_ptr<Predictor> make_mlp(std::size_t features, std::vector<std::size_t> hidden,
                                    std::size_t outputs);

// One perceptron of a single output for all outputs, each of which has its own row of features. 0 outputs:
// instances differ, each has an output per row of features.
std::unique_ptr<Predictor> make_shared_mlp(std::size_t features, std::vector<std::size_t> hidden,
                                           std::size_t outputs);

// The pair network with any number of hidden layers, for features with few zeros.
std::unique_ptr<Predictor> make_pair_mlp(std::size_t features, std::size_t left, std::size_t right,
                                         std::vector<std::size_t> hidden);

// One perceptron of a single output for all edges of a graph: features are [nodes × features], and the input
// of an output are the features of the edge's first node followed by those of its second. No hidden layers:
// it is affine. 0 nodes: graphs differ in size.
std::unique_ptr<Predictor> make_edge_mlp(std::size_t features, std::vector<std::size_t> hidden,
                                         std::shared_ptr<const Instances> instances, std::size_t nodes);

// A network of graph convolutions over edges that share nodes, then dense layers and an output per edge:
// features are [edges × features]. See src/predictors/graph_network.hpp for the map.
std::unique_ptr<Predictor> make_graph_network(std::size_t features, std::vector<std::size_t> convolutions,
                                              std::vector<std::size_t> dense,
                                              std::shared_ptr<const Instances> instances);

// The average of several predictors of one kind and shape: theta are their parameters one after the other.
// Outputs of each are centred within the groups of outputs that instances state (Instances::output_groups;
// where there are none they stay as they are) and divided by that member's deviation. For problems that
// optimise predictions, and whose decisions use equally many outputs of a group, this weighs all members
// alike. Throws InputError where there is no deviation, one is not above 0, or outputs are in fixed units.
std::unique_ptr<Predictor> make_averaged(std::unique_ptr<Predictor> member, std::vector<double> deviations,
                                         std::shared_ptr<const Instances> instances);

// The given predictor with its outputs in fixed units: one mean and deviation per output, or one of each for
// all, as where instances differ in their number of outputs.
std::unique_ptr<Predictor> make_scaled(std::unique_ptr<Predictor> inner, OutputScaling scaling);

}  // namespace polystep
