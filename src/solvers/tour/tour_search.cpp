#include "solvers/tour/tour_search.hpp"

#include <algorithm>

#include "polystep/stop.hpp"

namespace polystep::solvers {
namespace {

// Neighbours tried for the first and the second arc put in.
constexpr std::size_t kFirst = TourGraph::kNeighbours;
constexpr std::size_t kSecond = 8;
// Perturbations move pieces of at most so many points.
constexpr std::uint32_t kPiece = 30;

}  // namespace

std::uint32_t TourSearch::random_below(std::uint32_t bound) {
  // splitmix64; the bias of the product is below 2^-32.
  std::uint64_t z = random_ += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<std::uint32_t>(((z >> 32) * bound) >> 32);
}

void TourSearch::look_at(std::uint32_t point) {
  if (queued_[point]) return;
  queued_[point] = 1;
  const std::uint32_t place = queue_head_ + queue_length_++;
  queue_[place >= size_ ? place - size_ : place] = point;
}

void TourSearch::empty_queue() {
  while (queue_length_ > 0) {
    const std::uint32_t point = queue_[queue_head_];
    queue_head_ = queue_head_ + 1 == size_ ? 0 : queue_head_ + 1;
    --queue_length_;
    queued_[point] = 0;
    if (++looks_ == kLooksBetweenAsks) {
      looks_ = 0;
      stop_if_wanted();
    }
    while (improve_from(point)) {
    }
  }
}

bool TourSearch::improve_from(std::uint32_t t1) {
  const auto find = [&](bool forward, std::uint32_t t2) {
    if (graph_->table().empty()) {
      const auto arc = [graph = graph_](std::uint32_t from, std::uint32_t to) {
        return graph->arc(from, to);
      };
      return forward ? find_move<true>(t1, t2, arc) : find_move<false>(t1, t2, arc);
    }
    const auto arc = [table = graph_->table().data(), size = std::size_t{size_}](
                         std::uint32_t from, std::uint32_t to) { return table[from * size + to]; };
    return forward ? find_move<true>(t1, t2, arc) : find_move<false>(t1, t2, arc);
  };
  for (const bool forward : {true, false}) {
    const std::uint32_t t2 = forward ? next(t1) : previous(t1);
    const Move move = find(forward, t2);
    if (move.kind == Kind::kNone) continue;
    make(t1, t2, move);
    return true;
  }
  return false;
}

// The best move by the first t3 that has a gaining one. Ranks count from t2 = 0 along the tour, away from t1,
// which has the last rank.
template <bool kForward, class Arc>
TourSearch::Move TourSearch::find_move(std::uint32_t t1, std::uint32_t t2, const Arc& arc) const {
  const TourGraph& graph = *graph_;
  const std::uint32_t size = size_;
  const std::uint32_t* const order = order_.data();
  const std::uint32_t* const place = place_.data();
  const std::uint32_t origin = place[t2];
  const auto rank = [&](std::uint32_t point) {
    const std::uint32_t steps = kForward ? place[point] - origin : origin - place[point];
    return steps + (steps >= size ? size : 0);  // a negative number of steps has wrapped around
  };
  const auto at = [&](std::uint32_t r) {
    const std::uint32_t target = kForward ? origin + r : origin - r;
    return order[target >= size ? (kForward ? target - size : target + size) : target];
  };

  Move best;
  const std::int32_t arc12 = arc(t1, t2);
  const auto near2 = graph.neighbours(t2);
  for (std::size_t k = 0; k < kFirst; ++k) {
    const std::uint32_t t3 = near2[k].point;
    const std::int32_t gain1 = arc12 - near2[k].arc;
    if (gain1 <= 0) break;
    const std::uint32_t rank3 = rank(t3);
    if (rank3 == 1) continue;  // already next to t2

    {  // t2 .. t4 t3 .. t1: with the arc (t4, t1) this is a tour, and so it is after another such step.
      const std::uint32_t t4 = at(rank3 - 1);
      const std::int32_t gain2 = gain1 + arc(t3, t4);
      const std::int32_t closed = gain2 - arc(t1, t4);
      if (closed > best.gain) best = {closed, Kind::kTurn, t3, t4, 0, 0};
      const auto near4 = graph.neighbours(t4);
      for (std::size_t m = 0; m < kSecond; ++m) {
        const std::uint32_t t5 = near4[m].point;
        const std::int32_t gain3 = gain2 - near4[m].arc;
        if (gain3 <= 0) break;
        const std::uint32_t rank5 = rank(t5);
        // At t3, t1, and where (t5, t4) is an arc of the tour, nothing is exchanged.
        if (rank5 == rank3 || rank5 == size - 1 || rank5 + 2 == rank3) continue;
        const std::uint32_t t6 = at(rank5 < rank3 ? rank5 + 1 : rank5 - 1);
        const std::int32_t gain = gain3 + arc(t5, t6) - arc(t1, t6);
        if (gain > best.gain) best = {gain, Kind::kTwoTurns, t3, t4, t5, t6};
      }
    }
    {  // t2 .. t3 t4 .. t1: t2 .. t3 is a ring now, to be opened anywhere and put between t1 and t4.
      const std::uint32_t t4 = at(rank3 + 1);
      const std::int32_t gain2 = gain1 + arc(t3, t4);
      const auto near4 = graph.neighbours(t4);
      for (std::size_t m = 0; m < kSecond; ++m) {
        const std::uint32_t t5 = near4[m].point;
        const std::int32_t gain3 = gain2 - near4[m].arc;
        if (gain3 <= 0) break;
        const std::uint32_t rank5 = rank(t5);
        if (rank5 >= rank3) continue;
        const std::uint32_t after = at(rank5 + 1);
        const std::int32_t swapped = gain3 + arc(t5, after) - arc(t1, after);
        if (swapped > best.gain) best = {swapped, Kind::kSwap, t3, t4, t5, after};
        if (rank5 == 0) continue;
        const std::uint32_t before = at(rank5 - 1);
        const std::int32_t turned = gain3 + arc(t5, before) - arc(t1, before);
        if (turned > best.gain) best = {turned, Kind::kTurnBoth, t3, t4, t5, before};
      }
    }
    if (best.kind != Kind::kNone) break;
  }
  return best;
}

void TourSearch::make(std::uint32_t t1, std::uint32_t t2, const Move& move) {
  const auto [gain, kind, t3, t4, t5, t6] = move;
  switch (kind) {
    case Kind::kNone:
      return;
    case Kind::kTurn:
      exchange(t1, t2, t3, t4);
      break;
    case Kind::kTwoTurns:
      exchange(t1, t2, t3, t4);
      exchange(t1, t4, t5, t6);
      break;
    case Kind::kSwap:  // t1 [t2 .. t5] [t6 .. t3] t4
      exchange(t1, t2, t4, t3);
      exchange(t1, t3, t5, t6);
      exchange(t5, t3, t2, t4);
      break;
    case Kind::kTurnBoth:  // t1 [t2 .. t6] [t5 .. t3] t4
      exchange(t1, t2, t5, t6);
      exchange(t5, t2, t3, t4);
      break;
  }
  length_ -= gain;
  look_at(t1);
  look_at(t2);
  look_at(t3);
  look_at(t4);
  if (kind == Kind::kTurn) return;
  look_at(t5);
  look_at(t6);
}

// Arcs (t1, t2) and (t3, t4) go, (t2, t3) and (t4, t1) come: t2 .. t4 is turned around.
void TourSearch::exchange(std::uint32_t t1, std::uint32_t t2, std::uint32_t, std::uint32_t t4) {
  if (next(t1) == t2) {
    turn(place_[t2], place_[t4]);
  } else {
    turn(place_[t4], place_[t2]);
  }
}

// Turns the stretch between two places around, or all the rest, which makes the same tour.
void TourSearch::turn(std::uint32_t first, std::uint32_t last) {
  std::uint32_t count = last >= first ? last - first + 1 : last + size_ - first + 1;
  if (2 * count > size_) {
    count = size_ - count;
    const std::uint32_t rest = last + 1 == size_ ? 0 : last + 1;
    last = first == 0 ? size_ - 1 : first - 1;
    first = rest;
  }
  for (count /= 2; count > 0; --count) {
    const std::uint32_t one = order_[first], other = order_[last];
    order_[first] = other;
    place_[other] = first;
    order_[last] = one;
    place_[one] = last;
    first = first + 1 == size_ ? 0 : first + 1;
    last = last == 0 ? size_ - 1 : last - 1;
  }
}

// A double bridge within a short stretch of the tour: of three adjacent pieces the first and the last change
// places. That is an exchange of four arcs which no sequence of gaining moves takes back at once.
void TourSearch::perturb() {
  const std::uint32_t longest = std::min(kPiece, (size_ - 2) / 3);
  const std::uint32_t start = random_below(size_);
  const std::uint32_t one = 1 + random_below(longest);
  const std::uint32_t two = 1 + random_below(longest);
  const std::uint32_t three = 1 + random_below(longest);
  const std::uint32_t all = one + two + three;
  const auto place = [&](std::uint32_t offset) {
    return start + offset >= size_ ? start + offset - size_ : start + offset;
  };
  for (std::uint32_t i = 0; i < all; ++i) stretch_[i] = order_[place(1 + i)];
  const std::uint32_t before = order_[start], after = order_[place(all + 1)];
  const std::uint32_t ends[] = {before,
                                stretch_[0],
                                stretch_[one - 1],
                                stretch_[one],
                                stretch_[one + two - 1],
                                stretch_[one + two],
                                stretch_[all - 1],
                                after};
  const TourGraph& graph = *graph_;
  length_ += graph.arc(before, ends[5]) + graph.arc(ends[6], ends[3]) + graph.arc(ends[4], ends[1]) +
             graph.arc(ends[2], after);
  for (std::size_t i = 0; i < 8; i += 2) length_ -= graph.arc(ends[i], ends[i + 1]);
  std::uint32_t offset = 1;
  const auto lay = [&](std::uint32_t from, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i, ++offset) {
      const std::uint32_t point = stretch_[from + i];
      order_[place(offset)] = point;
      place_[point] = place(offset);
    }
  };
  lay(one + two, three);
  lay(one, two);
  lay(0, one);
  for (const std::uint32_t end : ends) look_at(end);
}

