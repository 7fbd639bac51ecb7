// Steers how far probes reach by how often they change a decision.
//
// A probe that changes no decision says nothing, and one that changes most of them says nothing about the
// neighbourhood; in between lies a share that hardly depends on the problem. The rule multiplies radius and
// step after every step so that the share of probe solves with another decision than the incumbent's follows
// its target. Decisions that change with every prediction, such as portfolios, have no such share: their rate
// is 1 at any radius, and the rule leaves the radius to its schedule.
#pragma once

#include "polystep/archive.hpp"
#include "polystep/schedule.hpp"

namespace polystep {

class FlipRateRule {
 public:
  explicit FlipRateRule(Schedule target) : target_(target) {}

  double factor() const { return factor_; }  // on radius and step of the next step
  void finish_step(double flip_rate);

  void save(ArchiveWriter& archive) const;
  void load(ArchiveReader& archive);

 private:
  Schedule target_;
  double factor_ = 1;
  std::uint64_t steps_ = 0;
};

}  // namespace polystep
