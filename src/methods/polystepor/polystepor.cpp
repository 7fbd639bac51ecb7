#include "methods/polystepor/polystepor.hpp"

#include <algorithm>
#include <cmath>

#include "methods/polystepor/polystepor_learner.hpp"
#include "methods/polystepor/polystepor_options.hpp"
#include "methods/polystepor/reduced_learner.hpp"

namespace polystep {

MethodEntry polystepor_method() {
  MethodEntry entry;
  entry.name = "polystepor";
  entry.help = "probe the predictor's parameters, decide, and move towards cheap decisions";
  entry.options = polystepor_options();
  entry.presets = polystepor_presets();
  entry.make = [](const LearnerContext& context) -> std::unique_ptr<Learner> {
    if (wants_reduced_inputs(context.evaluator.task(), context.options))
      return std::make_unique<ReducedLearner>(context, nullptr);
    return std::make_unique<PolyStepLearner>(context);
  };
  return entry;
}

}  // namespace polystep
