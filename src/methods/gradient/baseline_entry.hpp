// What the registry entries of the gradient baselines have in common.
#pragma once

#include <memory>
#include <string>

#include "methods/gradient/gradient_learner.hpp"
#include "methods/gradient/helped_preset.hpp"
#include "methods/gradient/published_settings.hpp"
#include "polystep/method.hpp"

namespace polystep {

// An entry with the gradient options, a `paper` preset of the published hyperparameters, a `helped` preset,
// and a learner around Loss, which is made from a LearnerContext. The caller adds the method's own options.
template <class Loss>
MethodEntry baseline_entry(const std::string& name, const std::string& help) {
  MethodEntry entry;
  entry.name = name;
  entry.help = help;
  add_gradient_options(entry.options);
  const auto published = [name](const PresetContext& context) { return published_values(name, context); };
  entry.presets = {{"paper", "the benchmark's published hyperparameters", published},
                   helped_preset(published)};
  entry.tuning = {"rate=log:0.001..1", "batch=16,32,64"};
  entry.make = [](const LearnerContext& context) -> std::unique_ptr<Learner> {
    return std::make_unique<GradientLearner>(context, std::make_unique<Loss>(context));
  };
  return entry;
}

}  // namespace polystep
