// Longitude and latitude to the plane of a city: the polyconic projection of the WGS84 ellipsoid.
//
// Distances near the reference point are true: within 30 km of it they are off by less than one part in ten
// thousand.
#pragma once

#include "data/cities/city.hpp"

namespace polystep {

// The published cities took a cosine of the wrong angle, which moves points by centimetres near the reference
// point and by metres far from it (and without bound on the equator).
enum class PolyconicForm { kTrue, kPublished };

// Kilometres east (x) and north (y) of the reference point. Both points in degrees, x longitude, y latitude.
Point polyconic(Point degrees, Point reference, PolyconicForm form = PolyconicForm::kTrue);

}  // namespace polystep
