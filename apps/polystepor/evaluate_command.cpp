#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/console.hpp"
#include "commands.hpp"
#include "interrupts.hpp"
#include "polystep/version.hpp"
#include "runtime/run/result_file.hpp"
#include "saved_run.hpp"
#include "watched_evaluation.hpp"

namespace polystep {

int evaluate_command(const EvaluateArguments& arguments, const ProblemRegistry& problems) {
  catch_interrupts();
  const SavedRun run = load_run(arguments.run, arguments.data, problems);
  ThreadTeam team(static_cast<std::size_t>(arguments.threads));
  Evaluator evaluator(run.task, team);
  evaluator.set_failure_cost(run.model.failure_cost);
  const std::optional<MeasuredModel> measured = measure_watched(
      evaluator, run.model.parameters, progress_style_for_stderr(arguments.quiet || arguments.json));
  if (!measured) return kInterrupted;
  const Evaluation& validation = measured->validation;
  const TestFigures& test = measured->test;
  if (arguments.json) {
    nlohmann::ordered_json json = {{"problem", run.request.problem->name},
                                   {"setting", run.task.setting},
                                   {"method", run.request.method->name},
                                   {"preset", run.request.preset},
                                   {"seed", run.request.seed},
                                   {"validation_cost", validation.mean_cost},
                                   {"test_cost", test.cost},
                                   {"test_regret", test.regret},
                                   {"test_failed", test.failed},
                                   {"version", kVersion}};
    if (test.reference_failed) json["reference_failed"] = *test.reference_failed;
    print_out("{}\n", json.dump(2));
  } else {
    print_out("{} ({}), method {}, preset {}, seed {}\n", run.request.problem->name, run.task.setting,
               run.request.method->name, run.request.preset, run.request.seed);
    print_out("  test regret      {:.6g}\n  test cost        {:.8g}\n  validation cost  {:.8g}\n",
               test.regret, test.cost, validation.mean_cost);
    print_out("{}", describe_failures(test.failed, test.reference_failed));
  }
  return 0;
}

}  // namespace polystep
