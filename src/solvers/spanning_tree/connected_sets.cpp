#include "solvers/spanning_tree/connected_sets.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "polystep/error.hpp"

namespace polystep::solvers {
namespace {

bool before(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  if (a.size() != b.size()) return a.size() < b.size();
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

// Grows every connected set from its smallest unit, each exactly once (Wernicke 2006): a set is extended by
// units that the unit added last brought within reach, so no two branches meet again.
class Growth {
 public:
  Growth(const DistrictGraph& graph, std::size_t most)
      : graph_(graph), most_(most), reached_(graph.units()) {}

  void run() {
    for (std::uint32_t root = 0; root < graph_.units(); ++root) {
      root_ = root;
      set_.assign(1, root);
      reached_[root] = 1;
      std::vector<std::uint32_t> fresh;
      reach(root, fresh);
      extend(fresh);
      release(fresh);
      reached_[root] = 0;
    }
  }

  std::vector<std::size_t> first = {0};
  std::vector<std::uint32_t> units;

 private:
  void reach(std::uint32_t unit, std::vector<std::uint32_t>& fresh) {
    for (const UnitNeighbour& next : graph_.neighbours(unit)) {
      if (next.unit > root_ && !reached_[next.unit]) {
        reached_[next.unit] = 1;
        fresh.push_back(next.unit);
      }
    }
  }
  void release(const std::vector<std::uint32_t>& fresh) {
    for (const std::uint32_t unit : fresh) reached_[unit] = 0;
  }

  void extend(const std::vector<std::uint32_t>& candidates) {
    if (set_.size() >= graph_.sizes().lower) record();
    if (set_.size() == graph_.sizes().upper) return;
    for (std::size_t at = 0; at < candidates.size(); ++at) {
      std::vector<std::uint32_t> rest(candidates.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                                      candidates.end());
      std::vector<std::uint32_t> fresh;
      set_.push_back(candidates[at]);
      reach(candidates[at], fresh);
      rest.insert(rest.end(), fresh.begin(), fresh.end());
      extend(rest);
      release(fresh);
      set_.pop_back();
    }
  }

  void record() {
    if (first.size() > most_) {
      throw InputError(
          fmt::format("districts: more than {} connected sets of {} to {} units, expected fewer for an exact "
                      "solution; the local "
                      "search has no such limit",
                      most_, graph_.sizes().lower, graph_.sizes().upper));
    }
    units.insert(units.end(), set_.begin(), set_.end());
    std::sort(units.end() - static_cast<std::ptrdiff_t>(set_.size()), units.end());
    first.push_back(units.size());
  }

  const DistrictGraph& graph_;
  std::size_t most_;
  std::uint32_t root_ = 0;
  std::vector<std::uint32_t> set_;
  std::vector<std::uint8_t> reached_;  // [units], in the set or a candidate for it, now or in a branch above
};

}  // namespace

ConnectedSets::ConnectedSets(const DistrictGraph& graph, std::size_t most) {
  Growth growth(graph, most);
  growth.run();
  const auto set = [&](std::size_t k) {
    return std::span<const std::uint32_t>(growth.units)
        .subspan(growth.first[k], growth.first[k + 1] - growth.first[k]);
  };
  std::vector<std::size_t> order(growth.first.size() - 1);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return before(set(a), set(b)); });
  first_.reserve(order.size() + 1);
  units_.reserve(growth.units.size());
  for (const std::size_t k : order) {
    units_.insert(units_.end(), set(k).begin(), set(k).end());
    first_.push_back(units_.size());
  }
}

std::optional<std::size_t> ConnectedSets::find(std::span<const std::uint32_t> wanted) const {
  std::size_t low = 0, high = size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (before(units(middle), wanted)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == size() || !std::ranges::equal(units(low), wanted)) return std::nullopt;
  return low;
}

}  // namespace polystep::solvers
