// Steers how far probes reach by how often they change a decision.
//
// Where hardly any probe changes a decision, costs lie on a plateau and nothing can be learned; where nearly
// every probe does, costs say nothing about the neighbourhood. Between the two, the schedule of the radius is
// left alone: results hardly depend on it there. Outside, the rule multiplies radius and step after every
// step until the share of probe solves with another decision than the incumbent's is back in its band. It has
// no units, so it also finds a radius for predictors whose parameters say nothing about the size of
// predictions, such as networks.
#pragma once

#include "polystep/archive.hpp"

namespace polystep {

struct FlipRateBand {
  double low = 0.005;
  double high = 0.5;
};

class FlipRateRule {
 public:
  explicit FlipRateRule(FlipRateBand band) : band_(band) {}

  double factor() const { return factor_; }  // on radius and step of the next step
  void finish_step(double flip_rate);

  void save(ArchiveWriter& archive) const;
  void load(ArchiveReader& archive);

 private:
  FlipRateBand band_;
  double factor_ = 1;
};

}  // namespace polystep
