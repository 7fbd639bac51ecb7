#include "problems/districting/district_prices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "polystep/error.hpp"

namespace polystep {
namespace {

using solvers::ConnectedSets;

class StoredPrices final : public DistrictPrices {
 public:
  explicit StoredPrices(std::vector<double> prices) : prices_(std::move(prices)) {}
  double price(std::size_t set, std::span<const std::uint32_t>) const override { return prices_[set]; }

 private:
  std::vector<double> prices_;  // [sets]
};

class TourPrices final : public DistrictPrices {
 public:
  TourPrices(std::size_t sets, const City& city, const RoutingSettings& settings,
             std::shared_ptr<SharedRouting> routing)
      : routing_(std::move(routing)), costs_(city, settings, routing_->memory), prices_(sets) {
    for (auto& price : prices_) price.store(kUnknown, std::memory_order_relaxed);
  }

  double price(std::size_t set, std::span<const std::uint32_t> units) const override {
    double known = prices_[set].load(std::memory_order_relaxed);
    if (!std::isnan(known)) return known;
    const std::lock_guard guard(routing_->lock);
    ThreadTeam alone(1);
    const District district(units.begin(), units.end());
    known = costs_.costs(std::span(&district, 1), alone).front();
    prices_[set].store(known, std::memory_order_relaxed);
    return known;
  }

 private:
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  std::shared_ptr<SharedRouting> routing_;
  mutable RoutingCosts costs_;                       // guarded by the lock
  mutable std::vector<std::atomic<double>> prices_;  // [sets]; NaN: not asked for yet
};

}  // namespace

std::vector<double> DistrictPrices::all(const ConnectedSets& sets) const {
  std::vector<double> prices;
  prices.reserve(sets.size());
  for (std::size_t set = 0; set < sets.size(); ++set) prices.push_back(price(set, sets.units(set)));
  return prices;
}

std::unique_ptr<DistrictPrices> stored_prices(const ConnectedSets& sets, const PricedDistricts& stored) {
  if (stored.districts.size() != sets.size())
    throw InputError(fmt::format("stored costs of {}: found {} districts, expected the {} connected ones",
                                 stored.city, stored.districts.size(), sets.size()));
  for (std::size_t set = 0; set < sets.size(); ++set)
    if (!std::ranges::equal(stored.districts[set], sets.units(set)))
      throw InputError(fmt::format(
          "stored costs of {}: district {} is not the connected one that comes there", stored.city, set + 1));
  return std::make_unique<StoredPrices>(stored.costs);
}

std::unique_ptr<DistrictPrices> tour_prices(const ConnectedSets& sets, const City& city,
                                            const RoutingSettings& settings,
                                            std::shared_ptr<SharedRouting> routing) {
  return std::make_unique<TourPrices>(sets.size(), city, settings, std::move(routing));
}

}  // namespace polystep
