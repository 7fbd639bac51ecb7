#include "solvers/tour/published_tour.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "polystep/stop.hpp"
#include "solvers/tour/tour_solver.hpp"

namespace polystep::solvers {
std::int64_t PublishedTour::solve(std::span<const TourPoint> points) {
  check_tour_points(points);
  size_ = points.size();
  best_.resize(size_);
  if (size_ <= kExact) return exact_.solve(points, best_);
  candidates_.set(points);
  random_ = RandomStream(1, Purpose::kTours);
  start_.assign(candidates_.sequence().begin(), candidates_.sequence().end());
  std::int64_t best_length = kFar;
  has_best_ = false;
  for (std::size_t trial = 0; trial < kTrials; ++trial) {
    walk();
    improve();
    if (has_best_) merge();
    start_ = tour_;
    const std::int64_t length = tour_length(points, tour_);
    if (length >= best_length) continue;
    best_length = length;
    best_ = tour_;
    best_place_ = place_;
    has_best_ = true;
    for (const std::uint32_t point : best_) {
      candidates_.prefer(point, next(point));
      candidates_.prefer(next(point), point);
    }
  }
  std::rotate(best_.begin(), std::ranges::find(best_, 0u), best_.end());
  return best_length;
}

bool PublishedTour::in_best(std::uint32_t a, std::uint32_t b) const {
  const std::uint32_t apart =
      best_place_[a] > best_place_[b] ? best_place_[a] - best_place_[b] : best_place_[b] - best_place_[a];
  return apart == 1 || apart + 1 == size_;
}

// A random walk along candidates; where none is left, to whichever point comes next in the former order.
void PublishedTour::walk() {
  std::vector<std::uint8_t> chosen(size_);
  std::size_t from_start = random_.below(size_), looked = 0;
  tour_.clear();
  std::uint32_t at = start_[from_start];
  tour_.push_back(at);
  chosen[at] = 1;
  std::vector<std::uint32_t> alternatives;
  while (tour_.size() < size_) {
    alternatives.clear();
    if (has_best_)
      for (const PublishedCandidates::Candidate& candidate : candidates_.of(at))
        if (!chosen[candidate.to] && candidate.alpha == 0 && in_best(at, candidate.to))
          alternatives.push_back(candidate.to);
    if (alternatives.empty())
      for (const PublishedCandidates::Candidate& candidate : candidates_.of(at))
        if (!chosen[candidate.to]) alternatives.push_back(candidate.to);
    if (alternatives.empty()) {
      while (chosen[start_[(from_start + looked) % size_]]) ++looked;
      at = start_[(from_start + looked) % size_];
    } else {
      at = alternatives[alternatives.size() == 1 ? 0 : random_.below(alternatives.size())];
    }
    tour_.push_back(at);
    chosen[at] = 1;
  }
  place_.resize(size_);
  for (std::uint32_t k = 0; k < size_; ++k) place_[tour_[k]] = k;
}

// Chains of moves from every point in turn, until none gains. Edges of the bound's tree, or of the best tour
// so far, are not removed first.
void PublishedTour::improve() {
  std::vector<std::uint32_t> active(tour_.begin(), tour_.end());
  std::vector<std::uint8_t> waiting(size_, 1);
  const auto activate = [&](std::uint32_t point) {
    if (waiting[point]) return;
    waiting[point] = 1;
    active.push_back(point);
  };
  std::vector<std::uint32_t> before;
  for (std::size_t head = 0; head < active.size(); ++head) {
    stop_if_wanted();
    const std::uint32_t first = active[head];
    waiting[first] = 0;
    for (const bool forward : {false, true}) {
      std::uint32_t second = forward ? next(first) : previous(first);
      if (has_best_ ? in_best(first, second) : candidates_.in_tree(first, second)) continue;
      before = tour_;
      start_place_ = place_;
      removed_.clear();
      std::int64_t gain = candidates_.cost(first, second), closed = 0;
      std::size_t swaps = 0;
      while (swaps < size_ && step(first, second, gain, closed)) ++swaps;
      if (closed > 0) {
        for (std::uint32_t point = 0; point < size_; ++point) {
          const std::uint32_t k = start_place_[point];
          const std::uint32_t was_next = before[k + 1 < size_ ? k + 1 : 0],
                              was_before = before[k > 0 ? k - 1 : size_ - 1];
          const std::uint32_t a = next(point), b = previous(point);
          if (!((a == was_next && b == was_before) || (a == was_before && b == was_next))) activate(point);
        }
        activate(first);
        break;
      }
      tour_ = before;
      place_ = start_place_;
    }
  }
}

// Where tour and best tour pass through the same points between the same two, the shorter way is taken, as
// long as there is one.
void PublishedTour::merge() {
  const auto arc = [&](std::uint32_t a, std::uint32_t b) { return candidates_.arc(a, b); };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t start = 0; start < size_ && !changed; ++start) {
      const std::uint32_t from = tour_[start];
      std::int64_t own = 0;
      std::size_t farthest[2] = {0, 0};  // in the best tour from there, onward and back
      for (std::size_t steps = 1; steps <= size_ / 2 && !changed; ++steps) {
        const std::uint32_t to = tour_[(start + steps) % size_];
        own += arc(tour_[(start + steps - 1) % size_], to);
        const std::size_t onward = (best_place_[to] + size_ - best_place_[from]) % size_;
        farthest[0] = std::max(farthest[0], onward);
        farthest[1] = std::max(farthest[1], size_ - onward);
        for (const bool back : {false, true}) {
          if (farthest[back] != steps || (back ? size_ - onward : onward) != steps) continue;
          const auto other = [&](std::size_t k) {
            return best_[(best_place_[from] + (back ? size_ - k : k)) % size_];
          };
          std::int64_t theirs = 0;
          for (std::size_t k = 1; k <= steps; ++k) theirs += arc(other(k - 1), other(k));
          if (theirs >= own) continue;
          for (std::size_t k = 1; k < steps; ++k) {
            tour_[(start + k) % size_] = other(k);
            place_[other(k)] = static_cast<std::uint32_t>((start + k) % size_);
          }
          changed = true;
          break;
        }
      }
    }
  }
}

