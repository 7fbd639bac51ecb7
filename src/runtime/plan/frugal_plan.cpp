#include "runtime/plan/frugal_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "evaluation/evaluator.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr const char* kCalls = "calls";

// Of a budget of seconds; the rest is for what is not solved.
constexpr double kShareForSolves = 0.8;

double evaluation_calls(const Task& task, Team& team) {
  const Evaluator evaluator(task, team);
  return (evaluator.knows_optimum() ? 2 : 1) * static_cast<double>(task.data.test.rows);
}

double seconds_each(const SolveTiming& timing, const Team& team) {
  return timing.seconds / static_cast<double>(team.threads() * team.ranks());
}

}  // namespace

bool trains_frugally(const RunRequest& request) {
  return request.method->options.find("fidelity") != nullptr &&
         request.method_options.text("fidelity") == "frugal";
}

Forecast frugal_forecast(const Task& task, const RunRequest& request, double reading_seconds,
                         const SolveTiming& timing, Team& team) {
  Evaluator evaluator(task, team);
  const auto learner = request.method->make({evaluator, request.method_options, request.seed});
  const double each = seconds_each(timing, team);
  const auto work = [&](double solves) { return Work{solves, solves * each}; };
  Forecast forecast;
  forecast.setup.seconds = reading_seconds;
  if (const std::optional<CountedCalls> calls = learner->counted())
    forecast.training = work(calls->training());
  forecast.evaluation = work(evaluation_calls(task, team));
  return forecast;
}

double affordable_calls(const Task& task, const Budget& budget, double reading_seconds,
                        const SolveTiming& timing, Team& team) {
  double solves = budget.amount;
  if (budget.unit == BudgetUnit::kSeconds)
    solves = (kShareForSolves * budget.amount - reading_seconds) / std::max(1e-9, seconds_each(timing, team));
  return (solves - evaluation_calls(task, team)) / static_cast<double>(task.data.training.rows);
}

void fit_calls(const Task& task, RunRequest& request, double reading_seconds, const SolveTiming& timing,
               Team& team, const std::string& where) {
  const double calls = affordable_calls(task, *request.budget, reading_seconds, timing, team);
  if (request.given_options.contains(kCalls))
    throw InputError(fmt::format(
        "{}: option 'calls' is given besides a budget, expected one of them, for a budget chooses the calls",
        where));
  if (calls < 1) {
    const double least = evaluation_calls(task, team) + static_cast<double>(task.data.training.rows);
    const double amount =
        request.budget->unit == BudgetUnit::kSolves
            ? least
            : std::ceil(100 * (least * seconds_each(timing, team) + reading_seconds) / kShareForSolves) / 100;
    throw InputError(fmt::format("{}: found {}, expected at least {}, which the shortest run takes", where,
                                 to_text(*request.budget), to_text({request.budget->unit, amount})));
  }
  // Whole hundredths, so that a configuration reads well.
  request.method_options.set(kCalls, std::floor(100 * std::min(calls, kMostFrugalCalls)) / 100, where);
}

}  // namespace polystep
