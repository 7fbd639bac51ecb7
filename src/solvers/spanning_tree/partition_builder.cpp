#include "solvers/spanning_tree/partition_builder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "polystep/error.hpp"
#include "polystep/random.hpp"

namespace polystep::solvers {
namespace {

constexpr std::uint32_t kEmpty = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kHopeless = kEmpty - 1;

std::size_t spread(std::uint64_t key) {
  key *= 0x9E3779B97F4A7C15u;
  return static_cast<std::size_t>(key ^ (key >> 29));
}

}  // namespace

PartitionProgramBuilder::PartitionProgramBuilder(const DistrictGraph& graph, const ConnectedSets& sets)
    : graph_(graph), sets_(sets), distance_(graph.units()) {
  for (std::uint32_t from = 0; from < graph.units(); ++from) {
    auto& steps = distance_[from];
    steps.assign(graph.units(), kEmpty);
    steps[from] = 0;
    Order queue{from};
    for (std::size_t at = 0; at < queue.size(); ++at) {
      for (const UnitNeighbour& next : graph.neighbours(queue[at])) {
        if (steps[next.unit] != kEmpty) continue;
        steps[next.unit] = steps[queue[at]] + 1;
        queue.push_back(next.unit);
      }
    }
  }
}

// Next comes the unit after which the fewest uncovered units touch covered ones; of several, the one that has
// waited longest.
PartitionProgramBuilder::Order PartitionProgramBuilder::greedy_order(std::uint32_t start) const {
  const std::size_t units = graph_.units();
  Order order{start};
  std::vector<std::uint8_t> placed(units), waiting(units);
  std::vector<std::size_t> since(units, units);
  const auto put = [&](std::uint32_t unit, std::size_t place) {
    placed[unit] = 1, waiting[unit] = 0;
    for (const UnitNeighbour& next : graph_.neighbours(unit)) {
      if (placed[next.unit] || waiting[next.unit]) continue;
      waiting[next.unit] = 1;
      since[next.unit] = place;
    }
  };
  put(start, 0);
  while (order.size() < units) {
    std::uint32_t best = kEmpty;
    std::size_t best_fresh = units + 1, best_since = units;
    for (std::uint32_t unit = 0; unit < units; ++unit) {
      if (!waiting[unit]) continue;
      std::size_t fresh = 0;
      for (const UnitNeighbour& next : graph_.neighbours(unit))
        fresh += !placed[next.unit] && !waiting[next.unit];
      if (fresh < best_fresh || (fresh == best_fresh && since[unit] < best_since)) {
        best = unit, best_fresh = fresh, best_since = since[unit];
      }
    }
    put(best, order.size());
    order.push_back(best);
  }
  return order;
}

// As a line that moves from one unit to another would meet them.
PartitionProgramBuilder::Order PartitionProgramBuilder::swept_order(std::uint32_t from,
                                                                    std::uint32_t to) const {
  Order order(graph_.units());
  std::iota(order.begin(), order.end(), 0u);
  const auto key = [&](std::uint32_t unit) {
    return std::pair(static_cast<int>(distance_[from][unit]) - static_cast<int>(distance_[to][unit]),
                     distance_[from][unit]);
  };
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
  return order;
}

// Grows with the number of states: the sum over all places of 2^(uncovered units that touch covered ones).
double PartitionProgramBuilder::frontier_size(const Order& order) const {
  std::vector<std::uint8_t> placed(graph_.units()), waiting(graph_.units());
  int frontier = 0;
  double sum = 0;
  for (const std::uint32_t unit : order) {
    placed[unit] = 1;
    frontier -= waiting[unit];
    for (const UnitNeighbour& next : graph_.neighbours(unit)) {
      if (placed[next.unit] || waiting[next.unit]) continue;
      waiting[next.unit] = 1;
      ++frontier;
    }
    sum += std::ldexp(1.0, frontier);
  }
  return sum;
}

std::vector<PartitionProgramBuilder::Order> PartitionProgramBuilder::promising_orders(
    std::size_t count) const {
  std::vector<Order> orders;
  for (std::uint32_t start = 0; start < graph_.units(); ++start) orders.push_back(greedy_order(start));
  for (std::uint32_t from = 0; from < graph_.units(); ++from) {
    const auto far = std::max_element(distance_[from].begin(), distance_[from].end());
    orders.push_back(swept_order(from, static_cast<std::uint32_t>(far - distance_[from].begin())));
  }
  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t k = 0; k < orders.size(); ++k) ranked.emplace_back(frontier_size(orders[k]), k);
  std::sort(ranked.begin(), ranked.end());
  std::vector<Order> best;
  for (const auto& [size, k] : ranked) {
    if (best.size() == std::max<std::size_t>(count, 1)) break;
    if (std::find(best.begin(), best.end(), orders[k]) == best.end()) best.push_back(orders[k]);
  }
  return best;
}

