#include "own/own_task.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/checksum.hpp"
#include "base/files.hpp"
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

// A run that is made reads the task file; one that is read back has its text and goes by that.
void settle(Options& options, const std::vector<OwnKindEntry>& kinds) {
  const std::string file = options.text("task-file");
  if (options.text("task-text").empty()) {
    if (file.empty())
      throw InputError("problem own: no task file is named, expected one, as in 'polystepor train my.toml'");
    options.set("task-text", read_file(file), file);
    const auto folder = std::filesystem::absolute(file).parent_path().lexically_normal();
    options.set("task-folder", folder.string(), file);
  }
  const std::string& text = options.text("task-text");
  const OwnTaskFile task = parse_own_task(text, file, kinds);
  const std::string found = own_fingerprint(text, task, options.text("task-folder"));
  if (options.is_set("task-fingerprint") && options.text("task-fingerprint") != found)
    throw InputError(
        fmt::format("{}: the files it names in {} have changed since this run was made (fingerprint {}, "
                    "expected {}); put them back or train anew",
                    file, options.text("task-folder"), found, options.text("task-fingerprint")));
  options.set("task-fingerprint", found, file);
}

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

Task make_own_task(const OwnTaskFile& file, const std::filesystem::path& folder) {
  const OwnTables tables = read_tables(file.data, folder);
  OwnProblem own = file.kind->make(tables, folder);
  Task task;
  task.setting = fmt::format("task={}", file.name);
  task.data =
      make_dataset(file.data, tables, own.truth_columns, file.predictor.rows_each(own.truth_columns.size()));
  if (own.prepare) own.prepare(task.data.training);
  task.problem = std::move(own.problem);
  task.predictor =
      make_own_predictor(file.predictor, task.data, task.problem->linear_objective().has_value());
  task.metric = file.metric;
  return task;
}

std::string own_fingerprint(std::string_view toml, const OwnTaskFile& file,
                            const std::filesystem::path& folder) {
  std::uint64_t sum = checksum(toml);
  for (const std::string& name : file.files()) {
    const std::string bytes = read_file(folder / name);
    sum = checksum(fmt::format("\n{} {} ", name, bytes.size()),
                   sum);  // where one file ends and the next begins
    sum = checksum(bytes, sum);
  }
  return fmt::format("{:016x}", sum);
}

ProblemEntry own_entry(const std::vector<OwnKindEntry>& kinds) {
  ProblemEntry entry;
  entry.name = kOwnProblem;
  entry.help = "a problem of your own, from a TOML file and tables: polystepor train my.toml";
  entry.options.text("task-file", "", "TOML file that describes the task")
      .text("task-fingerprint", "",
            "of the task file and the files it names; a run checks that they are the same")
      .text("task-folder", "", "what paths in the task file are relative to [its own folder]")
      .text("task-text", "", "content of the task file, which a run remembers");
  entry.settle = [&kinds](Options& options, const TaskContext&) { settle(options, kinds); };
  entry.make = [&kinds](const Options& options, const TaskContext&) {
    const OwnTaskFile file = parse_own_task(options.text("task-text"), options.text("task-file"), kinds);
    return make_own_task(file, options.text("task-folder"));
  };
  return entry;
}

}  // namespace polystep
