#include "known_data.hpp"

#include <fmt/format.h>

#include "data/tables/csv.hpp"
#include "own/model_problem.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

void replace_known(Task& task, const std::optional<std::string>& file) {
  auto* model = dynamic_cast<ModelProblem*>(task.problem.get());
  const bool has_known = model != nullptr && !model->setup().known.slots.empty();
  if (has_known && !file)
    throw InputError(fmt::format(
        "polystepor decide: the task has known data ({}), expected --known FILE.csv with them for "
        "the same rows as --features",
        fmt::join(model->setup().known.names, ", ")));
  if (!has_known && file)
    throw InputError("polystepor decide: --known is given for a task without known data, expected none");
  if (has_known) model->replace_known(read_csv(*file, model->setup().known.names));
}

}  // namespace

ProblemRegistry with_known_data(const ProblemRegistry& problems, const std::optional<std::string>& file) {
  ProblemRegistry registry;
  for (ProblemEntry entry : problems.entries()) {
    entry.make = [make = entry.make, file](const Options& options, const TaskContext& context) {
      Task task = make(options, context);
      replace_known(task, file);
      return task;
    };
    registry.add(std::move(entry));
  }
  return registry;
}

}  // namespace polystep