void PartitionProgramBuilder::place(const Order& order) {
  const std::size_t units = graph_.units();
  std::vector<std::uint32_t> place(units);
  for (std::uint32_t p = 0; p < units; ++p) place[order[p]] = p;
  starting_.assign(units, {});
  touching_.assign(units, 0);
  for (std::uint32_t unit = 0; unit < units; ++unit) {
    for (const UnitNeighbour& next : graph_.neighbours(unit))
      touching_[place[unit]] |= Mask{1} << place[next.unit];
  }
  for (std::uint32_t set = 0; set < sets_.size(); ++set) {
    Mask mask = 0;
    for (const std::uint32_t unit : sets_.units(set)) mask |= Mask{1} << place[unit];
    starting_[static_cast<std::size_t>(std::countr_zero(mask))].push_back({mask, set});
  }
}

// Whether the uncovered units fall into parts whose sizes allow the sets that are left.
bool PartitionProgramBuilder::hopeful(Mask uncovered, std::size_t sets_left) const {
  const std::size_t lower = graph_.sizes().lower, upper = graph_.sizes().upper;
  std::size_t fewest = 0, most = 0;
  while (uncovered != 0) {
    Mask part = uncovered & -uncovered, front = part;
    while (front != 0) {
      Mask reached = 0;
      for (; front != 0; front &= front - 1)
        reached |= touching_[static_cast<std::size_t>(std::countr_zero(front))];
      front = reached & uncovered & ~part;
      part |= front;
    }
    const auto size = static_cast<std::size_t>(std::popcount(part));
    const std::size_t at_least = (size + upper - 1) / upper, at_most = size / lower;
    if (at_least > at_most) return false;
    fewest += at_least, most += at_most;
    uncovered &= ~part;
  }
  return fewest <= sets_left && sets_left <= most;
}

std::uint32_t PartitionProgramBuilder::state_of(Mask covered, std::size_t sets_left, Layer& layer) {
  if (2 * (layer.covered.size() + 1) > table_keys_.size() || table_keys_.empty()) {
    const std::size_t size = std::max<std::size_t>(1024, 4 * table_keys_.size());
    std::vector<Mask> keys(size);
    std::vector<std::uint32_t> states(size, kEmpty);
    for (std::size_t k = 0; k < table_keys_.size(); ++k) {
      if (table_states_[k] == kEmpty) continue;
      std::size_t slot = spread(table_keys_[k]) & (size - 1);
      while (states[slot] != kEmpty) slot = (slot + 1) & (size - 1);
      keys[slot] = table_keys_[k], states[slot] = table_states_[k];
    }
    table_keys_.swap(keys);
    table_states_.swap(states);
  }
  const std::size_t last = table_keys_.size() - 1;
  std::size_t slot = spread(covered) & last;
  while (table_states_[slot] != kEmpty) {
    if (table_keys_[slot] == covered) return table_states_[slot];
    slot = (slot + 1) & last;
  }
  const Mask all = graph_.units() == 64 ? ~Mask{0} : (Mask{1} << graph_.units()) - 1;
  if (!hopeful(all & ~covered, sets_left)) return kHopeless;  // cheap enough to find again
  table_keys_[slot] = covered;
  table_states_[slot] = static_cast<std::uint32_t>(layer.covered.size());
  layer.covered.push_back(covered);
  return table_states_[slot];
}

PartitionProgramBuilder::Outcome PartitionProgramBuilder::expand(const Order& order, std::size_t most_arcs) {
  const DistrictSizes& sizes = graph_.sizes();
  place(order);
  layers_.assign(sizes.count + 1, {});
  layers_[0].covered.push_back(0);
  std::size_t arcs = 0;
  for (std::size_t used = 0; used < sizes.count; ++used) {
    Layer& layer = layers_[used];
    Layer& next = layers_[used + 1];
    const std::size_t left = sizes.count - used - 1;
    std::fill(table_states_.begin(), table_states_.end(), kEmpty);
    for (const Mask covered : layer.covered) {
      layer.first_arc.push_back(static_cast<std::uint32_t>(layer.arcs.size()));
      const auto first = static_cast<std::size_t>(std::countr_one(covered));
      const std::size_t uncovered = graph_.units() - static_cast<std::size_t>(std::popcount(covered));
      for (const Placed& placed : starting_[first]) {
        if ((covered & placed.units) != 0) continue;
        const std::size_t rest = uncovered - static_cast<std::size_t>(std::popcount(placed.units));
        if (rest < sizes.lower * left || rest > sizes.upper * left) continue;
        const std::uint32_t target = state_of(covered | placed.units, left, next);
        if (target != kHopeless) layer.arcs.push_back({target, placed.set});
      }
      if (arcs + layer.arcs.size() > most_arcs) return Outcome::kTooLarge;
    }
    layer.first_arc.push_back(static_cast<std::uint32_t>(layer.arcs.size()));
    arcs += layer.arcs.size();
  }
  layers_.back().first_arc.assign(layers_.back().covered.size() + 1, 0);
  live_arcs_ = drop_dead_ends();
  return live_arcs_ > 0 ? Outcome::kBuilt : Outcome::kNoPartition;
}

