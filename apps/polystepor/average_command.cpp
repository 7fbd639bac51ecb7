#include <fmt/format.h>

#include "base/console.hpp"
#include "base/files.hpp"
#include "commands.hpp"
#include "interrupts.hpp"
#include "polystep/error.hpp"
#include "runtime/run/averaged_model.hpp"
#include "runtime/run/result_file.hpp"
#include "runtime/run/run_directory.hpp"
#include "saved_run.hpp"

namespace polystep {
namespace {

constexpr const char* kWhere = "polystepor average";

// Runs of one task: what one of them was trained for must be what all were.
void refuse_other_task(const SavedRun& first, const SavedRun& other, const std::string& place) {
  if (other.request.problem->name != first.request.problem->name || other.task.setting != first.task.setting)
    throw InputError(fmt::format("{}: {} is a run of {} ({}), expected {} ({}) like the first", kWhere, place,
                                 other.request.problem->name, other.task.setting, first.request.problem->name,
                                 first.task.setting));
}

}  // namespace

int average_command(const AverageArguments& arguments, const ProblemRegistry& problems) {
  if (arguments.runs.size() < 2)
    throw InputError(fmt::format("{}: found {} run, expected at least two", kWhere, arguments.runs.size()));
  RunWatch watch(watched_command(arguments.watch));
  ThreadTeam team(static_cast<std::size_t>(arguments.threads));
  const Watching watching(team, &watch);
  RunDirectory::refuse_unusable(arguments.out, arguments.force);
  SavedRun first = load_run(arguments.runs.front(), arguments.data, problems);
  std::vector<SavedModel> members = {first.model};
  for (std::size_t i = 1; i < arguments.runs.size(); ++i) {
    const SavedRun other = load_run(arguments.runs[i], arguments.data, problems);
    refuse_other_task(first, other, arguments.runs[i]);
    members.push_back(other.model);
  }
  const SavedModel average = average_models(first.task, members);
  first.task.predictor = make_averaged(std::move(first.task.predictor), average.member_deviations,
                                       first.task.problem->instances());

  Evaluator evaluator(first.task, team);
  evaluator.set_failure_cost(average.failure_cost);
  const double begin = watch.seconds();
  watch.stage("deciding the validation rows");
  const Evaluation validation = evaluator.evaluate(average.parameters, TiledRows(first.task.data.validation));
  watch.stage("deciding the test rows");
  const TestFigures test = measure_test(evaluator, average.parameters);
  watch.clear();
  TrainingResult result;
  result.parameters = average.parameters;
  result.stopped_by = "budget";
  result.validation_cost = validation.mean_cost;
  result.test_cost = test.cost;
  result.test_regret = test.regret;
  result.test_failed = test.failed;
  result.test_rows = test.rows;
  result.reference_failed = test.reference_failed;
  result.prediction_error = test.prediction_error;
  result.prediction_deviation = test.prediction_deviation;
  result.test_infeasible = test.infeasible;
  result.test_changed = test.changed;
  result.conditional_regret = test.conditional_regret;
  result.batch_figures = test.batches;
  result.failure_cost = average.failure_cost;
  result.validation_solves = validation.solves;
  result.reference_solves = test.reference_solves;
  result.test_solves = test.test_solves;
  for (const SolveCounts* part : {&result.validation_solves, &result.reference_solves, &result.test_solves})
    result.solves += *part;
  result.evaluate_seconds = watch.seconds() - begin;
  result.notes.push_back(fmt::format("The average of the models of {}; nothing was trained here.",
                                     fmt::join(arguments.runs, ", ")));

  for (std::string& note : test_notes(first.task, test)) result.notes.push_back(std::move(note));

  const RunDirectory directory = RunDirectory::open_new(arguments.out, arguments.force);
  write_config(directory.config(), to_config(first.request));
  write_model(directory.model().string(), average);
  // So that tables of runs do not take it for the first of its members.
  first.request.preset += fmt::format(", mean of {}", members.size());
  write_file(directory.result(), render_result(first.request, first.task, result, 0));
  print_out("{}  written to       {}\n", describe_result(first.request, first.task, result, 0),
            directory.path().string());
  return 0;
}

}  // namespace polystep
