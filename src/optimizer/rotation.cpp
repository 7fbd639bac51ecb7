#include "optimizer/rotation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace polystep {
namespace {

// Householder QR of a Gaussian matrix, signs fixed so that R has a positive diagonal, gives Q its Haar law. A
// reflection turns the columns it has not yet reached into independent Gaussians again, so column i's
// reflector may be made from a fresh Gaussian vector of length q - i and the matrix itself is never needed:
// half the random numbers, and no update of trailing columns. Working from the last column to the first, each
// reflector is used once and forgotten.
struct Reflection {
  double scale = 0;       // H = I - scale * x x^T
  double sign = 1;        // of R's diagonal entry
  bool reflects = false;  // false only if all numbers drawn were 0
};

Reflection draw_reflector(RandomStream& random, std::span<double> x) {
  random.fill_normal(x);
  double tail = 0;
  for (std::size_t i = 1; i < x.size(); ++i) tail += x[i] * x[i];
  const double length = std::sqrt(x[0] * x[0] + tail);
  if (length == 0) return {};
  const double diagonal = x[0] < 0 ? length : -length;  // the sign that avoids cancellation
  x[0] -= diagonal;
  return {2.0 / (x[0] * x[0] + tail), diagonal < 0 ? -1.0 : 1.0, true};
}

// Puts column `corner` in front of the finished columns to its right and reflects them all.
void reflect(const Reflection& h, std::span<const double> x, std::size_t corner, std::size_t q,
             std::span<double> rotation) {
  for (std::size_t j = corner + 1; j < q; ++j) {
    double* column = rotation.data() + j * q + corner;  // column[0] is still 0
    double dot = 0;
    for (std::size_t i = 1; i < x.size(); ++i) dot += x[i] * column[i];
    const double factor = h.scale * dot;
    for (std::size_t i = 0; i < x.size(); ++i) column[i] -= factor * x[i];
  }
  double* column = rotation.data() + corner * q + corner;
  const double factor = h.scale * x[0];
  for (std::size_t i = 0; i < x.size(); ++i) column[i] = h.sign * ((i == 0 ? 1.0 : 0.0) - factor * x[i]);
}

}  // namespace

void set_identity(std::size_t dimension, std::span<double> rotation) {
  std::fill_n(rotation.begin(), dimension * dimension, 0.0);
  for (std::size_t i = 0; i < dimension; ++i) rotation[i * dimension + i] = 1.0;
}

void draw_rotation(RandomStream& random, std::size_t dimension, std::span<double> rotation,
                   std::vector<double>& reflector) {
  const std::size_t q = dimension;
  set_identity(q, rotation);
  if (q == 1) return;
  if (q == 2) {
    const double angle = 2.0 * std::numbers::pi * random.uniform();
    rotation[0] = rotation[3] = std::cos(angle);
    rotation[1] = std::sin(angle);
    rotation[2] = -rotation[1];
    return;
  }
  reflector.resize(q);
  double determinant = random.normal() < 0 ? -1.0 : 1.0;  // the last column's sign
  rotation[q * q - 1] = determinant;
  for (std::size_t corner = q - 1; corner-- > 0;) {
    const std::span<double> x = std::span(reflector).first(q - corner);
    const Reflection h = draw_reflector(random, x);
    reflect(h, x, corner, q, rotation);
    determinant *= h.reflects ? -h.sign : h.sign;
  }
  if (determinant < 0)
    for (std::size_t i = 0; i < q; ++i) rotation[i] = -rotation[i];
}

}  // namespace polystep
