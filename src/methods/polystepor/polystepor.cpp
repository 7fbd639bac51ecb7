#include "methods/polystepor/polystepor.hpp"

#include <algorithm>
#include <cmath>

#include "evaluation/evaluator.hpp"
#include "methods/frugal/frugal_learner.hpp"
#include "methods/frugal/frugal_output.hpp"
#include "methods/polystepor/polystepor_learner.hpp"
#include "methods/polystepor/polystepor_options.hpp"
#include "methods/polystepor/reduced_learner.hpp"

namespace polystep {

MethodEntry polystepor_method() {
  MethodEntry entry;
  entry.name = "polystepor";
  entry.help = "probe the predictor's parameters, decide, and move towards cheap decisions";
  entry.facts = {.baseline = false};
  entry.options = polystepor_options();
  entry.presets = polystepor_presets();
  entry.tuning = {"temperature-start=log:0.1..10",
                  "temperature-end=temperature-start*log:0.01..1",
                  "step-start=log:0.1..10",
                  "step-end=step-start*log:0.01..1",
                  "radius-start=log:0.1..10",
                  "radius-end=radius-start*log:0.01..1",
                  "radii=1,2"};
  entry.make = [](const LearnerContext& context) -> std::unique_ptr<Learner> {
    if (context.options.text("fidelity") == "frugal") {
      if (FrugalLearner::serves(context.evaluator.task(), context.options))
        return std::make_unique<FrugalLearner>(context);
      return std::make_unique<FrugalOutputLearner>(context);
    }
    if (wants_reduced_inputs(context.evaluator.task(), context.options))
      return std::make_unique<ReducedLearner>(context, nullptr);
    return std::make_unique<PolyStepLearner>(context);
  };
  return entry;
}

}  // namespace polystep
