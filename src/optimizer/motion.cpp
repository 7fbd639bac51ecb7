#include "optimizer/motion.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace polystep {

bool Motion::advance(std::span<const double> direction, double step_length, double momentum, double gain) {
  bool finite = true;
  for (std::size_t i = 0; i < y.size(); ++i) {
    velocity[i] = momentum * velocity[i] + step_length * direction[i];
    displacement[i] = gain * velocity[i];
    finite = finite && std::isfinite(y[i] + displacement[i]);
  }
  if (!finite) {
    std::fill(velocity.begin(), velocity.end(), 0.0);
    std::fill(displacement.begin(), displacement.end(), 0.0);
  }
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += displacement[i];
  return finite;
}

void Motion::reset() {
  std::fill(y.begin(), y.end(), 0.0);
  std::fill(velocity.begin(), velocity.end(), 0.0);
}

void Motion::save(ArchiveWriter& archive) const {
  archive.put(y);
  archive.put(velocity);
}

void Motion::load(ArchiveReader& archive) {
  std::vector<double> saved_y = archive.get_doubles();
  std::vector<double> saved_velocity = archive.get_doubles();
  if (saved_y.size() != y.size() || saved_velocity.size() != y.size())
    throw InputError(
        fmt::format("checkpoint: its point has {} coordinates, this run's has {}", saved_y.size(), y.size()));
  y = std::move(saved_y);
  velocity = std::move(saved_velocity);
}

}  // namespace polystep
