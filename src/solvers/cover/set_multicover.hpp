// Weighted set multi-cover, solved exactly for many requirement vectors: minimise cost . x where every item i
// is covered at least requirement[i] times by the chosen multiples x of covers.
//
// Costs and covers are fixed, only requirements move, so the work is done once:
//   - covers that a cover of no higher cost contains are dropped, and so are covers no cheaper than covering
//     their items one by one; what is left falls into components that share no item;
//   - the linear relaxation of a component attains its minimum in one of finitely many dual-feasible bases,
//     which do not depend on requirements: all are listed. A solve picks the basis with the largest
//     multipliers . requirement and reads the solution off its inverse.
// Requirements are rounded up first (coverage is whole), so in most bases the solution is whole as well and
// therefore optimal. Where it is not, units of other columns are added, cheapest additions first, until it
// is. For components with too many bases the general backend decides.
//
// Ties: dropped covers are never used; among bases of equal cost the first that covers everything wins, bases
// being ordered by their columns, covers before surplus, lower numbers first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace polystep::solvers {

class SetMulticover {
 public:
  // costs [covers], positive; members [covers × items], 1 where the cover contains the item. Throws
  // InputError.
  SetMulticover(std::span<const double> costs, std::span<const std::uint8_t> members, std::size_t items);
  ~SetMulticover();

  std::size_t items() const { return items_; }
  std::size_t covers() const { return costs_.size(); }
  std::span<const double> costs() const { return costs_; }
  bool contains(std::size_t cover, std::size_t item) const { return members_[cover * items_ + item] != 0; }
  std::span<const std::size_t> useful() const { return useful_; }  // covers not dropped, ascending

  struct Workspace {
    std::vector<double> need;    // [items] whole requirements
    std::vector<double> values;  // of all bases of a component
    std::uint64_t general = 0;   // solves left to the general backend so far
  };

  // Writes the multiples of all covers. Requirements may have any value; those up to 0 ask for nothing, and a
  // value within 1e-6 above a whole number counts as that number. False where an item without covers is
  // required or a requirement is not finite.
  bool solve(std::span<const double> requirements, std::span<double> multiples, Workspace& work) const;

  // The same with at most upper[j] of cover j, by the general backend. False where that is not enough.
  bool solve_within(std::span<const double> requirements, std::span<const double> upper,
                    std::span<double> multiples) const;

  double cost_of(std::span<const double> multiples) const;
  double coverage(std::span<const double> multiples, std::size_t item) const;

 private:
  struct Component;

  void find_useful();
  void find_components();
  bool solve_generally(const Component& component, Workspace& work, std::span<double> multiples) const;

  std::size_t items_;
  std::vector<double> costs_;
  std::vector<std::uint8_t> members_;
  std::vector<std::size_t> useful_;
  std::vector<std::size_t> orphans_;  // items that no cover contains
  std::vector<Component> components_;
};

}  // namespace polystep::solvers
