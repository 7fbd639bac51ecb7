#include "methods/polystepor/flip_rate_rule.hpp"

#include <algorithm>
#include <cmath>

namespace polystep {
namespace {

constexpr double kMostPerStep = 1.5;  // the rate of one step is noisy
constexpr double kFurthest = 1e4;     // from the schedule, either way

}  // namespace

void FlipRateRule::finish_step(double flip_rate) {
  if (flip_rate >= band_.low && flip_rate <= band_.high) return;
  // The rate grows about in proportion to the radius; the root keeps the rule from answering noise with
  // swings.
  const double target = flip_rate < band_.low ? band_.low : band_.high;
  const double wanted = flip_rate > 0 ? std::sqrt(target / flip_rate) : kMostPerStep;
  factor_ =
      std::clamp(factor_ * std::clamp(wanted, 1 / kMostPerStep, kMostPerStep), 1 / kFurthest, kFurthest);
}

void FlipRateRule::save(ArchiveWriter& archive) const { archive.put(factor_); }

void FlipRateRule::load(ArchiveReader& archive) { factor_ = archive.get<double>(); }

}  // namespace polystep
