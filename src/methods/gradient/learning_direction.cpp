#include "methods/gradient/learning_direction.hpp"

#include "methods/gradient/published_settings.hpp"

namespace polystep {

void add_direction_option(MethodEntry& entry) {
  entry.options.choice("direction", "corrected", {"corrected", "published"},
                       "published: the wrong sign of the published portfolio runs (maximisation only)");
  const std::string method = entry.name;
  entry.presets = {{"paper", "the benchmark's published hyperparameters, and its wrong sign on the portfolio",
                    [method](const std::string& problem, const Options& settings) {
                      auto values = published_values(method, problem, settings);
                      if (problem == "portfolio") values.emplace_back("direction", std::string("published"));
                      return values;
                    }},
                   {"corrected", "the published hyperparameters with the right sign",
                    [method](const std::string& problem, const Options& settings) {
                      return published_values(method, problem, settings);
                    }}};
}

bool learns_wrong_way(const Options& options, const DecisionOracle& oracle) {
  return options.text("direction") == "published" && oracle.sense() < 0;
}

}  // namespace polystep
