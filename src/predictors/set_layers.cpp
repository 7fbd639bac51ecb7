#include "predictors/set_layers.hpp"

namespace polystep {

std::vector<SetLayer> set_layers(std::size_t inputs) {
  std::vector<SetLayer> layers;
  std::size_t place = 0;
  const auto add = [&](std::size_t from, std::size_t units, std::size_t rows) {
    layers.push_back({from, units, rows, place, place + rows * units});
    place += rows * units + units;
  };
  for (const std::size_t units : kSetConvolutions) {
    add(inputs, units, 2 * inputs);
    inputs = units;
  }
  add(inputs, kSetDense, inputs);
  add(kSetDense, 1, kSetDense);
  return layers;
}

void PackedSetLayer::pack(const SetLayer& layer, std::span<const float> theta) {
  weight.resize(layer.rows, layer.units);
  weight.take(theta.data() + layer.weight);
  bias.assign(weight.count() * kPanelWidth, 0.0f);
  std::copy_n(theta.data() + layer.bias, layer.units, bias.begin());
}

void PackedSetLayer::pass(const float* values, std::size_t rows, Panels& out) const {
  out.resize(rows, weight.count() * kPanelWidth);
  for (std::size_t p = 0; p < weight.count(); ++p)
    multiply_rows({.values = values,
                   .rows = rows,
                   .inputs = weight.rows(),
                   .value_stride = weight.rows(),
                   .weight = weight.panel(p),
                   .units = kPanelWidth,
                   .bias = bias.data() + p * kPanelWidth,
                   .rectified = true,
                   .sums = out.panel(p),
                   .sum_stride = kPanelWidth});
}

void put_beside_neighbours(const float* own, std::size_t rows, std::size_t columns, const RowPairs& pairs,
                           AlignedFloats& both) {
  both.resize(rows * 2 * columns);
  for (std::size_t row = 0; row < rows; ++row) {
    std::copy_n(own + row * columns, columns, both.data() + row * 2 * columns);
    std::fill_n(both.data() + row * 2 * columns + columns, columns, 0.0f);
  }
  const auto add = [&](std::uint32_t to, std::uint32_t from) {
    float* sum = both.data() + to * 2 * columns + columns;
    const float* next = own + from * columns;
    for (std::size_t c = 0; c < columns; ++c) sum[c] += next[c];
  };
  for (const auto& [a, b] : pairs) {
    add(a, b);
    add(b, a);
  }
}

}  // namespace polystep
