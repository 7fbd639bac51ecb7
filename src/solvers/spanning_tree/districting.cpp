#include "solvers/spanning_tree/districting.hpp"

#include <algorithm>
#include <utility>

namespace polystep::solvers {

Districting::Districting(const DistrictGraph& graph, std::vector<std::uint32_t> district_of)
    : graph_(&graph),
      district_of_(std::move(district_of)),
      units_(graph.sizes().count),
      mark_(graph.units()) {
  for (std::uint32_t unit = 0; unit < graph.units(); ++unit) units_[district_of_[unit]].push_back(unit);
}

void Districting::move(std::uint32_t unit, std::uint32_t to) {
  auto& from = units_[district_of_[unit]];
  from.erase(std::lower_bound(from.begin(), from.end(), unit));
  auto& target = units_[to];
  target.insert(std::lower_bound(target.begin(), target.end(), unit), unit);
  district_of_[unit] = to;
}

bool Districting::borders(std::uint32_t unit, std::uint32_t district) const {
  return std::ranges::any_of(graph_->neighbours(unit),
                             [&](const UnitNeighbour& next) { return district_of_[next.unit] == district; });
}

std::span<const std::uint32_t> Districting::beside(std::uint32_t district) {
  beside_.clear();
  for (const std::uint32_t unit : units_[district]) {
    for (const UnitNeighbour& next : graph_->neighbours(unit)) {
      const std::uint32_t other = district_of_[next.unit];
      if (other != district && std::ranges::find(beside_, other) == beside_.end()) beside_.push_back(other);
    }
  }
  std::ranges::sort(beside_);
  return beside_;
}

void Districting::border(std::uint32_t of, std::uint32_t with, std::vector<std::uint32_t>& units) const {
  units.clear();
  for (const std::uint32_t unit : units_[of]) {
    if (borders(unit, with)) units.push_back(unit);
  }
}

bool Districting::is_connected(std::span<const std::uint32_t> units) {
  if (units.empty()) return false;
  const std::uint64_t wanted = round_ += 2, reached = wanted + 1;
  for (const std::uint32_t unit : units) mark_[unit] = wanted;
  queue_.assign(1, units[0]);
  mark_[units[0]] = reached;
  for (std::size_t at = 0; at < queue_.size(); ++at) {
    for (const UnitNeighbour& next : graph_->neighbours(queue_[at])) {
      if (mark_[next.unit] != wanted) continue;
      mark_[next.unit] = reached;
      queue_.push_back(next.unit);
    }
  }
  return queue_.size() == units.size();
}

bool Districting::is_connected_without(std::uint32_t unit) {
  rest_.clear();
  for (const std::uint32_t other : units_[district_of_[unit]]) {
    if (other != unit) rest_.push_back(other);
  }
  return is_connected(rest_);
}

std::size_t Districting::violation() const {
  std::size_t sum = 0;
  for (const auto& units : units_) sum += size_violation(units.size(), graph_->sizes());
  return sum;
}

bool Districting::is_feasible() {
  return violation() == 0 &&
         std::ranges::all_of(units_, [&](const auto& units) { return is_connected(units); });
}

}  // namespace polystep::solvers
