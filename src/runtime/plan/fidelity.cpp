#include "runtime/plan/fidelity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "methods/frugal/frugal_learner.hpp"
#include "polystep/feasible_sets.hpp"
#include "runtime/plan/budget_choice.hpp"
#include "runtime/plan/counted_work.hpp"
#include "runtime/plan/frugal_plan.hpp"
#include "runtime/run/progress_text.hpp"

namespace polystep {
namespace {

bool is_open(const RunRequest& request) {
  return request.method->options.find(kFidelityOption) != nullptr &&
         request.method_options.text(kFidelityOption) == kFidelityAuto;
}

std::string solve_text(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.3g} ns", 1e9 * seconds);
  if (seconds < 1e-3) return fmt::format("{:.3g} us", 1e6 * seconds);
  if (seconds < 1) return fmt::format("{:.3g} ms", 1e3 * seconds);
  return fmt::format("{:.3g} s", seconds);
}

OptionValues pace_values(const Pace& pace) {
  return {{"bags", pace.bags}, {"steps", pace.steps}, {"batch", pace.batch}, {"checks", pace.checks}};
}

// What remembered decisions serve; elsewhere every probe is a solve, and fewer of them are taken.
FidelityChoice frugal_choice(double calls, std::string reason) {
  FidelityChoice choice;
  choice.fidelity = kFidelityFrugal;
  choice.values = {{"calls", std::floor(100 * calls) / 100}};
  choice.reason = fmt::format("{}; chosen: {:.3g} calls per training row, learning from remembered decisions",
                              std::move(reason), calls);
  return choice;
}

// Rows may take decisions from one another, and meet the same ones again.
bool shares_decisions(const Problem& problem) {
  return feasible_sets_of(problem) != nullptr && problem.facts().decisions_recur;
}

// Whether remembered decisions teach more than any number of probes: they did where, besides, every output
// has weights of its own. One set of weights for all outputs learns more from probes (docs/dear-solves.md).
bool outdo_probes(const Task& task) {
  const PredictorFacts facts = task.predictor->facts();
  return shares_decisions(*task.problem) && facts.affine() && facts.entry == FeatureEntry::kWhole;
}

// A budget that the preset does not fit into buys questions, not fewer and fewer probes; so does a larger one
// of solves where it would buy nothing better.
std::optional<FidelityChoice> choose_by_budget(const FidelityQuestion& question, const WorkModel& model,
                                               const Pace& preset, bool dear, Team& team) {
  const Budget& budget = *question.budget;
  if (!dear && budget.unit == BudgetUnit::kSeconds) return std::nullopt;
  const Work whole = model.forecast(preset).total();
  const bool fits = (budget.unit == BudgetUnit::kSolves ? whole.solves : whole.seconds) <= budget.amount;
  if (fits && !(budget.unit == BudgetUnit::kSolves && outdo_probes(question.task))) return std::nullopt;
  const double calls = affordable_calls(question.task, question.request, budget, question.reading_seconds,
                                        question.timing, team);
  // Quick ones are left to probes where there is no time to learn from answers.
  if (question.timing.seconds < kDearSolveSeconds && budget.unit == BudgetUnit::kSeconds &&
      calls < kLeastFrugalCalls)
    return std::nullopt;
  FidelityChoice choice = frugal_choice(
      std::clamp(calls, 1.0, kMostFrugalCalls),
      fmt::format("preset {} would ask for {:.3g} solves", question.request.preset, whole.solves));
  choice.values.clear();  // the plan sets the calls, and refuses what buys none
  return choice;
}

// Quick solves add up where every one of them has to be made. Networks are left to their steps: what these
// take is not told by solves.
bool adds_up(const FidelityQuestion& question, Team& team) {
  const RunRequest& request = question.request;
  if (!question.task.predictor->affine() || question.task.problem->facts().has_margins) return false;
  const Pace preset = pace_of(*request.method, request.method_options, "fidelity");
  const auto model =
      count_work(question.task, request, preset, question.reading_seconds, question.timing, team);
  if (!model) return false;
  const double seconds = model->forecast(preset).total().seconds * static_cast<double>(team.threads());
  const bool shared = FrugalLearner::serves(question.task, request.method_options) &&
                      shares_decisions(*question.task.problem);
  return seconds > (shared ? kSharedSeconds : kLongSeconds);
}

}  // namespace

