#include "polystep/instances.hpp"

#include <algorithm>
#include <string>

#include "polystep/error.hpp"

namespace polystep {

Instances::Instances(std::vector<InstanceShape> shapes, std::vector<std::size_t> groups)
    : shapes_(std::move(shapes)), groups_(std::move(groups)) {
  if (shapes_.empty()) throw InputError("instances: found none, expected at least one");
  if (!groups_.empty() && groups_.size() != shapes_.size())
    throw InputError("instances: found " + std::to_string(groups_.size()) + " groups for " +
                     std::to_string(shapes_.size()) + " instances, expected one each");
  for (const InstanceShape& shape : shapes_) {
    all_.outputs = std::max(all_.outputs, shape.outputs);
    all_.decision = std::max(all_.decision, shape.decision);
  }
}

void Instances::set_edges(std::vector<std::vector<GraphEdge>> edges) {
  const std::size_t expected = alike() ? 1 : shapes_.size();
  if (edges.size() != expected)
    throw InputError("instances: found " + std::to_string(edges.size()) + " graphs, expected " +
                     std::to_string(expected));
  for (std::size_t i = 0; i < edges.size(); ++i)
    if (edges[i].size() != shape(i).outputs)
      throw InputError("instances: the graph of instance " + std::to_string(i) + " has " +
                       std::to_string(edges[i].size()) + " edges, expected " +
                       std::to_string(shape(i).outputs) + ", one per output");
  edges_ = std::move(edges);
}

void Instances::set_output_groups(std::vector<std::vector<std::uint8_t>> groups) {
  const std::size_t expected = alike() ? 1 : shapes_.size();
  if (groups.size() != expected)
    throw InputError("instances: found output groups of " + std::to_string(groups.size()) +
                     " instances, expected " + std::to_string(expected));
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (groups[i].size() != shape(i).outputs)
      throw InputError("instances: " + std::to_string(groups[i].size()) + " outputs of instance " +
                       std::to_string(i) + " have a group, expected " + std::to_string(shape(i).outputs) +
                       ", all of them");
  output_groups_ = std::move(groups);
}

}  // namespace polystep
