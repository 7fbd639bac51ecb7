// The polytopes whose vertices are probed: unit vectors, centred on the origin.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "polystep/optimizer_options.hpp"

namespace polystep {

class Polytope {
 public:
  Polytope(PolytopeKind kind, std::size_t dimension);

  std::size_t dimension() const { return dimension_; }
  std::size_t vertices() const { return vertices_; }
  std::span<const double> vertex(std::size_t v) const {
    return std::span(vertex_).subspan(v * dimension_, dimension_);
  }
  bool antipodal() const { return kind_ == PolytopeKind::kOrthoplex; }

  // All vertices turned by `rotation` (column after column, [dimension × dimension]) into [vertices ×
  // dimension].
  void rotate(std::span<const double> rotation, std::span<double> rotated) const;

  // The mean of the vertices under `weights`, divided by the weights' actual sum, which rounding keeps from
  // being 1.
  void centroid(std::span<const double> weights, std::span<double> mean) const;

 private:
  PolytopeKind kind_;
  std::size_t dimension_;
  std::size_t vertices_;
  std::vector<double> vertex_;  // [vertices × dimension]
};

}  // namespace polystep
