#include "solvers/tour/published_tour.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "polystep/stop.hpp"
#include "solvers/tour/tour_solver.hpp"

namespace polystep::solvers {
namespace {

constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 4;
constexpr std::int64_t kJoined = std::numeric_limits<std::int64_t>::max(), kNotReached = kJoined - 1;
constexpr std::int64_t kCostOffset = std::int64_t{1} << 36;  // above any cost, so that all are positive
constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::int64_t PublishedTour::length(std::span<const std::uint32_t> order) const {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < order.size(); ++k)
    sum += arcs_[order[k] * size_ + order[k + 1 < order.size() ? k + 1 : 0]];
  return sum;
}

std::int64_t PublishedTour::solve(std::span<const TourPoint> points) {
  check_tour_points(points);
  size_ = points.size();
  best_.resize(size_);
  if (size_ <= kExact) return exact_.solve(points, best_);
  arcs_.resize(size_ * size_);
  for (std::size_t a = 0; a < size_; ++a)
    for (std::size_t b = 0; b < size_; ++b) arcs_[a * size_ + b] = arc_length(points[a], points[b]);
  random_ = RandomStream(1, Purpose::kTours);
  price_.assign(size_, 0);
  degree_.assign(size_, 0);
  parent_.assign(size_, kNobody);
  join_cost_.assign(size_, 0);
  candidates_.assign(size_, {});
  has_best_ = false;
  raise_bound();
  std::int64_t bound = one_tree(false);
  if (norm_ != 0) {
    choose_candidates(kCandidates, std::abs(bound) / static_cast<std::int64_t>(size_), false);
  } else {
    choose_candidates(kCandidates, kFar, false);
  }
  start_.assign(sequence_.begin(), sequence_.end());
  std::int64_t best_length = kFar;
  for (std::size_t trial = 0; trial < kTrials; ++trial) {
    walk(trial);
    improve();
    if (has_best_) merge();
    start_ = tour_;
    if (const std::int64_t found = length(tour_); found < best_length) {
      best_length = found;
      best_ = tour_;
      best_place_ = place_;
      has_best_ = true;
      // Edges of the best tour become candidates, the first ones.
      for (std::size_t k = 0; k < size_; ++k) {
        const std::uint32_t a = best_[k], b = best_[k + 1 < size_ ? k + 1 : 0];
        for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
          auto& list = candidates_[from];
          const auto known = std::ranges::find(list, to, &Candidate::to);
          Candidate candidate{kFar, cost(from, to), to};
          if (known != list.end()) {
            candidate = *known;
            list.erase(known);
          }
          list.insert(list.begin(), candidate);
        }
      }
    }
  }
  std::rotate(best_.begin(), std::ranges::find(best_, 0u), best_.end());
  return best_length;
}

std::int64_t PublishedTour::least_key() const {
  std::int64_t least = kJoined;
  for (const std::int64_t key : closest_) least = std::min(least, key);
  return least;
}

// A lightest tree with one more edge at the leaf where that is dearest; returns its cost less twice all
// prices.
std::int64_t PublishedTour::one_tree(bool sparse) {
  sequence_.clear();
  parent_.assign(size_, kNobody);
  degree_.assign(size_, -2);
  join_cost_.assign(size_, 0);
  // Edge costs with the number of the point that they would bring in, so that the least of these says both.
  const auto points = static_cast<std::int64_t>(size_);
  closest_.assign(size_, kNotReached);
  std::uint32_t newest = 0;
  std::int64_t sum = 0;
  for (std::size_t joined = 1;; ++joined) {
    closest_[newest] = kJoined;
    sequence_.push_back(newest);
    if (joined == size_) break;
    const auto offer = [&](std::uint32_t from, std::uint32_t to) {
      const std::int64_t key = (cost(from, to) + kCostOffset) * points + to;
      if (closest_[to] != kJoined && key < closest_[to]) closest_[to] = key, parent_[to] = from;
    };
    if (sparse) {
      for (const Candidate& candidate : candidates_[newest]) offer(newest, candidate.to);
    } else {
      for (std::uint32_t to = 0; to < size_; ++to) offer(newest, to);
    }
    std::int64_t least = least_key();
    if (least == kNotReached) {  // candidates hang together no further: many points in one place
      for (const std::uint32_t from : sequence_)
        for (std::uint32_t to = 0; to < size_; ++to) offer(from, to);
      least = least_key();
    }
    newest = static_cast<std::uint32_t>(least % points);
    join_cost_[newest] = least / points - kCostOffset;
    sum += join_cost_[newest];
    ++degree_[newest];
    ++degree_[parent_[newest]];
  }
  join_cost_[0] = join_cost_[sequence_[1]];
  find_special(sparse);
  if (special_cost_ == -kFar) find_special(false);  // no leaf had another candidate
  ++degree_[special_];
  ++degree_[special_next_];
  sum += special_cost_;
  norm_ = 0;
  for (const std::int32_t degree : degree_) norm_ += static_cast<std::int64_t>(degree) * degree;
  for (const std::int64_t price : price_) sum -= 2 * price;
  return sum;
}