namespace {

FidelityChoice choose(const FidelityQuestion& question, bool many, Team& team) {
  const RunRequest& request = question.request;
  const double each = question.timing.seconds;
  const bool dear = each >= kDearSolveSeconds || many;
  const bool remembers = FrugalLearner::serves(question.task, request.method_options);
  FidelityChoice choice;
  if (!dear && !(question.budget && remembers)) {
    // No figure here: what is quick is stored the same every time.
    choice.reason = fmt::format("solves take less than {} each: as preset {} says",
                                solve_text(kDearSolveSeconds), request.preset);
    return choice;
  }
  const Pace preset = pace_of(*request.method, request.method_options, "fidelity");
  const auto model =
      count_work(question.task, request, preset, question.reading_seconds, question.timing, team);
  const bool pinned = request.given_options.contains("steps");
  if (question.budget) {
    if (model && remembers && !pinned)
      if (auto frugal = choose_by_budget(question, *model, preset, dear, team)) return *frugal;
    choice.reason = dear ? fmt::format("a solve takes {}: as the budget says", solve_text(each))
                         : fmt::format("solves take less than {} each: as the budget says",
                                       solve_text(kDearSolveSeconds));
    return choice;
  }
  if (!model || pinned) {
    choice.reason = fmt::format("a solve takes {}: {}", solve_text(each),
                                pinned ? "the steps that were given" : "as preset says");
    return choice;
  }
  const Work whole = model->forecast(preset).total();
  if (whole.seconds <= kUsualSeconds && !many) {
    choice.reason =
        fmt::format("a solve takes {}, about {:.3g} of them {}: as preset {} says", solve_text(each),
                    whole.solves, format_duration(whole.seconds), request.preset);
    return choice;
  }
  if (remembers) {
    const double calls = affordable_calls(question.task, request, {BudgetUnit::kSeconds, kUsualSeconds},
                                          question.reading_seconds, question.timing, team);
    return frugal_choice(
        request.given_options.contains("calls") ? request.method_options.number("calls")
                                                : std::clamp(calls, kFewestFrugalCalls, kUsualFrugalCalls),
        fmt::format("a solve takes {}, and preset {} would ask for {:.3g} of them, {}", solve_text(each),
                    request.preset, whole.solves, format_duration(whole.seconds)));
  }
  const std::vector<Pace> rungs = ladder(preset, {.bags = request.given_options.contains("bags"),
                                                  .batch = request.given_options.contains("batch"),
                                                  .checks = request.given_options.contains("checks")});
  const BudgetChoice fitted = fit_or_least({BudgetUnit::kSeconds, kUsualSeconds}, rungs, *model);
  choice.values = pace_values(fitted.pace);
  const Work chosen = fitted.forecast.total();
  choice.reason = fmt::format(
      "a solve takes {}, and preset {} would ask for {:.3g} of them, {}; chosen: bags {}, steps {}, batch {} "
      "for {:.3g} of them, {}",
      solve_text(each), request.preset, whole.solves, format_duration(whole.seconds), fitted.pace.bags,
      fitted.pace.steps, fitted.pace.batch, chosen.solves, format_duration(chosen.seconds));
  return choice;
}

}  // namespace

FidelityChoice choose_fidelity(const FidelityQuestion& question, Team& team) {
  const bool quick = question.timing.seconds < kDearSolveSeconds;
  const bool many = quick && adds_up(question, team);
  FidelityQuestion known = question;
  const bool by_seconds = !question.budget || question.budget->unit == BudgetUnit::kSeconds;
  if (question.time_learning && by_seconds && (many || !quick))
    known.timing.learning_unit = question.time_learning();
  FidelityChoice choice = choose(known, many, team);
  choice.learning_unit = known.timing.learning_unit;
  return choice;
}

void settle_fidelity(const Task& task, RunRequest& request, double reading_seconds, Team& team) {
  if (!is_open(request)) return;
  const SolveTiming timing = time_solves(task);
  const FidelityChoice choice =
      choose_fidelity({.task = task,
                       .request = request,
                       .timing = timing,
                       .threads = team.threads(),
                       .reading_seconds = reading_seconds,
                       .budget = request.budget,
                       .time_learning = [&] { return time_learning(task, request, team); }},
                      team);
  for (const auto& [name, value] : choice.values)
    if (request.method->options.find(name) != nullptr)
      request.method_options.set(name, value, "the fidelity");
  request.method_options.set(kFidelityOption, choice.fidelity, "the fidelity");
  const bool quick = timing.seconds < kDearSolveSeconds && choice.fidelity == kFidelityProbes;
  request.chosen = ChosenFidelity{choice.reason, quick ? 0 : timing.seconds, choice.learning_unit};
}

std::string describe_choice(const RunRequest& request) {
  return request.chosen ? request.chosen->reason : "";
}

}  // namespace polystep
