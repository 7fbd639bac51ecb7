// A map of plans as one picture for papers: no scripts, no fonts of its own, the same bytes for the same
// plans.
#pragma once

#include <string>

#include "report/districting_map.hpp"

namespace polystep {

// Plans stand two in a row, each with its method and cost above it. Tours where the file has them and
// `tours`.
std::string districting_svg(const DistrictingMap& map, bool tours);

}  // namespace polystep
