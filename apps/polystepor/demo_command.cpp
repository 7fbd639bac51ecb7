#include <fmt/format.h>

#include "base/console.hpp"
#include "commands.hpp"
#include "polystep/train.hpp"
#include "runtime/run/progress.hpp"
#include "runtime/run/run_request.hpp"

namespace polystep {
namespace {

TrainingResult train_with(const Task& task, const RunRequest& request, const DemoArguments& arguments) {
  Progress progress(progress_style_for_stderr(arguments.quiet));
  ProgressState state;
  TrainingSettings settings;
  settings.seed = arguments.seed;
  settings.threads = static_cast<std::size_t>(arguments.threads);
  settings.on_step = [&](std::size_t step, std::size_t steps) {
    state.step = static_cast<std::int64_t>(step);
    state.steps = static_cast<std::int64_t>(steps);
    progress.update(state);
    return true;
  };
  TrainingResult result = train(task, *request.method, request.method_options, settings);
  progress.finish(state);
  return result;
}

}  // namespace

int demo_command(const DemoArguments& arguments, const ProblemRegistry& problems) {
  print_out("Shortest path on a 5 x 5 grid, degree {}: edge costs are predicted from five features.\n\n",
            arguments.degree);
  std::string table =
      fmt::format("  {:<26} {:>12} {:>14} {:>9}\n", "method", "test regret", "solver calls", "seconds");
  double least_squares_regret = 0, regret = 0;
  for (const char* method : {"mse", "polystepor"}) {
    RunConfig config;
    config.problem = "shortest-path";
    config.method = method;
    config.seed = arguments.seed;
    RunRequest request = resolve_run(
        problems, config, "polystepor demo",
        {{"degree", std::to_string(arguments.degree), "--degree"}, {"source", "generated", "--source"}});
    const Task task = make_task(request);
    const TrainingResult result = train_with(task, request, arguments);
    const bool least_squares = request.method->name == "mse";
    (least_squares ? least_squares_regret : regret) = result.test_regret;
    table +=
        fmt::format("  {:<26} {:>11.2f}% {:>14} {:>9.3f}\n", least_squares ? "least squares" : "PolyStepOR",
                    100 * result.test_regret, result.training_solves.requested, result.train_seconds);
  }
  print_out("{}\n", table);
  print_out(
      "Test regret is how much more the decisions cost than perfect foresight would, on 10000 unseen "
      "instances.\n");
  if (regret < least_squares_regret)
    print_out("Training for decisions cut it by {:.0f} %.\n", 100 * (1 - regret / least_squares_regret));
  return 0;
}

}  // namespace polystep
