// The best prices for what is known so far: the master problem of the search for diverse matchings.
//
// Known are some matchings k, with counts (S_k, D_k) and value a_k, and the corners c of the polygon of
// allowed counts. A price p per same-label pair and q per different-label pair give the upper bound
//     max over all matchings (a - p S - q D)  +  max_c (p S_c + q D_c),
// and the master minimises it with the known matchings in place of all. Its dual mixes known matchings so
// that the mean counts lie in the polygon, at the largest mean value; the simplex method below works on this
// side, in four rows (S, D, shares of the matchings, shares of the corners). Prices stay within a radius of a
// centre, which keeps the first ones sensible. Rounding here costs time only: bounds are computed elsewhere,
// exactly.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "solvers/cover/count_polygon.hpp"

namespace polystep::solvers {

struct PairPrices {
  double same = 0.0;
  double different = 0.0;
};

class PriceMaster {
 public:
  struct Plane {  // of a known matching
    PairCounts counts;
    double value;
  };

  void solve(std::span<const Plane> planes, std::span<const PairCounts> corners, PairPrices centre,
             double radius);

  PairPrices prices() const { return {dual_[0], dual_[1]}; }
  double bound() const { return dual_[2] + dual_[3]; }
  std::size_t shares() const { return share_.size(); }             // one per matching
  double share(std::size_t plane) const { return share_[plane]; }  // of a matching in the mixture
  double mean_same() const { return mean_same_; }                  // counts of the mixture
  double mean_different() const { return mean_different_; }
  bool at_radius() const { return at_radius_; }  // prices further away would be better

 private:
  using Row = std::array<double, 4>;

  struct Column {
    Row entry;
    double gain;
  };

  void start(std::size_t plane_count);
  bool pivot(bool first_improving);
  void find_duals();

  std::vector<Column> columns_;  // four for the radius, then the corners, then the matchings
  std::array<std::size_t, 4> basis_;
  std::array<Row, 4> inverse_;  // of the basis
  Row level_;                   // of the basic columns
  Row dual_;
  std::vector<double> share_;
  double mean_same_ = 0.0;
  double mean_different_ = 0.0;
  bool at_radius_ = false;
};

}  // namespace polystep::solvers
