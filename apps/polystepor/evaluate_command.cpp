#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/console.hpp"
#include "commands.hpp"
#include "interrupts.hpp"
#include "polystep/version.hpp"
#include "runtime/run/result_file.hpp"
#include "saved_run.hpp"

namespace polystep {

int evaluate_command(const EvaluateArguments& arguments, const ProblemRegistry& problems) {
  RunWatch watch(watched_command(arguments.watch));
  ThreadTeam team(static_cast<std::size_t>(arguments.threads));
  const Watching watching(team, &watch);
  const SavedRun run = load_run(arguments.run, arguments.data, problems);
  Evaluator evaluator(run.task, team);
  evaluator.set_failure_cost(run.model.failure_cost);
  watch.stage("deciding the validation rows");
  const Evaluation validation = evaluator.evaluate(run.model.parameters, TiledRows(run.task.data.validation));
  watch.stage("deciding the test rows");
  const TestFigures test =
      measure_test(evaluator, run.model.parameters,
                   arguments.watch.max_seconds ? TestExtent::kUntilStopped : TestExtent::kAll);
  watch.clear();
  if (watch.interrupted()) throw Stopped();
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
                                   {"test_rows", test.rows},
                                   {"version", kVersion}};
    if (test.reference_failed) json["reference_failed"] = *test.reference_failed;
    print_out("{}\n", json.dump(2));
  } else {
    print_out("{} ({}), method {}, preset {}, seed {}\n", run.request.problem->name, run.task.setting,
               run.request.method->name, run.request.preset, run.request.seed);
    print_out("  test regret      {:.6g}\n  test cost        {:.8g}\n  validation cost  {:.8g}\n",
               test.regret, test.cost, validation.mean_cost);
    print_out("{}", describe_failures(test.failed, test.reference_failed));
    for (const std::string& note : test_notes(run.task, test)) print_out("  note: {}\n", note);
  }
  return 0;
}

}  // namespace polystep