// One move of up to five exchanges that begins by removing first-second. True where it made an open one, from
// which the chain goes on; `closed` is the gain where a tour was improved.
bool PublishedTour::step(std::uint32_t first, std::uint32_t& second, std::int64_t& gain,
                         std::int64_t& closed) {
  trial_.end[0] = first;
  trial_.end[1] = second;
  best_open_ = -kFar;
  if (search(1, gain)) {
    exchange(trial_);
    closed = closed_;
    return false;
  }
  if (best_open_ <= 0) return false;
  for (std::size_t k = 0; k < best_move_.ends; k += 2)
    removed_.emplace_back(best_move_.end[k], best_move_.end[k + 1]);
  exchange(best_move_);
  second = best_move_.end[best_move_.ends - 1];
  gain = best_open_;
  return true;
}

bool PublishedTour::adds(std::size_t ends, std::uint32_t a, std::uint32_t b) const {
  for (std::size_t k = 1; k + 1 < ends; k += 2)
    if ((trial_.end[k] == a && trial_.end[k + 1] == b) || (trial_.end[k] == b && trial_.end[k + 1] == a))
      return true;
  return false;
}

bool PublishedTour::removes(std::size_t ends, std::uint32_t a, std::uint32_t b) const {
  for (std::size_t k = 0; k < ends; k += 2)
    if ((trial_.end[k] == a && trial_.end[k + 1] == b) || (trial_.end[k] == b && trial_.end[k + 1] == a))
      return true;
  return false;
}

// Whether the chain began with this edge in its tour and has not removed it yet.
bool PublishedTour::removable(std::uint32_t a, std::uint32_t b) const {
  const std::uint32_t apart = start_place_[a] > start_place_[b] ? start_place_[a] - start_place_[b]
                                                                : start_place_[b] - start_place_[a];
  if (apart != 1 && apart + 1 != size_) return false;
  return std::ranges::none_of(removed_, [&](const auto& edge) {
    return (edge.first == a && edge.second == b) || (edge.first == b && edge.second == a);
  });
}

