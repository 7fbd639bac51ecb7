// A lower bound on the gap between the best and the second-best knapsack decision, in lanes.
//
// Any other decision either fits within another choice of counts, and is worth no more than that choice; or
// it stays within the counts of the best choice and differs in at least one class, where the cheapest change
// is to swap the least valuable item taken for the next one, to leave it out, or to add an item of no value.
#pragma once

#include "solvers/knapsack/knapsack_kernel.hpp"

namespace polystep::solvers {

template <class Lanes>
struct TwoBestChoices {
  typename Lanes::Real best;
  typename Lanes::Real second;
  typename Lanes::Word choice;  // packed counts of the best
};

template <class Lanes>
POLYSTEP_INLINE TwoBestChoices<Lanes> two_best_choices(const KnapsackTileTables& tables,
                                                       const KnapsackColumns<Lanes>& columns) {
  using Real = typename Lanes::Real;
  using Word = typename Lanes::Word;
  const Real none = Lanes::all(-std::numeric_limits<double>::infinity());
  TwoBestChoices<Lanes> found{none, none, Word{}};
  std::size_t at = 0;
  for (const auto& group : tables.groups) {
    TwoBestChoices<Lanes> pairs{none, none, Word{}};
    for (; at < group.end; ++at) {
      const KnapsackTileTables::Choice& counts = tables.choices[at];
      const Real pair =
          load<Lanes>(columns.prefix[0][counts.first]) + load<Lanes>(columns.prefix[1][counts.second]);
      pairs.choice = pair > pairs.best ? load<Lanes>(tables.packed[at].lane) : pairs.choice;
      pairs.second = Lanes::larger(pairs.second, Lanes::smaller(pair, pairs.best));
      pairs.best = Lanes::larger(pair, pairs.best);
    }
    const Real third = load<Lanes>(columns.prefix[2][group.third]);
    const Real total = pairs.best + third;
    const Real second_total = pairs.second + third;
    found.choice = total > found.best ? pairs.choice : found.choice;
    found.second =
        Lanes::larger(found.second, Lanes::larger(second_total, Lanes::smaller(total, found.best)));
    found.best = Lanes::larger(total, found.best);
  }
  return found;
}

// The least that is lost by changing the items of one class while taking no more than `count`. [ranks ×
// lanes] sorted.
template <std::size_t Width>
POLYSTEP_INLINE double least_loss(const double (*sorted)[Width], std::size_t lane, std::size_t count) {
  std::size_t taken = count;
  while (taken > 0 && !(sorted[taken - 1][lane] > 0.0)) --taken;
  double loss = std::numeric_limits<double>::infinity();
  const double next = sorted[taken][lane];
  if (taken > 0) loss = sorted[taken - 1][lane] - (next > 0.0 ? next : 0.0);
  if (taken < count && -next < loss) loss = -next;
  return loss;
}

// False where a value is not finite; the gaps are then meaningless.
template <class Lanes>
POLYSTEP_INLINE bool knapsack_gap(const KnapsackTileTables& tables, const double* predicted, double* gap) {
  using Real = typename Lanes::Real;
  KnapsackColumns<Lanes> columns;
  columns.sort(tables, predicted, std::numeric_limits<double>::lowest());
  const TwoBestChoices<Lanes> found = two_best_choices<Lanes>(tables, columns);

  Real sum{};
  const std::size_t items = tables.class_of.size();
  for (std::size_t item = 0; item < items; ++item) {
    const Real value = load<Lanes>(predicted + kLanes * item);
    sum += Lanes::larger(value, -value);
  }
  double scale[Lanes::kWidth];
  double difference[Lanes::kWidth];
  std::int64_t packed[Lanes::kWidth];
  store(scale, sum);
  store(difference, found.best - found.second);
  store(packed, found.choice);
  bool finite = true;
  for (std::size_t lane = 0; lane < Lanes::kWidth; ++lane) {
    finite = finite && std::isfinite(scale[lane]);
    double least = difference[lane];
    for (std::size_t k = 0; k < KnapsackTileTables::kClasses; ++k) {
      const auto count = static_cast<std::size_t>(packed[lane] >> 8 * k & 0xff);
      const double loss = least_loss<Lanes::kWidth>(columns.sorted[k], lane, count);
      if (loss < least) least = loss;
    }
    const double allowance = gap_allowance(items) * scale[lane];
    gap[lane] = least > allowance ? least - allowance : 0.0;
  }
  return finite;
}

}  // namespace polystep::solvers
