#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/console.hpp"
#include "commands.hpp"
#include "interrupts.hpp"
#include "polystep/version.hpp"
#include "runtime/run/fresh_figures.hpp"
#include "row_difference.hpp"
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
  std::optional<FreshFigures> fresh;
  if (arguments.fresh > 0) {
    watch.stage("deciding fresh rows");
    fresh = measure_fresh(
        run.request, run.model.parameters, run.model.failure_cost,
        {static_cast<std::uint64_t>(arguments.fresh_seed), 0, static_cast<std::size_t>(arguments.fresh)},
        team);
  }
  std::optional<RowDifference> beside;
  if (arguments.against) {
    watch.stage("deciding the test rows of the other run");
    beside = row_difference(run, arguments.run, load_run(*arguments.against, arguments.data, problems),
                            *arguments.against, team);
  }
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
    json["prediction_deviation"] = test.prediction_deviation;
    if (test.infeasible) json["test_infeasible"] = *test.infeasible;
    if (test.conditional_regret) json["conditional_regret"] = *test.conditional_regret;
    if (test.batches) {
      auto& batches = json["batch_figures"] = {{"regret", test.batches->regret}};
      if (test.batches->infeasible) batches["infeasible"] = *test.batches->infeasible;
      if (test.batches->conditional_regret) batches["conditional_regret"] = *test.batches->conditional_regret;
    }
    if (fresh) {
      auto& figures =
          json["fresh"] = {{"rows", fresh->rows}, {"regret", fresh->regret}, {"failed", fresh->failed}};
      if (fresh->infeasible) figures["infeasible"] = *fresh->infeasible;
      if (fresh->conditional_regret) figures["conditional_regret"] = *fresh->conditional_regret;
    }
    if (beside)
      json["against"] = {{"run", *arguments.against},       {"rows", beside->rows},
                         {"regret", beside->regret},        {"difference", beside->difference},
                         {"standard_error", beside->error}, {"better", beside->better},
                         {"worse", beside->worse}};
    print_out("{}\n", json.dump(2));
  } else {
    print_out("{} ({}), method {}, preset {}, seed {}\n", run.request.problem->name, run.task.setting,
              run.request.method->name, run.request.preset, run.request.seed);
    print_out("  test regret      {:.6g}\n  test cost        {:.8g}\n  validation cost  {:.8g}\n",
              test.regret, test.cost, validation.mean_cost);
    print_out("{}", describe_failures(test.failed, test.reference_failed));
    for (const std::string& note : test_notes(run.task, test)) print_out("  note: {}\n", note);
    if (test.infeasible) print_out("  infeasible       {:.4g} of test decisions\n", *test.infeasible);
    print_out("{}", describe_recourse(test.infeasible, test.conditional_regret, test.batches));
    if (test.infeasible)
      print_out("  predictions      deviate by {:.4g} from their mean\n", test.prediction_deviation);
    if (beside)
      print_out(
          "  beside           {}: regret {:.6g}; the difference {:+.3g} has a standard error of {:.2g} over {} "
          "test rows, {} of them better and {} worse\n",
          *arguments.against, beside->regret, beside->difference, beside->error, beside->rows, beside->better,
          beside->worse);
    if (fresh) {
      print_out("  fresh rows       {}: regret {:.6g}", fresh->rows, fresh->regret);
      if (fresh->infeasible)
        print_out(", infeasible {:.4g}, conditional regret {}", *fresh->infeasible,
                  fresh->conditional_regret ? fmt::format("{:.4g}", *fresh->conditional_regret)
                                            : std::string("undefined"));
      print_out("{}\n", fresh->failed > 0 ? fmt::format(", {:.4g} without a decision", fresh->failed) : "");
    }
  }
  return 0;
}

}  // namespace polystep