// Of all leaves' lightest edges besides those of the tree, the heaviest.
void PublishedTour::find_special(bool sparse) {
  special_cost_ = -kFar;
  for (std::uint32_t leaf = 0; leaf < size_; ++leaf) {
    if (degree_[leaf] != -1) continue;
    std::int64_t second = kFar;
    std::uint32_t to_second = kNobody;
    const auto offer = [&](std::uint32_t to, std::int64_t weight) {
      if (to == leaf || parent_[leaf] == to || parent_[to] == leaf) return;
      if (weight < second) second = weight, to_second = to;
    };
    if (sparse) {
      for (const Candidate& candidate : candidates_[leaf]) offer(candidate.to, cost(leaf, candidate.to));
    } else {
      for (std::uint32_t to = 0; to < size_; ++to) offer(to, cost(leaf, to));
    }
    if (to_second != kNobody && second > special_cost_)
      special_cost_ = second, special_ = leaf, special_next_ = to_second;
  }
}

void PublishedTour::raise_bound() {
  std::size_t ascent_candidates = kAscentCandidates;
  const std::int64_t first_period = std::max<std::int64_t>(100, static_cast<std::int64_t>(size_) / 2);
  for (bool again = true; again;) {
    again = false;
    price_.assign(size_, 0);
    best_price_.assign(size_, 0);
    std::int64_t w = one_tree(false);
    if (norm_ == 0) return;
    choose_candidates(ascent_candidates, kFar, true);
    last_degree_ = degree_;
    std::int64_t best = w, first = w, best_norm = norm_;
    bool initial = true;
    std::int64_t step = kPrecision;
    for (std::int64_t period = first_period; period > 0 && step > 0 && norm_ != 0 && !again;
         period /= 2, step /= 2) {
      for (std::int64_t p = 1; step > 0 && p <= period && norm_ != 0; ++p) {
        for (std::size_t point = 0; point < size_; ++point) {
          if (degree_[point] != 0)
            price_[point] = std::clamp<std::int64_t>(
                price_[point] + step * (7 * degree_[point] + 3 * last_degree_[point]) / 10, -214748364,
                214748364);
          last_degree_[point] = degree_[point];
        }
        stop_if_wanted();
        w = one_tree(true);
        if (w > best || (w == best && norm_ < best_norm)) {
          if (w > 2 * first && ascent_candidates < size_) {
            w = one_tree(false);
            if (w < first) {
              ascent_candidates = std::min(2 * ascent_candidates, size_);
              again = true;
              break;
            }
            first = w;
          }
          best = w;
          best_norm = norm_;
          best_price_ = price_;
          if (initial && static_cast<double>(step) * std::sqrt(static_cast<double>(norm_)) > 0) step *= 2;
          if (p == period && (period *= 2) > first_period) period = first_period;
        } else if (initial && p > period / 2) {
          initial = false;
          p = 0;
          step = 3 * step / 4;
        }
      }
    }
    price_ = best_price_;
  }
}

// Of every point the edges that raise the bound least when they are forced into the tree.
void PublishedTour::choose_candidates(std::size_t most, std::int64_t most_alpha, bool both_ways) {
  candidates_.assign(size_, {});
  beta_.resize(size_);
  std::vector<std::uint8_t> above(size_);
  for (std::uint32_t from = 0; from < size_; ++from) {
    if (from != special_) {
      std::ranges::fill(above, std::uint8_t{0});
      beta_[from] = -kFar;
      above[from] = 1;
      for (std::uint32_t at = from; parent_[at] != kNobody; at = parent_[at]) {
        beta_[parent_[at]] = std::max(beta_[at], join_cost_[at]);
        above[parent_[at]] = 1;
      }
    }
    auto& list = candidates_[from];
    const auto look = [&](std::uint32_t to) {
      if (to == from) return;
      const bool tree_edge = parent_[from] == to || parent_[to] == from;
      const std::int64_t weight = cost(from, to);
      std::int64_t alpha;
      if (from == special_ || to == special_) {
        alpha = tree_edge ? 0 : weight - special_cost_;
      } else {
        if (!above[to]) beta_[to] = std::max(beta_[parent_[to]], join_cost_[to]);
        alpha = weight - beta_[to];
      }
      if (alpha > most_alpha) return;
      auto place = list.end();
      while (place != list.begin()) {
        const Candidate& before = *(place - 1);
        if (alpha > before.alpha || (alpha == before.alpha && weight >= before.cost)) break;
        --place;
      }
      list.insert(place, {alpha, weight, to});
      if (list.size() > most) list.pop_back();
    };
    for (const std::uint32_t to : sequence_) look(to);  // parents before children
  }
  if (!both_ways) return;
  for (std::uint32_t from = 0; from < size_; ++from) {
    for (std::size_t k = 0; k < candidates_[from].size(); ++k) {
      const Candidate& candidate = candidates_[from][k];
      auto& back = candidates_[candidate.to];
      if (std::ranges::find(back, from, &Candidate::to) == back.end())
        back.push_back({candidate.alpha, candidate.cost, from});
    }
  }
}

