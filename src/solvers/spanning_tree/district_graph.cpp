#include "solvers/spanning_tree/district_graph.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "polystep/error.hpp"

namespace polystep::solvers {
namespace {

void check_sizes(std::size_t units, const DistrictSizes& sizes) {
  if (sizes.lower == 0 || sizes.lower > sizes.upper || sizes.count == 0) {
    throw InputError(
        fmt::format("districts: found {} of {} to {} units, expected at least one district and one unit",
                    sizes.count, sizes.lower, sizes.upper));
  }
  if (sizes.count * sizes.lower > units || sizes.count * sizes.upper < units) {
    throw InputError(fmt::format(
        "districts: {} districts of {} to {} units cannot hold {} units, expected a target size that fits",
        sizes.count, sizes.lower, sizes.upper, units));
  }
}

}  // namespace

DistrictSizes DistrictSizes::for_target(std::size_t units, std::size_t target) {
  if (target < 2 || target > units) {
    throw InputError(
        fmt::format("districts: found target size {}, expected 2 to {}, the number of units", target, units));
  }
  // Whole numbers, because 0.8 t and 1.2 t may round across the limit.
  const DistrictSizes sizes{
      .target = target, .lower = 4 * target / 5, .upper = (6 * target + 4) / 5, .count = units / target};
  check_sizes(units, sizes);
  return sizes;
}

std::vector<std::uint32_t> components_of(std::size_t units, std::span<const UnitPair> touching) {
  std::vector<std::uint32_t> root(units);
  std::iota(root.begin(), root.end(), 0u);
  const auto find = [&](std::uint32_t unit) {
    while (root[unit] != unit) unit = root[unit] = root[root[unit]];
    return unit;
  };
  for (const auto& [a, b] : touching) {
    const std::uint32_t x = find(a), y = find(b);
    root[std::max(x, y)] = std::min(x, y);
  }
  for (std::uint32_t unit = 0; unit < units; ++unit) root[unit] = find(unit);
  return root;
}

DistrictGraph::DistrictGraph(std::size_t units, std::span<const UnitPair> touching, DistrictSizes sizes)
    : sizes_(sizes) {
  check_sizes(units, sizes);
  std::vector<UnitPair> pairs;
  for (const auto& [a, b] : touching) {
    if (a == b || a >= units || b >= units) {
      throw InputError(fmt::format("districts: found units {} and {} as neighbours, expected two of {} units",
                                   a, b, units));
    }
    pairs.emplace_back(std::min(a, b), std::max(a, b));
  }
  std::sort(pairs.begin(), pairs.end());
  if (const auto twice = std::adjacent_find(pairs.begin(), pairs.end()); twice != pairs.end()) {
    throw InputError(fmt::format("districts: units {} and {} are neighbours twice, expected once",
                                 twice->first, twice->second));
  }
  const auto component = components_of(units, pairs);
  if (const auto apart = std::find_if(component.begin(), component.end(), [](auto c) { return c != 0; });
      apart != component.end()) {
    throw InputError(
        fmt::format("districts: no path of neighbours leads from unit 0 to unit {}, expected one",
                    apart - component.begin()));
  }

  std::vector<std::vector<UnitNeighbour>> beside(units);
  depot_edge_.resize(units);
  auto pair = pairs.begin();
  for (std::uint32_t unit = 0; unit < units; ++unit) {
    for (; pair != pairs.end() && pair->first == unit; ++pair) {
      const auto edge = static_cast<std::uint32_t>(edges_.size());
      beside[unit].push_back({pair->second, edge});
      beside[pair->second].push_back({unit, edge});
      edges_.push_back({unit, pair->second});
    }
    depot_edge_[unit] = static_cast<std::uint32_t>(edges_.size());
    edges_.push_back({unit, static_cast<std::uint32_t>(units)});
  }
  first_.push_back(0);
  for (auto& row : beside) {
    std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.unit < b.unit; });
    neighbours_.insert(neighbours_.end(), row.begin(), row.end());
    first_.push_back(neighbours_.size());
  }
}

}  // namespace polystep::solvers
