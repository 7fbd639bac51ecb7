#include "solvers/tour/published_candidates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "polystep/stop.hpp"

namespace polystep::solvers {
void PublishedCandidates::set(std::span<const TourPoint> points) {
  size_ = points.size();
  arcs_.resize(size_ * size_);
  for (std::size_t a = 0; a < size_; ++a)
    for (std::size_t b = 0; b < size_; ++b) arcs_[a * size_ + b] = arc_length(points[a], points[b]);
  raise_bound();
  const std::int64_t bound = one_tree(false);
  choose(kCandidates, norm_ == 0 ? kFar : std::abs(bound) / static_cast<std::int64_t>(size_), false);
}

void PublishedCandidates::prefer(std::uint32_t from, std::uint32_t to) {
  std::vector<Candidate>& list = candidates_[from];
  const auto known = std::ranges::find(list, to, &Candidate::to);
  Candidate candidate{kFar, cost(from, to), to};
  if (known != list.end()) {
    candidate = *known;
    list.erase(known);
  }
  list.insert(list.begin(), candidate);
}

std::int64_t PublishedCandidates::least_key() const {
  std::int64_t least = kJoined;
  for (const std::int64_t key : closest_) least = std::min(least, key);
  return least;
}

// A lightest tree with one more edge at the leaf where that is dearest; returns its cost less twice all
// prices.
std::int64_t PublishedCandidates::one_tree(bool sparse) {
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
void PublishedCandidates::find_special(bool sparse) {
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

void PublishedCandidates::raise_bound() {
  std::size_t ascent_candidates = kAscentCandidates;
  const std::int64_t first_period = std::max<std::int64_t>(100, static_cast<std::int64_t>(size_) / 2);
  for (bool again = true; again;) {
    again = false;
    price_.assign(size_, 0);
    best_price_.assign(size_, 0);
    std::int64_t w = one_tree(false);
    if (norm_ == 0) return;
    choose(ascent_candidates, kFar, true);
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
                price_[point] + step * (7 * degree_[point] + 3 * last_degree_[point]) / 10, -kMostPrice,
                kMostPrice);
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
void PublishedCandidates::choose(std::size_t most, std::int64_t most_alpha, bool both_ways) {
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

}  // namespace polystep::solvers
