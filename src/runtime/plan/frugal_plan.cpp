#include "runtime/plan/frugal_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "evaluation/evaluator.hpp"
#include "methods/frugal/frugal_learner.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr const char* kCalls = "calls";

// Of a budget of seconds that solves and learning may take by what was timed: clocks vary.
constexpr double kShareForSolves = 0.8;

// What sharing and judging take besides trainings, which alone are timed: a quarter to a third was measured.
constexpr double kBesides = 1.3;

// Where learning is looked at: more calls mean more rounds of it.
constexpr double kLearningLadder[] = {kMostFrugalCalls, 60, 30, 20, 15, 10, 7, 5, 3, 2, 1};

double evaluation_calls(const Task& task, Team& team) {
  const Evaluator evaluator(task, team);
  return (evaluator.knows_optimum() ? 2 : 1) * static_cast<double>(task.data.test.rows);
}

// The request with frugal training of that many calls; nothing where it cannot train so.
std::unique_ptr<Learner> frugal_learner(Evaluator& evaluator, const RunRequest& request,
                                        std::optional<double> calls, Options& options) {
  options = request.method_options;
  if (options.table().find("fidelity") == nullptr || !FrugalLearner::serves(evaluator.task(), options))
    return nullptr;
  options.set("fidelity", std::string("frugal"), "the plan");
  if (calls) options.set(kCalls, *calls, "the plan");
  return request.method->make({evaluator, options, request.seed});
}

// On as many threads as can share it: a unit is one thread's.
double learning_seconds(const Learner& learner, const SolveTiming& timing, const Team& team) {
  const std::size_t steps = learner.plan().steps;
  double units = 0;
  for (std::size_t step = 0; step < steps; ++step) units += learner.learning_units(step);
  return kBesides * units * timing.learning_unit / static_cast<double>(team.threads() * team.ranks());
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
  forecast.training.seconds += learning_seconds(*learner, timing, team);
  forecast.evaluation = work(evaluation_calls(task, team));
  return forecast;
}

double time_learning(const Task& task, const RunRequest& request, Team& team) {
  Evaluator evaluator(task, team);
  Options options = request.method_options;
  const auto learner = frugal_learner(evaluator, request, std::nullopt, options);
  return learner ? learner->learning_unit_seconds() : 0;
}

double affordable_calls(const Task& task, const RunRequest& request, const Budget& budget,
                        double reading_seconds, const SolveTiming& timing, Team& team) {
  const auto rows = static_cast<double>(task.data.training.rows);
  const double evaluation = evaluation_calls(task, team), each = std::max(1e-9, seconds_each(timing, team));
  if (budget.unit == BudgetUnit::kSolves) return (budget.amount - evaluation) / rows;
  const double seconds = kShareForSolves * budget.amount - reading_seconds;
  const auto beside = [&](double learning) { return ((seconds - learning) / each - evaluation) / rows; };
  Evaluator evaluator(task, team);
  Options options = request.method_options;
  double most = std::numeric_limits<double>::infinity(), calls = 0;
  for (const double rung : kLearningLadder) {
    if (beside(0) < rung && rung > 1) continue;
    const auto learner = frugal_learner(evaluator, request, rung, options);
    calls = std::min(beside(learner ? learning_seconds(*learner, timing, team) : 0), most);
    if (calls >= rung) break;
    most = rung;
  }
  return calls;
}

void fit_calls(const Task& task, RunRequest& request, double reading_seconds, const SolveTiming& timing,
               Team& team, const std::string& where) {
  const double calls = affordable_calls(task, request, *request.budget, reading_seconds, timing, team);
  if (request.given_options.contains(kCalls))
    throw InputError(fmt::format(
        "{}: option 'calls' is given besides a budget, expected one of them, for a budget chooses the calls",
        where));
  if (calls < 1) {
    Evaluator evaluator(task, team);
    Options options = request.method_options;
    const auto shortest = frugal_learner(evaluator, request, 1.0, options);
    const double learning = shortest ? learning_seconds(*shortest, timing, team) : 0;
    const double least = evaluation_calls(task, team) + static_cast<double>(task.data.training.rows);
    const double amount =
        request.budget->unit == BudgetUnit::kSolves
            ? least
            : std::ceil(100 * (least * seconds_each(timing, team) + reading_seconds + learning) /
                        kShareForSolves) /
                  100;
    throw InputError(fmt::format("{}: found {}, expected at least {}, which the shortest run takes", where,
                                 to_text(*request.budget), to_text({request.budget->unit, amount})));
  }
  // Whole hundredths, so that a configuration reads well.
  request.method_options.set(kCalls, std::floor(100 * std::min(calls, kMostFrugalCalls)) / 100, where);
}

}  // namespace polystep
