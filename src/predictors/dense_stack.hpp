// A stack of dense layers on rows of numbers: theta = weight [units × inputs] row-major and bias [units] of
// each layer in turn. Units of hidden layers are rectified; those of the last may go through the logistic
// function.
//
// The first layer's sums come from outside, since where its inputs lie is the business of whoever has them;
// the parameters behind the first layer are the head. Matrices are row-major, so that weights are read where
// they lie in theta. A call runs on one thread, and its products are cut at constants of the program: a
// result depends on the rows of its call alone.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "polystep/aligned.hpp"
#include "polystep/predictor.hpp"

namespace polystep {

// Rows that pass a stack together; a multiple of kLanes. More of them keep more weights in a cache, fewer
// keep activations there.
inline constexpr std::size_t kRowsPerBlock = 512;
static_assert(kRowsPerBlock % kLanes == 0);

// sums [rows × units] += values [rows × inputs] weight^T, where rows of weight [units × inputs] lie `stride`
// apart.
template <class Real>
void add_products(const Real* values, std::size_t rows, std::size_t inputs, const Real* weight,
                  std::size_t stride, std::size_t units, Real* sums);

// weight [units × inputs], rows `stride` apart, += sums^T [units × rows] values [rows × inputs].
void add_weight_gradient(const double* sums, std::size_t rows, std::size_t units, const double* values,
                         std::size_t inputs, std::size_t stride, double* weight);

// below [rows × inputs] = above [rows × units] weight [units × inputs]
void pull_back(const double* above, std::size_t rows, std::size_t units, const double* weight,
               std::size_t inputs, double* below);

// total [units] += the rows of sums, in order.
void add_rows(const double* sums, std::size_t rows, std::size_t units, double* total);

// What a pass over a block of rows leaves behind. A thread keeps one, so that passes need no new memory.
struct StackWork {
  std::vector<AlignedDoubles> units;  // [layers], each [rows × units] after its activation
  AlignedDoubles above;               // gradient with respect to a layer's units, [rows × units]
  AlignedDoubles below;

  // Room for so many rows; the first layer's sums are to be written to units[0].
  void prepare(const class DenseStack& stack, std::size_t rows);
};

class DenseStack {
 public:
  struct Layer {
    std::size_t inputs;
    std::size_t units;
    std::size_t weight;  // its first parameter
    std::size_t bias;    // likewise
  };

  DenseStack(std::size_t inputs, const std::vector<std::size_t>& hidden, std::size_t outputs, bool logistic);

  const std::vector<Layer>& layers() const { return layers_; }
  std::size_t inputs() const { return layers_.front().inputs; }
  std::size_t first_units() const { return layers_.front().units; }
  std::size_t outputs() const { return layers_.back().units; }
  std::size_t head_begin() const { return layers_.front().bias + layers_.front().units; }
  std::vector<TensorShape> tensors() const;

  // From the first layer's sums, bias included, in work.units[0] to the outputs in work.units.back().
  void forward(std::span<const double> head, std::size_t rows, StackWork& work) const;

  // After forward: from the gradient with respect to the outputs in work.above to the one with respect to the
  // first layer's sums, in the same place. Adds to the gradient of the head's parameters.
  void backward(std::span<const double> head, std::size_t rows, StackWork& work,
                std::span<double> head_gradient) const;

 private:
  std::vector<Layer> layers_;
  bool logistic_;
};

}  // namespace polystep
