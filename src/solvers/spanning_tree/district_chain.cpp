#include "solvers/spanning_tree/district_chain.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

namespace polystep::solvers {
namespace {

constexpr double kDisconnected = std::numeric_limits<double>::infinity();

// Differences below this are rounding: without it two partitions of equal value could take turns for ever.
double improvement_needed(double before) { return 1e-11 * (1.0 + std::abs(before)); }

}  // namespace

DistrictChain::DistrictChain(const DistrictGraph& graph, std::unique_ptr<DistrictValue> value,
                             Districting start, const DistrictSearchOptions& options, std::size_t chain)
    : graph_(graph),
      value_(std::move(value)),
      exchanges_(value_->exchanges(start.count())),
      districts_(std::move(start)),
      options_(options),
      chain_(chain),
      random_(options.seed, Purpose::kDistrictSearch, 2, chain),
      memory_(graph.units(), exchanges_ ? 0 : options.remembered),
      hash_(districts_.count()),
      cost_(districts_.count()),
      version_(districts_.count()),
      looked_(std::bit_ceil(32 * districts_.count())),
      order_(districts_.count()),
      place_(districts_.count()) {
  std::iota(order_.begin(), order_.end(), 0u);
  for (std::uint32_t district = 0; district < districts_.count(); ++district) tell_exchanges(district);
  for (std::uint32_t district = 0; district < districts_.count(); ++district) {
    for (const std::uint32_t unit : districts_.units(district))
      hash_[district] = hash_[district] ^ memory_.word(unit);
    recount(district);
  }
}

DistrictSearchResult DistrictChain::run() {
  DistrictSearchResult result;
  result.chain = chain_;
  const auto value_of = [&] {
    double sum = 0;
    for (std::uint32_t district = 0; district < districts_.count(); ++district)
      sum += value_->value(districts_.units(district));
    return sum;
  };
  result.start_value = value_of();
  remember_best();
  improve();
  remember_best();
  result.first_optimum = value_of();
  while (result.iterations < options_.iterations && !asked_to_stop()) {
    move_at_random();
    const bool finished = improve();
    remember_best();
    result.iterations += finished ? 1 : 0;
    if (finished && options_.iterated) options_.iterated();
  }
  districts_ = Districting(graph_, best_);
  result.district_of = best_;
  result.value = value_of();
  result.feasible = districts_.is_feasible();
  result.moves = moves_;
  result.values = values_;
  result.stopped = stopped_;
  return result;
}

void DistrictChain::remember_best() {
  if (const double now = total(); now < best_cost_) {
    best_cost_ = now;
    best_.assign(districts_.district_of().begin(), districts_.district_of().end());
  }
}

double DistrictChain::total() const { return std::accumulate(cost_.begin(), cost_.end(), 0.0); }

double DistrictChain::cost(std::size_t units, double value) const {
  const DistrictSizes& sizes = graph_.sizes();
  if (units <= 1 && sizes.lower > 1) return options_.penalty * static_cast<double>(sizes.upper);
  return value + options_.penalty * static_cast<double>(size_violation(units, sizes));
}

void DistrictChain::recount(std::uint32_t district) {
  cost_[district] = changed_cost(district, kNoUnit, kNoUnit);
  version_[district] = ++changes_;
}

// What a district would cost with one unit less, one more, or both; infinite where it would fall apart.
double DistrictChain::changed_cost(std::uint32_t district, std::uint32_t without, std::uint32_t with) {
  if (exchanges_) {
    const double value = exchanges_->value(district, without, with);
    ++values_;
    if (value == kDisconnected) return value;
    return cost(districts_.size(district) + (with != kNoUnit) - (without != kNoUnit), value);
  }
  SetHash hash = hash_[district];
  if (without != kNoUnit) hash = hash ^ memory_.word(without);
  if (with != kNoUnit) hash = hash ^ memory_.word(with);
  ValueMemory::Entry& entry = memory_.entry(hash);
  if (entry.hash == hash && !(hash == SetHash{})) return entry.value;
  trial_.clear();
  for (const std::uint32_t unit : districts_.units(district)) {
    if (with < unit && (trial_.empty() || trial_.back() < with)) trial_.push_back(with);
    if (unit != without) trial_.push_back(unit);
  }
  if (with != kNoUnit && (trial_.empty() || trial_.back() < with)) trial_.push_back(with);
  entry.hash = hash;
  entry.value = kDisconnected;
  if (districts_.is_connected(trial_)) {
    ++values_;
    entry.value = cost(trial_.size(), value_->value(trial_));
  }
  return entry.value;
}

// Sizes only; whether districts stay in one piece shows in their cost.
bool DistrictChain::allows(std::uint32_t a, std::uint32_t b, const Move& move) const {
  if (move.first != kNoUnit && move.second != kNoUnit) return true;
  const std::uint32_t source = move.first != kNoUnit ? a : b, target = source == a ? b : a;
  return districts_.size(target) < graph_.sizes().upper && districts_.size(source) > graph_.sizes().lower;
}

void DistrictChain::apply(std::uint32_t a, std::uint32_t b, const Move& move) {
  const auto carry = [&](std::uint32_t unit, std::uint32_t from, std::uint32_t to) {
    if (unit == kNoUnit) return;
    districts_.move(unit, to);
    hash_[from] = hash_[from] ^ memory_.word(unit);
    hash_[to] = hash_[to] ^ memory_.word(unit);
  };
  carry(move.first, a, b);
  carry(move.second, b, a);
  tell_exchanges(a);
  tell_exchanges(b);
  recount(a);
  recount(b);
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
  const double before = cost_[a] + cost_[b];
  double best_cost = before - improvement_needed(before);
  std::optional<Move> best;
  const auto look = [&](const Move& move) {
    ++moves_;
    const double rest = changed_cost(a, move.first, move.second);
    if (rest == kDisconnected) return;
    const double after = rest + changed_cost(b, move.second, move.first);
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
  const auto draw = [&](const Move& move) {
    if (random_.uniform() >= options_.move_probability) return;
    if (move.first != kNoUnit && (districts_.district(move.first) != a || !districts_.borders(move.first, b)))
      return;
    if (move.second != kNoUnit &&
        (districts_.district(move.second) != b || !districts_.borders(move.second, a)))
      return;
    if (!allows(a, b, move)) return;
    if (changed_cost(a, move.first, move.second) == kDisconnected) return;
    if (changed_cost(b, move.second, move.first) == kDisconnected) return;
    apply(a, b, move);
  };
  for (const std::uint32_t unit : border_a_) draw({unit, kNoUnit});
  for (const std::uint32_t first : border_a_) {
    for (const std::uint32_t second : border_b_) draw({first, second});
  }
  for (const std::uint32_t unit : border_b_) draw({kNoUnit, unit});
}

}  // namespace polystep::solvers
