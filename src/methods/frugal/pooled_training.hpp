// Training of one bag on remembered decisions alone: no solve, however many steps.
//
// The loss of a row is pooled SPO+, a convex bound on what its choice among the remembered decisions costs
// above the cheapest of them. The published loss compares with the optimum; the cheapest remembered decision
// is one that a model was seen to lead to, and asks for less that no model can follow.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evaluation/tiled_rows.hpp"
#include "methods/frugal/remembered_decisions.hpp"
#include "polystep/predictor.hpp"

namespace polystep {

struct PooledTraining {
  std::size_t steps = 100;
  double rate = 0.02;       // Adam's first, in units of the parameters
  double final_rate = 0.1;  // share of it at the end
  double soft_share = 0;    // of the gradient that is of a soft choice's expected cost
  double soft_start = 0.3;  // temperature of that choice, in units of predictions
  double soft_end = 0.1;
};

// Parameters after training from `start` on some rows of the split whose decisions these are.
std::vector<double> train_on_decisions(const Predictor& predictor, const RememberedDecisions& decisions,
                                       const TiledRows& rows, std::vector<double> start,
                                       const PooledTraining& setting);

}  // namespace polystep
