// First layers of millions of weights: products with all rows of a minibatch at once, in single precision.
//
// The weights are read and packed once per minibatch instead of once per tile. What follows the first layer
// is small and stays in double precision, tile by tile, so that predictions do not depend on the tiles beside
// them.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "polystep/aligned.hpp"
#include "polystep/batch_pass.hpp"
#include "polystep/parallel_for.hpp"
#include "predictors/dense_stack.hpp"
#include "simd/packed_products.hpp"

namespace polystep {

// The rows of features of tiles, and products of a weight matrix with them. Table rows lie as in a stack: row
// (joint × width + lane) of each tile in turn.
class LargeLayer {
 public:
  // Whether a matrix of this size gains by it.
  static bool serves(std::size_t inputs, std::size_t units) {
    return inputs * units >= (std::size_t{1} << 20);
  }

  // products [units × stride()] of weight [units × inputs] with every row.
  void multiply(const double* weight, std::size_t units, std::size_t inputs, std::span<const Tile> tiles,
                const ParallelFor& parallel);
  float product(std::size_t unit, std::size_t row) const { return products_[unit * stride_ + row]; }

  // weight [units × inputs] = above^T [units × rows] times the rows of these tiles.
  void weight_gradient(const AlignedFloats& above, std::size_t units, std::size_t inputs,
                       std::span<const Tile> tiles, double* weight, const ParallelFor& parallel);

 private:
  struct Group {             // table rows that lie together: lanes of one joint
    const double* features;  // [inputs × width]
    std::size_t width;
    std::size_t first;  // row
  };

  void find_groups(std::span<const Tile> tiles, std::size_t inputs);
  std::size_t width_of(std::size_t panel, std::size_t columns) const;

  std::vector<Group> groups_;
  std::size_t rows_ = 0, stride_ = 0;
  PackedRows packed_;
  AlignedFloats panels_, products_;
};

// The pass of a stack whose first layer is large; the stack must outlive it.
std::unique_ptr<BatchPass> make_large_pass(const DenseStack& stack, ParallelFor parallel);

}  // namespace polystep
