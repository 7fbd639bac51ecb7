// The city that somebody names: a GeoJSON file, a published city, or one that is drawn.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "data/cities/city.hpp"

namespace polystep {

// "cities/bonn.geojson", "London", "city7", "synthetic:500". units: only the first so many. data_directory:
// as found by find_data_directory; "" where there is none, and published cities are then refused, but for
// Synth2000, which is drawn. Throws InputError.
City choose_city(const std::string& word, std::optional<std::size_t> units,
                 const std::string& data_directory);

}  // namespace polystep
