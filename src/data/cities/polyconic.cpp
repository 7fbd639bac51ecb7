#include "data/cities/polyconic.hpp"

#include <cmath>
#include <numbers>

namespace polystep {
namespace {

constexpr double kRadius = 6378.137;  // km, at the equator
constexpr double kFlattening = 1 / 298.257223563;
constexpr double kEccentricity2 = kFlattening * (2 - kFlattening);
constexpr double kRadians = std::numbers::pi / 180;

// Along the meridian from the equator, in equatorial radii.
double meridian_arc(double latitude) {
  constexpr double e2 = kEccentricity2, e4 = e2 * e2, e6 = e4 * e2, e8 = e4 * e4;
  return (1 - e2 / 4 - 3 * e4 / 64 - 5 * e6 / 256 - 175 * e8 / 16384) * latitude -
         (3 * e2 / 8 + 3 * e4 / 32 + 45 * e6 / 1024 + 105 * e8 / 4096) * std::sin(2 * latitude) +
         (15 * e4 / 256 + 45 * e6 / 1024 + 525 * e8 / 16384) * std::sin(4 * latitude) -
         (35 * e6 / 3072 + 175 * e8 / 12288) * std::sin(6 * latitude) +
         315 * e8 / 131072 * std::sin(8 * latitude);
}

}  // namespace

Point polyconic(Point degrees, Point reference, PolyconicForm form) {
  const double latitude = degrees.y * kRadians, longitude = (degrees.x - reference.x) * kRadians;
  const double sine = std::sin(latitude);
  const double parallel = std::cos(latitude) / std::sqrt(1 - kEccentricity2 * sine * sine);
  const double arc = meridian_arc(latitude) - meridian_arc(reference.y * kRadians);
  if (sine == 0) return {kRadius * parallel * longitude, kRadius * arc};
  const double half = std::sin(0.5 * (form == PolyconicForm::kTrue ? longitude * sine : longitude));
  return {kRadius * parallel * std::sin(longitude * sine) / sine,
          kRadius * (arc + parallel * 2 * half * half / sine)};
}

}  // namespace polystep
