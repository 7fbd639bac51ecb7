#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/console.hpp"
#include "commands.hpp"
#include "interrupts.hpp"
#include "plan_text.hpp"
#include "polystep/error.hpp"
#include "run_arguments.hpp"
#include "runtime/plan/fidelity.hpp"
#include "runtime/plan/frugal_plan.hpp"
#include "runtime/plan/run_plan.hpp"

namespace polystep {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Work& work) { return {{"solves", work.solves}, {"seconds", work.seconds}}; }

std::string as_json(const RunRequest& request, const Task& task, const RunPlan& plan) {
  Json json = {{"problem", request.problem->name},
               {"setting", task.setting},
               {"method", request.method->name},
               {"preset", request.preset},
               {"seed", request.seed},
               {"threads", request.threads},
               {"bags", plan.pace.bags},
               {"steps", plan.pace.steps},
               {"batch", plan.pace.batch},
               {"checks", plan.pace.checks},
               {"forecast",
                {{"total", to_json(plan.forecast.total())},
                 {"setup", to_json(plan.forecast.setup)},
                 {"training", to_json(plan.forecast.training)},
                 {"validation", to_json(plan.forecast.validation)},
                 {"evaluation", to_json(plan.forecast.evaluation)}}},
               {"may_stop_early", plan.may_stop_early},
               {"budget_exceeds_ladder", plan.at_top},
               {"rehearsal_seconds", plan.rehearsal_seconds},
               {"counted", plan.counted},
               {"solve_seconds", plan.solve_seconds}};
  if (trains_frugally(request)) json["calls"] = request.method_options.number("calls");
  if (request.chosen) json["chosen"] = request.chosen->reason;
  if (plan.alternative != nullptr) json["alternative_method"] = plan.alternative->name;
  return json.dump(2) + "\n";
}

std::string row(const char* name, const Work& work) {
  return fmt::format("  {:<17}{:>16.0f} {:>12.3f}\n", name, work.solves, work.seconds);
}

}  // namespace

std::string plan_text(const RunRequest& request, const Task& task, const RunPlan& plan,
                      const std::optional<Budget>& budget) {
  std::string text =
      fmt::format("{} ({}), method {}, preset {}, seed {}, threads {}\n", request.problem->name, task.setting,
                  request.method->name, request.preset, request.seed, request.threads);
  if (trains_frugally(request))
    text += fmt::format("  choice           frugal, {} calls per training row\n",
                        request.method_options.number("calls"));
  else
    text += fmt::format("  choice           bags {}, steps {}, batch {}, checks {}\n", plan.pace.bags,
                        plan.pace.steps, plan.pace.batch, plan.pace.checks);
  if (budget) text += fmt::format("  budget           {}\n", to_text(*budget));
  text += fmt::format("\n  {:<17}{:>16} {:>12}\n", "forecast", "solver calls", "seconds");
  text += row("setup", plan.forecast.setup);
  text += row("training", plan.forecast.training);
  text += row("validation", plan.forecast.validation);
  text += row("final evaluation", plan.forecast.evaluation);
  text += row("total", plan.forecast.total());
  if (plan.counted)
    text += fmt::format(
        "\nCounted, not rehearsed: a solve takes {:.3g} ms. Calls that turn out to be unnecessary count "
        "too.\n",
        1e3 * plan.solve_seconds);
  if (plan.counted && trains_frugally(request))
    text += "What learning from their answers takes is told from one small training.\n";
  if (!plan.counted)
    text += fmt::format("\nTimed by a rehearsal of {:.3f} seconds.\n", plan.rehearsal_seconds);
  if (request.chosen) text += fmt::format("Chosen: {}.\n", describe_choice(request));
  if (plan.may_stop_early) text += "The run may stop earlier, when validations do not improve (patience).\n";
  if (plan.at_top) text += "The budget allows more, but the run does not grow further.\n";
  if (plan.alternative != nullptr)
    text += fmt::format("Worth a try: --method {} ({}).\n", plan.alternative->name, plan.alternative->help);
  return text;
}

namespace {

// Before anything long begins: a refusal after a rehearsal would have wasted it.
void refuse_existing(const PlanArguments& arguments) {
  if (arguments.save && !arguments.force && std::filesystem::exists(*arguments.save))
    throw InputError(
        fmt::format("--save: {} exists; give --force to replace it or another name", *arguments.save));
}

}  // namespace

int plan_command(const PlanArguments& arguments, const ProblemRegistry& problems) {
  refuse_empty_paths(arguments.run);
  refuse_existing(arguments);
  std::optional<std::filesystem::path> file;
  if (arguments.run.config) file = *arguments.run.config;
  if (!arguments.run.problem && !file)
    throw InputError("polystepor plan: no problem was named; 'polystepor list' shows the choices");
  RunRequest request = resolve_run(problems, merged_config(arguments.run, file, problems),
                                   file ? file->string() : "polystepor plan", given_options(arguments.run));
  const std::optional<Budget> budget = request.budget;
  RunWatch watch(watched_command(arguments.watch));
  ThreadTeam team(request.threads);
  const Watching watching(team, &watch);
  request.max_seconds = arguments.watch.max_seconds;
  const auto begin = std::chrono::steady_clock::now();
  const Task task = make_task(request);
  const double reading_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  watch.stage("timing and rehearsing");
  settle_fidelity(task, request, reading_seconds, team);
  const RunPlan plan = plan_run(task, request, reading_seconds, team);
  watch.clear();
  if (watch.interrupted())
    throw Stopped();            // what was rehearsed by then would do for a plan, but nobody waits for it
  request.max_seconds.reset();  // of this command, not of the run
  if (arguments.save) write_config(*arguments.save, to_config(request));
  print_out("{}", arguments.json ? as_json(request, task, plan) : plan_text(request, task, plan, budget));
  return 0;
}

}  // namespace polystep
