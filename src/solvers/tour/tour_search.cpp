#include "solvers/tour/tour_search.hpp"

#include <algorithm>

namespace polystep::solvers {
namespace {

// Neighbours tried for the first and the second arc put in.
constexpr std::size_t kFirst = 8;
constexpr std::size_t kSecond = 5;
// Perturbations swap two adjacent stretches of at most so many points.
constexpr std::uint32_t kStretch = 30;

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
    while (improve_from(point)) {
    }
  }
}

bool TourSearch::improve_from(std::uint32_t t1) {
  Move ahead, back;
  const std::uint32_t after = next(t1), before = previous(t1);
  find_move<true>(t1, after, ahead);
  back.gain = ahead.gain;
  find_move<false>(t1, before, back);
  if (back.kind != Kind::kNone) {
    make(t1, before, back);
    return true;
  }
  if (ahead.kind != Kind::kNone) {
    make(t1, after, ahead);
    return true;
  }
  return false;
}

// Ranks count from t2 = 0 along the tour, away from t1, which has the last rank. `best` is replaced by what
// gains more.
template <bool kForward>
void TourSearch::find_move(std::uint32_t t1, std::uint32_t t2, Move& best) const {
  const TourGraph& graph = *graph_;
  const std::uint32_t size = size_;
  const std::uint32_t origin = place_[t2];
  const auto rank = [&](std::uint32_t point) {
    const std::uint32_t place = place_[point];
    if constexpr (kForward) return place >= origin ? place - origin : place + size - origin;
    return origin >= place ? origin - place : origin + size - place;
  };
  const auto at = [&](std::uint32_t r) {
    if constexpr (kForward) return order_[origin + r >= size ? origin + r - size : origin + r];
    return order_[origin >= r ? origin - r : origin + size - r];
  };

  const std::int32_t arc12 = graph.arc(t1, t2);
  const auto near2 = graph.neighbours(t2);
  for (std::size_t k = 0; k < kFirst; ++k) {
    const std::uint32_t t3 = near2[k].point;
    const std::int32_t gain1 = arc12 - near2[k].arc;
    if (gain1 <= 0) break;
    const std::uint32_t rank3 = rank(t3);
    if (rank3 == 1) continue;  // already next to t2

    {  // t2 .. t4 t3 .. t1: with the arc (t4, t1) this is a tour, and so it is after another such step.
      const std::uint32_t t4 = at(rank3 - 1);
      const std::int32_t gain2 = gain1 + graph.arc(t3, t4);
      const std::int32_t closed = gain2 - graph.arc(t4, t1);
      if (closed > best.gain) best = {closed, Kind::kTurn, t3, t4, 0, 0};
      const auto near4 = graph.neighbours(t4);
      for (std::size_t m = 0; m < kSecond; ++m) {
        const std::uint32_t t5 = near4[m].point;
        const std::int32_t gain3 = gain2 - near4[m].arc;
        if (gain3 <= 0) break;
        if (t5 == t3 || t5 == t1) continue;
        const std::uint32_t rank5 = rank(t5);
        const std::uint32_t t6 = at(rank5 < rank3 ? rank5 + 1 : rank5 - 1);
        if (t6 == t4 && rank5 < rank3) continue;  // (t5, t4) is an arc of the tour
        const std::int32_t gain = gain3 + graph.arc(t5, t6) - graph.arc(t6, t1);
        if (gain > best.gain) best = {gain, Kind::kTwoTurns, t3, t4, t5, t6};
      }
    }
    {  // t2 .. t3 t4 .. t1: t2 .. t3 is a ring now, to be opened anywhere and put between t1 and t4.
      const std::uint32_t t4 = at(rank3 + 1);
      const std::int32_t gain2 = gain1 + graph.arc(t3, t4);
      const auto near4 = graph.neighbours(t4);
      for (std::size_t m = 0; m < kSecond; ++m) {
        const std::uint32_t t5 = near4[m].point;
        const std::int32_t gain3 = gain2 - near4[m].arc;
        if (gain3 <= 0) break;
        const std::uint32_t rank5 = rank(t5);
        if (rank5 >= rank3) continue;
        const std::uint32_t after = at(rank5 + 1);
        const std::int32_t swapped = gain3 + graph.arc(t5, after) - graph.arc(after, t1);
        if (swapped > best.gain) best = {swapped, Kind::kSwap, t3, t4, t5, after};
        if (rank5 == 0) continue;
        const std::uint32_t before = at(rank5 - 1);
        const std::int32_t turned = gain3 + graph.arc(t5, before) - graph.arc(before, t1);
        if (turned > best.gain) best = {turned, Kind::kTurnBoth, t3, t4, t5, before};
      }
    }
  }
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
void TourSearch::exchange(std::uint32_t t1, std::uint32_t t2, std::uint32_t t3, std::uint32_t t4) {
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

// A double bridge within a short stretch: two adjacent pieces change places. No sequence of turns that each
// gain finds its way back at once.
void TourSearch::perturb() {
  const std::uint32_t longest = std::min(kStretch, (size_ - 2) / 2);
  const std::uint32_t start = random_below(size_);
  const std::uint32_t one = 1 + random_below(longest);
  const std::uint32_t other = 1 + random_below(longest);
  const auto at = [&](std::uint32_t offset) -> std::uint32_t& {
    const std::uint32_t place = start + offset;
    return order_[place >= size_ ? place - size_ : place];
  };
  const std::uint32_t a = at(0), b = at(1), c = at(one), d = at(one + 1), e = at(one + other),
                      f = at(one + other + 1);
  const TourGraph& graph = *graph_;
  length_ += graph.arc(a, d) + graph.arc(e, b) + graph.arc(c, f) - graph.arc(a, b) - graph.arc(c, d) -
             graph.arc(e, f);
  for (std::uint32_t i = 0; i < one; ++i) stretch_[i] = at(1 + i);
  for (std::uint32_t i = 0; i < other; ++i) at(1 + i) = at(1 + one + i);
  for (std::uint32_t i = 0; i < one; ++i) at(1 + other + i) = stretch_[i];
  for (std::uint32_t i = 1; i <= one + other; ++i) {
    const std::uint32_t place = start + i;
    place_[at(i)] = place >= size_ ? place - size_ : place;
  }
  look_at(a);
  look_at(b);
  look_at(c);
  look_at(d);
  look_at(e);
  look_at(f);
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
  stretch_.resize(kStretch);
  queue_head_ = queue_length_ = 0;
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
