#include "runtime/bench/ablation_grid.hpp"

namespace polystep {
namespace {

constexpr const char* kPreset = "best";

// One variant of the preset on every task, recorded under `name`.
std::vector<GridCell> variant(const ProblemRegistry& problems, GridRequest request, const std::string& name) {
  request.methods = {std::string("polystepor:") + kPreset};
  std::vector<GridCell> cells = benchmark_grid(problems, request);
  for (GridCell& cell : cells) cell.preset = name;
  return cells;
}

}  // namespace

const std::vector<PresetPart>& preset_parts() {
  static const std::vector<PresetPart> parts = {{"instance weights", "instance-weights", "false"},
                                                {"fitted start", "fit", "random"},
                                                {"standardised features", "standardise", "false"},
                                                {"flip-rate rule", "radius-rule", "schedule"},
                                                {"bags", "bags", "1"},
                                                {"validation rows in bags", "validation-trains", "false"},
                                                {"pooled early steps", "early", "exact"},
                                                {"blend", "blend", "false"}};
  return parts;
}

std::string preset_without(const PresetPart& part) { return std::string(kPreset) + " without " + part.name; }

std::vector<GridCell> ablation_grid(const ProblemRegistry& problems, const GridRequest& request) {
  std::vector<std::vector<GridCell>> variants = {variant(problems, request, kPreset)};
  for (const PresetPart& part : preset_parts()) {
    GridRequest without = request;
    without.given.push_back({part.option, part.off, "bench ablation"});
    variants.push_back(variant(problems, without, preset_without(part)));
  }
  std::vector<GridCell> cells;
  for (std::size_t task = 0; task < variants.front().size(); ++task)
    for (std::vector<GridCell>& cells_of : variants) cells.push_back(std::move(cells_of[task]));
  return cells;
}

}  // namespace polystep
