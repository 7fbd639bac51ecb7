#include "own/predictor_spec.hpp"

#include <fmt/format.h>

#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr std::int64_t kMostUnits = 100000;
constexpr std::size_t kMostLayers = 16;
constexpr std::size_t kUsualUnits = 32;

// The kinds that have hidden layers, as one would write them.
std::string layered_kinds() {
  std::string text;
  for (const PredictorEntry& entry : predictor_entries())
    if (entry.reads_tables() && entry.lists_layers)
      text += fmt::format("{}\"{}\"", text.empty() ? "kind = " : " or ", entry.name);
  return text;
}

}  // namespace

PredictorSpec parse_predictor(const TaskSection& section) {
  PredictorSpec spec;
  std::vector<std::string> kinds;
  for (const PredictorEntry& entry : predictor_entries())
    if (entry.reads_tables()) kinds.push_back(entry.name);
  spec.kind = &find_predictor(section.choice("kind", spec.kind->name, kinds), section.where("kind"));
  const std::vector<std::int64_t> hidden = section.integers("hidden", 1, kMostUnits);
  spec.hidden.assign(hidden.begin(), hidden.end());
  section.refuse_unknown();
  if (!spec.kind->lists_layers && section.has("hidden"))
    throw InputError(fmt::format("{}: 'hidden' is given for a {} predictor, expected it for {}",
                                 section.where("hidden"), spec.kind->name, layered_kinds()));
  if (spec.hidden.size() > kMostLayers)
    throw InputError(fmt::format("{}: 'hidden' has {} layers, expected at most {}", section.where("hidden"),
                                 spec.hidden.size(), kMostLayers));
  spec.where = section.where(section.has("hidden") ? "hidden" : "kind");
  if (spec.hidden.size() < spec.kind->least_layers) spec.hidden.assign(spec.kind->least_layers, kUsualUnits);
  return spec;
}

}  // namespace polystep
