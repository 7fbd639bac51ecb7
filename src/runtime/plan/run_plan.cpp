#include "runtime/plan/run_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "polystep/error.hpp"
#include "runtime/plan/counted_work.hpp"
#include "runtime/plan/fidelity.hpp"
#include "runtime/plan/frugal_plan.hpp"
#include "runtime/run/run_watch.hpp"

namespace polystep {
namespace {

// Worth a try where parameters are many or the budget is short of what the preset would take.
const MethodEntry* alternative_to(const MethodEntry& method, const Predictor& predictor, bool short_budget) {
  if ((predictor.affine() && !short_budget) || method.facts.probes_predictions) return nullptr;
  const auto found = std::find_if(methods().begin(), methods().end(),
                                  [](const MethodEntry& entry) { return entry.facts.probes_predictions; });
  return found == methods().end() ? nullptr : &*found;
}

PinnedOptions pinned_options(const RunRequest& request, const std::string& where) {
  if (request.given_options.contains("steps"))
    throw InputError(fmt::format(
        "{}: option 'steps' is given besides a budget, expected one of them, for a budget chooses the steps",
        where));
  return {.bags = request.given_options.contains("bags"),
          .batch = request.given_options.contains("batch"),
          .checks = request.given_options.contains("checks")};
}

constexpr double kShareOfBudget = 0.2;  // for a rehearsal
// Seconds where nobody named a budget: where solves are dear, and where they are not but can be counted.
constexpr double kLongRehearsal = 10.0, kLongestRehearsal = 60.0;

double rehearsal_seconds(const RunRequest& request, double solve_seconds, bool can_count) {
  double most = solve_seconds >= kDearSolveSeconds ? kLongRehearsal
                : can_count                        ? kLongestRehearsal
                                                   : std::numeric_limits<double>::infinity();
  if (request.budget && request.budget->unit == BudgetUnit::kSeconds)
    most = std::min(most, kShareOfBudget * request.budget->amount);
  if (request.max_seconds) most = std::min(most, kShareOfBudget * *request.max_seconds);
  return most;
}

// What the choice of the fidelity found; where solves are quick it kept no figure.
SolveTiming timing_of(const Task& task, const RunRequest& request) {
  const bool known = request.chosen && request.chosen->seconds > 0;
  return known ? SolveTiming{request.chosen->seconds, 0, request.chosen->learning_unit} : time_solves(task);
}

// By a rehearsal where there is time for one, else by counting.
WorkModel find_work(const Task& task, const RunRequest& request, double reading_seconds, Team& team,
                    const std::string& where, RunPlan& plan) {
  const SolveTiming timing = timing_of(task, request);
  plan.solve_seconds = timing.seconds;
  const auto counted = count_work(task, request, plan.pace, reading_seconds, timing, team);
  const double most = rehearsal_seconds(request, timing.seconds, counted.has_value());
  const Pace rehearsed = rehearsal_pace(plan.pace, *task.predictor);
  const bool hopeless =
      counted && timing.seconds >= kDearSolveSeconds && counted->forecast(rehearsed).total().seconds > most;
  if (!hopeless) {
    CappedWatch watch(team.watch(), most);
    const Watching watching(team, &watch);
    try {
      return rehearse(task, request, plan.pace, reading_seconds, team);
    } catch (const Stopped&) {
      if (watch.outer_wanted()) throw;
    }
  }
  if (!counted)
    throw InputError(
        fmt::format("{}: a rehearsal takes more than {:.3g} seconds, and method {} cannot tell "
                    "its solver calls without one; expected a larger budget",
                    where, most, request.method->name));
  plan.counted = true;
  return *counted;
}

}  // namespace

namespace {

// Calls are known beforehand, and a budget chooses them.
RunPlan plan_frugal_run(const Task& task, RunRequest& request, double reading_seconds, Team& team,
                        const std::string& where) {
  SolveTiming timing = timing_of(task, request);
  if (timing.learning_unit == 0) timing.learning_unit = time_learning(task, request, team);
  RunPlan plan;
  plan.solve_seconds = timing.seconds;
  plan.counted = true;
  if (request.budget) fit_calls(task, request, reading_seconds, timing, team, where);
  plan.at_top = request.budget && request.method_options.number("calls") >= kMostFrugalCalls;
  request.budget.reset();
  plan.pace = pace_of(*request.method, request.method_options, where);
  plan.forecast = frugal_forecast(task, request, reading_seconds, timing, team);
  const Work total = plan.forecast.total();
  request.forecast = RunForecast{total.solves, total.seconds};
  return plan;
}

}  // namespace

RunPlan plan_run(const Task& task, RunRequest& request, double reading_seconds, Team& team) {
  const std::string where = request.budget ? request.budget_where : "polystepor plan";
  if (trains_frugally(request)) return plan_frugal_run(task, request, reading_seconds, team, where);
  RunPlan plan;
  plan.pace = pace_of(*request.method, request.method_options, where);
  std::vector<Pace> rungs;
  if (request.budget) rungs = ladder(plan.pace, pinned_options(request, where));
  const auto begin = std::chrono::steady_clock::now();
  const WorkModel model = find_work(task, request, reading_seconds, team, where, plan);
  plan.rehearsal_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  plan.forecast = model.forecast(plan.pace);
  bool short_budget = false;
  if (request.budget) {
    const BudgetChoice choice = fit_to_budget(*request.budget, rungs, model, where);
    short_budget = choice.forecast.total().solves < plan.forecast.total().solves;
    plan.pace = choice.pace;
    plan.forecast = choice.forecast;
    plan.at_top = choice.at_top;
    set_pace(request.method_options, plan.pace);
    request.budget.reset();
  }
  const OptionTable& table = request.method_options.table();
  plan.may_stop_early = table.find("patience") != nullptr && request.method_options.integer("patience") > 0;
  plan.alternative = alternative_to(*request.method, *task.predictor, short_budget);
  const Work total = plan.forecast.total();
  request.forecast = RunForecast{total.solves, total.seconds};
  return plan;
}

}  // namespace polystep
