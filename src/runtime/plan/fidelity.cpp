#include "runtime/plan/fidelity.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/plan/budget_choice.hpp"
#include "runtime/plan/counted_work.hpp"
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

}  // namespace

FidelityChoice choose_fidelity(const FidelityQuestion& question, Team& team) {
  const RunRequest& request = question.request;
  const double each = question.timing.seconds;
  FidelityChoice choice;
  if (each < kDearSolveSeconds) {
    // No figure here: what is quick is stored the same every time.
    choice.reason = fmt::format("solves take less than {} each: as preset {} says",
                                solve_text(kDearSolveSeconds), request.preset);
    return choice;
  }
  if (question.budget) {
    choice.reason = fmt::format("a solve takes {}: as the budget says", solve_text(each));
    return choice;
  }
  const Pace preset = pace_of(*request.method, request.method_options, "fidelity");
  const auto model =
      count_work(question.task, request, preset, question.reading_seconds, question.timing, team);
  const bool pinned = request.given_options.contains("steps");
  if (!model || pinned) {
    choice.reason = fmt::format("a solve takes {}: {}", solve_text(each),
                                pinned ? "the steps that were given" : "as preset says");
    return choice;
  }
  const Work whole = model->forecast(preset).total();
  if (whole.seconds <= kUsualSeconds) {
    choice.reason = fmt::format("a solve takes {}, about {:.3g} of them {}: as preset {} says",
                                solve_text(each), whole.solves, format_duration(whole.seconds), request.preset);
    return choice;
  }
  const std::vector<Pace> rungs =
      ladder(preset, {.bags = request.given_options.contains("bags"),
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

void settle_fidelity(const Task& task, RunRequest& request, double reading_seconds, Team& team) {
  if (!is_open(request)) return;
  const SolveTiming timing = time_solves(task);
  const FidelityChoice choice = choose_fidelity({.task = task,
                                                 .request = request,
                                                 .timing = timing,
                                                 .threads = team.threads(),
                                                 .reading_seconds = reading_seconds,
                                                 .budget = request.budget},
                                                team);
  for (const auto& [name, value] : choice.values)
    if (request.method->options.find(name) != nullptr) request.method_options.set(name, value, "the fidelity");
  request.method_options.set(kFidelityOption, choice.fidelity, "the fidelity");
  request.chosen = ChosenFidelity{choice.reason, timing.seconds < kDearSolveSeconds ? 0 : timing.seconds};
}

std::string describe_choice(const RunRequest& request) { return request.chosen ? request.chosen->reason : ""; }

}  // namespace polystep
