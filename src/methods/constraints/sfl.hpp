// SFL, solver-free learning: predicted rows are moved so that true optima lie inside and cheaper decisions
// near them outside, without solving anything in training.
//
// Three losses (sfl_loss.hpp) are balanced by how much each still varies. The temperature of the soft minimum
// over rows falls to a fifth after epochs 10 and 30, as published. Negative decisions are those of the
// published runs, which flip entries as if all variables were binary: whole-numbered ones turn negative.
#pragma once

#include "polystep/method.hpp"

namespace polystep {

MethodEntry sfl_method();

}  // namespace polystep
