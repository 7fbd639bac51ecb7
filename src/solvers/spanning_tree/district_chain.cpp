#include "solvers/spanning_tree/district_chain.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

namespace polystep::solvers {

DistrictChain::DistrictChain(const DistrictGraph& graph, std::unique_ptr<DistrictValue> value,
                             Districting start, const DistrictSearchOptions& options, std::size_t chain)
    : graph_(graph),
      priced_(graph, std::move(value), std::move(start), options.penalty, options.remembered),
      districts_(priced_.districts()),
      options_(options),
      chain_(chain),
      random_(options.seed, Purpose::kDistrictSearch, 2, chain),
      version_(districts_.count()),
      looked_(std::bit_ceil(32 * districts_.count())),
      order_(districts_.count()),
      place_(districts_.count()) {
  std::iota(order_.begin(), order_.end(), 0u);
  for (std::uint64_t& version : version_) version = ++changes_;
}

DistrictSearchResult DistrictChain::run() {
  DistrictSearchResult result;
  result.chain = chain_;
  result.start_value = priced_.values_together();
  remember_best();
  improve();
  remember_best();
  result.first_optimum = priced_.values_together();
  while (result.iterations < options_.iterations && !asked_to_stop()) {
    move_at_random();
    const bool finished = improve();
    remember_best();
    result.iterations += finished ? 1 : 0;
    if (finished && options_.iterated) options_.iterated();
  }
  districts_ = Districting(graph_, best_);
  result.district_of = best_;
  result.value = priced_.values_together();
  result.feasible = districts_.is_feasible();
  result.moves = moves_;
  result.values = priced_.values();
  result.stopped = stopped_;
  return result;
}

void DistrictChain::remember_best() {
  if (const double now = priced_.total(); now < best_cost_) {
    best_cost_ = now;
    best_.assign(districts_.district_of().begin(), districts_.district_of().end());
  }
}

// Sizes only; whether districts stay in one piece shows in their cost.
bool DistrictChain::allows(std::uint32_t a, std::uint32_t b, const DistrictMove& move) const {
  if (move.first != kNoUnit && move.second != kNoUnit) return true;
  const std::uint32_t source = move.first != kNoUnit ? a : b, target = source == a ? b : a;
  return districts_.size(target) < graph_.sizes().upper && districts_.size(source) > graph_.sizes().lower;
}

void DistrictChain::apply(std::uint32_t a, std::uint32_t b, const DistrictMove& move) {
  priced_.apply(a, b, move);
  version_[a] = ++changes_;
  version_[b] = ++changes_;
}

DistrictChain::Looked& DistrictChain::looked_at(std::uint32_t a, std::uint32_t b) {
  const std::uint64_t pair = static_cast<std::uint64_t>(a) * districts_.count() + b;
  return looked_[(pair * 0x9E3779B97F4A7C15u >> 20) & (looked_.size() - 1)];
}

void DistrictChain::shuffle_districts() {
  for (std::size_t k = order_.size(); k > 1; --k) std::swap(order_[k - 1], order_[random_.below(k)]);
  for (std::uint32_t k = 0; k < order_.size(); ++k) place_[order_[k]] = k;
}

// The districts beside the one at a place of the pass that had their turn before it, in order of turns.
void DistrictChain::collect_earlier(std::size_t at) {
  earlier_.clear();
  for (const std::uint32_t other : districts_.beside(order_[at])) {
    if (place_[other] < at) earlier_.push_back(other);
  }
  std::ranges::sort(earlier_, {}, [&](std::uint32_t district) { return place_[district]; });
}

bool DistrictChain::improve() {
  for (bool changed = true; changed;) {
    changed = false;
    shuffle_districts();
    for (std::size_t at = 1; at < order_.size(); ++at) {
      collect_earlier(at);
      for (const std::uint32_t other : earlier_) {
        if (!improve_pair(order_[at], other, changed)) return false;
      }
    }
  }
  return true;
}

bool DistrictChain::improve_pair(std::uint32_t a, std::uint32_t b, bool& changed) {
  const std::uint64_t pair = static_cast<std::uint64_t>(std::min(a, b)) * districts_.count() + std::max(a, b);
  Looked& looked = looked_at(std::min(a, b), std::max(a, b));
  const std::uint64_t versions[2] = {version_[std::min(a, b)], version_[std::max(a, b)]};
  if (looked.pair == pair && looked.versions[0] == versions[0] && looked.versions[1] == versions[1])
    return true;
  if (asked_to_stop()) return false;
  districts_.border(a, b, border_a_);
  districts_.border(b, a, border_b_);
  const double before = priced_.cost(a) + priced_.cost(b);
  double best_cost = before - PricedDistricts::improvement_needed(before);
  std::optional<DistrictMove> best;
  const auto look = [&](const DistrictMove& move) {
    ++moves_;
    const double rest = priced_.changed_cost(a, move.first, move.second);
    if (rest == PricedDistricts::kDisconnected) return;
    const double after = rest + priced_.changed_cost(b, move.second, move.first);
    if (after < best_cost) best_cost = after, best = move;
  };
  if (allows(a, b, {border_a_.empty() ? kNoUnit : border_a_[0], kNoUnit})) {
    for (const std::uint32_t unit : border_a_) look({unit, kNoUnit});
  }
  for (const std::uint32_t first : border_a_) {
    for (const std::uint32_t second : border_b_) look({first, second});
  }
  if (allows(a, b, {kNoUnit, border_b_.empty() ? kNoUnit : border_b_[0]})) {
    for (const std::uint32_t unit : border_b_) look({kNoUnit, unit});
  }
  if (best) {
    apply(a, b, *best);
    changed = true;
  } else {
    looked.pair = pair;
    looked.versions[0] = versions[0], looked.versions[1] = versions[1];
  }
  return true;
}

void DistrictChain::move_at_random() {
  shuffle_districts();
  for (std::size_t at = 1; at < order_.size(); ++at) {
    collect_earlier(at);
    for (const std::uint32_t other : earlier_) move_pair_at_random(order_[at], other);
  }
}

// Moves are drawn from the borders as they are now; one that an earlier move of the pair has spoiled is not
// made.
void DistrictChain::move_pair_at_random(std::uint32_t a, std::uint32_t b) {
  districts_.border(a, b, border_a_);
  districts_.border(b, a, border_b_);
  const auto draw = [&](const DistrictMove& move) {
    if (random_.uniform() >= options_.move_probability) return;
    if (move.first != kNoUnit && (districts_.district(move.first) != a || !districts_.borders(move.first, b)))
      return;
    if (move.second != kNoUnit &&
        (districts_.district(move.second) != b || !districts_.borders(move.second, a)))
      return;
    if (!allows(a, b, move)) return;
    if (priced_.changed_cost(a, move.first, move.second) == PricedDistricts::kDisconnected) return;
    if (priced_.changed_cost(b, move.second, move.first) == PricedDistricts::kDisconnected) return;
    apply(a, b, move);
  };
  for (const std::uint32_t unit : border_a_) draw({unit, kNoUnit});
  for (const std::uint32_t first : border_a_) {
    for (const std::uint32_t second : border_b_) draw({first, second});
  }
  for (const std::uint32_t unit : border_b_) draw({kNoUnit, unit});
}

}  // namespace polystep::solvers
