// All connected sets of units within limits of size: the districts that an exact solver chooses from.
//
// Sets are ordered by size, then by their units; that order is the tie rule of the exact solver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "solvers/spanning_tree/district_graph.hpp"

namespace polystep::solvers {

class ConnectedSets {
 public:
  static constexpr std::size_t kMostSets = 4'000'000;

  // Those of lower .. upper units. Throws InputError where there are more than `most`.
  explicit ConnectedSets(const DistrictGraph& graph, std::size_t most = kMostSets);

  std::size_t size() const { return first_.size() - 1; }
  std::span<const std::uint32_t> units(std::size_t set) const {  // ascending
    return {&units_[first_[set]], first_[set + 1] - first_[set]};
  }
  std::optional<std::size_t> find(std::span<const std::uint32_t> units) const;  // units ascending

 private:
  std::vector<std::size_t> first_ = {0};  // [sets + 1], into units_
  std::vector<std::uint32_t> units_;
};

}  // namespace polystep::solvers
