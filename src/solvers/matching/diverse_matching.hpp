// Diverse bipartite matching, exactly: choose pairs of a left and a right article, each article in at most
// one pair, of largest total weight, such that at least a share rho1 of the chosen pairs has the same label
// and at least a share rho2 has different labels. Choosing nothing is always allowed; weights may be any
// numbers.
//
// solve() gives the best matching, with proof. solve_relaxation() gives the optimum of the linear relaxation
// with the two ratio rows as they stand, 0 <= x <= 1: it mixes at most two matchings.
//
// A price per same-label pair and one per different-label pair turn the problem into an assignment whose
// value, plus what allowed counts can pay, is an upper bound; the best prices make it tight or nearly so.
// Branch and bound on the counts, then on pairs, closes what gap remains. All of it is whole-number
// arithmetic (weight_units.hpp), which also says how ties are settled.
//
// A Workspace keeps prices from one solve to the next, which saves time where weights change little; it never
// changes the decision. Use one per thread (and per instance, for the best start).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "solvers/cover/count_polygon.hpp"
#include "solvers/knapsack/weight_units.hpp"

namespace polystep::solvers {

class DiverseMatchingSearch;

// A ratio rule as a row of the relaxation: per_same * same + per_different * different <= 0, scaled so that
// the smaller coefficient other than 0 is 1.
struct RatioRow {
  double per_same;
  double per_different;

  double excess(PairCounts counts) const;
};

class DiverseMatching {
 public:
  class Workspace {
   public:
    explicit Workspace(const DiverseMatching& matching);
    ~Workspace();
    Workspace(Workspace&&) noexcept;
    Workspace& operator=(Workspace&&) noexcept;

    // Branch-and-bound nodes and assignments of the last solve.
    std::uint64_t nodes() const;
    std::uint64_t assignments() const;
    void forget();  // makes the next solve a cold one

   private:
    friend class DiverseMatching;
    std::unique_ptr<DiverseMatchingSearch> search_;
  };

  // same_label: [left × right], 1 where the two articles of a pair share their label, else 0
  DiverseMatching(std::size_t left, std::size_t right, std::vector<std::uint8_t> same_label, double rho1,
                  double rho2);

  std::size_t left() const { return left_; }
  std::size_t right() const { return right_; }

  // The partner of every left article, -1 for none, and the total weight of the pairs, added up in the order
  // of the left articles. weights: [left × right]; partner: [left]
  double solve(std::span<const double> weights, Workspace& workspace, std::span<int> partner) const;

  // The relaxed decision and its value. weights, choice: [left × right]
  double solve_relaxation(std::span<const double> weights, Workspace& workspace,
                          std::span<double> choice) const;

  bool allows(std::span<const int> partner) const;  // whether the ratio rules hold

 private:
  friend class DiverseMatchingSearch;

  void check_weights(std::span<const double> weights) const;

  std::size_t left_;
  std::size_t right_;
  std::vector<std::uint8_t> same_label_;  // [left × right]
  CountPolygon polygon_;
  std::vector<RatioRow> ratio_rows_;  // of the relaxation
  bool only_empty_relaxed_;           // rho1 + rho2 > 1
  int price_bits_;                    // room for prices above the weights
  WeightUnits units_;
};

}  // namespace polystep::solvers
