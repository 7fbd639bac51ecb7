#include "data/cities/touching_units.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace polystep {
namespace {

double cross(Point origin, Point a, Point b) {
  return (a.x - origin.x) * (b.y - origin.y) - (a.y - origin.y) * (b.x - origin.x);
}

double distance_to_segment(Point p, Point a, Point b) {
  const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
  const double along =
      length2 == 0 ? 0 : std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length2, 0.0, 1.0);
  return std::hypot(p.x - a.x - along * dx, p.y - a.y - along * dy);
}

bool overlap(const Box& a, const Box& b, double by) {
  return a.x_min <= b.x_max + by && b.x_min <= a.x_max + by && a.y_min <= b.y_max + by &&
         b.y_min <= a.y_max + by;
}

bool holds(const Box& box, Point p, double by) {
  return p.x >= box.x_min - by && p.x <= box.x_max + by && p.y >= box.y_min - by && p.y <= box.y_max + by;
}

Box box_of_segment(Point a, Point b) {
  return {std::min(a.x, b.x), std::max(a.x, b.x), std::min(a.y, b.y), std::max(a.y, b.y)};
}

Box box_of_unit(const Rings& rings) {
  Box all = box_of(rings.front());
  for (const auto& ring : rings) {
    const Box box = box_of(ring);
    all = {std::min(all.x_min, box.x_min), std::max(all.x_max, box.x_max), std::min(all.y_min, box.y_min),
           std::max(all.y_max, box.y_max)};
  }
  return all;
}

// Adds vertices of `a` that lie on the outline of `b` until two are a border apart.
bool border_found(const Rings& a, const Rings& b, const Box& box_a, const Box& box_b,
                  std::vector<Point>& contacts) {
  std::vector<std::pair<Point, Point>> near;  // segments of b
  for (const auto& ring : b) {
    for (std::size_t k = 0; k < ring.size(); ++k) {
      const Point from = ring[k], to = ring[(k + 1) % ring.size()];
      if (overlap(box_of_segment(from, to), box_a, kBorderTolerance)) near.emplace_back(from, to);
    }
  }
  for (const auto& ring : a) {
    for (const Point vertex : ring) {
      if (!holds(box_b, vertex, kBorderTolerance)) continue;
      const bool touches = std::ranges::any_of(near, [&](const auto& segment) {
        return holds(box_of_segment(segment.first, segment.second), vertex, kBorderTolerance) &&
               distance_to_segment(vertex, segment.first, segment.second) <= kBorderTolerance;
      });
      if (!touches) continue;
      for (const Point other : contacts) {
        if (std::hypot(other.x - vertex.x, other.y - vertex.y) >= kShortestBorder) return true;
      }
      contacts.push_back(vertex);
    }
  }
  return false;
}

bool segments_meet(Point a, Point b, Point c, Point d) {
  const double c_side = cross(a, b, c), d_side = cross(a, b, d), a_side = cross(c, d, a),
               b_side = cross(c, d, b);
  if (((c_side > 0) != (d_side > 0)) && ((a_side > 0) != (b_side > 0)) && c_side != 0 && d_side != 0 &&
      a_side != 0 && b_side != 0) {
    return true;
  }
  return (c_side == 0 && holds(box_of_segment(a, b), c, 0)) ||
         (d_side == 0 && holds(box_of_segment(a, b), d, 0)) ||
         (a_side == 0 && holds(box_of_segment(c, d), a, 0)) ||
         (b_side == 0 && holds(box_of_segment(c, d), b, 0));
}

}  // namespace

Box box_of(const std::vector<Point>& ring) {
  Box box{ring[0].x, ring[0].x, ring[0].y, ring[0].y};
  for (const Point p : ring) {
    box = {std::min(box.x_min, p.x), std::max(box.x_max, p.x), std::min(box.y_min, p.y),
           std::max(box.y_max, p.y)};
  }
  return box;
}

// Relative to the first vertex, so that small rings far from the origin keep their digits.
double signed_area(const std::vector<Point>& ring) {
  double twice = 0;
  for (std::size_t k = 1; k + 1 < ring.size(); ++k) twice += cross(ring[0], ring[k], ring[k + 1]);
  return 0.5 * twice;
}

double ring_length(const std::vector<Point>& ring) {
  double sum = 0;
  for (std::size_t k = 0; k < ring.size(); ++k) {
    const Point a = ring[k], b = ring[(k + 1) % ring.size()];
    sum += std::hypot(b.x - a.x, b.y - a.y);
  }
  return sum;
}

Point ring_centroid(const std::vector<Point>& ring) {
  double twice = 0, x = 0, y = 0;
  for (std::size_t k = 1; k + 1 < ring.size(); ++k) {
    const double area = cross(ring[0], ring[k], ring[k + 1]);
    twice += area;
    x += area * (ring[k].x - ring[0].x + ring[k + 1].x - ring[0].x) / 3;
    y += area * (ring[k].y - ring[0].y + ring[k + 1].y - ring[0].y) / 3;
  }
  return {ring[0].x + x / twice, ring[0].y + y / twice};
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> touching_units(const std::vector<Rings>& units) {
  std::vector<Box> box;
  for (const Rings& rings : units) box.push_back(box_of_unit(rings));
  std::vector<std::uint32_t> order(units.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t unit) { return box[unit].x_min; });
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      const std::uint32_t a = std::min(order[i], order[j]), b = std::max(order[i], order[j]);
      if (box[order[j]].x_min > box[order[i]].x_max + kBorderTolerance) break;
      if (!overlap(box[a], box[b], kBorderTolerance)) continue;
      std::vector<Point> contacts;
      if (border_found(units[a], units[b], box[a], box[b], contacts) ||
          border_found(units[b], units[a], box[b], box[a], contacts)) {
        pairs.emplace_back(a, b);
      }
    }
  }
  std::ranges::sort(pairs);
  return pairs;
}

std::ptrdiff_t self_contact(const std::vector<Point>& ring) {
  const std::size_t size = ring.size();
  const auto next = [size](std::size_t k) { return k + 1 < size ? k + 1 : 0; };
  for (std::size_t k = 0; k < size; ++k) {  // a spike runs back along the edge before it
    const Point a = ring[k], b = ring[next(k)], c = ring[next(next(k))];
    const double back = (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y);
    if (cross(a, b, c) == 0 && back < 0) return static_cast<std::ptrdiff_t>(next(k));
  }
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<Box> box(size);
  for (std::size_t k = 0; k < size; ++k) box[k] = box_of_segment(ring[k], ring[next(k)]);
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return box[k].x_min; });
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = i + 1; j < size && box[order[j]].x_min <= box[order[i]].x_max; ++j) {
      const std::size_t a = order[i], b = order[j];
      if (next(a) == b || next(b) == a || !overlap(box[a], box[b], 0)) continue;
      if (segments_meet(ring[a], ring[next(a)], ring[b], ring[next(b)]))
        return static_cast<std::ptrdiff_t>(a);
    }
  }
  return -1;
}

}  // namespace polystep
