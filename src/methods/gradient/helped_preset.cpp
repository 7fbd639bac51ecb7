#include "methods/gradient/helped_preset.hpp"

#include <utility>

namespace polystep {
namespace {

OptionValues with_help(OptionValues values) {
  std::erase_if(values, [](const auto& value) { return value.first == "start"; });
  const OptionValues help = {{"rates", std::int64_t{4}},  {"start", std::string("fitted")},
                             {"starts", std::int64_t{8}}, {"standardise", true},
                             {"instance-weights", true},  {"keep-best", true}};
  values.insert(values.end(), help.begin(), help.end());
  return values;
}

}  // namespace

Preset helped_preset(std::function<OptionValues(const PresetContext&)> published) {
  return {"helped", "the published hyperparameters with the preparation of polystepor's preset best",
          [published = std::move(published)](const PresetContext& context) {
            return with_help(published(context));
          }};
}

}  // namespace polystep
