// The few edges of every point that the published evaluator looks for tours among.
//
// They are those that raise a bound least when they are forced into it: the lightest tree with one more edge,
// where points have prices that are to make every point end two edges. Prices rise and fall by subgradients,
// and in between only the trees of a graph with a few edges per point are looked at: five by the evaluator's
// setting, where fifty are usual. Within so few, trees cannot follow the prices, which grow without end, and
// edges chosen by such prices are of no use to a tour.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "solvers/tour/tour_instance.hpp"

namespace polystep::solvers {

// One per thread: keeps its tables.
class PublishedCandidates {
 public:
  static constexpr std::int64_t kPrecision = 100;  // costs and prices are whole numbers of a hundredth metre

  static constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 4;
  static constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

  struct Candidate {
    std::int64_t alpha = 0;  // by how much the bound would rise
    std::int64_t cost = 0;
    std::uint32_t to = 0;
  };

  // At least three points. Throws Stopped where it is to stop.
  void set(std::span<const TourPoint> points);
  // Puts an edge before the other candidates of a point.
  void prefer(std::uint32_t from, std::uint32_t to);

  std::span<const Candidate> of(std::uint32_t point) const { return candidates_[point]; }  // best first
  std::int32_t arc(std::uint32_t a, std::uint32_t b) const { return arcs_[a * size_ + b]; }
  std::int64_t cost(std::uint32_t a, std::uint32_t b) const {  // with the prices of both
    return kPrecision * arc(a, b) + price_[a] + price_[b];
  }
  // Of the last tree.
  bool in_tree(std::uint32_t a, std::uint32_t b) const { return parent_[a] == b || parent_[b] == a; }
  std::int64_t join_cost(std::uint32_t point) const { return join_cost_[point]; }
  std::span<const std::uint32_t> sequence() const { return sequence_; }  // in which points joined it

 private:
  static constexpr std::size_t kCandidates = 5, kAscentCandidates = 5;
  static constexpr std::int64_t kMostPrice = std::numeric_limits<std::int32_t>::max() / 10;
  static constexpr std::int64_t kCostOffset = std::int64_t{1} << 36;  // above any cost: none is then negative
  static constexpr std::int64_t kJoined = std::numeric_limits<std::int64_t>::max(), kNotReached = kJoined - 1;

  void raise_bound();
  std::int64_t one_tree(bool sparse);
  void find_special(bool sparse);
  std::int64_t least_key() const;
  void choose(std::size_t most, std::int64_t most_alpha, bool both_ways);

  std::size_t size_ = 0;
  std::vector<std::int32_t> arcs_;                  // [points × points]
  std::vector<std::int64_t> price_, best_price_;    // [points]
  std::vector<std::uint32_t> parent_;               // [points] in the tree
  std::vector<std::int64_t> join_cost_;             // [points] of the edge to the parent
  std::vector<std::uint32_t> sequence_;             // parents before children
  std::vector<std::int32_t> degree_, last_degree_;  // [points] less two
  std::int64_t norm_ = 0;                           // of degree_, squared
  std::uint32_t special_ = 0, special_next_ = 0;    // the leaf that has the one more edge
  std::int64_t special_cost_ = 0;
  std::vector<std::int64_t> closest_;  // [points] keys of edges to the tree, see one_tree
  std::vector<std::int64_t> beta_;     // [points] the heaviest edge on the way through the tree
  std::vector<std::vector<Candidate>> candidates_;
};

}  // namespace polystep::solvers
