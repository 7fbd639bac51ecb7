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
  task.kind = read_kind(root, kinds);
  root.refuse_unknown();
  return task;
}

}  // namespace polystep
