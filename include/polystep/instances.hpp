// What is known of every instance before anything is predicted: its shape, and whatever graph it lies on.
//
// One place that the problem and the predictor of a task share. Instances that are all alike take no room.
// Known numbers that only the solver reads (capacities, prices) may stay with the problem.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace polystep {

struct InstanceShape {
  std::size_t outputs = 0;   // predicted parameters
  std::size_t decision = 0;  // length of a decision

  friend bool operator==(const InstanceShape&, const InstanceShape&) = default;
};

// Two nodes of an instance's graph that an output, the edge's weight, lies between.
struct GraphEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

class Instances {
 public:
  // All alike, any number of them.
  explicit Instances(InstanceShape all) : all_(all) {}

  // Each with a shape of its own. Instances of one group have the same feasible decisions, so that methods
  // may share what they remember of them; no groups: each has its own.
  explicit Instances(std::vector<InstanceShape> shapes, std::vector<std::size_t> groups = {});

  bool alike() const { return shapes_.empty(); }
  const InstanceShape& shape(std::size_t instance) const { return alike() ? all_ : shapes_[instance]; }
  const InstanceShape& largest() const { return all_; }  // in each respect; of all where they are alike
  std::size_t group(std::size_t instance) const {
    return alike() ? 0 : groups_.empty() ? instance : groups_[instance];
  }

  // The edges of an instance's graph, an output each, in the order of the outputs; for predictors that look
  // at the two ends of an edge. None unless they were set.
  void set_edges(std::vector<std::vector<GraphEdge>> edges);  // throws InputError
  std::span<const GraphEdge> edges(std::size_t instance) const {
    return edges_.empty() ? std::span<const GraphEdge>() : edges_[edges_.size() == 1 ? 0 : instance];
  }

  // Which group each output of an instance belongs to, from 0 on: outputs of which every decision uses
  // equally many, so that a number added to all of a group changes no decision. None unless they were set.
  void set_output_groups(std::vector<std::vector<std::uint8_t>> groups);  // throws InputError
  std::span<const std::uint8_t> output_groups(std::size_t instance) const {
    return output_groups_.empty() ? std::span<const std::uint8_t>()
                                  : output_groups_[output_groups_.size() == 1 ? 0 : instance];
  }

 private:
  InstanceShape all_;
  std::vector<InstanceShape> shapes_;                     // [instances]; empty: all are alike
  std::vector<std::size_t> groups_;                       // [instances], or empty
  std::vector<std::vector<GraphEdge>> edges_;             // [instances], one for all, or none
  std::vector<std::vector<std::uint8_t>> output_groups_;  // likewise
};

}  // namespace polystep
