// Turns a matching near the bound into a good allowed one by exchanging partners.
#include <utility>

#include "solvers/matching/diverse_matching_search.hpp"

namespace polystep::solvers {
namespace {

constexpr int kMostRounds = 4;

// What a left article contributes with one partner.
struct Part {
  Units value = 0;
  int same = 0;
  int different = 0;
};

Part part_of(const PricedTable& table, std::size_t left, int right) {
  if (right < 0) return {};
  const bool same = table.same(left, right);
  return {table.value(left, right), same ? 1 : 0, same ? 0 : 1};
}

struct Exchange {
  std::size_t first;
  std::size_t second;
  Units change;
  PairCounts counts;  // after it
};

Exchange exchange(const PricedTable& table, const PricedMatching& matching, std::size_t first,
                  std::size_t second) {
  const Part a = part_of(table, first, matching.of(first)), b = part_of(table, second, matching.of(second));
  const Part c = part_of(table, first, matching.of(second)), d = part_of(table, second, matching.of(first));
  return {first,
          second,
          c.value + d.value - a.value - b.value,
          {matching.counts.same + c.same + d.same - a.same - b.same,
           matching.counts.different + c.different + d.different - a.different - b.different}};
}

}  // namespace

// The best exchange between two left articles that leads to allowed counts and gains more than `least`.
bool DiverseMatchingSearch::best_exchange(PricedMatching& matching, Units least) const {
  Exchange best{0, 0, least, {}};
  const auto movable = [&](std::size_t left) {
    return matching.of(left) < 0 || table_.is_open(left, matching.of(left));
  };
  for (std::size_t first = 0; first < table_.left(); ++first) {
    if (!movable(first)) continue;
    for (std::size_t second = first + 1; second < table_.left(); ++second) {
      if (!movable(second)) continue;
      const Exchange next = exchange(table_, matching, first, second);
      if (next.change > best.change && matching_.polygon_.allows(next.counts)) best = next;
    }
  }
  if (best.first == best.second) return false;
  std::swap(matching.partner[best.first], matching.partner[best.second]);
  matching.counts = best.counts;
  matching.value += best.change;
  return true;
}

// First an exchange to allowed counts at any cost, then exchanges that gain.
void DiverseMatchingSearch::repair(const PricedMatching& start) {
  PricedMatching current = start;
  for (int round = 0; round < kMostRounds; ++round) {
    const bool allowed = matching_.polygon_.allows(current.counts);
    if (!best_exchange(current, allowed ? 0 : PricedTable::kNever / 2)) return;
    offer(current);
  }
}

}  // namespace polystep::solvers