bool PublishedTour::in_best(std::uint32_t a, std::uint32_t b) const {
  const std::uint32_t apart =
      best_place_[a] > best_place_[b] ? best_place_[a] - best_place_[b] : best_place_[b] - best_place_[a];
  return apart == 1 || apart + 1 == size_;
}

// A random walk along candidates; where none is left, to whichever point comes next in the former order.
void PublishedTour::walk(std::size_t trial) {
  std::vector<std::uint8_t> chosen(size_);
  std::size_t from_start = random_.below(size_), looked = 0;
  tour_.clear();
  std::uint32_t at = start_[from_start];
  tour_.push_back(at);
  chosen[at] = 1;
  std::vector<std::uint32_t> alternatives;
  while (tour_.size() < size_) {
    alternatives.clear();
    if (trial > 0)
      for (const Candidate& candidate : candidates_[at])
        if (!chosen[candidate.to] && candidate.alpha == 0 && in_best(at, candidate.to))
          alternatives.push_back(candidate.to);
    if (alternatives.empty())
      for (const Candidate& candidate : candidates_[at])
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

void PublishedTour::improve() {
  std::vector<std::uint32_t> active(tour_.begin(), tour_.end());
  std::vector<std::uint8_t> waiting(size_, 1);
  const auto activate = [&](std::uint32_t point) {
    if (waiting[point]) return;
    waiting[point] = 1;
    active.push_back(point);
  };
  std::vector<std::uint32_t> before, before_place;
  for (std::size_t head = 0; head < active.size(); ++head) {
    stop_if_wanted();
    const std::uint32_t first = active[head];
    waiting[first] = 0;
    for (const bool forward : {false, true}) {
      std::uint32_t second = forward ? next(first) : previous(first);
      const bool near =
          has_best_ ? in_best(first, second) : parent_[first] == second || parent_[second] == first;
      if (near) continue;
      before = tour_;
      start_place_ = place_;
      removed_.clear();
      std::int64_t gain = cost(first, second), closed = 0;
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
  const auto arc = [&](std::uint32_t a, std::uint32_t b) { return arcs_[a * size_ + b]; };
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
  for (const Candidate& candidate : candidates_[from]) {
    const std::uint32_t to = candidate.to;
    if (to == next(from) || to == previous(from)) continue;
    const std::int64_t added = gain - candidate.cost;
    if (added <= 0 || adds(ends, from, to)) continue;
    for (const bool forward : {false, true}) {
      const std::uint32_t end = forward ? next(to) : previous(to);
      if (removes(ends, to, end)) continue;
      trial_.end[ends] = to;
      trial_.end[ends + 1] = end;
      const std::int64_t open = added + cost(to, end);
      const bool closable = end != first && !adds(ends + 2, end, first);
      const std::int64_t close = end == first ? -kFar : open - cost(end, first);
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
      if (open - kPrecision < join_cost_[end] || open <= best_open_ || !removable(to, end)) continue;
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
      if (patch_on(ends, ends + 2, joined, 1, parts, gain + cost(at, next(at)))) return true;
    }
  }
  return false;
}

bool PublishedTour::patch_on(std::size_t base, std::size_t ends, std::size_t* joined, std::size_t count,
                             std::size_t parts, std::int64_t gain) {
  const std::uint32_t first = trial_.end[base], from = trial_.end[ends - 1];
  for (const Candidate& candidate : candidates_[from]) {
    const std::uint32_t to = candidate.to;
    if (to == next(from) || to == previous(from) || adds(base, from, to)) continue;
    const std::size_t part = part_of(to);
    if (std::find(joined, joined + count, part) != joined + count) continue;
    for (const bool forward : {false, true}) {
      const std::uint32_t end = forward ? next(to) : previous(to);
      if (removes(base, to, end)) continue;
      trial_.end[ends] = to;
      trial_.end[ends + 1] = end;
      const std::int64_t open = gain - candidate.cost + cost(to, end);
      if (count + 1 < parts) {
        joined[count] = part;
        if (patch_on(base, ends + 2, joined, count + 1, parts, open)) return true;
      } else if (end != first && open - cost(end, first) > 0) {
        for (std::size_t k = base + 1; k < ends + 2; k += 2) {
          const std::size_t other = k + 1 < ends + 2 ? k + 1 : base;
          trial_.joined[k] = other;
          trial_.joined[other] = k;
        }
        trial_.ends = ends + 2;
        closed_ = open - cost(end, first);
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