// Looks for exchanges after the first `depth` edges were removed; true where trial_ then is a move that
// gains.
bool PublishedTour::search(std::size_t depth, std::int64_t gain) {
  const std::size_t ends = 2 * depth;
  const std::uint32_t first = trial_.end[0], from = trial_.end[ends - 1];
  for (const PublishedCandidates::Candidate& candidate : candidates_.of(from)) {
    const std::uint32_t to = candidate.to;
    if (to == next(from) || to == previous(from)) continue;
    const std::int64_t added = gain - candidate.cost;
    if (added <= 0 || adds(ends, from, to)) continue;
    for (const bool forward : {false, true}) {
      const std::uint32_t end = forward ? next(to) : previous(to);
      if (removes(ends, to, end)) continue;
      trial_.end[ends] = to;
      trial_.end[ends + 1] = end;
      const std::int64_t open = added + candidates_.cost(to, end);
      const bool closable = end != first && !adds(ends + 2, end, first);
      const std::int64_t close = end == first ? -kFar : open - candidates_.cost(end, first);
      std::size_t parts = 0;
      if (closable && close > 0) {
        join_in_sequence(ends + 2);
        parts = count_parts();
        if (parts == 1) {
          closed_ = close;
          return true;
        }
      }
      if (depth + 1 < kExchanges && search(depth + 1, open)) return true;
      trial_.end[ends] = to;
      trial_.end[ends + 1] = end;
      if (parts > 1 && parts <= kPatched) {
        join_in_sequence(ends + 2);
        count_parts();
        if (patch(parts, close)) return true;
      }
      if (depth + 1 < kExchanges || end == first || to == first || close > 0 || !closable) continue;
      if (open - PublishedCandidates::kPrecision < candidates_.join_cost(end) || open <= best_open_ ||
          !removable(to, end))
        continue;
      join_in_sequence(ends + 2);
      if (count_parts() == 1) best_open_ = open, best_move_ = trial_;
    }
  }
  return false;
}

void PublishedTour::join_in_sequence(std::size_t ends) {
  trial_.ends = ends;
  for (std::size_t k = 1; k < ends; k += 2) {
    const std::size_t other = k + 1 < ends ? k + 1 : 0;
    trial_.joined[k] = other;
    trial_.joined[other] = k;
  }
}

// Closed tours that trial_ would leave. Pieces of the tour between removed edges get the numbers of theirs.
std::size_t PublishedTour::count_parts() {
  const std::size_t ends = trial_.ends;
  std::uint32_t key[2 * kMostRemoved] = {};
  std::size_t rank[2 * kMostRemoved];
  for (std::size_t k = 0; k < ends; ++k) {
    // A point between two removed edges is a piece of its own: its opening end comes before its closing one.
    const std::uint32_t point = trial_.end[k];
    key[k] = 2 * place_[point] + (next(trial_.end[k ^ 1]) == point ? 0 : 1);
    sorted_[k] = k;
  }
  std::sort(sorted_, sorted_ + ends, [&](std::size_t a, std::size_t b) { return key[a] < key[b]; });
  if (key[sorted_[0]] & 1)
    std::rotate(sorted_, sorted_ + 1, sorted_ + ends);  // a piece across the tour's end
  for (std::size_t r = 0; r < ends; ++r) rank[sorted_[r]] = r;
  std::fill(part_, part_ + ends / 2, ends);
  std::size_t parts = 0;
  for (std::size_t piece = 0; piece < ends / 2; ++piece) {
    if (part_[piece] != ends) continue;
    std::size_t r = 2 * piece;
    do {
      part_[r / 2] = parts;
      r = rank[trial_.joined[sorted_[r ^ 1]]];
    } while (part_[r / 2] == ends || r != 2 * piece);
    ++parts;
  }
  return parts;
}

std::size_t PublishedTour::part_of(std::uint32_t point) const {
  for (std::size_t piece = 0; piece < trial_.ends / 2; ++piece) {
    const std::uint32_t opens = place_[trial_.end[sorted_[2 * piece]]],
                        closes = place_[trial_.end[sorted_[2 * piece + 1]]], at = place_[point];
    if (opens <= closes ? at >= opens && at <= closes : at >= opens || at <= closes) return part_[piece];
  }
  return 0;
}

