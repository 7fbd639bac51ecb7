// A network that estimates a number for a set of nodes of a graph: the regression of district costs that
// published network districting is compared with (PredGNN).
//
// Every node has numbers of its own and one that says whether it is in the set. A convolution gives node v
//
//   rectified(W1 h_v + W2 sum over neighbours u of h_u + b)
//
// and after four of them, with 64, 64, 64 and 1024 units, the nodes are summed up and two dense layers, 100
// rectified units and one, make the number: 252,297 parameters on 8 inputs. They start as drawn by Glorot and
// Bengio, biases at 0.
//
// theta: of each convolution W1 [inputs × units], W2 [inputs × units] and b [units]; then W [inputs × units]
// and b of both dense layers. All is single precision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace polystep {

class SetNetwork {
 public:
  explicit SetNetwork(std::size_t inputs);  // per node, the mark of the set included: it is the last

  std::size_t inputs() const { return inputs_; }
  std::size_t parameters() const { return parameters_; }
  std::vector<float> initial_parameters(std::uint64_t seed) const;

  // One graph: its nodes' numbers [nodes × (inputs - 1)] and each pair of neighbours once.
  struct Graph {
    std::size_t nodes = 0;
    std::vector<float> numbers;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> neighbours;
  };

  // A set of nodes of one of some graphs, and what it should come to.
  struct Sample {
    std::uint32_t graph = 0;
    std::vector<std::uint32_t> nodes;
    float target = 0;
  };

  // The mean absolute error over samples; its gradient is written to `gradient` where that is not empty.
  double error(std::span<const float> theta, std::span<const Graph> graphs, std::span<const Sample> samples,
               std::span<float> gradient) const;

  // Estimates for sets of one graph. What a set leaves unchanged, far away from it, is computed once: a set
  // is felt as many steps away as there are convolutions.
  class Estimator {
   public:
    Estimator(const SetNetwork& network, std::span<const float> theta, const Graph& graph);
    ~Estimator();
    Estimator(const Estimator& other);
    Estimator& operator=(const Estimator&) = delete;

    double estimate(std::span<const std::uint32_t> nodes);

   private:
    struct State;
    std::unique_ptr<State> state_;
  };

 private:
  std::size_t inputs_;
  std::size_t parameters_;
};

}  // namespace polystep
