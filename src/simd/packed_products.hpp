// Large products of matrices in single precision, both sides of which are packed first: what a product reads
// then lies in one piece and in the order in which it is read.
//
// Left are rows in blocks of kPackedRows, cut at every kPackedDepth inputs; right are panels of columns, each
// [inputs × width]. A sum takes its terms in order, each by a fused multiply-add, and starts from 0. So its
// bits depend on its own row and column alone: not on where the matrices are cut, the processor or the
// threads.
#pragma once

#include <algorithm>
#include <cstddef>

#include "polystep/aligned.hpp"
#include "simd/lanes.hpp"

namespace polystep {

inline constexpr std::size_t kPackedRows = 5;
inline constexpr std::size_t kPackedDepth = 128;
inline constexpr std::size_t kPanelColumns = 64;  // of every panel, but for a last one of a multiple of 16

inline constexpr std::size_t panels_for(std::size_t columns) {
  return (columns + kPanelColumns - 1) / kPanelColumns;
}

class PackedRows {
 public:
  // value(row, input) for row < rows and input < inputs. Of a lower triangle what lies right of the diagonal
  // is neither asked for nor multiplied.
  template <class Value>
  void pack(std::size_t rows, std::size_t inputs, const Value& value, bool lower_triangle = false) {
    rows_ = rows;
    inputs_ = inputs;
    lower_triangle_ = lower_triangle;
    values_.resize(blocks() * kPackedRows * inputs);
    for (std::size_t first = 0; first < inputs; first += kPackedDepth)
      for (std::size_t block = 0; block < blocks(); ++block) {
        const std::size_t begin = block * kPackedRows, own = std::min(kPackedRows, rows - begin);
        float* to = values_.data() + offset(block, first);
        for (std::size_t i = first; i < std::min(inputs, first + kPackedDepth); ++i, to += kPackedRows) {
          for (std::size_t r = 0; r < own; ++r)
            to[r] = lower_triangle && i > begin + r ? 0.0f : static_cast<float>(value(begin + r, i));
          std::fill(to + own, to + kPackedRows, 0.0f);
        }
      }
  }

  std::size_t rows() const { return rows_; }
  std::size_t inputs() const { return inputs_; }
  std::size_t blocks() const { return (rows_ + kPackedRows - 1) / kPackedRows; }

  // Of the inputs from `first` on, a multiple of kPackedDepth: where those of a block begin, and how many
  // there are.
  const float* values(std::size_t block, std::size_t first) const {
    return values_.data() + offset(block, first);
  }
  std::size_t depth(std::size_t block, std::size_t first) const {
    const std::size_t end = lower_triangle_ ? std::min(inputs_, (block + 1) * kPackedRows) : inputs_;
    return end <= first ? 0 : std::min(kPackedDepth, end - first);
  }

 private:
  std::size_t offset(std::size_t block, std::size_t first) const {
    const std::size_t depth = std::min(kPackedDepth, inputs_ - first);
    return first * blocks() * kPackedRows + block * depth * kPackedRows;
  }

  std::size_t rows_ = 0, inputs_ = 0;
  bool lower_triangle_ = false;
  AlignedFloats values_;
};

// sums [rows × width], rows `stride` apart, = rows times a panel [inputs × width] that starts a cache line;
// width is a multiple of 16, at most kPanelColumns.
void multiply_packed(const PackedRows& rows, const float* panel, std::size_t width, float* sums,
                     std::size_t stride, simd::InstructionSet set = simd::best_instruction_set());

}  // namespace polystep
