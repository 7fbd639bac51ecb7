// The moving point: search coordinates and their velocity.
#pragma once

#include <span>
#include <vector>

#include "polystep/archive.hpp"

namespace polystep {

struct Motion {
  std::vector<double> y;             // [padded coordinates]
  std::vector<double> velocity;      // [padded coordinates]
  std::vector<double> displacement;  // of the last step, [padded coordinates]

  explicit Motion(std::size_t coordinates)
      : y(coordinates, 0.0), velocity(coordinates, 0.0), displacement(coordinates, 0.0) {}

  // velocity = momentum * velocity + step_length * direction; y += gain * velocity. If that is not finite, y
  // stays, the velocity is dropped and the answer is false.
  bool advance(std::span<const double> direction, double step_length, double momentum, double gain);

  void reset();  // to the origin, at rest
  void save(ArchiveWriter& archive) const;
  void load(ArchiveReader& archive);
};

}  // namespace polystep
