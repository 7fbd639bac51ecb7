#include "optimizer/polytope.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr std::size_t kLargestCube = 16;  // 65,536 vertices per block

std::size_t count_vertices(PolytopeKind kind, std::size_t q) {
  if (q == 0) throw InputError("block size: found 0, expected at least 1");
  switch (kind) {
    case PolytopeKind::kOrthoplex:
      return 2 * q;
    case PolytopeKind::kSimplex:
      return q + 1;
    case PolytopeKind::kCube:
      if (q > kLargestCube)
        throw InputError(
            fmt::format("block size: found {} with the cube polytope, expected at most {}", q, kLargestCube));
      return std::size_t{1} << q;
  }
  throw InputError("polytope: found an unknown kind, expected orthoplex, simplex or cube");
}

void fill_orthoplex(std::size_t q, std::vector<double>& vertex) {
  for (std::size_t i = 0; i < q; ++i) {
    vertex[i * q + i] = 1;
    vertex[(q + i) * q + i] = -1;
  }
}

void fill_simplex(std::size_t q, std::vector<double>& vertex) {
  const double n = static_cast<double>(q);
  const double spike = std::sqrt(1.0 + 1.0 / n);
  const double shift = (std::sqrt(n + 1.0) + 1.0) / std::pow(n, 1.5);
  for (std::size_t v = 0; v < q; ++v)
    for (std::size_t i = 0; i < q; ++i) vertex[v * q + i] = (i == v ? spike : 0.0) - shift;
  for (std::size_t i = 0; i < q; ++i) vertex[q * q + i] = 1.0 / std::sqrt(n);
}

void fill_cube(std::size_t q, std::vector<double>& vertex) {
  const double side = 1.0 / std::sqrt(static_cast<double>(q));
  for (std::size_t v = 0; v < (std::size_t{1} << q); ++v)
    for (std::size_t i = 0; i < q; ++i) vertex[v * q + i] = (v >> i & 1) ? -side : side;
}

}  // namespace

Polytope::Polytope(PolytopeKind kind, std::size_t dimension)
    : kind_(kind), dimension_(dimension), vertices_(count_vertices(kind, dimension)) {
  vertex_.assign(vertices_ * dimension_, 0.0);
  if (kind == PolytopeKind::kOrthoplex) fill_orthoplex(dimension, vertex_);
  if (kind == PolytopeKind::kSimplex) fill_simplex(dimension, vertex_);
  if (kind == PolytopeKind::kCube) fill_cube(dimension, vertex_);
}

void Polytope::rotate(std::span<const double> rotation, std::span<double> rotated) const {
  const std::size_t q = dimension_;
  if (kind_ == PolytopeKind::kOrthoplex) {  // its vertices are the rotation's columns and their opposites
    for (std::size_t i = 0; i < q * q; ++i) rotated[i] = rotation[i];
    for (std::size_t i = 0; i < q * q; ++i) rotated[q * q + i] = -rotation[i];
    return;
  }
  std::fill_n(rotated.begin(), vertices_ * q, 0.0);
  for (std::size_t v = 0; v < vertices_; ++v)
    for (std::size_t column = 0; column < q; ++column)
      for (std::size_t i = 0; i < q; ++i)
        rotated[v * q + i] += vertex_[v * q + column] * rotation[column * q + i];
}

void Polytope::centroid(std::span<const double> weights, std::span<double> mean) const {
  const std::size_t q = dimension_;
  double total = 0;
  for (std::size_t v = 0; v < vertices_; ++v) total += weights[v];
  if (kind_ == PolytopeKind::kOrthoplex) {  // equal weights on a pair cancel exactly
    for (std::size_t i = 0; i < q; ++i) mean[i] = (weights[i] - weights[q + i]) / total;
    return;
  }
  std::fill_n(mean.begin(), q, 0.0);
  for (std::size_t v = 0; v < vertices_; ++v)
    for (std::size_t i = 0; i < q; ++i) mean[i] += weights[v] * vertex_[v * q + i];
  for (std::size_t i = 0; i < q; ++i) mean[i] /= total;
}

}  // namespace polystep
