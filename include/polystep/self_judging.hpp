// A learner that judges itself by what it solves anyway, where every solve counts.
//
// An interface beside Learner. Without it a session decides every training row once for the failure cost, and
// the loop decides all validation rows whenever a validation is due.
#pragma once

#include "polystep/method.hpp"
#include "polystep/preparation.hpp"

namespace polystep {

class SelfJudging {
 public:
  virtual ~SelfJudging() = default;

  // Sets the evaluator's failure cost by the first of what the learner solves. Called before `prepare`, maybe
  // more than once; throws InputError where nothing was solved.
  virtual void find_failure_cost(Preparation& preparation) = 0;

  // How the present parameters do on validation rows, by what was solved so far.
  virtual ValidationReport own_validation() const = 0;
};

}  // namespace polystep
