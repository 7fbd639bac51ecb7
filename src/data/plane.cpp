#include "data/plane.hpp"

#include <cmath>
#include <numbers>

namespace polystep {
namespace {

constexpr double kRadius = 6378.137;                     // equatorial, km
constexpr double kEccentricity2 = 0.006694379990141317;  // squared

// Length of the meridian from the equator, in radii.
double meridian_arc(double latitude) {
  const double e2 = kEccentricity2, e4 = e2 * e2, e6 = e4 * e2, e8 = e4 * e4;
  return (1 - e2 / 4 - 3 * e4 / 64 - 5 * e6 / 256 - 175 * e8 / 16384) * latitude -
         (3 * e2 / 8 + 3 * e4 / 32 + 45 * e6 / 1024 + 105 * e8 / 4096) * std::sin(2 * latitude) +
         (15 * e4 / 256 + 45 * e6 / 1024 + 525 * e8 / 16384) * std::sin(4 * latitude) -
         (35 * e6 / 3072 + 175 * e8 / 12288) * std::sin(6 * latitude) +
         315 * e8 / 131072 * std::sin(8 * latitude);
}

}  // namespace

Point to_plane(Point degrees, Point reference_degrees) {
  constexpr double kRadians = std::numbers::pi / 180;
  const double latitude = degrees.y * kRadians;
  const double longitude = (degrees.x - reference_degrees.x) * kRadians;
  const double north = meridian_arc(latitude) - meridian_arc(reference_degrees.y * kRadians);
  const double sine = std::sin(latitude);
  // On the equator the formula has the form 0/0, and its limit is the cylinder.
  if (std::abs(sine) < 1e-10) return {kRadius * longitude, kRadius * north};
  const double cotangent = std::cos(latitude) / (std::sqrt(1 - kEccentricity2 * sine * sine) * sine);
  // The published planes take the cosine of the longitude itself, not of its product with the sine of the
  // latitude; that is a matter of centimetres.
  return {kRadius * cotangent * std::sin(longitude * sine),
          kRadius * (north + cotangent * (1 - std::cos(longitude)))};
}

}  // namespace polystep
