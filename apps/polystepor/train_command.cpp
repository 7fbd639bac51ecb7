#include <fmt/format.h>

#include <filesystem>

#include "base/console.hpp"
#include "base/files.hpp"
#include "commands.hpp"
#include "interrupts.hpp"
#include "polystep/error.hpp"
#include "run_arguments.hpp"
#include "runtime/plan/fidelity.hpp"
#include "runtime/plan/forecast.hpp"
#include "runtime/run/resumed_run.hpp"
#include "runtime/run/training_run.hpp"

namespace polystep {
namespace {

std::filesystem::path run_path(const TrainArguments& arguments, const RunRequest& request) {
  if (arguments.out) return *arguments.out;
  const bool own = arguments.problem && names_task_file(*arguments.problem);
  const std::string problem =
      own ? std::filesystem::path(*arguments.problem).stem().string() : request.problem->name;
  return fmt::format("runs/{}-{}-{}", problem, request.method->name, request.seed);
}

int report(const RunOutcome& outcome, const TrainArguments& arguments, const RunDirectory& directory) {
  if (outcome.interrupted) {
    print_err("Stopped after a checkpoint; go on with: polystepor train --resume --out {}\n",
              directory.path().string());
    return kInterrupted;
  }
  if (arguments.json)
    print_out("{}", outcome.result_json);
  else
    print_out("{}  written to       {}\n", outcome.summary, directory.path().string());
  return 0;
}

RunControls controls_of(const TrainArguments& arguments) {
  RunControls controls;
  controls.progress = progress_style_for_stderr(arguments.quiet);
  controls.checkpoint_seconds = arguments.checkpoint_seconds;
  controls.interrupted = [] { return interrupt_requested(); };
  return controls;
}

int report_nothing_written() {
  print_err("Stopped before anything was written.\n");
  return kInterrupted;
}

void announce(const RunRequest& request, bool quiet) {
  if (!quiet && request.chosen) print_err("Chosen: {}.\n", describe_choice(request));
  if (quiet || !request.forecast || request.method->options.find("checks") == nullptr) return;
  const Pace pace = pace_of(*request.method, request.method_options, "the forecast");
  print_err("Planned: bags {}, steps {}, batch {}; forecast {:.0f} solver calls, {:.3g} seconds.\n",
            pace.bags, pace.steps, pace.batch, request.forecast->solves, request.forecast->seconds);
}

int resume(const TrainArguments& arguments, const ProblemRegistry& problems) {
  // Without a problem or configuration, the run directory's own configuration says what to do.
  const bool by_directory = !arguments.problem && !arguments.config;
  if (by_directory && !arguments.out)
    throw InputError("polystepor train --resume: which run? give --out DIR, or the problem and its options");
  std::optional<std::filesystem::path> file;
  if (by_directory)
    file = std::filesystem::path(*arguments.out) / "config.toml";
  else if (arguments.config)
    file = *arguments.config;
  const RunConfig config = merged_config(arguments, file, problems);
  RunRequest request =
      resolve_run(problems, config, file ? file->string() : "polystepor train", given_options(arguments));
  const std::filesystem::path path = run_path(arguments, request);
  adopt_choice(request, path, problems);
  ThreadTeam team(request.threads);
  TrainingRun run(std::move(request), team, controls_of(arguments));  // Stopped: the run is as it was
  const RunState state = run_state(path);
  if (state == RunState::kEmpty) {  // killed before it wrote anything
    if (!run.try_solver()) return report_nothing_written();
    const RunDirectory directory = RunDirectory::open_new(path, false);
    announce(run.request(), arguments.quiet);
    return report(run.execute(directory, false), arguments, directory);
  }
  if (state == RunState::kFinished) {
    const RunDirectory directory = RunDirectory::open_to_read(path);
    check_same_run(run.request(), problems, directory, "polystepor train --resume");
    print_err("{} is finished already; nothing to resume.\n", path.string());
    if (arguments.json) print_out("{}", read_file(directory.result()));
    return 0;
  }
  const RunDirectory directory = RunDirectory::open_to_resume(path);
  if (std::filesystem::exists(directory.config()))
    check_same_run(run.request(), problems, directory, "polystepor train --resume");
  return report(run.execute(directory, true), arguments, directory);
}

}  // namespace

int train_command(const TrainArguments& arguments, const ProblemRegistry& problems) {
  catch_interrupts();
  refuse_empty_paths(arguments);
  if (arguments.resume) return resume(arguments, problems);
  std::optional<std::filesystem::path> file;
  if (arguments.config) file = *arguments.config;
  const RunConfig config = merged_config(arguments, file, problems);
  RunRequest request =
      resolve_run(problems, config, file ? file->string() : "polystepor train", given_options(arguments));
  const std::filesystem::path path = run_path(arguments, request);
  RunDirectory::refuse_unusable(path, arguments.force);
  ThreadTeam team(request.threads);
  try {
    TrainingRun run(std::move(request), team, controls_of(arguments));
    if (!run.try_solver()) return report_nothing_written();
    const RunDirectory directory = RunDirectory::open_new(path, arguments.force);
    announce(run.request(), arguments.quiet);
    return report(run.execute(directory, false), arguments, directory);
  } catch (const Stopped&) {
    return report_nothing_written();
  }
}

}  // namespace polystep
