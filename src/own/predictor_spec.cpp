#include "own/predictor_spec.hpp"

#include <fmt/format.h>

#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr std::int64_t kMostUnits = 100000;
constexpr std::size_t kMostLayers = 16;
constexpr std::size_t kUsualUnits = 32;

}  // namespace

PredictorSpec parse_predictor(const TaskSection& section) {
  PredictorSpec spec;
  spec.kind = section.choice("kind", spec.kind, {"linear", "shared-linear", "mlp"});
  const std::vector<std::int64_t> hidden = section.integers("hidden", 1, kMostUnits);
  spec.hidden.assign(hidden.begin(), hidden.end());
  section.refuse_unknown();
  if (spec.kind != "mlp" && section.has("hidden"))
    throw InputError(fmt::format("{}: 'hidden' is given for a {} predictor, expected it for kind = \"mlp\"",
                                 section.where("hidden"), spec.kind));
  if (spec.hidden.size() > kMostLayers)
    throw InputError(fmt::format("{}: 'hidden' has {} layers, expected at most {}", section.where("hidden"),
                                 spec.hidden.size(), kMostLayers));
  if (spec.kind == "mlp" && spec.hidden.empty()) spec.hidden = {kUsualUnits};
  return spec;
}

}  // namespace polystep
