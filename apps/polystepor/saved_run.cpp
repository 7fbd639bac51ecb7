#include "saved_run.hpp"

#include <fmt/format.h>

#include "polystep/error.hpp"
#include "runtime/run/run_directory.hpp"

namespace polystep {

SavedRun load_run(const std::string& directory, const std::optional<std::string>& data,
                  const ProblemRegistry& problems) {
  const RunDirectory files = RunDirectory::open_to_read(directory);
  if (run_state(directory) == RunState::kUnfinished)
    throw InputError(fmt::format(
        "{} holds an unfinished run, expected a finished one; go on with it by 'train --resume --out {}'",
        directory, directory));
  RunConfig config = read_config(files.config());
  if (data) config.data = data;
  RunRequest request = resolve_run(problems, config, files.config().string(), {});
  SavedModel model = read_model(files.model().string());
  Task task = make_task(request);
  if (model.predictor != task.predictor->shape())
    throw InputError(
        fmt::format("{} holds a {} predictor with {} parameters, expected a {} predictor with {} for {}",
                    files.model().string(), model.predictor.kind, model.parameters.size(),
                    task.predictor->kind(), task.predictor->parameters(), request.problem->name));
  if (!model.member_deviations.empty())
    task.predictor =
        make_averaged(std::move(task.predictor), model.member_deviations, task.problem->instances());
  return {std::move(request), std::move(task), std::move(model)};
}

}  // namespace polystep
