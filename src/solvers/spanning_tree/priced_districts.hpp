// A partition whose districts are priced: what each is worth, what it would be worth after a move, and the
// moves themselves. Searches differ in which moves they try and take; this they share.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "solvers/spanning_tree/district_value.hpp"
#include "solvers/spanning_tree/districting.hpp"
#include "solvers/spanning_tree/value_memory.hpp"

namespace polystep::solvers {

// A unit of each of two districts that changes sides; one of them may be kNoUnit.
struct DistrictMove {
  static constexpr std::uint32_t kNoUnit = DistrictExchanges::kNoUnit;

  std::uint32_t first = kNoUnit;   // leaves the first district
  std::uint32_t second = kNoUnit;  // leaves the second
};

class PricedDistricts {
 public:
  static constexpr std::uint32_t kNoUnit = DistrictMove::kNoUnit;
  static constexpr double kDisconnected = std::numeric_limits<double>::infinity();

  // penalty: per unit that a district has too many or too few. remembered: values of sets, where the value
  // knows no exchanges. The graph must outlive this object.
  PricedDistricts(const DistrictGraph& graph, std::unique_ptr<DistrictValue> value, Districting start,
                  double penalty, std::size_t remembered);

  Districting& districts() { return districts_; }
  const Districting& districts() const { return districts_; }
  double cost(std::uint32_t district) const { return cost_[district]; }  // value and penalty
  double total() const;
  double value_of(std::span<const std::uint32_t> units) { return value_->value(units); }  // no penalty
  double values_together();                         // of the districts as they are, from scratch
  std::uint64_t values() const { return values_; }  // computed so far, not remembered

  // What a district would cost with one unit less, one more, or both; kDisconnected where it would fall
  // apart.
  double changed_cost(std::uint32_t district, std::uint32_t without, std::uint32_t with);

  // Differences below this are rounding: without it two partitions of equal value could take turns for ever.
  static double improvement_needed(double before) { return 1e-11 * (1.0 + std::abs(before)); }

  void apply(std::uint32_t a, std::uint32_t b, const DistrictMove& move);

 private:
  double cost_of(std::size_t units, double value) const;
  void tell_exchanges(std::uint32_t district) {
    if (exchanges_) exchanges_->set(district, districts_.units(district));
  }

  const DistrictGraph& graph_;
  std::unique_ptr<DistrictValue> value_;
  std::unique_ptr<DistrictExchanges> exchanges_;  // where the value has them; else values are remembered
  Districting districts_;
  double penalty_;
  ValueMemory memory_;
  std::vector<SetHash> hash_;  // [districts]
  std::vector<double> cost_;   // [districts]
  std::vector<std::uint32_t> trial_;
  std::uint64_t values_ = 0;
};

}  // namespace polystep::solvers
