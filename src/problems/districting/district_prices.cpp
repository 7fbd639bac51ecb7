#include "problems/districting/district_prices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

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
    const bool listed = set < prices_.size();
    if (const double known = listed ? prices_[set].load(std::memory_order_relaxed) : kUnknown;
        !std::isnan(known))
      return known;
    const District district(units.begin(), units.end());
    const ContentKey key = costs_.key(district);
    std::optional<std::int64_t> metres = remembered(key);
    if (!metres) {
      // Two threads may drive the same tours: they find the same sum.
      thread_local TourWorkspace workspace;
      metres = costs_.drive(district, workspace);
      remember(key, *metres);
    }
    const double price = costs_.kilometres(*metres);
    if (listed) prices_[set].store(price, std::memory_order_relaxed);
    return price;
  }

 private:
  std::optional<std::int64_t> remembered(const ContentKey& key) const {
    const std::lock_guard guard(routing_->lock);
    return routing_->memory.find(key);
  }
  void remember(const ContentKey& key, std::int64_t metres) const {
    const std::lock_guard guard(routing_->lock);
    routing_->memory.remember(key, metres);
    routing_->memory.save();
  }

  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  std::shared_ptr<SharedRouting> routing_;
  RoutingCosts costs_;
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

std::unique_ptr<DistrictPrices> tour_prices(std::size_t sets, const City& city,
                                            const RoutingSettings& settings,
                                            std::shared_ptr<SharedRouting> routing) {
  return std::make_unique<TourPrices>(sets, city, settings, std::move(routing));
}

}  // namespace polystep
