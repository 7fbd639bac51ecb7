// Whole solutions near a basis whose own solution is not whole.
//
// Every whole solution takes some units of columns outside the basis (covers or surplus) and is then fixed:
// it costs the relaxation's minimum plus the reduced costs of these units. Sets of units are looked at by
// rising reduced cost, so the first that leaves whole and non-negative basic values is optimal. One or two
// units are usually enough, because they only have to mend fractions.
#include <algorithm>
#include <cmath>
#include <queue>

#include "solvers/cover/cover_component.hpp"

namespace polystep::solvers {
namespace {

constexpr std::size_t kMostLooks = 5000;

// Units of columns outside the basis, as ranks by reduced cost, rising.
struct Units {
  double cost;
  std::size_t number;  // in the order of making, to settle ties
  std::vector<std::uint16_t> ranks;

  bool operator<(const Units& other) const {  // of a queue: the cheapest on top
    return cost != other.cost ? cost > other.cost : number > other.number;
  }
};

struct OutsideColumn {
  std::size_t column;
  double reduced_cost;
};

}  // namespace

bool CoverComponent::solve_whole(std::size_t basis_number, std::span<const double> need,
                                 std::span<double> multiples) const {
  const Basis& basis = bases_[basis_number];
  std::vector<OutsideColumn> outside;
  for (std::size_t column = 0; column < covers() + items_; ++column) {
    if (std::find(basis.column.begin(), basis.column.end(), column) != basis.column.end()) continue;
    double reduced = column < covers() ? costs_[column] : 0;
    for (std::size_t i = 0; i < items_; ++i) reduced -= multiplier(basis_number, i) * column_entry(column, i);
    outside.push_back({column, std::max(0.0, reduced)});
  }
  std::stable_sort(outside.begin(), outside.end(), [](const OutsideColumn& a, const OutsideColumn& b) {
    return a.reduced_cost < b.reduced_cost;
  });
  std::priority_queue<Units> queue;
  std::size_t made = 0;
  if (!outside.empty()) queue.push({outside[0].reduced_cost, made++, {0}});
  std::vector<double> rest(items_);
  for (std::size_t looks = 0; looks < kMostLooks && !queue.empty(); ++looks) {
    const Units units = queue.top();
    queue.pop();
    std::copy(need.begin(), need.end(), rest.begin());
    for (const std::uint16_t rank : units.ranks)
      for (std::size_t i = 0; i < items_; ++i) rest[i] -= column_entry(outside[rank].column, i);
    bool whole = false;
    if (read_solution(basis, rest, multiples, whole) && whole) {
      for (const std::uint16_t rank : units.ranks)
        if (outside[rank].column < covers()) multiples[outside[rank].column] += 1;
      return true;
    }
    // Each set of units is made once: from the one without its last unit, or with that unit's rank one lower.
    const std::uint16_t last = units.ranks.back();
    Units longer = units;
    longer.cost += outside[last].reduced_cost;
    longer.number = made++;
    longer.ranks.push_back(last);
    queue.push(std::move(longer));
    if (last + 1u < outside.size()) {
      Units next = units;
      next.cost += outside[last + 1u].reduced_cost - outside[last].reduced_cost;
      next.number = made++;
      ++next.ranks.back();
      queue.push(std::move(next));
    }
  }
  return false;
}

}  // namespace polystep::solvers
