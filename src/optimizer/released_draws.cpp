#include "optimizer/released_draws.hpp"

#include <fmt/core.h>

#include <Eigen/Dense>
#include <string>
#include <string_view>

namespace polystep {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

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
  const auto k = static_cast<Eigen::Index>(columns.columns());
  Eigen::MatrixXd top(k, k);
  for (Eigen::Index j = 0; j < k; ++j)
    for (Eigen::Index i = 0; i < k; ++i)
      top(i, j) = columns.column(static_cast<std::size_t>(j))[static_cast<std::size_t>(i)];
  std::vector<double> signs(columns.columns());
  for (Eigen::Index i = 0; i < k; ++i) {
    const double sign = top(i, i) < 0 ? 1.0 : -1.0;
    signs[static_cast<std::size_t>(i)] = sign;
    const Eigen::Index rest = k - i - 1;
    const Eigen::VectorXd factors = top.col(i).tail(rest) / (top(i, i) - sign);
    top.bottomRightCorner(rest, rest).noalias() -= factors * top.row(i).tail(rest);
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
  const auto q = static_cast<Eigen::Index>(size);
  const Eigen::Map<const RowMajor> numbers(gaussian_.data() + block * block_entries_, q, q);
  const Eigen::HouseholderQR<Eigen::MatrixXd> factors(numbers);
  Eigen::Map<Eigen::MatrixXd> rotation(out.data(), q, q);
  rotation = factors.householderQ();
  for (Eigen::Index j = 0; j < q; ++j)
    if (factors.matrixQR()(j, j) < 0) rotation.col(j) *= -1;
  if (rotation.determinant() < 0) rotation.col(0) *= -1;
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
