#include "solvers/spanning_tree/published_search.hpp"

#include <fmt/core.h>

#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "polystep/error.hpp"
#include "polystep/random.hpp"
#include "solvers/spanning_tree/district_start.hpp"
#include "solvers/spanning_tree/priced_districts.hpp"
#include "solvers/spanning_tree/published_start.hpp"

namespace polystep::solvers {
namespace {

constexpr std::size_t kDraws = 1000;

class PublishedSearch {
 public:
  PublishedSearch(const DistrictGraph& graph, std::unique_ptr<DistrictValue> value, Districting start,
                  const PublishedSearchOptions& options)
      : graph_(graph),
        priced_(graph, std::move(value), std::move(start), options.penalty, options.remembered),
        districts_(priced_.districts()),
        options_(options),
        random_(options.seed, Purpose::kDistrictSearch, 2),
        order_(districts_.count()),
        inner_(districts_.count()) {
    std::iota(order_.begin(), order_.end(), 0u);
    std::iota(inner_.begin(), inner_.end(), 0u);
  }

  DistrictSearchResult run() {
    DistrictSearchResult result;
    result.start_value = priced_.values_together();
    remember();
    improve();
    result.first_optimum = priced_.values_together();
    while (!over()) {
      move_at_random();
      const bool finished = improve();
      if (priced_.total() < best_cost_) remember();
      result.iterations += finished ? 1 : 0;
    }
    Districting best(graph_, best_);
    result.district_of = best_;
    for (std::uint32_t district = 0; district < best.count(); ++district)
      result.value += priced_.value_of(best.units(district));
    result.feasible = best.is_feasible();
    result.moves = moves_;
    result.values = values_;
    result.stopped = stopped_;
    return result;
  }

 private:
  static constexpr std::uint32_t kNoUnit = DistrictMove::kNoUnit;
  static constexpr double kDisconnected = PricedDistricts::kDisconnected;

  // Counting whole moves and values keeps the sum free of rounding that would grow with its length.
  bool over() {
    const double seconds =
        static_cast<double>(moves_) * options_.pace.move + static_cast<double>(values_) * options_.pace.value;
    return seconds > options_.limit || (stopped_ = stopped_ || (options_.stop && options_.stop()));
  }

  void remember() {
    best_cost_ = priced_.total();
    best_.assign(districts_.district_of().begin(), districts_.district_of().end());
  }

  void shuffle(std::vector<std::uint32_t>& order) {
    for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random_.below(k)]);
  }

  bool allows(std::uint32_t from, std::uint32_t to) const {
    return districts_.size(to) != graph_.sizes().upper && districts_.size(from) != graph_.sizes().lower;
  }

  // To a local optimum; false where the time was over before.
  bool improve() {
    for (bool changed = true; changed;) {
      if (over()) return false;
      changed = false;
      shuffle(order_);
      for (const std::uint32_t a : order_) {
        for (const std::uint32_t b : order_) {
          if (over()) return false;
          if (a > b) changed = improve_pair(a, b) || changed;
        }
      }
    }
    return true;
  }

  bool improve_pair(std::uint32_t a, std::uint32_t b) {
    districts_.border(a, b, border_a_);
    districts_.border(b, a, border_b_);
    const double before = priced_.cost(a) + priced_.cost(b);
    const double improved = before - PricedDistricts::improvement_needed(before);
    double best_cost = improved;
    std::optional<DistrictMove> best;
    const auto try_move = [&](const DistrictMove& move, bool allowed) {
      ++moves_;
      if (!allowed) return;
      const double rest = priced_.changed_cost(a, move.first, move.second);
      if (rest == kDisconnected) return;
      const double other = priced_.changed_cost(b, move.second, move.first);
      if (other == kDisconnected) return;
      values_ += rest + other < improved ? 2 : 4;  // a move that is taken back is valued both ways
      if (rest + other < best_cost) best_cost = rest + other, best = move;
    };
    for (const std::uint32_t first : border_a_) {
      if (over()) break;
      try_move({first, kNoUnit}, allows(a, b));
      for (const std::uint32_t second : border_b_) {
        if (over()) break;
        try_move({first, second}, true);
      }
    }
    for (const std::uint32_t second : border_b_) {
      if (over()) break;
      try_move({kNoUnit, second}, allows(b, a));
    }
    if (!best) return false;
    priced_.apply(a, b, *best);
    values_ += 2;
    return true;
  }

