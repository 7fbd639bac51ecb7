// The ways to bring a problem without code: one line each.
#include "own/model_kind.hpp"
#include "own/own_kind.hpp"
#include "own/own_solver.hpp"

namespace polystep {

const std::vector<OwnKindEntry>& own_kinds() {
  static const std::vector<OwnKindEntry> kinds = {
      {"model", read_model_kind},
      {"solver", read_own_solver},
  };
  return kinds;
}

}  // namespace polystep
