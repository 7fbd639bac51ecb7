// The search behind diverse_matching.hpp: assignments at given prices, bounds, branch and bound.
//
// A node of the search is a box of counts and a set of pairs forced or forbidden. Its bound is minimised over
// the two prices by turns of the master problem (price_master.hpp) and an assignment at the master's prices,
// which either proves the prices best or yields a new matching. Where the best mixture of matchings has
// fractional counts, the node is split by a count; else by a pair on which the matchings of the mixture
// disagree.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "solvers/matching/diverse_matching.hpp"
#include "solvers/scheduling/price_master.hpp"
#include "solvers/scheduling/priced_table.hpp"

namespace polystep::solvers {

class DiverseMatchingSearch {
 public:
  explicit DiverseMatchingSearch(const DiverseMatching& matching);

  // The best matching. weights: [left × right]
  const PricedMatching& solve(std::span<const double> weights);

  // The relaxation's optimum is share * first + (1 - share) * second.
  struct Mixture {
    PricedMatching first;
    PricedMatching second;
    double share = 1.0;
  };
  Mixture solve_relaxation(std::span<const double> weights);

  void forget();
  std::uint64_t nodes() const { return nodes_; }
  std::uint64_t assignments() const { return table_.assignments(); }

 private:
  struct Node {
    CountBox box;
    Units bound;                             // no matching of the node has a larger value
    Units last_bound;                        // at the prices of the last assignment
    PairPrices centre;                       // the best prices, at first the parent's
    std::vector<std::size_t> known;          // matchings of pool_ that respect the fixed pairs
    std::vector<std::size_t> mixture;        // those of the best mixture
    std::vector<PairCounts> corners;         // of the box's polygon
    std::vector<PriceMaster::Plane> planes;  // [known]
  };

  void load(std::span<const double> weights);
  bool may_be_better(Units bound) const;
  void offer(const PricedMatching& candidate);

  // Bounds.
  bool tighten(Node& node);
  Units evaluate(Node& node, PairPrices prices);

  // Branch and bound.
  Node& node_at(std::size_t depth);
  void explore(std::size_t depth);
  void find_mixture(Node& node) const;
  void start_child(std::size_t depth);
  void split_by_count(std::size_t depth, bool by_same, double mean);
  void split_by_pair(std::size_t depth);
  std::array<int, 2> disputed_pair(const Node& node) const;

  // Good matchings early.
  void repair(const PricedMatching& start);
  bool best_exchange(PricedMatching& matching, Units least) const;

  // The relaxation.
  const PricedMatching& assign(const RatioRow& row, Units price);
  Mixture mix_at_best_price(const RatioRow& row, const PricedMatching& free);

  const DiverseMatching& matching_;
  PricedTable table_;
  PriceMaster master_;
  double largest_weight_;             // in units
  std::vector<Units> units_;          // [left × right]
  std::deque<Node> node_at_depth_;    // a deque: parents stay in place while children are added
  std::vector<PricedMatching> pool_;  // every matching found in this solve
  PricedMatching best_;
  Units grain_ = 1;  // all weights of this solve are multiples of it, before the tie rule
  std::uint64_t nodes_ = 0;

  // From solve to solve: where the search for prices ended.
  PairPrices last_prices_;
  bool has_last_prices_ = false;
  Units last_relaxed_price_ = 0;
};

}  // namespace polystep::solvers
