#include "solvers/cover/set_multicover.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "polystep/error.hpp"
#include "solvers/cover/cover_component.hpp"
#include "solvers/milp/milp.hpp"

namespace polystep::solvers {
namespace {

constexpr double kSnap = 1e-6;  // as integer solvers do: 5.0000001 asks for 5, not for 6

}  // namespace

struct SetMulticover::Component {
  std::vector<std::size_t> items;   // ascending
  std::vector<std::size_t> covers;  // ascending
  CoverComponent solver;
};

SetMulticover::SetMulticover(std::span<const double> costs, std::span<const std::uint8_t> members,
                             std::size_t items)
    : items_(items), costs_(costs.begin(), costs.end()), members_(members.begin(), members.end()) {
  if (items == 0 || costs.empty() || members.size() != costs.size() * items)
    throw InputError(
        fmt::format("set cover: found {} costs and {} marks for {} items, expected one mark per "
                    "cover and item",
                    costs.size(), members.size(), items));
  for (std::size_t j = 0; j < costs.size(); ++j)
    if (!(costs[j] > 0) || !std::isfinite(costs[j]))
      throw InputError(
          fmt::format("set cover: cover {} costs {}, expected a finite cost above 0", j, costs[j]));
  find_useful();
  find_components();
}

SetMulticover::~SetMulticover() = default;

void SetMulticover::find_useful() {
  const std::size_t n = covers();
  std::vector<bool> kept(n, true);
  const auto within = [&](std::size_t small, std::size_t large) {
    for (std::size_t i = 0; i < items_; ++i)
      if (contains(small, i) && !contains(large, i)) return false;
    return true;
  };
  for (std::size_t j = 0; j < n; ++j)  // of equal covers the first stays
    for (std::size_t other = 0; other < n && kept[j]; ++other)
      if (other != j && kept[other] && costs_[other] <= costs_[j] && within(j, other) &&
          (costs_[other] < costs_[j] || !within(other, j) || other < j))
        kept[j] = false;
  for (std::size_t j = 0; j < n; ++j) {
    double separately = 0;
    for (std::size_t i = 0; i < items_ && kept[j]; ++i) {
      if (!contains(j, i)) continue;
      double cheapest = kUnbounded;
      for (std::size_t other = 0; other < n; ++other)
        if (other != j && kept[other] && contains(other, i)) cheapest = std::min(cheapest, costs_[other]);
      separately += cheapest;
    }
    if (kept[j] && separately <= costs_[j]) kept[j] = false;
  }
  for (std::size_t j = 0; j < n; ++j)
    if (kept[j]) useful_.push_back(j);
}

void SetMulticover::find_components() {
  std::vector<std::size_t> root(items_);  // label of each item's component
  std::iota(root.begin(), root.end(), std::size_t{0});
  for (const std::size_t j : useful_) {
    std::size_t label = items_;
    for (std::size_t i = 0; i < items_; ++i)
      if (contains(j, i)) label = std::min(label, root[i]);
    for (std::size_t i = 0; i < items_; ++i) {
      if (!contains(j, i) || root[i] == label) continue;
      const std::size_t old = root[i];
      std::replace(root.begin(), root.end(), old, label);
    }
  }
  for (std::size_t label = 0; label < items_; ++label) {
    std::vector<std::size_t> items, covers;
    for (std::size_t i = 0; i < items_; ++i)
      if (root[i] == label) items.push_back(i);
    if (items.empty()) continue;
    for (const std::size_t j : useful_)
      if (std::any_of(items.begin(), items.end(), [&](std::size_t i) { return contains(j, i); }))
        covers.push_back(j);
    if (covers.empty()) {
      orphans_.insert(orphans_.end(), items.begin(), items.end());
      continue;
    }
    std::vector<double> costs;
    std::vector<std::uint8_t> marks;
    for (const std::size_t j : covers) {
      costs.push_back(costs_[j]);
      for (const std::size_t i : items) marks.push_back(members_[j * items_ + i]);
    }
    const std::size_t count = items.size();
    components_.push_back(
        {std::move(items), std::move(covers), CoverComponent(std::move(costs), std::move(marks), count)});
  }
}

bool SetMulticover::solve(std::span<const double> requirements, std::span<double> multiples,
                          Workspace& work) const {
  std::fill(multiples.begin(), multiples.end(), 0.0);
  work.need.resize(items_);
  for (std::size_t i = 0; i < items_; ++i) {
    if (!(std::abs(requirements[i]) < 1e15)) return false;
    work.need[i] = std::max(0.0, std::ceil(requirements[i] - kSnap));
  }
  for (const std::size_t item : orphans_)
    if (work.need[item] > 0) return false;
  double need[64], part[64];
  for (const Component& component : components_) {
    const std::size_t count = component.items.size(), columns = component.covers.size();
    if (count > std::size(need) || columns > std::size(part)) {
      if (!solve_generally(component, work, multiples)) return false;
      continue;
    }
    for (std::size_t i = 0; i < count; ++i) need[i] = work.need[component.items[i]];
    if (component.solver.solve({need, count}, work.values, {part, columns})) {
      for (std::size_t j = 0; j < columns; ++j) multiples[component.covers[j]] = part[j];
    } else if (!solve_generally(component, work, multiples)) {
      return false;
    }
  }
  return true;
}

bool SetMulticover::solve_generally(const Component& component, Workspace& work,
                                    std::span<double> multiples) const {
  ++work.general;
  MilpModel model;
  for (const std::size_t j : component.covers) {
    double most = 0;  // more of a cover than its neediest item asks for is never needed
    for (const std::size_t i : component.items)
      if (contains(j, i)) most = std::max(most, work.need[i]);
    model.add_integer(0, most, costs_[j]);
  }
  for (const std::size_t i : component.items) {
    std::vector<MilpEntry> entries;
    for (std::size_t k = 0; k < component.covers.size(); ++k)
      if (contains(component.covers[k], i)) entries.push_back({k, 1.0});
    model.add_row(std::move(entries), work.need[i], kUnbounded);
  }
  const MilpResult result = MilpSolver(std::move(model)).solve();
  if (result.status != MilpStatus::kOptimal) return false;
  for (std::size_t k = 0; k < component.covers.size(); ++k)
    multiples[component.covers[k]] = result.solution[k];
  return true;
}

bool SetMulticover::solve_within(std::span<const double> requirements, std::span<const double> upper,
                                 std::span<double> multiples) const {
  MilpModel model;
  for (std::size_t j = 0; j < covers(); ++j) model.add_integer(0, upper[j], costs_[j]);
  for (std::size_t i = 0; i < items_; ++i) {
    std::vector<MilpEntry> entries;
    double most = 0;
    for (std::size_t j = 0; j < covers(); ++j)
      if (contains(j, i)) {
        entries.push_back({j, 1.0});
        most += upper[j];
      }
    const double need = std::max(0.0, std::ceil(requirements[i] - kSnap));
    if (most < need) return false;
    model.add_row(std::move(entries), need, kUnbounded);
  }
  const MilpResult result = MilpSolver(std::move(model)).solve();
  if (result.status != MilpStatus::kOptimal) return false;
  std::copy(result.solution.begin(), result.solution.end(), multiples.begin());
  return true;
}

double SetMulticover::cost_of(std::span<const double> multiples) const {
  double sum = 0;
  for (std::size_t j = 0; j < covers(); ++j) sum += costs_[j] * multiples[j];
  return sum;
}

double SetMulticover::coverage(std::span<const double> multiples, std::size_t item) const {
  double sum = 0;
  for (std::size_t j = 0; j < covers(); ++j)
    if (contains(j, item)) sum += multiples[j];
  return sum;
}

}  // namespace polystep::solvers
