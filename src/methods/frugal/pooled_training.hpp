// Training of one bag on remembered decisions alone: no solve, however many steps.
//
// The loss of a row is the mean of two. Pooled SPO+ is a convex bound on what its choice among the remembered
// decisions costs above the cheapest of them: the published loss compares with the optimum, while the
// cheapest remembered decision is one that a model was seen to lead to, and asks for less that no model can
// follow. The other is what a soft choice costs on average, decisions being taken with probabilities that
// fall with their predicted cost: no bound, but the cost itself. Together they are better than either
// (docs/dear-solves.md), but where decisions move smoothly (choice_lessons.cpp). By references the first is
// SPO+ as published, alone: where a model can nearly follow the truth and what tempts is remembered, that is
// better still.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evaluation/tiled_rows.hpp"
#include "methods/frugal/quick_training.hpp"
#include "methods/frugal/remembered_decisions.hpp"
#include "polystep/predictor.hpp"

namespace polystep {

struct PooledTraining {
  QuickTraining training = {.steps = 60, .rate = 0.01};
  bool by_references = false;  // SPO+ compares with the answer to the truth, where the row has one
  double soft_share = 0.5;     // of the loss that is the soft choice's; the rest is pooled SPO+
  double soft_start = 0.1;     // temperature of that choice, in units of values, at the first step
  double soft_end = 0.05;      // and at the end
};

// Parameters after training from `start` on some rows of the split whose decisions these are.
std::vector<double> train_on_decisions(const Predictor& predictor, const RememberedDecisions& decisions,
                                       const TiledRows& rows, std::vector<double> start,
                                       const PooledTraining& setting);

}  // namespace polystep
