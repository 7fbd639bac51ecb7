// The distances at which a step probes, and the rules that adapt their number and size to the run's progress.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "polystep/archive.hpp"
#include "polystep/optimizer_options.hpp"

namespace polystep {

// radii = outer * k / (count + 1) for k = 1..count: strictly inside the outer radius.
void spread_radii(double outer, std::size_t count, std::vector<double>& radii);

// The one radius that stands in for `count` of them: the middle one, or the outer of the two middle ones.
double single_radius(double outer, std::size_t count);

// One factor for all radii of a step, uniform in 1 ± jitter.
double jitter_factor(double jitter, std::uint64_t seed, std::size_t step);

// Decides whether the next step needs all radii.
class RadiiCounter {
 public:
  explicit RadiiCounter(RadiiRule rule) : rule_(rule) {}

  bool single() const { return single_; }  // for the next step
  void finish_step(double mean_cost);
  void save(ArchiveWriter& archive) const;
  void load(ArchiveReader& archive);

 private:
  bool last_three_decrease() const;

  RadiiRule rule_;
  std::vector<double> recent_;  // last mean costs, at most three, newest last
  std::uint64_t steps_ = 0;
  std::uint64_t passes_ = 0;  // kPaper: decreases in a row; kUpstream: tests passed in a row
  bool single_ = false;
};

// A factor on step length and probe radius: longer when the cost stalls, shorter while it falls.
class RadiusFactor {
 public:
  explicit RadiusFactor(bool adaptive) : adaptive_(adaptive) {}

  double value() const { return value_; }
  void finish_step(double mean_cost);
  void save(ArchiveWriter& archive) const;
  void load(ArchiveReader& archive);

 private:
  bool adaptive_;
  double value_ = 1;
  double previous_cost_ = 0;
  bool has_previous_ = false;
  std::uint64_t stalled_ = 0;  // steps in a row
};

}  // namespace polystep
