// A city of the user's own, as GeoJSON.
//
// The file is a FeatureCollection; every feature is a unit with a Polygon or MultiPolygon in longitude and
// latitude and a property POPULATION (in any case). Everything else follows from that: areas, borders,
// centres and the plane. Units touch where they share a piece of border, not a corner alone. Demand of a unit
// in several parts is drawn in the largest one.
//
// Files of the published cities' kind have more: AREA, PERIMETER, DENSITY, LIST_ADJACENT, centre and POINTS
// of every feature, and metadata.REFERENCE_LONGLAT. Where all features have these, they are taken as they
// are.
#pragma once

#include <string>
#include <string_view>

#include "data/cities/city.hpp"

namespace polystep {

// Throws InputError, naming the file and the feature (from 0), for anything that cannot be used, and for
// units that do not hang together.
City parse_geojson_city(std::string_view text, const std::string& path);
City read_geojson_city(const std::string& path);  // named after the file

}  // namespace polystep
