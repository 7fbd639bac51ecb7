#include "own/own_task_file.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "polystep/error.hpp"

namespace polystep {
namespace {

// The one place that chooses between the ways to bring a problem.
std::unique_ptr<OwnKind> read_kind(const TaskSection& root, const std::vector<OwnKindEntry>& kinds) {
  const OwnKindEntry* chosen = nullptr;
  std::vector<std::string> names;
  for (const OwnKindEntry& entry : kinds) {
    names.push_back("[" + entry.section + "]");
    if (!root.has(entry.section)) continue;
    if (chosen != nullptr)
      throw InputError(fmt::format("{}: there are sections [{}] and [{}], expected one of them",
                                   root.where(entry.section), chosen->section, entry.section));
    chosen = &entry;
  }
  if (chosen == nullptr)
    throw InputError(fmt::format("{}: no section says what a decision is, expected {}", root.file(),
                                 fmt::join(names, " or ")));
  return chosen->read(root);
}

// Instances of any size take a predictor that has one set of weights for all outputs.
void check_long_format(const TaskSection& predictor, const OwnTaskFile& task) {
  if (!task.data.long_format || task.predictor.kind->entry == FeatureEntry::kPerOutput) return;
  std::vector<std::string> kinds;
  for (const PredictorEntry& entry : predictor_entries())
    if (entry.entry == FeatureEntry::kPerOutput) kinds.push_back(fmt::format("\"{}\"", entry.name));
  throw InputError(
      fmt::format("{}: the predictor is '{}' and tables are in long format, expected one that is shared by "
                  "outputs: kind = {}",
                  predictor.where("kind"), task.predictor.kind->name, fmt::join(kinds, " or ")));
}

std::string stem_of(const std::string& file) { return std::filesystem::path(file).stem().string(); }

}  // namespace

std::vector<std::string> OwnTaskFile::files() const {
  std::vector<std::string> names = data.files();
  for (const std::string& name : kind->files()) names.push_back(name);
  return names;
}

OwnTaskFile parse_own_task(std::string_view toml, const std::string& file,
                           const std::vector<OwnKindEntry>& kinds) {
  const toml::table table = parse_toml(toml, file);
  const TaskSection root(table, file, "");
  OwnTaskFile task;
  task.name = root.text("name", stem_of(file));
  if (root.choice("metric", "relative", {"relative", "absolute"}) == "absolute")
    task.metric = RegretMetric::kAbsolute;
  task.data = parse_data(root.section("data"));
  task.predictor = parse_predictor(root.section("predictor"));
  check_long_format(root.section("predictor"), task);
  task.kind = read_kind(root, kinds);
  root.refuse_unknown();
  return task;
}

}  // namespace polystep
