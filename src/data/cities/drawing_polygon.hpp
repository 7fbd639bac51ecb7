// Whether a point lies in a unit's polygon, as the published evaluator decides it.
//
// That counts crossings of a ray to the east with a tolerance on cross products, and a ray that meets an edge
// all but in line with the point ends the test early. The tolerance takes a strip of centimetres off some
// edges; it matters only because an answer of our own would shift all random draws that follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/cities/city.hpp"

namespace polystep {

class DrawingPolygon {
 public:
  // The ring without its first vertex repeated; at least one vertex.
  explicit DrawingPolygon(const std::vector<Point>& ring);

  const Box& box() const { return box_; }
  bool contains(Point point) const;

 private:
  std::vector<Point> ring_;
  Box box_;
  // Edges that a ray at a given height can meet: the polygon is cut into slices of equal height, and
  // edges_[slices_[s] .. slices_[s+1]) are those of slice s, ascending.
  double slices_per_km_ = 0;
  std::vector<std::uint32_t> slices_;
  std::vector<std::uint32_t> edges_;
};

}  // namespace polystep