  // Borders are those from before the moves of a pair, units are wherever earlier moves have brought them.
  void move_at_random() {
    shuffle(order_);
    for (const std::uint32_t a : order_) {
      shuffle(inner_);
      for (const std::uint32_t b : inner_) {
        if (a <= b) continue;
        districts_.border(a, b, border_a_);
        districts_.border(b, a, border_b_);
        for (const std::uint32_t first : border_a_) {
          if (drawn()) relocate(first, b);
          for (const std::uint32_t second : border_b_)
            if (drawn()) swap(first, second);
        }
        for (const std::uint32_t second : border_b_)
          if (drawn()) relocate(second, a);
      }
    }
  }

  bool drawn() { return random_.uniform() < options_.move_probability; }

  void relocate(std::uint32_t unit, std::uint32_t to) {
    const std::uint32_t from = districts_.district(unit);
    if (from == to || !allows(from, to) || !districts_.borders(unit, to)) return;
    take(from, to, {unit, kNoUnit});
  }

  void swap(std::uint32_t first, std::uint32_t second) {
    const std::uint32_t a = districts_.district(first), b = districts_.district(second);
    if (a != b) take(a, b, {first, second});
  }

  void take(std::uint32_t a, std::uint32_t b, const DistrictMove& move) {
    if (priced_.changed_cost(a, move.first, move.second) == kDisconnected) return;
    if (priced_.changed_cost(b, move.second, move.first) == kDisconnected) return;
    priced_.apply(a, b, move);
    values_ += 2;
  }

  const DistrictGraph& graph_;
  PricedDistricts priced_;
  Districting& districts_;  // of priced_
  PublishedSearchOptions options_;
  RandomStream random_;
  std::vector<std::uint32_t> order_, inner_;  // [districts]
  std::vector<std::uint32_t> border_a_, border_b_;
  std::vector<std::uint32_t> best_;  // [units]
  double best_cost_ = 0;
  std::uint64_t moves_ = 0, values_ = 0;
  bool stopped_ = false;
};

// Random weights are drawn again until the sizes fit. Weights of a model have one draw, and where its sizes
// do not fit they are repaired the long way, as the published program does since its repair was mended.
Districting first_as_published(const DistrictGraph& graph, std::span<const double> weights,
                               std::uint64_t seed) {
  if (!weights.empty()) check_start_weights(graph, weights);
  for (std::size_t draw = 0; weights.empty() && draw < kDraws; ++draw) {
    Districting start = published_districts(graph, random_start_weights(graph, seed + draw));
    if (start.violation() == 0) return start;
  }
  Districting start =
      published_districts(graph, weights.empty() ? random_start_weights(graph, seed)
                                                 : std::vector<double>(weights.begin(), weights.end()));
  if (start.violation() > 0) repair_sizes(start);
  return start;
}

}  // namespace

DistrictSearchResult search_as_published(const DistrictGraph& graph, const DistrictValue& value,
                                         std::span<const double> start_weights,
                                         const PublishedSearchOptions& options) {
  if (!(options.limit >= 0 && std::isfinite(options.limit)) || !(options.pace.move > 0) ||
      !(options.pace.value > 0)) {
    throw InputError(
        fmt::format("published search: found a limit of {} and paces of {} and {} seconds, expected a finite "
                    "limit of at least 0 and paces above 0",
                    options.limit, options.pace.move, options.pace.value));
  }
  return PublishedSearch(graph, value.clone(), first_as_published(graph, start_weights, options.seed),
                         options)
      .run();
}

}  // namespace polystep::solvers
