// A small problem on graphs of several sizes: the spanning tree of most predicted value, paid by true prices.
//
// Truth are prices per edge, yet predictions are no prices: the solver maximises them, as districting does.
// References are the cheapest trees; a prior is minus an edge's length.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>

#include "polystep/random.hpp"
#include "polystep/task.hpp"

namespace polystep {

class SpanningTrees final : public Problem {
 public:
  SpanningTrees(std::shared_ptr<const Instances> instances, std::vector<std::vector<double>> lengths,
                Sense sense)
      : Problem(std::move(instances)), lengths_(std::move(lengths)), sense_(sense) {}

  ProblemFacts facts() const override {
    return {.optimises_prediction = sense_, .has_references = true, .has_prior = true};
  }
  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override {
    tree(prediction, instance, static_cast<int>(sense_), decision);
    return SolveStatus::kSolved;
  }
  double cost(std::span<const double> decision, std::span<const double> truth, std::size_t) const override {
    return std::inner_product(decision.begin(), decision.end(), truth.begin(), 0.0);
  }
  SolveStatus reference(std::size_t instance, std::span<const double> truth,
                        std::span<double> decision) const override {
    tree(truth, instance, 1, decision);
    return SolveStatus::kSolved;
  }
  // Half of it is the tree of least length.
  SolveStatus averaged_reference(std::size_t instance, std::span<const double> truth,
                                 std::span<double> decision) const override {
    std::vector<double> shortest(decision.size());
    tree(lengths_[instance], instance, 1, shortest);
    tree(truth, instance, 1, decision);
    for (std::size_t e = 0; e < decision.size(); ++e) decision[e] = 0.5 * (decision[e] + shortest[e]);
    return SolveStatus::kSolved;
  }
  void prior(std::size_t instance, std::span<double> prediction) const override {
    for (std::size_t e = 0; e < prediction.size(); ++e)
      prediction[e] = static_cast<int>(sense_) * lengths_[instance][e];
  }

 private:
  // Edges of least sign * value first, as long as they join parts.
  void tree(std::span<const double> value, std::size_t instance, double sign,
            std::span<double> chosen) const {
    const std::span<const GraphEdge> edges = instances()->edges(instance);
    std::vector<std::size_t> order(edges.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return sign * value[a] < sign * value[b]; });
    std::vector<std::uint32_t> part(edges.size() + 1);
    std::iota(part.begin(), part.end(), 0u);
    std::ranges::fill(chosen, 0.0);
    for (const std::size_t e : order) {
      const std::uint32_t a = part[edges[e].from], b = part[edges[e].to];
      if (a == b) continue;
      chosen[e] = 1;
      std::replace(part.begin(), part.end(), b, a);
    }
  }

  std::vector<std::vector<double>> lengths_;  // [instances × edges]
  Sense sense_;
};

// `network`: a small graph network; else one linear map for all edges.
inline Task spanning_tree_task(bool network, Sense sense = Sense::kMaximise) {
  constexpr std::size_t kInstances = 40;
  RandomStream random(11, Purpose::kTest);
  std::vector<InstanceShape> shapes;
  std::vector<std::vector<GraphEdge>> graphs;
  std::vector<std::vector<double>> lengths;
  Split rows;
  for (std::size_t instance = 0; instance < kInstances; ++instance) {
    const auto nodes = static_cast<std::uint32_t>(5 + random.below(4));
    std::vector<GraphEdge> edges;
    for (std::uint32_t v = 1; v < nodes; ++v)
      edges.push_back({static_cast<std::uint32_t>(random.below(v)), v});
    for (std::uint32_t u = 0; u < nodes; ++u)
      for (std::uint32_t v = u + 1; v < nodes; ++v)
        if (random.uniform() < 0.4) edges.push_back({u, v});
    std::vector<double> features, truth, length;
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const double own = random.uniform(0.5, 2), quality = random.normal();
      features.insert(features.end(), {own, quality, random.normal()});
      length.push_back(own);
      truth.push_back(own * std::exp(0.7 * quality));
    }
    shapes.push_back({edges.size(), edges.size()});
    graphs.push_back(std::move(edges));
    lengths.push_back(std::move(length));
    rows.add_row(features, truth, instance);
  }
  auto instances = std::make_shared<Instances>(shapes);
  instances->set_edges(graphs);
  Task task;
  task.problem = std::make_unique<SpanningTrees>(instances, lengths, sense);
  task.predictor = network ? make_graph_network(3, {8, 6}, {5, 4}, instances) : make_shared_linear(3, 0);
  task.data = split_at_random(rows, 0.25, 0.25, 1);
  return task;
}

}  // namespace polystep
