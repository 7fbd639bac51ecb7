#include "predictors/large_layer.hpp"

#include <algorithm>

namespace polystep {
namespace {

constexpr std::size_t kVector = 16;  // widths of panels are multiples of it
constexpr std::size_t kSquare = 16;  // of a transposition

}  // namespace

void LargeLayer::find_groups(std::span<const Tile> tiles, std::size_t inputs) {
  groups_.clear();
  rows_ = 0;
  for (const Tile& tile : tiles)
    for (std::size_t joint = 0; joint < tile.shape.features / inputs; ++joint, rows_ += tile.width)
      groups_.push_back({tile.features + joint * inputs * tile.width, tile.width, rows_});
}

std::size_t LargeLayer::width_of(std::size_t panel, std::size_t columns) const {
  const std::size_t left = std::min(kPanelColumns, columns - panel * kPanelColumns);
  return (left + kVector - 1) / kVector * kVector;
}

void LargeLayer::multiply(const double* weight, std::size_t units, std::size_t inputs,
                          std::span<const Tile> tiles, const ParallelFor& parallel) {
  find_groups(tiles, inputs);
  const std::size_t panels = panels_for(rows_);
  stride_ = panels == 0 ? 0 : (panels - 1) * kPanelColumns + width_of(panels - 1, rows_);
  packed_.pack(units, inputs,
               [&](std::size_t unit, std::size_t input) { return weight[unit * inputs + input]; });
  panels_.resize(stride_ * inputs);
  products_.resize(units * stride_);
  // Rows as columns: lanes lie side by side already.
  for_each_slot(parallel, panels, [&](std::size_t panel) {
    const std::size_t first = panel * kPanelColumns, last = std::min(rows_, first + kPanelColumns);
    const std::size_t width = width_of(panel, rows_);
    float* to = panels_.data() + first * inputs;
    if (last - first < width) std::fill_n(to, width * inputs, 0.0f);
    auto group = std::ranges::upper_bound(groups_, first, {}, &Group::first) - 1;
    for (; group != groups_.end() && group->first < last; ++group) {
      const std::size_t begin = std::max(first, group->first),
                        end = std::min(last, group->first + group->width);
      const double* from = group->features + (begin - group->first);
      const std::size_t stride = group->width, count = end - begin;
      float* column = to + (begin - first);
      if (count == kLanes && stride == kLanes)
        for (std::size_t i = 0; i < inputs; ++i)
          for (std::size_t lane = 0; lane < kLanes; ++lane)
            column[i * width + lane] = static_cast<float>(from[i * kLanes + lane]);
      else
        for (std::size_t i = 0; i < inputs; ++i)
          for (std::size_t lane = 0; lane < count; ++lane)
            column[i * width + lane] = static_cast<float>(from[i * stride + lane]);
    }
    multiply_packed(packed_, to, width, products_.data() + first, stride_);
  });
}

void LargeLayer::weight_gradient(const AlignedFloats& above, std::size_t units, std::size_t inputs,
                                 std::span<const Tile> tiles, double* weight, const ParallelFor& parallel) {
  find_groups(tiles, inputs);
  const std::size_t panels = panels_for(inputs);
  packed_.pack(units, rows_, [&](std::size_t unit, std::size_t row) { return above[row * units + unit]; });
  panels_.resize(panels * kPanelColumns * rows_);
  products_.resize(units * panels * kPanelColumns);
  for_each_slot(parallel, panels, [&](std::size_t panel) {
    const std::size_t first = panel * kPanelColumns, own = std::min(kPanelColumns, inputs - first);
    const std::size_t width = width_of(panel, inputs);
    float* to = panels_.data() + first * rows_;
    if (own < width) std::fill_n(to, width * rows_, 0.0f);
    for (const Group& group : groups_) {
      const double* from = group.features + first * group.width;
      float* row = to + group.first * width;
      for (std::size_t i = 0; i < own; i += kSquare)
        for (std::size_t lane = 0; lane < group.width; ++lane)
          for (std::size_t k = i; k < std::min(own, i + kSquare); ++k)
            row[lane * width + k] = static_cast<float>(from[k * group.width + lane]);
    }
    float* sums =
        products_.data() + panel * units * kPanelColumns;  // a panel's own, so that they stay in a cache
    multiply_packed(packed_, to, width, sums, width);
    for (std::size_t unit = 0; unit < units; ++unit)
      for (std::size_t i = 0; i < own; ++i) weight[unit * inputs + first + i] = sums[unit * width + i];
  });
}

namespace {

class LargePass final : public BatchPass {
 public:
  LargePass(const DenseStack& stack, ParallelFor parallel) : stack_(stack), parallel_(std::move(parallel)) {}

