#include "solvers/spanning_tree/tree_district_value.hpp"

#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "polystep/error.hpp"

namespace polystep::solvers {

TreeDistrictValue::TreeDistrictValue(const DistrictGraph& graph, std::span<const double> weights)
    : graph_(&graph),
      weights_(weights.begin(), weights.end()),
      place_(graph.units()),
      mark_(graph.units()),
      added_by_(graph.units()) {
  if (weights.size() != graph.edges()) {
    throw InputError(
        fmt::format("districts: found {} edge weights, expected {}", weights.size(), graph.edges()));
  }
  for (std::size_t edge = 0; edge < weights.size(); ++edge) {
    if (!std::isfinite(weights[edge])) {
      throw InputError(fmt::format("districts: found {} as the weight of edge {}, expected a finite number",
                                   weights[edge], edge));
    }
  }
  waiting_.reserve(graph.units());
}

double TreeDistrictValue::value(std::span<const std::uint32_t> units) {
  ++round_;
  waiting_.clear();
  depot_edge_ = graph_->depot_edge(units[0]);
  for (std::size_t k = 1; k < units.size(); ++k) {
    place_[units[k]] = static_cast<std::uint32_t>(waiting_.size());
    mark_[units[k]] = round_;
    waiting_.push_back({std::numeric_limits<double>::infinity(), units[k], 0});
    const std::uint32_t edge = graph_->depot_edge(units[k]);
    if (weights_[edge] < weights_[depot_edge_]) depot_edge_ = edge;
  }
  double sum = 0;
  std::uint32_t newest = units[0];
  for (std::size_t step = 1; step < units.size(); ++step) {
    for (const UnitNeighbour& next : graph_->neighbours(newest)) {
      if (mark_[next.unit] != round_) continue;
      Waiting& waiting = waiting_[place_[next.unit]];
      const double weight = weights_[next.edge];
      // Of equal edges the first, so that trees do not depend on how the search came here.
      if (weight < waiting.weight || (weight == waiting.weight && next.edge < waiting.edge)) {
        waiting.weight = weight;
        waiting.edge = next.edge;
      }
    }
    std::size_t best = 0;
    for (std::size_t k = 1; k < waiting_.size(); ++k) {
      if (waiting_[k].weight < waiting_[best].weight ||
          (waiting_[k].weight == waiting_[best].weight && waiting_[k].edge < waiting_[best].edge)) {
        best = k;
      }
    }
    sum += waiting_[best].weight;
    added_by_[step] = waiting_[best].edge;
    newest = waiting_[best].unit;
    mark_[newest] = 0;
    waiting_[best] = waiting_.back();
    if (best + 1 < waiting_.size()) place_[waiting_[best].unit] = static_cast<std::uint32_t>(best);
    waiting_.pop_back();
  }
  return sum + weights_[depot_edge_];
}

}  // namespace polystep::solvers
