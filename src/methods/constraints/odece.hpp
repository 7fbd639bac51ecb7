// ODECE: learns predicted constraints so that the true optimum stays feasible and decisions that turn out
// infeasible become so already for the prediction.
//
// One loss pulls the predicted rows away from the true optimum of a row of data, the other pushes them over
// the decision for the prediction wherever that decision violates the true rows; `alpha` is the share of the
// latter. Decisions are held constant. The published runs on alloys averaged the second loss over all
// decisions instead of the infeasible ones (preset `paper`); preset `written` follows the paper's text.
#pragma once

#include "polystep/method.hpp"

namespace polystep {

MethodEntry odece_method();

}  // namespace polystep
