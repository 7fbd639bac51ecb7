#include "methods/frugal/remembered_decisions.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace polystep {
namespace {

std::uint64_t hash_of(const RememberedDecisions::Decision& decision) {
  std::uint64_t hash = 0xcbf29ce484222325u ^ decision.size;
  for (std::size_t k = 0; k < decision.index.size(); ++k) {
    hash = (hash ^ decision.index[k] ^ std::bit_cast<std::uint64_t>(decision.value[k])) * 0x100000001b3u;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace

RememberedDecisions::RememberedDecisions(const Problem& problem, const Split& rows)
    : problem_(problem),
      split_(rows),
      sense_(static_cast<double>(static_cast<int>(*problem.facts().linear_objective()))),
      sets_(feasible_sets_of(problem)),
      members_(rows.rows),
      cheapest_(rows.rows),
      references_(rows.rows) {}

std::uint32_t RememberedDecisions::number_of(std::span<const double> decision) {
  Stored fresh{.begin = indices_.size(), .size = decision.size()};
  for (std::size_t k = 0; k < decision.size(); ++k) {
    if (decision[k] == 0) continue;
    indices_.push_back(static_cast<std::uint32_t>(k));
    values_.push_back(decision[k]);
  }
  fresh.entries = indices_.size() - fresh.begin;
  const auto number = static_cast<std::uint32_t>(store_.size());
  store_.push_back(fresh);
  const Decision latest = this->decision(number);
  const std::uint64_t hash = hash_of(latest);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto known = first; known != last; ++known) {
    const Decision other = this->decision(known->second);
    if (other.size != latest.size || !std::ranges::equal(other.index, latest.index) ||
        !std::ranges::equal(other.value, latest.value))
      continue;
    store_.pop_back();
    indices_.resize(fresh.begin);
    values_.resize(fresh.begin);
    return known->second;
  }
  by_hash_.emplace(hash, number);
  return number;
}

void RememberedDecisions::fill_dense(std::uint32_t number, std::vector<double>& dense) const {
  const Decision decision = this->decision(number);
  dense.assign(decision.size, 0.0);
  for (std::size_t k = 0; k < decision.index.size(); ++k) dense[decision.index[k]] = decision.value[k];
}

std::uint32_t RememberedDecisions::remember(std::size_t row, std::span<const double> decision) {
  const std::uint32_t number = number_of(decision);
  ++store_[number].found;
  take(row, number);
  return number;
}

std::uint32_t RememberedDecisions::remember_reference(std::size_t row, std::span<const double> decision) {
  const std::uint32_t number = number_of(decision);
  ++store_[number].found;
  set_reference(row, number);
  return number;
}

void RememberedDecisions::set_reference(std::size_t row, std::uint32_t number) {
  references_[row] = {number, value(number, split_.truth_row(row).data())};
  has_references_ = true;
}

void RememberedDecisions::take(std::size_t row, std::uint32_t number) {
  std::vector<Member>& members = members_[row];
  for (const Member& member : members)
    if (member.decision == number) return;
  const double cost = value(number, split_.truth_row(row).data());
  members.push_back({number, cost});
  if (cost < members[cheapest_[row]].cost) cheapest_[row] = members.size() - 1;
}

std::size_t RememberedDecisions::chosen(std::size_t row, std::span<const double> prediction) const {
  const std::vector<Member>& members = members_[row];
  double lowest = std::numeric_limits<double>::infinity();
  std::size_t best = 0;
  for (std::size_t m = 0; m < members.size(); ++m) {
    const double worth = value(members[m].decision, prediction.data());
    if (!(worth < lowest)) continue;
    lowest = worth;
    best = m;
  }
  return best;
}

double RememberedDecisions::mean_size() const {
  std::size_t sum = 0;
  for (const std::vector<Member>& members : members_) sum += members.size();
  return static_cast<double>(sum) / static_cast<double>(std::max<std::size_t>(1, members_.size()));
}

double RememberedDecisions::typical_entry() const {
  double sum = 0, squares = 0;
  for (const double entry : values_) {
    sum += std::abs(entry);
    squares += entry * entry;
  }
  return sum > 0 ? squares / sum : 1;
}

std::vector<std::uint32_t> RememberedDecisions::offered(std::size_t most) const {
  if (sets_ == nullptr) return {};
  std::vector<std::uint32_t> numbers(store_.size());
  std::iota(numbers.begin(), numbers.end(), std::uint32_t{0});
  if (numbers.size() <= most) return numbers;
  // Of those found as often, the latest: they lie where training has come to.
  std::ranges::sort(numbers, [&](std::uint32_t a, std::uint32_t b) {
    return store_[a].found != store_[b].found ? store_[a].found > store_[b].found : a > b;
  });
  numbers.resize(most);
  return numbers;
}

std::vector<std::uint32_t> RememberedDecisions::best_of(std::span<const std::uint32_t> offered,
                                                        std::size_t row, std::span<const double> predictions,
                                                        std::size_t count) const {
  const std::size_t outputs = predictions.size() / kTogether;
  std::array<double, kTogether> lowest, sums;
  std::array<std::uint32_t, kTogether> best{};
  lowest.fill(std::numeric_limits<double>::infinity());
  bool any = false;
  std::vector<double> dense;
  for (const std::uint32_t number : offered) {
    const Decision decision = this->decision(number);
    if (decision.size != outputs) continue;
    sums.fill(0.0);
    for (std::size_t k = 0; k < decision.index.size(); ++k) {
      const double factor = decision.value[k];
      const double* together = predictions.data() + decision.index[k] * kTogether;
      for (std::size_t p = 0; p < kTogether; ++p) sums[p] += factor * together[p];
    }
    bool better = false;
    for (std::size_t p = 0; p < count; ++p) better |= sense_ * sums[p] < lowest[p];
    if (!better) continue;
    if (!sets_->common()) {
      fill_dense(number, dense);
      if (!sets_->admits(dense, split_.instance(row))) continue;
    }
    any = true;
    for (std::size_t p = 0; p < count; ++p) {
      if (!(sense_ * sums[p] < lowest[p])) continue;
      lowest[p] = sense_ * sums[p];
      best[p] = number;
    }
  }
  if (!any) return {};
  return {best.begin(), best.begin() + static_cast<std::ptrdiff_t>(count)};
}

void RememberedDecisions::save(ArchiveWriter& archive) const {
  archive.put<std::uint64_t>(store_.size());
  std::vector<double> dense;
  for (std::uint32_t number = 0; number < store_.size(); ++number) {
    fill_dense(number, dense);
    archive.put(dense);
    archive.put(store_[number].found);
  }
  for (std::size_t row = 0; row < members_.size(); ++row) {
    archive.put<std::uint64_t>(members_[row].size());
    for (const Member& member : members_[row]) archive.put(member.decision);
    archive.put<std::uint8_t>(references_[row] ? 1 : 0);
    if (references_[row]) archive.put(references_[row]->decision);
  }
}

void RememberedDecisions::load(ArchiveReader& archive) {
  store_.clear();
  indices_.clear();
  values_.clear();
  by_hash_.clear();
  has_references_ = false;
  const auto count = archive.get<std::uint64_t>();
  for (std::uint64_t number = 0; number < count; ++number) {
    if (number_of(archive.get_doubles()) != number) archive.refuse("it holds a decision twice");
    store_.back().found = archive.get<std::uint64_t>();
  }
  for (std::size_t row = 0; row < members_.size(); ++row) {
    members_[row].clear();
    cheapest_[row] = 0;
    const auto size = archive.get<std::uint64_t>();
    const std::size_t outputs = problem_.outputs(split_.instance(row));
    const auto number_of_row = [&] {
      const auto number = archive.get<std::uint32_t>();
      if (number >= store_.size() || store_[number].size != outputs)
        archive.refuse("it names decision " + std::to_string(number) + " for a row that cannot have it");
      return number;
    };
    for (std::uint64_t m = 0; m < size; ++m) take(row, number_of_row());
    references_[row].reset();
    if (archive.get<std::uint8_t>() != 0) set_reference(row, number_of_row());
  }
}

}  // namespace polystep
