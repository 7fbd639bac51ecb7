#include "data/cities/drawing_polygon.hpp"

#include <algorithm>
#include <cmath>

namespace polystep {
namespace {

constexpr double kTolerance = 1e-5;  // on cross products, km2
constexpr double kFarEast = 10000;   // where rays end, km

// An edge further than this above or below a ray does not meet it. Cross products with the ray are at least
// its length, thousands of km, times the distance, so that 1e-8 km is far outside the tolerance.
constexpr double kClear = 1e-8;

// 0: in line, 1 and 2: the two sides.
int orientation(Point p, Point q, Point r) {
  const double cross = (q.y - p.y) * (r.x - q.x) - (q.x - p.x) * (r.y - q.y);
  if (std::abs(cross) < kTolerance) return 0;
  return cross > 0 ? 1 : 2;
}

bool in_box(Point p, Point q, Point r) {  // q in the box of p and r
  return q.x <= std::max(p.x, r.x) && q.x >= std::min(p.x, r.x) && q.y <= std::max(p.y, r.y) &&
         q.y >= std::min(p.y, r.y);
}

bool meet(Point p1, Point q1, Point p2, Point q2) {
  const int o1 = orientation(p1, q1, p2);
  const int o2 = orientation(p1, q1, q2);
  const int o3 = orientation(p2, q2, p1);
  const int o4 = orientation(p2, q2, q1);
  if (o1 != o2 && o3 != o4) return true;
  return (o1 == 0 && in_box(p1, p2, q1)) || (o2 == 0 && in_box(p1, q2, q1)) ||
         (o3 == 0 && in_box(p2, p1, q2)) || (o4 == 0 && in_box(p2, q1, q2));
}

}  // namespace

DrawingPolygon::DrawingPolygon(const std::vector<Point>& ring) : ring_(ring) {
  box_ = {ring[0].x, ring[0].x, ring[0].y, ring[0].y};
  for (const Point& vertex : ring) {
    box_.x_min = std::min(box_.x_min, vertex.x);
    box_.x_max = std::max(box_.x_max, vertex.x);
    box_.y_min = std::min(box_.y_min, vertex.y);
    box_.y_max = std::max(box_.y_max, vertex.y);
  }

  const std::size_t slices = std::clamp<std::size_t>(ring.size() / 2, 1, 256);
  const double height = box_.y_max - box_.y_min;
  slices_per_km_ = height > 0 ? static_cast<double>(slices) / height : 0;
  const auto slice_of = [&](double y) {
    const double slice = std::floor((y - box_.y_min) * slices_per_km_);
    return static_cast<std::size_t>(std::clamp(slice, 0.0, static_cast<double>(slices - 1)));
  };
  const auto for_slices = [&](auto&& use) {
    for (std::size_t i = 0; i < ring_.size(); ++i) {
      const auto [low, high] = std::minmax(ring_[i].y, ring_[(i + 1) % ring_.size()].y);
      for (std::size_t s = slice_of(low - kClear); s <= slice_of(high + kClear); ++s) use(s, i);
    }
  };
  slices_.assign(slices + 1, 0);
  for_slices([&](std::size_t slice, std::size_t) { ++slices_[slice + 1]; });
  for (std::size_t s = 0; s < slices; ++s) slices_[s + 1] += slices_[s];
  edges_.resize(slices_.back());
  std::vector<std::uint32_t> filled(slices_.begin(), slices_.end() - 1);
  for_slices([&](std::size_t slice, std::size_t edge) {
    edges_[filled[slice]++] = static_cast<std::uint32_t>(edge);
  });
}

bool DrawingPolygon::contains(Point point) const {
  if (!(point.y >= box_.y_min && point.y <= box_.y_max)) return false;
  const auto slice =
      std::min(static_cast<std::size_t>((point.y - box_.y_min) * slices_per_km_), slices_.size() - 2);
  const Point far{kFarEast, point.y};
  bool inside = false;
  for (std::uint32_t k = slices_[slice]; k < slices_[slice + 1]; ++k) {
    const std::size_t edge = edges_[k];
    const Point from = ring_[edge], to = ring_[edge + 1 < ring_.size() ? edge + 1 : 0];
    if (std::min(from.y, to.y) > point.y + kClear || std::max(from.y, to.y) < point.y - kClear) continue;
    if (!meet(from, to, point, far)) continue;
    if (orientation(from, point, to) == 0) return in_box(from, point, to);
    inside = !inside;
  }
  return inside;
}

}  // namespace polystep
