// A map of plans as one self-contained page: open it in any browser, send it to anybody. It asks for nothing
// over the network. The sources of the page are in web/.
#pragma once

#include <string>

#include "report/districting_map.hpp"

namespace polystep {

std::string districting_page(const DistrictingMap& map, bool tours);

}  // namespace polystep
