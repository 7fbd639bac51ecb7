// The ways to bring a problem without code: one line each.
#include "own/own_kind.hpp"

namespace polystep {

const std::vector<OwnKindEntry>& own_kinds() {
  static const std::vector<OwnKindEntry> kinds = {};
  return kinds;
}

}  // namespace polystep
