// 0-1 knapsack with several resources and real numbers, solved exactly: maximise value . x where, for every
// resource r, weight_r . x is at most the capacity of r.
//
// Values, weights and capacities may have any sign. What costs nothing (no weight above 0, value at least 0)
// is always taken and negative weights make room; what brings nothing is never taken, nor what cannot fit.
// The rest is searched depth first. Multipliers of the linear relaxation price the resources; an item's
// reduced value is its value less what it uses at these prices. Its sign says what to try first, and deciding
// against it lowers the bound by its size: the bound costs one subtraction per node. Items with large reduced
// values come first, because deciding against them soon ends a branch. Near the end, where reduced values
// tell little, the sum of all values that are left is the better bound.
//
// Where weights are much alike, as barely trained predictions are, the relaxation fills what is left of the
// room by a part of an item, and far too many sets look better than the best. A search that is not over after
// kShortSearch nodes therefore goes on by the number of items: whole numbers of items are what the bound had
// not seen, and "exactly so many" is two more resources.
//
// Among sets of equal value a known one wins, else the first in this order of search; equal reduced values
// are in the order of items. The value is optimal up to rounding, 1e-13 of the sizes of the numbers in the
// bound.
//
// An answer depends on the question alone. Use one object per thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "solvers/knapsack/resource_multipliers.hpp"

namespace polystep::solvers {

class MultiKnapsack {
 public:
  // Throws InputError above kMostKnapsackItems and kMostResources.
  MultiKnapsack(std::size_t items, std::size_t resources);

  std::size_t items() const { return items_; }
  std::size_t resources() const { return resources_; }

  // values [items], weights [resources × items], capacities [resources]; `known` is a set to start from, and
  // is ignored where it does not fit. The best set as bits, item 0 lowest; nothing where no set fits, a
  // number is not finite or the search meets kMostNodes.
  std::optional<std::uint64_t> solve(std::span<const double> values, std::span<const double> weights,
                                     std::span<const double> capacities,
                                     std::optional<std::uint64_t> known = {});

  // A full search of 20 items has fewer nodes, so none of that size fails. Some hundredths of a second.
  static constexpr std::uint64_t kMostNodes = std::uint64_t{1} << 22;
  static constexpr std::uint64_t kShortSearch = std::uint64_t{1} << 13;
  std::uint64_t nodes() const { return nodes_; }  // of the last search

 private:
  using Row = ResourceMultipliers::Row;  // padded by zeros, so that loops over it have a fixed length

  // An item in play. Taking it uses its positive weights and leaving it gives up the room its negative ones
  // would have made: the room of a branch is what its undecided items could leave at best, and never grows.
  struct Item {
    Row use[2];  // when left, when taken
    double value;
    double loss;     // size of the reduced value
    bool preferred;  // taken, by the sign of the reduced value
    std::uint8_t number;
  };

  bool load(std::span<const double> values, std::span<const double> weights,
            std::span<const double> capacities);
  void search(std::size_t rows);
  void search_by_count();
  bool find_bound(std::size_t rows);
  Row sort_items();
  void visit(std::size_t depth, const Row& room, double bound, double value, std::uint64_t set);
  bool fits(std::uint64_t set, std::span<const double> weights, std::span<const double> capacities) const;

  std::size_t items_, resources_;
  ResourceMultipliers multipliers_;
  std::vector<std::uint8_t> numbers_;  // [items in play]
  std::vector<double> values_;         // [items in play]
  std::vector<Row> weights_;           // [items in play]
  std::vector<Item> in_play_;
  std::array<double, kMostKnapsackItems + 1> rest_{};  // positive values from here on
  std::uint64_t base_ = 0;                             // taken before the search
  double base_value_ = 0;
  Row room_{};           // left by what was taken before the search
  double bound_ = 0;     // of all sets
  double rounding_ = 0;  // what the bound may be off by
  bool found_ = false;
  double best_ = 0;
  std::uint64_t best_set_ = 0;
  std::uint64_t nodes_ = 0, most_nodes_ = kMostNodes;
};

}  // namespace polystep::solvers
