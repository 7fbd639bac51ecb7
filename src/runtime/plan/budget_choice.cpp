#include "runtime/plan/budget_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polystep/error.hpp"

namespace polystep {
namespace {

// Multiples of the preset. Bags go first when time is short, for they only steady the result; rows per step
// and steps go last. More steps and more bags are added in turn.
struct Rung {
  double bags, steps, batch;
};
constexpr Rung kRungs[] = {{0, 1.0 / 30, 0.1},  {0, 0.1, 0.1},      {0, 1.0 / 6, 0.25}, {0, 1.0 / 3, 0.5},
                           {0.125, 1.0 / 3, 1}, {0.25, 1.0 / 3, 1}, {0.25, 2.0 / 3, 1}, {0.5, 2.0 / 3, 1},
                           {0.5, 1, 1},         {1, 1, 1},          {1, 2, 1},          {2, 2, 1},
                           {2, 4, 1},           {4, 4, 1},          {4, 10, 1}};

// Clocks vary and steps differ: a budget of seconds is filled up to here. Solves are counted exactly.
constexpr double kShareOfSeconds = 0.9;

constexpr std::int64_t kMostChecks = 20;

std::int64_t times(std::int64_t value, double factor) {
  return std::max<std::int64_t>(1, std::llround(static_cast<double>(value) * factor));
}

// As many per step as the preset has, within reason.
std::int64_t checks_for(std::int64_t steps, const Pace& preset) {
  const double per_step = static_cast<double>(preset.checks) / static_cast<double>(preset.steps);
  const std::int64_t most = std::max(kMostChecks, preset.checks);
  return std::clamp<std::int64_t>(std::llround(per_step * static_cast<double>(steps)), 1, most);
}

double spent(const Work& work, BudgetUnit unit) {
  return unit == BudgetUnit::kSeconds ? work.seconds : work.solves;
}

bool fits(const Budget& budget, const Forecast& forecast) {
  const double share = budget.unit == BudgetUnit::kSeconds ? kShareOfSeconds : 1.0;
  return spent(forecast.total(), budget.unit) <= share * budget.amount;
}

[[noreturn]] void refuse(const Budget& budget, const Forecast& least, const std::string& where) {
  const bool seconds = budget.unit == BudgetUnit::kSeconds;
  throw InputError(fmt::format(
      "{}: found {}, expected at least {}, which the shortest run takes", where, to_text(budget),
      to_text({budget.unit, seconds ? std::ceil(100 * least.total().seconds / kShareOfSeconds) / 100
                                    : std::ceil(least.total().solves)})));
}

}  // namespace

std::vector<Pace> ladder(const Pace& preset, const PinnedOptions& pinned) {
  std::vector<Pace> rungs;
  for (const Rung& rung : kRungs) {
    Pace pace = preset;
    if (!pinned.bags && preset.bags > 1) pace.bags = times(preset.bags, rung.bags);
    if (!pinned.batch) pace.batch = times(preset.batch, rung.batch);
    pace.steps = times(preset.steps, rung.steps);
    if (!pinned.checks) pace.checks = checks_for(pace.steps, preset);
    rungs.push_back(pace);
  }
  return rungs;
}

BudgetChoice fit_to_budget(const Budget& budget, std::span<const Pace> rungs, const WorkModel& model,
                           const std::string& where) {
  const bool any = std::any_of(rungs.begin(), rungs.end(),
                               [&](const Pace& rung) { return fits(budget, model.forecast(rung)); });
  if (!any) refuse(budget, model.forecast(rungs.front()), where);
  return fit_or_least(budget, rungs, model);
}

BudgetChoice fit_or_least(const Budget& budget, std::span<const Pace> rungs, const WorkModel& model) {
  std::size_t best = rungs.size();
  for (std::size_t i = 0; i < rungs.size(); ++i)
    if (fits(budget, model.forecast(rungs[i]))) best = i;
  if (best == rungs.size()) return {rungs.front(), model.forecast(rungs.front()), false};
  BudgetChoice choice{rungs[best], model.forecast(rungs[best]), best + 1 == rungs.size()};
  if (choice.at_top) return choice;
  // The most steps that still fit; the rung above has at least as many.
  std::int64_t low = choice.pace.steps;
  std::int64_t high = std::max(low, rungs[best + 1].steps);
  if (high == low) high = 2 * low;  // the rung above has more bags or rows instead
  while (low < high) {
    Pace longer = choice.pace;
    longer.steps = low + (high - low + 1) / 2;
    if (fits(budget, model.forecast(longer)))
      low = longer.steps;
    else
      high = longer.steps - 1;
  }
  choice.pace.steps = low;
  choice.forecast = model.forecast(choice.pace);
  return choice;
}

}  // namespace polystep
