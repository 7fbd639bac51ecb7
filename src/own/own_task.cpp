#include "own/own_task.hpp"

#include <fmt/format.h>

#include "base/checksum.hpp"
#include "base/files.hpp"
#include "own/own_predictor.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

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
      make_own_predictor(file.predictor, task.data, task.problem->facts().optimises_prediction.has_value());
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
  entry.facts = [&kinds](const Options& options) {
    const std::string file = options.text("task-file");
    std::string text = options.text("task-text");
    if (text.empty() && file.empty()) return ProblemFacts{};
    if (text.empty()) text = read_file(file);
    return parse_own_task(text, file, kinds).kind->facts();
  };
  entry.make = [&kinds](const Options& options, const TaskContext&) {
    const OwnTaskFile file = parse_own_task(options.text("task-text"), options.text("task-file"), kinds);
    return make_own_task(file, options.text("task-folder"));
  };
  return entry;
}

}  // namespace polystep
