#include "report/unit_borders.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>

namespace polystep {
namespace {

using Ring = std::vector<Point>;

bool inside(const Ring& ring, const Point& p) {
  bool in = false;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
    const Point &a = ring[i], &b = ring[j];
    if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) in = !in;
  }
  return in;
}

double signed_area(const Ring& ring) {
  double twice = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Point &a = ring[i], &b = ring[(i + 1) % ring.size()];
    twice += a.x * b.y - b.x * a.y;
  }
  return twice / 2;
}

// A corner to the millimetre.
struct Corner {
  std::int64_t x, y;
  explicit Corner(const Point& p) : x(std::llround(p.x * 1e6)), y(std::llround(p.y * 1e6)) {}
  bool operator==(const Corner&) const = default;
};

struct Edge {
  Corner from, to;
  bool operator==(const Edge&) const = default;
};

struct EdgeHash {
  std::size_t operator()(const Edge& edge) const {
    std::uint64_t hash = 0;
    for (const std::int64_t value : {edge.from.x, edge.from.y, edge.to.x, edge.to.y})
      hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15 ^ (hash >> 29);
    return hash;
  }
};

class BorderFinder {
 public:
  explicit BorderFinder(const City& city) : city_(city), neighbours_(city.units.size()) {
    for (const auto& [first, second] : city.adjacent) {
      neighbours_[first].push_back(second);
      neighbours_[second].push_back(first);
    }
    for (std::uint32_t unit = 0; unit < city.units.size(); ++unit)
      for_each_ring(unit, [&](const Ring& ring) {
        for (std::size_t i = 0; i < ring.size(); ++i) owner_.emplace(edge(ring, i), unit);
      });
  }

  std::vector<UnitBorder> find() {
    for (std::uint32_t unit = 0; unit < city_.units.size(); ++unit)
      for_each_ring(unit, [&](const Ring& ring) { cut(unit, ring); });
    return std::move(borders_);
  }

 private:
  // Rings run against the clock, whatever the file had: a neighbour then runs along a shared edge the other
  // way.
  template <class Work>
  void for_each_ring(std::uint32_t unit, const Work& work) const {
    const auto turned = [&](Ring ring) {
      if (signed_area(ring) < 0) std::reverse(ring.begin(), ring.end());
      work(ring);
    };
    turned(city_.units[unit].ring);
    for (const Ring& part : city_.units[unit].other_parts) turned(part);
  }

  static Edge edge(const Ring& ring, std::size_t i) {
    return {Corner(ring[i]), Corner(ring[(i + 1) % ring.size()])};
  }

  std::optional<std::uint32_t> same_edge(const Ring& ring, std::size_t i) const {
    const Edge own = edge(ring, i);
    const auto found = owner_.find({own.to, own.from});
    if (found == owner_.end()) return std::nullopt;
    return found->second;
  }

  // What lies to the right of the middle of a piece, looked up at growing distances.
  std::uint32_t look_across(std::uint32_t unit, const Point& a, const Point& b, double size) const {
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    if (length == 0) return kOutside;
    constexpr std::array kReach = {0.004, 0.015, 0.04};  // of the unit's size
    for (const double reach : kReach) {
      const Point probe = {(a.x + b.x) / 2 + reach * size * (b.y - a.y) / length,
                           (a.y + b.y) / 2 - reach * size * (b.x - a.x) / length};
      for (const std::uint32_t other : neighbours_[unit])
        if (holds(other, probe)) return other;
    }
    return kOutside;
  }

  bool holds(std::uint32_t unit, const Point& p) const {
    const CityUnit& other = city_.units[unit];
    return inside(other.ring, p) || std::any_of(other.other_parts.begin(), other.other_parts.end(),
                                                [&](const Ring& part) { return inside(part, p); });
  }

  struct Piece {
    std::uint32_t across;
    Point a, b;
  };

