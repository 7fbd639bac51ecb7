// The layers of SetNetwork, and what goes in and out of them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "predictors/panels.hpp"

namespace polystep {

inline constexpr std::array<std::size_t, 4> kSetConvolutions = {64, 64, 64, 1024};
inline constexpr std::size_t kSetDense = 100;
// All but the last have a single panel, so that their rows lie one after the other.
static_assert(kSetConvolutions[0] == kPanelWidth && kSetConvolutions[1] == kPanelWidth &&
              kSetConvolutions[2] == kPanelWidth);

// Where a layer's parameters are. Of a convolution W1 and W2, one below the other, are one matrix of twice as
// many rows as it has inputs.
struct SetLayer {
  std::size_t inputs = 0, units = 0, rows = 0;  // rows of the matrix
  std::size_t weight = 0, bias = 0;             // in theta
};

std::vector<SetLayer> set_layers(std::size_t inputs);

// A layer's weights and bias as products take them.
struct PackedSetLayer {
  Panels weight;       // [rows × units]
  AlignedFloats bias;  // [units], filled up with 0

  void pack(const SetLayer& layer, std::span<const float> theta);
  // out [rows × units] of values [rows × the matrix' rows], one after the other, rectified.
  void pass(const float* values, std::size_t rows, Panels& out) const;
};

// Rows [own | sum of neighbours], for rows `columns` wide of several graphs below each other; each pair of
// neighbours comes once.
using RowPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
void put_beside_neighbours(const float* own, std::size_t rows, std::size_t columns, const RowPairs& pairs,
                           AlignedFloats& both);

}  // namespace polystep
