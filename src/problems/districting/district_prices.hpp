// What the districts of one city cost, priced when first asked for.
//
// Stored prices are those of the published benchmark, complete for its small cities. Tour prices drive the
// tours themselves: nearly optimal ones, for as few districts as training ever asks for.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "data/cities/city_files.hpp"
#include "problems/districting/routing_costs.hpp"
#include "solvers/spanning_tree/connected_sets.hpp"

namespace polystep {

class DistrictPrices {
 public:
  virtual ~DistrictPrices() = default;

  // km, of a set by its number and units; kUnlisted where sets are not numbered. Called from several threads
  // at once.
  static constexpr std::size_t kUnlisted = static_cast<std::size_t>(-1);
  virtual double price(std::size_t set, std::span<const std::uint32_t> units) const = 0;

  // Of all sets.
  std::vector<double> all(const solvers::ConnectedSets& sets) const;
};

// Throws InputError where the stored districts are not exactly the sets.
std::unique_ptr<DistrictPrices> stored_prices(const solvers::ConnectedSets& sets,
                                              const PricedDistricts& stored);

// What all cities share: the memory of prices, and the lock that guards it.
struct SharedRouting {
  explicit SharedRouting(NumberMemory remembered) : memory(std::move(remembered)) {}

  NumberMemory memory;
  std::mutex lock;
};
// sets: how many are numbered; prices of others are looked up in the memory alone.
std::unique_ptr<DistrictPrices> tour_prices(std::size_t sets, const City& city,
                                            const RoutingSettings& settings,
                                            std::shared_ptr<SharedRouting> routing);

}  // namespace polystep
