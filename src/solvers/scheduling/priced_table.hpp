// The table of pair weights of a diverse matching, with prices per kind of pair and pairs that are fixed.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "solvers/cover/count_polygon.hpp"
#include "solvers/matching/assignment.hpp"

namespace polystep::solvers {

// A matching with what the search needs to know of it.
struct PricedMatching {
  std::array<std::int8_t, Assignment::kLargestSide> partner;  // of every left article, -1 for none
  PairCounts counts;
  Units value = 0;  // in units, without prices

  PricedMatching() { partner.fill(-1); }
  int of(std::size_t left) const { return partner[left]; }
};

class PricedTable {
 public:
  // same_label: [left × right]
  PricedTable(std::size_t left, std::size_t right, std::span<const std::uint8_t> same_label);

  // Starts over with new weights and nothing fixed. units: [left × right]
  void load(std::span<const Units> units);
  void forget() { assignment_.forget(); }

  // The matching of largest value net of prices that respects the fixed pairs.
  const PricedMatching& assign(Units price_per_same, Units price_per_different);
  std::uint64_t assignments() const { return assignments_; }  // since load

  bool is_open(std::size_t left, int right) const {  // neither fixed nor excluded by a fixed pair
    return right >= 0 && value_[left * stride_ + static_cast<std::size_t>(right)] != kNever;
  }
  Units value(std::size_t left, int right) const {
    return value_[left * stride_ + static_cast<std::size_t>(right)];
  }
  bool same(std::size_t left, int right) const {
    return same_[left * stride_ + static_cast<std::size_t>(right)] != 0;
  }
  bool respects_fixings(const PricedMatching& matching) const;  // has no forbidden pair
  std::size_t left() const { return left_; }

  // Fixing pairs; release() takes back the last call. forbid_losing forbids every pair that would cost more
  // than `gap` at the prices of the last assign, by its dual values.
  void forbid_losing(Units gap);
  void forbid(std::size_t left, std::size_t right);
  void force(std::size_t left, std::size_t right);
  void release();

  static constexpr Units kNever = -(Units{1} << 60);  // the value of a pair that is not to be had

 private:
  struct Change {
    std::size_t place;
    Units before;
  };
  struct Fixing {
    std::size_t changes_before;
    bool forced;
  };

  void exclude(std::size_t place);
  void take(std::size_t left, std::size_t right);

  std::size_t left_;
  std::size_t right_;
  Assignment assignment_;
  std::size_t stride_;
  AlignedUnits same_;    // [size × stride], all bits where the labels are the same, else 0
  AlignedUnits value_;   // [size × stride], kNever where a pair is not to be had
  AlignedUnits loaded_;  // [size × stride], the same with nothing fixed
  std::vector<std::array<std::size_t, 2>> forced_;
  std::vector<Change> changes_;
  std::vector<Fixing> fixings_;
  std::vector<int> forced_partner_;  // [left], -1 where none is forced
  PricedMatching found_;
  Units price_per_same_ = 0;  // of the last assign
  Units price_per_different_ = 0;
  std::uint64_t assignments_ = 0;
};

}  // namespace polystep::solvers
