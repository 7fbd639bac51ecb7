// Branch and bound of the search for diverse matchings: what to do with a node whose bound leaves room.
#include <algorithm>
#include <cmath>

#include "solvers/matching/diverse_matching_search.hpp"

namespace polystep::solvers {
namespace {

constexpr double kFraction = 1e-6;  // mean counts nearer to a whole number than this are whole
constexpr std::size_t kMostInherited = 24;

double from_whole(double number) { return std::abs(number - std::round(number)); }

}  // namespace

DiverseMatchingSearch::Node& DiverseMatchingSearch::node_at(std::size_t depth) {
  while (node_at_depth_.size() <= depth) node_at_depth_.emplace_back();
  return node_at_depth_[depth];
}

void DiverseMatchingSearch::explore(std::size_t depth) {
  Node& node = node_at(depth);
  ++nodes_;
  const bool open = tighten(node);
  if (depth == 0) {
    last_prices_ = node.centre;
    has_last_prices_ = true;
  }
  if (!open) return;
  const double same = master_.mean_same();
  const double different = master_.mean_different();
  find_mixture(node);
  for (const std::size_t k : node.mixture) repair(pool_[k]);
  if (!may_be_better(node.bound)) return;
  // Pairs that the dual values of the last assignment rule out of anything better stay out below this node.
  table_.forbid_losing(node.last_bound - best_.value);
  if (std::max(from_whole(same), from_whole(different)) > kFraction) {
    const bool by_same = from_whole(same) > from_whole(different);
    split_by_count(depth, by_same, by_same ? same : different);
  } else {
    split_by_pair(depth);
  }
  table_.release();
}

// The matchings of the master's mixture, the largest shares first.
void DiverseMatchingSearch::find_mixture(Node& node) const {
  node.mixture.clear();
  std::vector<std::pair<double, std::size_t>> shares;
  for (std::size_t k = 0; k < master_.shares(); ++k) {
    if (master_.share(k) > 0.0) shares.push_back({-master_.share(k), node.known[k]});
  }
  std::sort(shares.begin(), shares.end());
  for (const auto& [share, k] : shares) node.mixture.push_back(k);
}

void DiverseMatchingSearch::start_child(std::size_t depth) {
  node_at(depth + 1);
  const Node& node = node_at(depth);
  Node& child = node_at(depth + 1);
  child.box = node.box;
  child.bound = node.bound;
  child.centre = node.centre;
  child.known.clear();
  const std::size_t recent = node.known.size() > kMostInherited ? node.known.size() - kMostInherited : 0;
  const auto add = [&](std::size_t k) {
    const bool is_new = std::find(child.known.begin(), child.known.end(), k) == child.known.end();
    if (is_new && table_.respects_fixings(pool_[k])) child.known.push_back(k);
  };
  std::for_each(node.mixture.begin(), node.mixture.end(), add);
  std::for_each(node.known.begin() + static_cast<std::ptrdiff_t>(recent), node.known.end(), add);
}

void DiverseMatchingSearch::split_by_count(std::size_t depth, bool by_same, double mean) {
  const int below = static_cast<int>(std::floor(mean));
  const bool below_first = mean - below < 0.5;
  for (const bool take_below : {below_first, !below_first}) {
    start_child(depth);
    Node& child = node_at(depth + 1);
    int PairCounts::*const count = by_same ? &PairCounts::same : &PairCounts::different;
    if (take_below) {
      child.box.most.*count = below;
    } else {
      child.box.least.*count = below + 1;
    }
    if (may_be_better(child.bound)) explore(depth + 1);
  }
}

// The most valuable pair on which the two largest parts of the mixture disagree.
std::array<int, 2> DiverseMatchingSearch::disputed_pair(const Node& node) const {
  std::array<int, 2> pair{-1, -1};
  Units largest = PricedTable::kNever;
  const PricedMatching& first = pool_[node.mixture[0]];
  const PricedMatching nothing;
  const PricedMatching& second = node.mixture.size() > 1 ? pool_[node.mixture[1]] : nothing;
  for (std::size_t left = 0; left < table_.left(); ++left) {
    if (first.of(left) == second.of(left)) continue;
    for (const int right : {first.of(left), second.of(left)}) {
      if (!table_.is_open(left, right) || table_.value(left, right) <= largest) continue;
      largest = table_.value(left, right);
      pair = {static_cast<int>(left), right};
    }
  }
  return pair;
}

void DiverseMatchingSearch::split_by_pair(std::size_t depth) {
  const auto [row, right] = disputed_pair(node_at(depth));
  if (row < 0) return;  // all pairs are fixed and the counts are still not allowed
  const auto left = static_cast<std::size_t>(row);
  for (const bool forced : {true, false}) {
    start_child(depth);
    Node& child = node_at(depth + 1);
    std::erase_if(child.known, [&](std::size_t k) { return (pool_[k].of(left) == right) != forced; });
    if (forced) {
      table_.force(left, static_cast<std::size_t>(right));
    } else {
      table_.forbid(left, static_cast<std::size_t>(right));
    }
    if (may_be_better(child.bound)) explore(depth + 1);
    table_.release();
  }
}

}  // namespace polystep::solvers
