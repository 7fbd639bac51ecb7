#include "runtime/plan/run_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "polystep/error.hpp"

namespace polystep {
namespace {

// Probes predictions instead of parameters: a few solves per row, however many parameters there are.
constexpr const char* kOutputProbes = "polystepor-output";

// Worth a try where parameters are many or the budget is short of what the preset would take.
const MethodEntry* alternative_to(const MethodEntry& method, const Predictor& predictor, bool short_budget) {
  if ((predictor.affine() && !short_budget) || method.name == kOutputProbes) return nullptr;
  const auto found = std::find_if(methods().begin(), methods().end(),
                                  [](const MethodEntry& entry) { return entry.name == kOutputProbes; });
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

}  // namespace

RunPlan plan_run(const Task& task, RunRequest& request, double reading_seconds, Team& team) {
  const std::string where = request.budget ? request.budget_where : "polystepor plan";
  RunPlan plan;
  plan.pace = pace_of(*request.method, request.method_options, where);
  std::vector<Pace> rungs;
  if (request.budget) rungs = ladder(plan.pace, pinned_options(request, where));
  const auto begin = std::chrono::steady_clock::now();
  const WorkModel model = rehearse(task, request, plan.pace, reading_seconds, team);
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
