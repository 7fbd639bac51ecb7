#include "optimizer/radii.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "polystep/random.hpp"

namespace polystep {
namespace {

constexpr std::uint64_t kDecreasesNeeded = 3;
constexpr std::uint64_t kUpstreamWarmUp = 20;  // steps
constexpr double kStallChange = 1e-4;          // relative
constexpr std::uint64_t kStallSteps = 10;

}  // namespace

void spread_radii(double outer, std::size_t count, std::vector<double>& radii) {
  radii.resize(count);
  for (std::size_t k = 0; k < count; ++k)
    radii[k] = outer * static_cast<double>(k + 1) / static_cast<double>(count + 1);
}

double single_radius(double outer, std::size_t count) {
  return outer * static_cast<double>(count / 2 + 1) / static_cast<double>(count + 1);
}

double jitter_factor(double jitter, std::uint64_t seed, std::size_t step) {
  if (jitter == 0) return 1;
  return 1 + RandomStream(seed, Purpose::kRadiusJitter, step).uniform(-jitter, jitter);
}

bool RadiiCounter::last_three_decrease() const {
  return recent_.size() == 3 && recent_[0] > recent_[1] && recent_[1] > recent_[2] && recent_[2] > 0;
}

void RadiiCounter::finish_step(double mean_cost) {
  if (rule_ == RadiiRule::kFixed) return;
  ++steps_;
  const bool fell = !recent_.empty() && mean_cost < recent_.back();
  if (recent_.size() == 3) recent_.erase(recent_.begin());
  recent_.push_back(mean_cost);
  const bool passed = rule_ == RadiiRule::kPaper ? fell : steps_ >= kUpstreamWarmUp && last_three_decrease();
  passes_ = passed ? passes_ + 1 : 0;
  single_ = passes_ >= kDecreasesNeeded;
}

void RadiiCounter::save(ArchiveWriter& archive) const {
  archive.put(recent_);
  archive.put<std::uint64_t>(steps_);
  archive.put<std::uint64_t>(passes_);
  archive.put<std::uint8_t>(single_);
}

void RadiiCounter::load(ArchiveReader& archive) {
  recent_ = archive.get_doubles();
  if (recent_.size() > 3)
    archive.refuse("it holds " + std::to_string(recent_.size()) + " recent mean costs, expected at most 3");
  steps_ = archive.get<std::uint64_t>();
  passes_ = archive.get<std::uint64_t>();
  single_ = archive.get<std::uint8_t>() != 0;
}

void RadiusFactor::finish_step(double mean_cost) {
  if (!adaptive_) return;
  if (has_previous_) {
    const double size = std::max(std::abs(previous_cost_), std::numeric_limits<double>::min());
    stalled_ = std::abs(mean_cost - previous_cost_) / size < kStallChange ? stalled_ + 1 : 0;
    if (stalled_ >= kStallSteps) {
      value_ = std::min(3.0, value_ * 1.5);
    } else if (mean_cost < previous_cost_) {
      value_ = std::max(0.5, value_ * 0.9);
    }
  }
  previous_cost_ = mean_cost;
  has_previous_ = true;
}

void RadiusFactor::save(ArchiveWriter& archive) const {
  archive.put<double>(value_);
  archive.put<double>(previous_cost_);
  archive.put<std::uint8_t>(has_previous_);
  archive.put<std::uint64_t>(stalled_);
}

void RadiusFactor::load(ArchiveReader& archive) {
  value_ = archive.get<double>();
  previous_cost_ = archive.get<double>();
  has_previous_ = archive.get<std::uint8_t>() != 0;
  stalled_ = archive.get<std::uint64_t>();
}

}  // namespace polystep
