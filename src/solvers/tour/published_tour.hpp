// Tours as the published evaluator drives them: much too long, and in the same way.
//
// It has five trials. Each is a random walk along candidate edges (published_candidates.hpp), often useless
// ones, and improves it by Lin-Kernighan steps of up to five exchanges within these, which may leave tours
// apart where removing an edge of each puts them together again. What a trial shares with the best tour so
// far, between the same ends, it takes from the better of the two. Lengths agree with published ones on the
// whole, not one by one, since random numbers and ties differ.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "polystep/random.hpp"
#include "solvers/tour/held_karp.hpp"
#include "solvers/tour/published_candidates.hpp"
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
  static constexpr std::size_t kTrials = 5, kExchanges = 5;
  static constexpr std::int64_t kFar = PublishedCandidates::kFar;
  static constexpr std::uint32_t kNobody = PublishedCandidates::kNobody;
  // Tours that an exchange leaves apart, and edges that may then be removed besides.
  static constexpr std::size_t kPatched = 3, kMostRemoved = kExchanges + kPatched;

  struct Move {  // edges between ends 2k and 2k + 1 are removed; end k is joined to end joined[k]
    std::uint32_t end[2 * kMostRemoved];
    std::size_t joined[2 * kMostRemoved];
    std::size_t ends = 0;
  };

  void walk();
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

  std::size_t size_ = 0;
  PublishedCandidates candidates_;
  std::vector<std::uint32_t> tour_, place_;       // [points] the trial's, and where a point is in it
  std::vector<std::uint32_t> best_, best_place_;  // of the trials so far
  bool has_best_ = false;
  std::vector<std::uint32_t> start_;        // where a walk goes on without candidates
  std::vector<std::uint32_t> start_place_;  // in the tour that a chain of moves began with
  std::vector<std::pair<std::uint32_t, std::uint32_t>> removed_;  // edges, by moves of the chain
  Move trial_, best_move_;                                        // at hand, and the most gainful open one
  std::int64_t best_open_ = 0, closed_ = 0;    // gain of that, and of trial_ where it closes the tour
  std::size_t sorted_[2 * kMostRemoved] = {};  // ends of trial_ along the tour, opening and closing pieces
  std::size_t part_[kMostRemoved] = {};        // tours that pieces would belong to
  std::vector<std::pair<std::uint32_t, std::uint32_t>> neighbours_;  // [points]
  RandomStream random_{1, Purpose::kTours};
  HeldKarp exact_;
};

}  // namespace polystep::solvers
