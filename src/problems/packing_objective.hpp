// Values to be collected, as the objective that PredictedRows shows: minimised.
#pragma once

#include <span>
#include <vector>

namespace polystep {

inline std::vector<double> negated(std::span<const double> values) {
  std::vector<double> objective;
  for (const double value : values) objective.push_back(-value);
  return objective;
}

}  // namespace polystep