// Closed tours are joined to one by removing an edge of the shortest, and one of another each, where all
// together gains.
bool PublishedTour::patch(std::size_t parts, std::int64_t gain) {
  const std::size_t ends = trial_.ends;
  std::size_t points[kPatched] = {};
  for (std::size_t piece = 0; piece < ends / 2; ++piece)
    points[part_[piece]] +=
        (place_[trial_.end[sorted_[2 * piece + 1]]] + size_ - place_[trial_.end[sorted_[2 * piece]]]) %
            size_ +
        1;
  const std::size_t shortest = static_cast<std::size_t>(std::min_element(points, points + parts) - points);
  // Numbers of pieces stand for the move without the patch; ends beyond `ends` are the patch.
  for (std::size_t piece = 0; piece < ends / 2; ++piece) {
    if (part_[piece] != shortest) continue;
    const std::uint32_t last = trial_.end[sorted_[2 * piece + 1]];
    for (std::uint32_t at = trial_.end[sorted_[2 * piece]]; at != last; at = next(at)) {
      trial_.end[ends] = at;
      trial_.end[ends + 1] = next(at);
      std::size_t joined[kPatched] = {shortest};
      if (patch_on(ends, ends + 2, joined, 1, parts, gain + candidates_.cost(at, next(at)))) return true;
    }
  }
  return false;
}

bool PublishedTour::patch_on(std::size_t base, std::size_t ends, std::size_t* joined, std::size_t count,
                             std::size_t parts, std::int64_t gain) {
  const std::uint32_t first = trial_.end[base], from = trial_.end[ends - 1];
  for (const PublishedCandidates::Candidate& candidate : candidates_.of(from)) {
    const std::uint32_t to = candidate.to;
    if (to == next(from) || to == previous(from) || adds(base, from, to)) continue;
    const std::size_t part = part_of(to);
    if (std::find(joined, joined + count, part) != joined + count) continue;
    for (const bool forward : {false, true}) {
      const std::uint32_t end = forward ? next(to) : previous(to);
      if (removes(base, to, end)) continue;
      trial_.end[ends] = to;
      trial_.end[ends + 1] = end;
      const std::int64_t open = gain - candidate.cost + candidates_.cost(to, end);
      if (count + 1 < parts) {
        joined[count] = part;
        if (patch_on(base, ends + 2, joined, count + 1, parts, open)) return true;
      } else if (end != first && open - candidates_.cost(end, first) > 0) {
        for (std::size_t k = base + 1; k < ends + 2; k += 2) {
          const std::size_t other = k + 1 < ends + 2 ? k + 1 : base;
          trial_.joined[k] = other;
          trial_.joined[other] = k;
        }
        trial_.ends = ends + 2;
        closed_ = open - candidates_.cost(end, first);
        return true;
      }
    }
  }
  return false;
}

void PublishedTour::exchange(const Move& move) {
  neighbours_.resize(size_);
  for (std::uint32_t point = 0; point < size_; ++point) neighbours_[point] = {previous(point), next(point)};
  const auto change = [&](std::uint32_t point, std::uint32_t from, std::uint32_t to) {
    auto& beside = neighbours_[point];
    (beside.first == from ? beside.first : beside.second) = to;
  };
  for (std::size_t k = 0; k < move.ends; ++k) change(move.end[k], move.end[k ^ 1], kNobody);
  for (std::size_t k = 0; k < move.ends; ++k) change(move.end[k], kNobody, move.end[move.joined[k]]);
  std::uint32_t before = kNobody, at = tour_[0];
  for (std::size_t k = 0; k < size_; ++k) {
    tour_[k] = at;
    place_[at] = static_cast<std::uint32_t>(k);
    const auto& beside = neighbours_[at];
    const std::uint32_t onward = k == 0 || beside.first == before ? beside.second : beside.first;
    before = at;
    at = onward;
  }
}

}  // namespace polystep::solvers
