// Tours as the published evaluator drives them: much too long, and in the same way.
//
// It runs Lin-Kernighan steps of five exchanges within five candidate edges per point, which subgradients of
// a bound are to choose well. The bound is raised on a graph of five edges per point where fifty are usual.
// There trees cannot follow the prices of points, which grow without end, and candidates by these prices are
// often useless; five trials do not repair it. That is rebuilt here: the bound and its prices, the candidates
// by how much the bound would rise, random walks along candidates, and exchanges within them. Lengths agree
// with published ones on the whole, not one by one, since random numbers and ties differ.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polystep/random.hpp"
#include "solvers/tour/held_karp.hpp"
#include "solvers/tour/tour_instance.hpp"

namespace polystep::solvers {

// Counts changes that make other tours of the same points.
constexpr std::uint32_t kPublishedTourVersion = 1;

// One per thread: keeps its tables.
class PublishedTour {
 public:
  // Returns the length of the tour that order() then holds, a function of the points. Up to seven points it
  // is a shortest one. Throws InputError as TourSolver does, and Stopped where it is to stop.
  std::int64_t solve(std::span<const TourPoint> points);
  std::span<const std::uint32_t> order() const { return best_; }  // of the last solve, point 0 first

 private:
  static constexpr std::size_t kExact = 7;  // up to so many points, exchanges of five find the shortest tour
  static constexpr std::size_t kTrials = 5;
  static constexpr std::size_t kCandidates = 5, kAscentCandidates = 5;
  static constexpr std::int64_t kPrecision = 100;  // of prices, in a metre
  static constexpr std::size_t kExchanges = 5;

  struct Candidate {
    std::int64_t alpha, cost;
    std::uint32_t to;
  };
  // Tours that an exchange leaves apart, and edges that may then be removed besides.
  static constexpr std::size_t kPatched = 3, kMostRemoved = kExchanges + kPatched;

  struct Move {  // edges between ends 2k and 2k + 1 are removed; end k is joined to end joined[k]
    std::uint32_t end[2 * kMostRemoved];
    std::size_t joined[2 * kMostRemoved];
    std::size_t ends = 0;
  };

  std::int64_t cost(std::uint32_t a, std::uint32_t b) const {
    return kPrecision * arcs_[a * size_ + b] + price_[a] + price_[b];
  }
  std::int64_t one_tree(bool sparse);
  std::int64_t least_key() const;
  void find_special(bool sparse);
  void raise_bound();
  void choose_candidates(std::size_t most, std::int64_t most_alpha, bool both_ways);
  void walk(std::size_t trial);
  void improve();
  void merge();
  bool step(std::uint32_t first, std::uint32_t& second, std::int64_t& gain, std::int64_t& closed);
  bool search(std::size_t depth, std::int64_t gain);
  bool adds(std::size_t ends, std::uint32_t a, std::uint32_t b) const;
  bool removes(std::size_t ends, std::uint32_t a, std::uint32_t b) const;
  bool removable(std::uint32_t a, std::uint32_t b) const;
  void join_in_sequence(std::size_t ends);
  std::size_t count_parts();
  std::size_t part_of(std::uint32_t point) const;
  bool patch(std::size_t parts, std::int64_t gain);
  bool patch_on(std::size_t base, std::size_t ends, std::size_t* joined, std::size_t count, std::size_t parts,
                std::int64_t gain);
  void exchange(const Move& move);
  bool in_best(std::uint32_t a, std::uint32_t b) const;
  std::uint32_t next(std::uint32_t point) const {
    return tour_[place_[point] + 1 < size_ ? place_[point] + 1 : 0];
  }
  std::uint32_t previous(std::uint32_t point) const {
    return tour_[place_[point] > 0 ? place_[point] - 1 : size_ - 1];
  }
  std::int64_t length(std::span<const std::uint32_t> order) const;

  std::size_t size_ = 0;
  std::vector<std::int32_t> arcs_;  // [points × points]
  std::vector<std::int64_t> price_, best_price_;
  std::vector<std::int32_t> degree_, last_degree_;  // of the tree, less two
  std::vector<std::uint32_t> parent_, sequence_;    // of the tree, sequence_ in the order of joining
  std::vector<std::int64_t> join_cost_;
  std::uint32_t special_ = 0, special_next_ = 0;  // the leaf that has the tree's one more edge
  std::int64_t special_cost_ = 0;
  std::int64_t norm_ = 0;
  std::vector<std::vector<Candidate>> candidates_;
  std::vector<std::int64_t> beta_;
  std::vector<std::uint32_t> tour_, place_, start_, best_, best_place_;
  bool has_best_ = false;
  Move trial_, best_move_;
  std::int64_t best_open_ = 0, closed_ = 0;
  std::size_t sorted_[2 * kMostRemoved] = {};  // ends of trial_ along the tour, opening and closing pieces
  std::size_t part_[kMostRemoved] = {};        // of pieces
  std::vector<std::pair<std::uint32_t, std::uint32_t>> neighbours_;
  std::vector<std::int64_t> closest_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> removed_;  // by moves of this chain
  std::vector<std::uint32_t> start_place_;                        // of the chain
  RandomStream random_{1, Purpose::kTours};
  HeldKarp exact_;
};

}  // namespace polystep::solvers
