#include "solvers/spanning_tree/priced_districts.hpp"

#include <numeric>
#include <utility>

namespace polystep::solvers {

PricedDistricts::PricedDistricts(const DistrictGraph& graph, std::unique_ptr<DistrictValue> value,
                                 Districting start, double penalty, std::size_t remembered)
    : graph_(graph),
      value_(std::move(value)),
      exchanges_(value_->exchanges(start.count())),
      districts_(std::move(start)),
      penalty_(penalty),
      memory_(graph.units(), exchanges_ ? 0 : remembered),
      hash_(districts_.count()),
      cost_(districts_.count()) {
  for (std::uint32_t district = 0; district < districts_.count(); ++district) tell_exchanges(district);
  for (std::uint32_t district = 0; district < districts_.count(); ++district) {
    for (const std::uint32_t unit : districts_.units(district))
      hash_[district] = hash_[district] ^ memory_.word(unit);
    cost_[district] = changed_cost(district, kNoUnit, kNoUnit);
  }
}

double PricedDistricts::total() const { return std::accumulate(cost_.begin(), cost_.end(), 0.0); }

double PricedDistricts::values_together() {
  double sum = 0;
  for (std::uint32_t district = 0; district < districts_.count(); ++district)
    sum += value_->value(districts_.units(district));
  return sum;
}

double PricedDistricts::cost_of(std::size_t units, double value) const {
  const DistrictSizes& sizes = graph_.sizes();
  if (units <= 1 && sizes.lower > 1) return penalty_ * static_cast<double>(sizes.upper);
  return value + penalty_ * static_cast<double>(size_violation(units, sizes));
}

double PricedDistricts::changed_cost(std::uint32_t district, std::uint32_t without, std::uint32_t with) {
  if (exchanges_) {
    const double value = exchanges_->value(district, without, with);
    ++values_;
    if (value == kDisconnected) return value;
    return cost_of(districts_.size(district) + (with != kNoUnit) - (without != kNoUnit), value);
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
    entry.value = cost_of(trial_.size(), value_->value(trial_));
  }
  return entry.value;
}

void PricedDistricts::apply(std::uint32_t a, std::uint32_t b, const DistrictMove& move) {
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
  cost_[a] = changed_cost(a, kNoUnit, kNoUnit);
  cost_[b] = changed_cost(b, kNoUnit, kNoUnit);
}

}  // namespace polystep::solvers
