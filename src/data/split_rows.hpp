// Chosen rows of a split, in the order given; each keeps the number of its instance.
#pragma once

#include <span>

#include "polystep/dataset.hpp"

namespace polystep {

Split take_rows(const Split& split, std::span<const std::size_t> rows);

}  // namespace polystep
