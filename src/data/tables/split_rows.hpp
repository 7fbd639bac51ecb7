// Chosen rows of a split, in the order given, and rows of two together; each keeps the number of its
// instance.
#pragma once

#include <span>

#include "polystep/dataset.hpp"

namespace polystep {

Split take_rows(const Split& split, std::span<const std::size_t> rows);

// The rows of one split and then those of another; all keep the numbers of their instances.
Split join_rows(const Split& first, const Split& second);

}  // namespace polystep
