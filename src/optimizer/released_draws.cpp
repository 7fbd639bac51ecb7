#include "optimizer/released_draws.hpp"

#include <fmt/core.h>

#include <string>
#include <string_view>

namespace polystep {
namespace {

std::uint32_t adler32(std::string_view text) {
  constexpr std::uint32_t kModulus = 65521;
  std::uint32_t low = 1, high = 0;
  for (const char c : text) {
    low = (low + static_cast<unsigned char>(c)) % kModulus;
    high = (high + low) % kModulus;
  }
  return high << 16 | low;
}

// Which columns of an orthonormal matrix Householder reflections would have returned negated: they make each
// diagonal entry of R opposite in sign to its pivot. Reflecting Q itself leaves a diagonal of signs S, and
// the pivots are those of an elimination of Q - S, which needs no more than Q's top square.
std::vector<double> householder_signs(const DenseColumns& columns) {
  const std::size_t k = columns.columns();
  std::vector<double> top(k * k);  // row after row
  for (std::size_t j = 0; j < k; ++j)
    for (std::size_t i = 0; i < k; ++i) top[i * k + j] = columns.column(j)[i];
  std::vector<double> signs(k);
  for (std::size_t i = 0; i < k; ++i) {
    const double* pivot = top.data() + i * k;
    signs[i] = pivot[i] < 0 ? 1.0 : -1.0;
    for (std::size_t row = i + 1; row < k; ++row) {
      double* entry = top.data() + row * k;
      const double factor = entry[i] / (pivot[i] - signs[i]);
      for (std::size_t j = i + 1; j < k; ++j) entry[j] -= factor * pivot[j];
    }
  }
  return signs;
}

}  // namespace

void ReleasedRotations::draw(std::size_t step, const BlockLayout& layout) {
  block_entries_ = layout.block_size * layout.block_size;
  const std::size_t last = layout.size(layout.blocks - 1);
  gaussian_.resize((layout.blocks - 1) * block_entries_ + last * last);
  twister_.seek(step * Twister::normal_words(gaussian_.size()));
  twister_.fill_normal(gaussian_);
}

void ReleasedRotations::rotation(std::size_t block, std::size_t size, std::span<double> out) const {
  DenseColumns columns(size, size);
  for (std::size_t j = 0; j < size; ++j)
    for (std::size_t i = 0; i < size; ++i)
      columns.column(j)[i] = gaussian_[block * block_entries_ + i * size + j];
  columns.orthonormalize();
  double determinant = 1;  // every reflection of a factorisation has -1, and what is left are the signs
  for (const double sign : householder_signs(columns)) determinant *= -sign;
  for (std::size_t j = 0; j < size; ++j)
    for (std::size_t i = 0; i < size; ++i)
      out[j * size + i] = j == 0 && determinant < 0 ? -columns.column(j)[i] : columns.column(j)[i];
}

void draw_released_basis(std::uint64_t seed, const TensorShape& tensor, DenseColumns& columns) {
  const std::string& name = tensor.released_name.empty() ? tensor.name : tensor.released_name;
  const std::string key = fmt::format("{}|{}|0", seed, name);
  std::vector<double> gaussian(columns.rows() * columns.columns());
  Twister(adler32(key) % (std::uint32_t{1} << 31)).fill_normal(gaussian);
  for (std::size_t j = 0; j < columns.columns(); ++j)
    for (std::size_t i = 0; i < columns.rows(); ++i)
      columns.column(j)[i] = gaussian[i * columns.columns() + j];
  columns.orthonormalize();
  const std::vector<double> signs = householder_signs(columns);
  for (std::size_t j = 0; j < columns.columns(); ++j)
    for (double& entry : columns.column(j)) entry *= signs[j];
}

}  // namespace polystep
