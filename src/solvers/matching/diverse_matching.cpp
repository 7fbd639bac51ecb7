#include "solvers/matching/diverse_matching.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "polystep/error.hpp"
#include "solvers/matching/diverse_matching_search.hpp"

namespace polystep::solvers {
namespace {

void check_share(double share, const char* name) {
  if (share >= 0.0 && share <= 1.0) return;
  throw InputError(fmt::format("matching: {} is {}, expected a share from 0 to 1", name, share));
}

void check_labels(std::size_t left, std::size_t right, const std::vector<std::uint8_t>& same_label) {
  if (same_label.size() != left * right) {
    throw InputError(fmt::format("matching: the same-label table has {} entries, expected {} × {}",
                                 same_label.size(), left, right));
  }
  for (std::size_t pair = 0; pair < same_label.size(); ++pair) {
    if (same_label[pair] <= 1) continue;
    throw InputError(fmt::format("matching: entry {} of the same-label table is {}, expected 0 or 1", pair,
                                 static_cast<int>(same_label[pair])));
  }
}

// How many pairs of one kind can be matched at all.
int most_pairs_of(std::size_t left, std::size_t right, const std::vector<std::uint8_t>& same_label,
                  int kind) {
  std::vector<Units> weights(left * right);
  for (std::size_t pair = 0; pair < weights.size(); ++pair) weights[pair] = same_label[pair] == kind ? 1 : 0;
  std::vector<int> partner(left);
  return static_cast<int>(Assignment(left, right).solve(weights, partner));
}

CountPolygon checked_polygon(std::size_t left, std::size_t right, const std::vector<std::uint8_t>& same_label,
                             double rho1, double rho2) {
  check_share(rho1, "rho1");
  check_share(rho2, "rho2");
  const Assignment checks_sides(left, right);
  check_labels(left, right, same_label);
  const PairCounts most{most_pairs_of(left, right, same_label, 1), most_pairs_of(left, right, same_label, 0)};
  return CountPolygon(rho1, rho2, most, static_cast<int>(std::min(left, right)));
}

RatioRow ratio_row(double share, bool own_is_same) {
  const double own = share < 1.0 ? -std::max(1.0, (1.0 - share) / share) : 0.0;
  const double others = share < 1.0 ? std::max(1.0, share / (1.0 - share)) : 1.0;
  return own_is_same ? RatioRow{own, others} : RatioRow{others, own};
}

// Shares below this ask for less than one pair in more pairs than a table can hold.
constexpr double kLeastShare = 1e-4;

std::vector<RatioRow> ratio_rows(double rho1, double rho2) {
  std::vector<RatioRow> rows;
  if (rho1 > kLeastShare) rows.push_back(ratio_row(rho1, true));
  if (rho2 > kLeastShare) rows.push_back(ratio_row(rho2, false));
  return rows;
}

// Room for prices above the weights: the search uses up to 16 times the largest weight, the relaxation up to
// the largest weight times the largest coefficient of a row.
int price_bits(const std::vector<RatioRow>& rows) {
  double largest = 1.0;
  for (const RatioRow& row : rows) {
    largest = std::max({largest, std::abs(row.per_same), std::abs(row.per_different)});
  }
  return std::max(6, 2 + static_cast<int>(std::ceil(std::log2(largest))));
}

}  // namespace

DiverseMatching::DiverseMatching(std::size_t left, std::size_t right, std::vector<std::uint8_t> same_label,
                                 double rho1, double rho2)
    : left_(left),
      right_(right),
      same_label_(std::move(same_label)),
      polygon_(checked_polygon(left, right, same_label_, rho1, rho2)),
      ratio_rows_(ratio_rows(rho1, rho2)),
      only_empty_relaxed_(rho1 + rho2 > 1.0 + 1e-12),
      price_bits_(price_bits(ratio_rows_)),
      units_(left * right, price_bits_) {}

void DiverseMatching::check_weights(std::span<const double> weights) const {
  if (weights.size() == left_ * right_) return;
  throw InputError(
      fmt::format("matching: there are {} weights, expected {} × {}", weights.size(), left_, right_));
}

double DiverseMatching::solve(std::span<const double> weights, Workspace& workspace,
                              std::span<int> partner) const {
  check_weights(weights);
  const PricedMatching& best = workspace.search_->solve(weights);
  double value = 0.0;
  for (std::size_t left = 0; left < left_; ++left) {
    partner[left] = best.of(left);
    if (partner[left] >= 0) value += weights[left * right_ + static_cast<std::size_t>(partner[left])];
  }
  return value;
}

double DiverseMatching::solve_relaxation(std::span<const double> weights, Workspace& workspace,
                                         std::span<double> choice) const {
  check_weights(weights);
  const auto mixture = workspace.search_->solve_relaxation(weights);
  std::fill(choice.begin(), choice.end(), 0.0);
  for (std::size_t left = 0; left < left_; ++left) {
    const int first = mixture.first.of(left), second = mixture.second.of(left);
    if (first >= 0) choice[left * right_ + static_cast<std::size_t>(first)] = mixture.share;
    if (second < 0) continue;
    choice[left * right_ + static_cast<std::size_t>(second)] = first == second ? 1.0 : 1.0 - mixture.share;
  }
  double value = 0.0;
  for (std::size_t pair = 0; pair < weights.size(); ++pair) {
    if (choice[pair] != 0.0) value += choice[pair] * weights[pair];
  }
  return value;
}

bool DiverseMatching::allows(std::span<const int> partner) const {
  PairCounts counts;
  for (std::size_t left = 0; left < left_; ++left) {
    if (partner[left] < 0) continue;
    const bool same = same_label_[left * right_ + static_cast<std::size_t>(partner[left])] != 0;
    ++(same ? counts.same : counts.different);
  }
  return polygon_.allows(counts);
}

DiverseMatching::Workspace::Workspace(const DiverseMatching& matching)
    : search_(std::make_unique<DiverseMatchingSearch>(matching)) {}
DiverseMatching::Workspace::~Workspace() = default;
DiverseMatching::Workspace::Workspace(Workspace&&) noexcept = default;
DiverseMatching::Workspace& DiverseMatching::Workspace::operator=(Workspace&&) noexcept = default;
std::uint64_t DiverseMatching::Workspace::nodes() const { return search_->nodes(); }
std::uint64_t DiverseMatching::Workspace::assignments() const { return search_->assignments(); }
void DiverseMatching::Workspace::forget() { search_->forget(); }

}  // namespace polystep::solvers
