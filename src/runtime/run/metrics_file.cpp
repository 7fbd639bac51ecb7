#include "runtime/run/metrics_file.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

using Json = nlohmann::json;

std::optional<double> number(const Json& line, const char* key, const std::string& where) {
  const auto found = line.find(key);
  if (found == line.end() || found->is_null()) return std::nullopt;
  if (!found->is_number())
    throw InputError(fmt::format("{}: {} is {}, expected a number", where, key, found->dump()));
  return found->get<double>();
}

StepMetrics parse_line(std::string_view text, const std::string& where) {
  const Json line = Json::parse(text, nullptr, false);
  if (!line.is_object() || !line.contains("step") || !line["step"].is_number_unsigned())
    throw InputError(fmt::format("{}: found no step, expected a JSON object with the figures of one", where));
  StepMetrics step;
  step.step = line["step"].get<std::size_t>();
  step.seconds = number(line, "seconds", where).value_or(0);
  step.flip_rate = number(line, "flip_rate", where);
  step.moving_share = number(line, "moving_share", where);
  step.radius = number(line, "radius", where);
  step.training_cost = number(line, "incumbent_cost", where);
  step.validation_cost = number(line, "validation_cost", where);
  step.held_out_cost = number(line, "held_out_cost", where);
  step.blend = number(line, "blend", where);
  step.guarded = number(line, "guarded", where);
  step.solves = number(line, "solves_requested", where);
  return step;
}

}  // namespace

std::vector<StepMetrics> parse_metrics(std::string_view text, const std::string& name) {
  std::vector<StepMetrics> steps;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    steps.push_back(parse_line(text.substr(0, end), fmt::format("{} line {}", name, ++number)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (steps.empty()) throw InputError(fmt::format("{} is empty, expected one line per step", name));
  return steps;
}

std::vector<StepMetrics> read_metrics(const std::filesystem::path& path) {
  return parse_metrics(read_file(path), path.string());
}

}  // namespace polystep
