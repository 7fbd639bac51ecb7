// Orders names as people do: "degree=2" before "degree=16".
#pragma once

#include <string_view>

namespace polystep {

struct NaturalOrder {
  bool operator()(std::string_view a, std::string_view b) const;
};

}  // namespace polystep
