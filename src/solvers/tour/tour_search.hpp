// Shortens a tour by exchanging up to three arcs (Or-3opt in the manner of Lin and Kernighan), and goes on
// from there by small random changes that are kept where they pay.
//
// A move takes an arc (t1, t2) out, puts (t2, t3) in, takes (t3, t4) out, and so on, as long as the sum so
// far is a gain; it closes after two or three exchanges wherever the result is one tour. Every sequential
// exchange of three arcs is among these: turning a stretch around, moving one elsewhere either way round.
// Points whose arcs changed are looked at again, in the order of a queue. The tour is an array: its stretches
// are turned around in place, the shorter side of them.
//
// A tour may take long: every kLooksBetweenAsks points it asks whether to stop (polystep/stop.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solvers/tour/tour_graph.hpp"

namespace polystep::solvers {

// One per thread: keeps its tables for the next instance.
class TourSearch {
 public:
  static constexpr std::size_t kLooksBetweenAsks = 256;

  // Improves the tour in `order`, at least 8 points, and returns its length. The same seed gives the same
  // tour. Throws Stopped where it is to stop; `order` is then the best tour so far.
  std::int64_t improve(const TourGraph& graph, std::span<std::uint32_t> order, std::size_t perturbations,
                       std::uint64_t seed);

 private:
  enum class Kind { kNone, kTurn, kTwoTurns, kSwap, kTurnBoth };
  struct Move {
    std::int32_t gain = 0;
    Kind kind = Kind::kNone;
    std::uint32_t t3 = 0, t4 = 0, t5 = 0, t6 = 0;
  };

  void look_at(std::uint32_t point);
  void empty_queue();
  bool improve_from(std::uint32_t t1);
  template <bool kForward, class Arc>
  Move find_move(std::uint32_t t1, std::uint32_t t2, const Arc& arc) const;
  void make(std::uint32_t t1, std::uint32_t t2, const Move& move);
  void exchange(std::uint32_t t1, std::uint32_t t2, std::uint32_t t3, std::uint32_t t4);
  void turn(std::uint32_t first, std::uint32_t last);
  void perturb();

  std::uint32_t next(std::uint32_t point) const {
    const std::uint32_t place = place_[point] + 1;
    return order_[place == size_ ? 0 : place];
  }
  std::uint32_t previous(std::uint32_t point) const {
    const std::uint32_t place = place_[point];
    return order_[place == 0 ? size_ - 1 : place - 1];
  }
  std::uint32_t random_below(std::uint32_t bound);

  const TourGraph* graph_ = nullptr;
  std::uint32_t size_ = 0;
  std::int64_t length_ = 0;
  std::uint64_t random_ = 0;          // state of the generator
  std::vector<std::uint32_t> order_;  // [points] the tour
  std::vector<std::uint32_t> place_;  // [points] where in order_ a point is
  std::vector<std::uint32_t> queue_;  // [points] a ring; every point is in it at most once
  std::vector<std::uint8_t> queued_;  // [points]
  std::uint32_t queue_head_ = 0, queue_length_ = 0;
  std::size_t looks_ = 0;               // since stopping was last asked about
  std::vector<std::uint32_t> stretch_;  // a copy, while perturb moves its pieces
};

}  // namespace polystep::solvers