  void cut(std::uint32_t unit, const Ring& ring) {
    const double size = std::sqrt(std::abs(signed_area(ring)));
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Point &a = ring[i], &b = ring[(i + 1) % ring.size()];
      if (const auto other = same_edge(ring, i)) {
        pieces.push_back({*other, a, b});
        continue;
      }
      // A long edge may have several units across it.
      constexpr double kPiece = 0.1;
      constexpr double kMostPieces = 64;
      const double wanted = size > 0 ? std::ceil(std::hypot(b.x - a.x, b.y - a.y) / (kPiece * size)) : 1;
      const int count = static_cast<int>(std::clamp(wanted, 1.0, kMostPieces));
      const auto at = [&](int k) {
        const double t = static_cast<double>(k) / count;
        return k == count ? b : Point{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
      };
      for (int k = 0; k < count; ++k)
        pieces.push_back({look_across(unit, at(k), at(k + 1), size), at(k), at(k + 1)});
    }
    close_gaps(pieces, size);
    const std::size_t first = borders_.size();
    for (const Piece& piece : pieces) extend(first, unit, piece.across, piece.a, piece.b);
    keep_own(first, unit);
  }

  // A short piece with nothing across it, between pieces that have something, is a gap between rings and not
  // the city's edge.
  static void close_gaps(std::vector<Piece>& pieces, double size) {
    constexpr double kLongestGap = 0.15;
    const auto is_edge = [](const Piece& piece) { return piece.across == kOutside; };
    const auto start = std::find_if_not(pieces.begin(), pieces.end(), is_edge);
    if (start == pieces.end()) return;
    std::rotate(pieces.begin(), start, pieces.end());
    for (auto piece = pieces.begin(); piece != pieces.end();) {
      const auto end = std::find_if_not(piece, pieces.end(), is_edge);
      double length = 0;
      for (auto one = piece; one != end; ++one)
        length += std::hypot(one->b.x - one->a.x, one->b.y - one->a.y);
      if (piece != end && length < kLongestGap * size)
        for (auto one = piece; one != end; ++one) one->across = std::prev(piece)->across;
      piece = end == pieces.end() ? end : std::next(end);
    }
  }

  // Adds a piece to the line before it where the same unit lies across; pieces of one edge become one again.
  void extend(std::size_t first, std::uint32_t unit, std::uint32_t across, const Point& a, const Point& b) {
    if (borders_.size() == first || borders_.back().across != across)
      borders_.push_back({.unit = unit, .across = across, .line = {a}});
    Ring& line = borders_.back().line;
    if (line.size() > 1) {
      const Point &before = line[line.size() - 2], &last = line.back();
      const double turn = (last.x - before.x) * (b.y - last.y) - (last.y - before.y) * (b.x - last.x);
      const double scale =
          std::hypot(last.x - before.x, last.y - before.y) * std::hypot(b.x - last.x, b.y - last.y);
      const double along = (last.x - before.x) * (b.x - last.x) + (last.y - before.y) * (b.y - last.y);
      if (along > 0 && std::abs(turn) <= 1e-9 * scale) line.pop_back();
    }
    line.push_back(b);
  }

  // Joins the last line of a ring to its first where they go on, and leaves out what the other unit gives.
  void keep_own(std::size_t first, std::uint32_t unit) {
    if (borders_.size() > first + 1 && borders_.back().across == borders_[first].across) {
      Ring& line = borders_.back().line;
      line.insert(line.end(), borders_[first].line.begin() + 1, borders_[first].line.end());
      borders_[first].line = std::move(line);
      borders_.pop_back();
    }
    const auto others = [&](const UnitBorder& border) { return border.across <= unit; };
    borders_.erase(
        std::remove_if(borders_.begin() + static_cast<std::ptrdiff_t>(first), borders_.end(), others),
        borders_.end());
  }

  const City& city_;
  std::vector<std::vector<std::uint32_t>> neighbours_;
  std::unordered_map<Edge, std::uint32_t, EdgeHash>
      owner_;  // which unit runs along an edge in this direction
  std::vector<UnitBorder> borders_;
};

}  // namespace

std::vector<UnitBorder> unit_borders(const City& city) { return BorderFinder(city).find(); }

}  // namespace polystep
