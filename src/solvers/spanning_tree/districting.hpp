// A partition of units into districts that changes unit by unit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solvers/spanning_tree/district_graph.hpp"

namespace polystep::solvers {

class Districting {
 public:
  // district_of: [units], numbers below the count of districts; a district may be empty. The graph must
  // outlive this object.
  Districting(const DistrictGraph& graph, std::vector<std::uint32_t> district_of);

  const DistrictGraph& graph() const { return *graph_; }
  std::size_t count() const { return units_.size(); }
  std::uint32_t district(std::uint32_t unit) const { return district_of_[unit]; }
  std::span<const std::uint32_t> district_of() const { return district_of_; }
  std::span<const std::uint32_t> units(std::uint32_t district) const {
    return units_[district];
  }  // ascending
  std::size_t size(std::uint32_t district) const { return units_[district].size(); }

  void move(std::uint32_t unit, std::uint32_t to);

  bool borders(std::uint32_t unit, std::uint32_t district) const;  // one of its neighbours is there
  // Districts that touch this one, ascending, each once. The span is valid until the next call.
  std::span<const std::uint32_t> beside(std::uint32_t district);
  // Units of one district that border another, ascending.
  void border(std::uint32_t of, std::uint32_t with, std::vector<std::uint32_t>& units) const;

  bool is_connected(std::span<const std::uint32_t> units);  // no units count as not connected
  bool is_connected_without(std::uint32_t unit);            // its district, were it to lose the unit

  // Units that districts have too many or too few, in total; 0 where all sizes are as they should be.
  std::size_t violation() const;
  bool is_feasible();  // sizes and connectivity

 private:
  const DistrictGraph* graph_;
  std::vector<std::uint32_t> district_of_;         // [units]
  std::vector<std::vector<std::uint32_t>> units_;  // [districts]
  std::vector<std::uint64_t> mark_;                // [units], of the last search for connections
  std::uint64_t round_ = 0;
  std::vector<std::uint32_t> queue_, beside_, rest_;
};

// How far a size is outside of the limits.
inline std::size_t size_violation(std::size_t size, const DistrictSizes& sizes) {
  return size > sizes.upper ? size - sizes.upper : size < sizes.lower ? sizes.lower - size : 0;
}

}  // namespace polystep::solvers
