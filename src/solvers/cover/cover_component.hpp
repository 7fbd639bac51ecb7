// One component of a set multi-cover: covers and items that hang together, and all dual-feasible bases of its
// linear relaxation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace polystep::solvers {

class CoverComponent {
 public:
  // costs [covers], contains [covers × items]; every item is in some cover.
  CoverComponent(std::vector<double> costs, std::vector<std::uint8_t> contains, std::size_t items);

  std::size_t items() const { return items_; }
  std::size_t covers() const { return costs_.size(); }
  double cost(std::size_t cover) const { return costs_[cover]; }
  bool contains(std::size_t cover, std::size_t item) const { return contains_[cover * items_ + item] != 0; }
  std::size_t bases() const { return bases_.size(); }
  bool listed() const { return listed_; }  // false: there were too many candidates to look at

  // The cheapest multiples for whole requirements [items], not negative; false where bases are not listed or
  // the search below grows too long. `values` is working space.
  bool solve(std::span<const double> need, std::vector<double>& values, std::span<double> multiples) const;

 private:
  struct Basis {
    std::vector<std::uint16_t> column;  // [items]: a cover, or covers() + the item whose surplus is basic
    std::vector<double> inverse;        // [items × items]: basic values = inverse . requirements
  };

  static constexpr std::size_t kBlock = 8;  // bases that are looked at together

  std::size_t blocks() const { return (bases_.size() + kBlock - 1) / kBlock; }
  double multiplier(std::size_t basis, std::size_t item) const {
    return multipliers_[(basis / kBlock * items_ + item) * kBlock + basis % kBlock];
  }
  void list_bases();
  void deal_out_multipliers();
  double worth_of_bases(std::span<const double> need, std::vector<double>& values) const;  // the largest
  void try_basis(const std::vector<std::uint16_t>& columns);
  bool read_solution(const Basis& basis, std::span<const double> need, std::span<double> multiples,
                     bool& whole) const;
  double column_entry(std::size_t column, std::size_t item) const {  // covers first, then surpluses
    if (column < covers()) return contains(column, item) ? 1.0 : 0.0;
    return column - covers() == item ? -1.0 : 0.0;
  }

  // Where the relaxation's solution in this optimal basis is not whole (cover_component_whole.cpp).
  bool solve_whole(std::size_t basis, std::span<const double> need, std::span<double> multiples) const;

  std::size_t items_;
  std::vector<double> costs_;
  std::vector<std::uint8_t> contains_;
  bool listed_ = false;
  std::vector<Basis> bases_;
  std::vector<double> multipliers_;  // [blocks × items × kBlock]; while listing [bases × items]
};

}  // namespace polystep::solvers