std::int64_t TourSearch::improve(const TourGraph& graph, std::span<std::uint32_t> order,
                                 std::size_t perturbations, std::uint64_t seed) {
  graph_ = &graph;
  size_ = static_cast<std::uint32_t>(order.size());
  random_ = seed;
  order_.assign(order.begin(), order.end());
  place_.resize(size_);
  queue_.resize(size_);
  queued_.assign(size_, 0);
  stretch_.resize(3 * kPiece);
  queue_head_ = queue_length_ = 0;
  looks_ = 0;
  length_ = 0;
  for (std::uint32_t i = 0; i < size_; ++i) {
    place_[order_[i]] = i;
    length_ += graph.arc(order_[i], order_[i + 1 < size_ ? i + 1 : 0]);
    look_at(order_[i]);
  }
  empty_queue();

  // `order` holds the best tour; what a perturbation made worse is undone by copying it back.
  std::copy(order_.begin(), order_.end(), order.begin());
  std::int64_t best = length_;
  for (std::size_t i = 0; i < perturbations; ++i) {
    perturb();
    empty_queue();
    if (length_ <= best) {
      std::copy(order_.begin(), order_.end(), order.begin());
      best = length_;
    } else {
      std::copy(order.begin(), order.end(), order_.begin());
      for (std::uint32_t k = 0; k < size_; ++k) place_[order_[k]] = k;
      length_ = best;
    }
  }
  return best;
}

}  // namespace polystep::solvers
