#include "solvers/matching/diverse_matching_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polystep::solvers {
namespace {

constexpr double kLargestPrice = 0x1p54;  // keeps weights net of prices below Assignment::kLargestWeight
constexpr double kSameBound = 0x1p15;     // units by which the master may err: its doubles have 53 bits
constexpr int kMostTurns = 60;            // of master and assignment in one node

// Weights on a grid this coarse keep sums of tie losses (at most 64 pairs of 2^20 units) apart from values.
constexpr Units kCoarseGrain = Units{1} << 30;
constexpr Units kMostTieLoss = Units{1} << 26;

}  // namespace

DiverseMatchingSearch::DiverseMatchingSearch(const DiverseMatching& matching)
    : matching_(matching),
      table_(matching.left_, matching.right_, matching.same_label_),
      largest_weight_(std::ldexp(1.0, Assignment::kLargestBits - matching.price_bits_)),
      units_(matching.left_ * matching.right_) {}

void DiverseMatchingSearch::forget() {
  table_.forget();
  has_last_prices_ = false;
  last_relaxed_price_ = 0;
}

void DiverseMatchingSearch::load(std::span<const double> weights) {
  grain_ = matching_.units_.convert(weights, units_);
  // On a coarse grid many matchings can share the best value, and the first one found is kept. A start that
  // does not depend on earlier solves makes that one the same every time.
  if (grain_ >= kCoarseGrain) forget();
  table_.load(units_);
  nodes_ = 0;
}

const PricedMatching& DiverseMatchingSearch::solve(std::span<const double> weights) {
  load(weights);
  best_ = PricedMatching();
  pool_.clear();
  if (matching_.polygon_.only_empty()) return best_;
  Node& root = node_at(0);
  root.box = matching_.polygon_.box();
  root.bound = std::numeric_limits<Units>::max();
  root.centre = has_last_prices_ ? last_prices_ : PairPrices{};
  root.known.clear();
  explore(0);
  return best_;
}

// Whether a matching within the bound could have a larger value than the best; on a coarse grid, a larger
// value by at least one step of the grid.
bool DiverseMatchingSearch::may_be_better(Units bound) const {
  if (grain_ < kCoarseGrain) return bound > best_.value;
  return (bound + kMostTieLoss) / grain_ > (best_.value + kMostTieLoss) / grain_;
}

void DiverseMatchingSearch::offer(const PricedMatching& candidate) {
  if (candidate.value > best_.value && matching_.polygon_.allows(candidate.counts)) best_ = candidate;
}

Units DiverseMatchingSearch::evaluate(Node& node, PairPrices prices) {
  const auto per_same = static_cast<Units>(std::clamp(prices.same, -kLargestPrice, kLargestPrice));
  const auto per_different = static_cast<Units>(std::clamp(prices.different, -kLargestPrice, kLargestPrice));
  const PricedMatching& found = table_.assign(per_same, per_different);
  offer(found);
  Units most_paid = std::numeric_limits<Units>::min();
  for (const PairCounts corner : node.corners) {
    most_paid = std::max(most_paid, per_same * corner.same + per_different * corner.different);
  }
  node.known.push_back(pool_.size());
  node.planes.push_back({found.counts, static_cast<double>(found.value)});
  pool_.push_back(found);
  node.last_bound =
      found.value - per_same * found.counts.same - per_different * found.counts.different + most_paid;
  return node.last_bound;
}

// Minimises the bound of a node over the prices. Ends early, with false, where the bound shows that the node
// holds nothing better than the best.
bool DiverseMatchingSearch::tighten(Node& node) {
  matching_.polygon_.corners(node.box, node.corners);
  if (node.corners.empty()) return false;
  node.planes.clear();
  for (const std::size_t k : node.known) node.planes.push_back({pool_[k].counts, double(pool_[k].value)});
  const bool has_guess = nodes_ > 1 || has_last_prices_;
  double radius = largest_weight_ * (has_guess ? 1.0 / 32 : 1.0 / 4);
  Units least = std::numeric_limits<Units>::max();
  PairPrices prices = node.centre;
  if (node.known.empty()) {
    least = evaluate(node, prices);
    node.bound = std::min(node.bound, least);
    if (!may_be_better(node.bound)) return false;
  }
  for (int turn = 0; turn < kMostTurns; ++turn) {
    master_.solve(node.planes, node.corners, node.centre, radius);
    prices = master_.prices();
    const Units bound = evaluate(node, prices);
    node.bound = std::min(node.bound, bound);
    if (!may_be_better(node.bound)) return false;
    const bool is_best_within_radius = static_cast<double>(bound) <= master_.bound() + kSameBound;
    if (bound <= least) {
      least = bound;
      node.centre = prices;
    }
    if (!is_best_within_radius) continue;
    if (!master_.at_radius() || radius > kLargestPrice) return true;
    radius *= 4.0;
  }
  return true;
}

}  // namespace polystep::solvers