// Marks states from which all units can be covered; returns the number of arcs between them.
std::size_t PartitionProgramBuilder::drop_dead_ends() {
  alive_.assign(layers_.size(), {});
  alive_.back().assign(layers_.back().covered.size(), 1);
  std::size_t arcs = 0;
  for (std::size_t used = layers_.size() - 1; used-- > 0;) {
    const Layer& layer = layers_[used];
    alive_[used].assign(layer.covered.size(), 0);
    for (std::size_t state = 0; state < layer.covered.size(); ++state) {
      for (std::uint32_t k = layer.first_arc[state]; k < layer.first_arc[state + 1]; ++k) {
        if (!alive_[used + 1][layer.arcs[k].target]) continue;
        alive_[used][state] = 1;
        ++arcs;
      }
    }
  }
  return alive_[0][0] ? arcs : 0;
}

void PartitionProgramBuilder::write(PartitionProgram& program) const {
  program.first_arc_.assign(1, 0);
  program.arcs_.clear();
  std::uint32_t states = 0;
  std::vector<std::uint32_t> number, number_below, order;
  std::vector<PartitionProgram::Arc> arcs;
  std::vector<std::pair<std::size_t, std::size_t>> live;  // first in `arcs` and number of arcs, by state
  for (std::size_t used = layers_.size(); used-- > 0;) {
    const Layer& layer = layers_[used];
    number.assign(layer.covered.size(), kEmpty);
    order.clear();
    arcs.clear();
    live.assign(layer.covered.size(), {});
    for (std::uint32_t state = 0; state < layer.covered.size(); ++state) {
      if (!alive_[used][state]) continue;
      order.push_back(state);
      live[state].first = arcs.size();
      for (std::uint32_t k = layer.first_arc[state]; k < layer.first_arc[state + 1]; ++k) {
        const std::uint32_t target = number_below[layer.arcs[k].target];
        if (target != kEmpty) arcs.push_back({target, layer.arcs[k].set});
      }
      live[state].second = arcs.size() - live[state].first;
    }
    // States of a layer do not depend on each other. Those with equally many arcs lie together, so that the
    // processor can foresee where a state's arcs end.
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return live[a].second < live[b].second; });
    for (const std::uint32_t state : order) {
      number[state] = states++;
      const auto first = arcs.begin() + static_cast<std::ptrdiff_t>(live[state].first);
      program.arcs_.insert(program.arcs_.end(), first,
                           first + static_cast<std::ptrdiff_t>(live[state].second));
      program.first_arc_.push_back(static_cast<std::uint32_t>(program.arcs_.size()));
    }
    number_below.swap(number);
  }
}

bool PartitionProgramBuilder::build(const PartitionProgramOptions& options, PartitionProgram& program) {
  std::size_t fewest = options.most_arcs;
  bool built = false;
  Order best;
  const auto attempt = [&](const Order& order) {
    // Some arcs lead to dead ends and are dropped in the end.
    const Outcome outcome = expand(order, std::min(options.most_arcs, fewest + fewest / 2));
    if (outcome == Outcome::kNoPartition) {
      throw InputError(
          fmt::format("districts: the units cannot be divided into {} connected districts of {} to {} units, "
                      "expected a graph where "
                      "they can",
                      graph_.sizes().count, graph_.sizes().lower, graph_.sizes().upper));
    }
    if (outcome == Outcome::kTooLarge || (built && live_arcs_ >= fewest)) return;
    write(program);
    fewest = live_arcs_;
    best = order;
    built = true;
  };
  for (const Order& order : promising_orders(options.orders)) attempt(order);
  if (!built) return false;
  RandomStream random(0, Purpose::kDistrictSearch);
  for (std::size_t trial = 0; trial < options.reinsertions; ++trial) {
    Order order = best;
    const std::uint64_t from = random.below(order.size()), to = random.below(order.size());
    const std::uint32_t unit = order[from];
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), unit);
    if (order != best) attempt(order);
  }
  return true;
}

}  // namespace polystep::solvers
