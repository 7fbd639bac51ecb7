// The plane of a city: longitude and latitude laid flat around its reference point.
#pragma once

#include "data/city.hpp"

namespace polystep {

// Polyconic projection of the WGS84 ellipsoid, as the published cities have it: kilometres, x east, y north.
Point to_plane(Point degrees, Point reference_degrees);

}  // namespace polystep
