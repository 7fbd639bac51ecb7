// Small random matching problems and their optima by enumeration of all matchings.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "polystep/random.hpp"

namespace polystep::solvers {

struct SmallMatching {
  std::size_t left;
  std::size_t right;
  double rho1;
  double rho2;
  std::vector<std::uint8_t> same_label;  // [left × right]
  std::vector<double> weights;           // [left × right]
};

enum class Weights { kReal, kPositive, kSmallWhole, kZeroOrOne, kAllEqual, kNegative, kTenths };
inline constexpr Weights kAllWeights[] = {Weights::kReal,      Weights::kPositive, Weights::kSmallWhole,
                                          Weights::kZeroOrOne, Weights::kAllEqual, Weights::kNegative,
                                          Weights::kTenths};

inline double draw_weight(RandomStream& random, Weights kind) {
  switch (kind) {
    case Weights::kReal:
      return random.normal();
    case Weights::kPositive:
      return random.uniform();
    case Weights::kSmallWhole:
      return static_cast<double>(random.below(7)) - 2.0;
    case Weights::kZeroOrOne:
      return static_cast<double>(random.below(2));
    case Weights::kAllEqual:
      return 0.75;
    case Weights::kNegative:
      return -random.uniform();
    case Weights::kTenths:
      return static_cast<double>(random.below(12)) / 10.0 - 0.2;
  }
  return 0.0;
}

// Labels of the pairs: mixed, scarce either way, all the same, all different.
inline SmallMatching draw_matching(RandomStream& random, Weights kind, std::size_t least, std::size_t most) {
  constexpr double kShares[] = {0.0, 0.1, 0.25, 0.3, 0.5, 1.0};
  constexpr double kSameLabel[] = {0.5, 0.2, 0.8, 1.0, 0.0};
  SmallMatching drawn;
  drawn.left = least + random.below(most - least + 1);
  drawn.right = least + random.below(most - least + 1);
  drawn.rho1 = kShares[random.below(6)];
  drawn.rho2 = kShares[random.below(6)];
  const double same = kSameLabel[random.below(5)];
  for (std::size_t pair = 0; pair < drawn.left * drawn.right; ++pair) {
    drawn.same_label.push_back(random.uniform() < same ? 1 : 0);
    drawn.weights.push_back(draw_weight(random, kind));
  }
  return drawn;
}

// The largest weight of an allowed matching; 0 for the empty one.
class Enumeration {
 public:
  explicit Enumeration(const SmallMatching& problem) : problem_(problem), taken_(problem.right, false) {}

  double best() {
    visit(0, 0.0, 0, 0);
    return best_;
  }

 private:
  void visit(std::size_t left, double value, int same, int different) {
    if (left == problem_.left) {
      const double pairs = same + different;
      const bool allowed = same >= problem_.rho1 * pairs - 1e-9 && different >= problem_.rho2 * pairs - 1e-9;
      if (allowed) best_ = std::max(best_, value);
      return;
    }
    visit(left + 1, value, same, different);
    for (std::size_t right = 0; right < problem_.right; ++right) {
      if (taken_[right]) continue;
      taken_[right] = true;
      const std::size_t pair = left * problem_.right + right;
      const int is_same = problem_.same_label[pair];
      visit(left + 1, value + problem_.weights[pair], same + is_same, different + 1 - is_same);
      taken_[right] = false;
    }
  }

  const SmallMatching& problem_;
  std::vector<bool> taken_;
  double best_ = 0.0;
};

}  // namespace polystep::solvers
