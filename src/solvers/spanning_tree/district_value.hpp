// What a district is worth to the search, whoever says so: spanning trees of predicted weights, or any
// estimate of a tour's length.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace polystep::solvers {

class DistrictValue {
 public:
  virtual ~DistrictValue() = default;

  // Of a connected set of units, ascending; lower is better. It must depend on the units alone: the search
  // remembers values. An implementation may keep workspaces, because every chain has its own object.
  virtual double value(std::span<const std::uint32_t> units) = 0;

  virtual std::unique_ptr<DistrictValue> clone() const = 0;
};

}  // namespace polystep::solvers
