#include "methods/gradient/learning_direction.hpp"

#include "methods/gradient/helped_preset.hpp"
#include "methods/gradient/published_settings.hpp"

namespace polystep {

void add_direction_option(MethodEntry& entry) {
  entry.options.choice("direction", "corrected", {"corrected", "published"},
                       "published: the wrong sign of the published portfolio runs (maximisation only)");
  const std::string method = entry.name;
  const auto corrected = [method](const PresetContext& context) { return published_values(method, context); };
  entry.presets = {{"paper", "the benchmark's published hyperparameters, and its wrong sign on the portfolio",
                    [method](const PresetContext& context) {
                      OptionValues values = published_values(method, context);
                      if (published_protocol(context).wrong_sign)
                        values.emplace_back("direction", std::string("published"));
                      return values;
                    }},
                   {"corrected", "the published hyperparameters with the right sign", corrected},
                   helped_preset(corrected)};
}

bool learns_wrong_way(const Options& options, const DecisionOracle& oracle) {
  return options.text("direction") == "published" && oracle.sense() < 0;
}

}  // namespace polystep
