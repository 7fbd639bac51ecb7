// The cheapest purchase in whole units that meets two requirements: min price . x with a_m . x >= required_m
// for m = 0, 1 and x whole numbers from 0 on. Contents a are any numbers: small, zero or negative.
//
// Exact, in microseconds. What the rest of a purchase costs at least is a linear programme with two rows,
// whose dual is a polygon in the plane, {(u, v) >= 0: a_0j u + a_1j v <= price_j}. A polygon per suffix of
// the suppliers, cut once per solve, gives every node of a depth-first search the exact value of its
// relaxation as a maximum over a few corners. Corners are projective: directions in which a polygon has no
// end are corners too, so that "no purchase can do it" is read off the first polygon and never guessed. The
// relaxation is convex in the amount of the next supplier: amounts are tried outward from where it is lowest,
// until it says no on either side.
//
// Which of several purchases of equal cost: a supplier that another one beats (price no higher, neither
// content lower; of equals the first stays) is never bought from; then the purchase that takes most from the
// supplier of lowest number, then of the next, and so on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace polystep::solvers {

class TwoRowCover {
 public:
  // A purchase may fall short of a requirement by this share of it, since sums are rounded.
  static constexpr double kShort = 1e-9;
  // Nodes after which the cheapest purchase found so far is handed over; `proven` then says no.
  static constexpr std::uint64_t kMostNodes = 2'000'000;

  explicit TwoRowCover(std::size_t suppliers);

  // Prices [suppliers] and both requirements above 0; contents [2 × suppliers], finite. False where no
  // purchase meets the requirements; amounts [suppliers] are then left alone.
  bool solve(std::span<const double> prices, std::span<const double> contents,
             const std::array<double, 2>& required, std::span<double> amounts);

  // Of the last solve.
  double cost() const { return best_cost_; }
  std::uint64_t nodes() const { return nodes_; }
  bool proven() const { return nodes_ < kMostNodes; }

 private:
  // The point (u, v) where w is 1, the direction (u, v) where it is 0.
  struct Corner {
    double u, v, w;
  };
  struct Polygon {
    std::vector<Corner> corners;
    std::size_t count = 0;
  };
  struct Supplier {
    double price, first, second;  // contents
    std::size_t number;
  };
  struct Residual {
    double first, second;  // what is still required
  };

  void keep_undominated(std::span<const double> prices, std::span<const double> contents);
  static void cut(const Polygon& from, const Supplier& supplier, Polygon& to);
  double bound(const Polygon& polygon, const Residual& rest) const;  // infinite: it cannot be met
  bool order_by_reduced_cost();
  void start_from_relaxation();
  double cheapest_amount(const Supplier& supplier, const Polygon& others, const Residual& rest, double& low,
                         double& high) const;
  void search(std::size_t level, const Residual& rest, double cost);
  void finish(std::size_t level, const Residual& rest, double cost);
  void offer(double cost);
  double limit() const { return best_cost_ + slack_; }

  std::vector<Supplier> suppliers_;  // those worth buying from, least attractive first
  std::vector<Polygon> polygons_;    // [suppliers + 1], of the suppliers from that one on
  Polygon spare_;
  Residual required_{};
  std::vector<double> amounts_;  // [suppliers], by number, of the present node
  std::vector<double> best_;     // [suppliers]
  double best_cost_ = 0;
  double slack_ = 0;  // costs that differ by less are equal
  std::uint64_t nodes_ = 0;
};

}  // namespace polystep::solvers