  void predict(std::span<const double> theta, std::span<const Tile> tiles, double* predictions) override {
    const DenseStack::Layer& layer = stack_.layers().front();
    layer_.multiply(theta.data() + layer.weight, layer.units, layer.inputs, tiles, parallel_);
    works_.resize(std::max(works_.size(), tiles.size()));
    begin_.assign(1, 0);
    for (const Tile& tile : tiles) begin_.push_back(begin_.back() + rows_of(tile));
    for_each_slot(parallel_, tiles.size(), [&](std::size_t number) {
      const std::size_t first = begin_[number], rows = begin_[number + 1] - first, outputs = stack_.outputs();
      StackWork& work = works_[number];
      work.prepare(stack_, rows);
      AlignedDoubles& sums = work.units[0];
      for (std::size_t block = 0; block < layer.units; block += kSquare)
        for (std::size_t row = 0; row < rows; ++row)
          for (std::size_t u = block; u < std::min(layer.units, block + kSquare); ++u)
            sums[row * layer.units + u] = theta[layer.bias + u] + layer_.product(u, first + row);
      stack_.forward(theta.subspan(stack_.head_begin()), rows, work);
      const AlignedDoubles& units = work.units[stack_.layers().size() - 1];
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t u = 0; u < outputs; ++u)
          predictions[place(tiles[number], first, row, u)] = units[row * outputs + u];
    });
  }

  void pull_back(std::span<const double> theta, std::span<const Tile> tiles, const double* output_gradient,
                 std::span<double> gradient) override {
    const DenseStack::Layer& layer = stack_.layers().front();
    const std::size_t outputs = stack_.outputs(), head = stack_.head_begin();
    above_.resize(begin_[tiles.size()] * layer.units);
    std::ranges::fill(gradient.subspan(layer.bias), 0.0);
    for (std::size_t number = 0; number < tiles.size(); ++number) {  // in order: they add to the same sums
      const std::size_t first = begin_[number], rows = begin_[number + 1] - first;
      StackWork& work = works_[number];
      work.above.resize(rows * outputs);
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t u = 0; u < outputs; ++u)
          work.above[row * outputs + u] = output_gradient[place(tiles[number], first, row, u)];
      stack_.backward(theta.subspan(head), rows, work, gradient.subspan(head));
      add_rows(work.above.data(), rows, layer.units, gradient.data() + layer.bias);
      std::copy_n(work.above.begin(), rows * layer.units,
                  above_.begin() + static_cast<std::ptrdiff_t>(first * layer.units));
    }
    layer_.weight_gradient(above_, layer.units, layer.inputs, tiles, gradient.data() + layer.weight,
                           parallel_);
  }

 private:
  std::size_t rows_of(const Tile& tile) const { return tile.shape.features / stack_.inputs() * tile.width; }

  // Of an output in the predictions of all tiles: tiles of a stack's rows one after the other.
  std::size_t place(const Tile& tile, std::size_t first, std::size_t row, std::size_t unit) const {
    const std::size_t outputs = stack_.outputs();
    return first * outputs + (row / tile.width * outputs + unit) * tile.width + row % tile.width;
  }

  const DenseStack& stack_;
  ParallelFor parallel_;
  LargeLayer layer_;
  std::vector<StackWork> works_;    // [tiles], what each left behind
  std::vector<std::size_t> begin_;  // [tiles + 1], rows
  AlignedFloats above_;             // gradient with respect to the first layer's sums, [rows × units]
};

}  // namespace

std::unique_ptr<BatchPass> make_large_pass(const DenseStack& stack, ParallelFor parallel) {
  return std::make_unique<LargePass>(stack, std::move(parallel));
}

}  // namespace polystep
