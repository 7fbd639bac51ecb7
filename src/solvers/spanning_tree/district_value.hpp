// What a district is worth to the search, whoever says so: spanning trees of predicted weights, or any
// estimate of a tour's length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

namespace polystep::solvers {

// Values of districts with one unit less, one more, or both, for a value that knows them sooner than from
// scratch. It keeps all districts of a partition.
class DistrictExchanges {
 public:
  static constexpr std::uint32_t kNoUnit = std::numeric_limits<std::uint32_t>::max();

  virtual ~DistrictExchanges() = default;

  // Its units from now on, ascending. Before a value is asked for, every unit must be in one district again.
  virtual void set(std::uint32_t district, std::span<const std::uint32_t> units) = 0;

  // Infinite where the district would fall apart or have no units. kNoUnit stands for none; `with` is a unit
  // of another district.
  virtual double value(std::uint32_t district, std::uint32_t without, std::uint32_t with) = 0;
};

class DistrictValue {
 public:
  virtual ~DistrictValue() = default;

  // Of a connected set of units, ascending; lower is better. It must depend on the units alone: the search
  // remembers values. An implementation may keep workspaces, because every chain has its own object.
  virtual double value(std::span<const std::uint32_t> units) = 0;

  virtual std::unique_ptr<DistrictValue> clone() const = 0;

  // None where values are computed from scratch. This object must outlive them.
  virtual std::unique_ptr<DistrictExchanges> exchanges(std::size_t districts) const {
    (void)districts;
    return nullptr;
  }
};

}  // namespace polystep::solvers
