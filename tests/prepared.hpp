// Learners that have been through the stage before their first step.
#pragma once

#include "polystep/method.hpp"

namespace polystep {

inline void prepare(Learner& learner) {
  Preparation preparation;
  learner.prepare(preparation);
}

inline std::unique_ptr<Learner> make_prepared(const MethodEntry& method, const LearnerContext& context) {
  std::unique_ptr<Learner> learner = method.make(context);
  prepare(*learner);
  return learner;
}

}  // namespace polystep
