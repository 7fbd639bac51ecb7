// The linear relaxation. At most one ratio row binds, so one price is enough: the value net of price is
// convex and piecewise linear in it, and at its least point two matchings meet, one that breaks the row and
// one that keeps it. The optimum mixes these two such that the row holds exactly.
#include <algorithm>
#include <cmath>

#include "solvers/matching/diverse_matching_search.hpp"

namespace polystep::solvers {
namespace {

// Crossing prices are rounded to units; a line this close to the crossing passes through it.
constexpr double kSameLine = 4096.0;

}  // namespace

// How far a matching breaks the row; 0 or less where it keeps it.
double RatioRow::excess(PairCounts counts) const {
  return per_same * counts.same + per_different * counts.different;
}

const PricedMatching& DiverseMatchingSearch::assign(const RatioRow& row, Units price) {
  return table_.assign(std::llround(static_cast<double>(price) * row.per_same),
                       std::llround(static_cast<double>(price) * row.per_different));
}

DiverseMatchingSearch::Mixture DiverseMatchingSearch::solve_relaxation(std::span<const double> weights) {
  load(weights);
  if (matching_.only_empty_relaxed_) return {};
  const PricedMatching free = table_.assign(0, 0);
  for (const RatioRow& row : matching_.ratio_rows_) {
    if (row.excess(free.counts) > 0.0) return mix_at_best_price(row, free);
  }
  return {free, free, 1.0};
}

DiverseMatchingSearch::Mixture DiverseMatchingSearch::mix_at_best_price(const RatioRow& row,
                                                                        const PricedMatching& free) {
  const auto line = [&](const PricedMatching& matching, Units price) {
    return static_cast<double>(matching.value) - static_cast<double>(price) * row.excess(matching.counts);
  };
  // Above the largest weight, pairs that count against the row are worth nothing: the row is kept there.
  const auto largest = static_cast<Units>(largest_weight_);
  PricedMatching breaks = free;
  Units low = 0;
  Units high = std::min(
      largest, last_relaxed_price_ > 0 ? last_relaxed_price_ + last_relaxed_price_ / 16 : largest / 8);
  PricedMatching keeps = assign(row, high);
  while (row.excess(keeps.counts) > 0.0) {
    breaks = keeps;
    low = high;
    high = std::min(2 * high, largest + 1);
    keeps = assign(row, high);
  }
  while (true) {
    const double slopes = row.excess(breaks.counts) - row.excess(keeps.counts);
    const auto crossing = static_cast<Units>(static_cast<double>(breaks.value - keeps.value) / slopes);
    if (crossing <= low || crossing >= high) break;
    const PricedMatching& found = assign(row, crossing);
    if (line(found, crossing) <= line(breaks, crossing) + kSameLine) break;
    if (row.excess(found.counts) > 0.0) {
      breaks = found;
      low = crossing;
    } else {
      keeps = found;
      high = crossing;
    }
  }
  last_relaxed_price_ = high;
  const double broken = row.excess(breaks.counts);
  return {breaks, keeps, -row.excess(keeps.counts) / (broken - row.excess(keeps.counts))};
}

}  // namespace polystep::solvers
