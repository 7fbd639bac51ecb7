#include "methods/flip_rate_rule.hpp"

#include <algorithm>
#include <cmath>

namespace polystep {
namespace {

constexpr double kContinuous = 0.9;   // above this rate, decisions move with every prediction
constexpr double kMostPerStep = 1.5;  // the rate of one step is noisy
constexpr double kFurthest = 1e6;     // from the schedule, either way

}  // namespace

void FlipRateRule::finish_step(double flip_rate) {
  const double target = target_.value(steps_++);
  if (flip_rate > kContinuous) return;
  // The rate grows about in proportion to the radius; the root keeps the rule from answering noise with
  // swings.
  const double wanted = flip_rate > 0 ? std::sqrt(target / flip_rate) : kMostPerStep;
  factor_ *= std::clamp(wanted, 1 / kMostPerStep, kMostPerStep);
  factor_ = std::clamp(factor_, 1 / kFurthest, kFurthest);
}

void FlipRateRule::save(ArchiveWriter& archive) const {
  archive.put(factor_);
  archive.put(steps_);
}

void FlipRateRule::load(ArchiveReader& archive) {
  factor_ = archive.get<double>();
  steps_ = archive.get<std::uint64_t>();
}

}  // namespace polystep
