#include "statistics/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace polystep {
namespace {

constexpr double kFlatFlipRate = 0.001;       // below: hardly a probe tells anything
constexpr double kSmallBlend = 0.3;           // below: held-out rows confirm little of what was learned
constexpr double kClearChange = 0.001;        // of a cost: less is taken for none
constexpr double kRisesOfNoise = 0.5;         // of the falls
constexpr std::size_t kChecksOfNoise = 4;     // fewer say nothing about jumps
constexpr std::size_t kChecksOfProgress = 3;  // nor these about what would follow

using Figure = std::optional<double> StepMetrics::*;

std::vector<double> values_of(std::span<const StepMetrics> steps, Figure figure) {
  std::vector<double> values;
  for (const StepMetrics& step : steps)
    if (step.*figure) values.push_back(*(step.*figure));
  return values;
}

double mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

std::size_t quarter(std::size_t count) { return std::max<std::size_t>(1, count / 4); }

// Where the learner judges itself by more rows than the validation's, so does the diagnosis.
std::vector<double> checks_of(std::span<const StepMetrics> steps) {
  std::vector<double> own = values_of(steps, &StepMetrics::held_out_cost);
  return own.size() > 1 ? own : values_of(steps, &StepMetrics::validation_cost);
}

double rises_per_fall(std::span<const double> checks) {
  double rises = 0, falls = 0;
  for (std::size_t i = 1; i < checks.size(); ++i) {
    const double change = checks[i] - checks[i - 1];
    (change > 0 ? rises : falls) += std::abs(change);
  }
  if (rises == 0) return 0;
  return falls == 0 ? std::numeric_limits<double>::infinity() : rises / falls;
}

bool clearly_above(double a, double b) { return a - b > kClearChange * std::abs(b); }

// The checks moved by more than rounding and went up about as much as down.
bool jumps(std::span<const double> checks, double ratio) {
  if (checks.size() < kChecksOfNoise || ratio < kRisesOfNoise) return false;
  const auto [low, high] = std::minmax_element(checks.begin(), checks.end());
  const bool only_rises = std::is_sorted(checks.begin(), checks.end());
  return clearly_above(*high, *low) && !only_rises;
}

// The last third of the checks brought a clear gain. A start and an end alone, as of a fit that is finished
// in one step, do not say that more would follow.
bool still_improving(std::span<const double> checks) {
  if (checks.size() < kChecksOfProgress) return false;
  const std::size_t late = std::max<std::size_t>(1, checks.size() / 3);
  const double before = *std::min_element(checks.begin(), checks.end() - static_cast<std::ptrdiff_t>(late));
  return clearly_above(before, checks.back());
}

Limit limit_of(const Diagnosis& found, std::span<const double> checks) {
  if (found.late_flip_rate && *found.late_flip_rate < kFlatFlipRate) return Limit::kPlateau;
  const bool training_fell = found.training_change && *found.training_change < -kClearChange;
  const bool checks_rose = checks.size() > 1 && clearly_above(checks.back(), checks.front());
  const bool unconfirmed = found.last_blend && *found.last_blend < kSmallBlend;
  if (training_fell && (checks_rose || unconfirmed)) return Limit::kOverfitting;
  if (jumps(checks, found.rises_per_fall)) return Limit::kNoise;
  return still_improving(checks) ? Limit::kBudget : Limit::kNone;
}

// Of a training that learned from remembered answers.
void judge_answers(std::span<const StepMetrics> steps, bool guarded, Diagnosis& found) {
  const std::vector<double> solves = values_of(steps, &StepMetrics::solves);
  const double asked = std::accumulate(solves.begin(), solves.end(), 0.0);
  const double confirmed = found.last_blend.value_or(1);
  const std::string learned = fmt::format("what was learned from {:.0f} answers", asked);
  found.limit = guarded || confirmed < kSmallBlend ? Limit::kOverfitting : Limit::kNone;
  if (guarded)
    found.paragraph = fmt::format(
        "The solver's answers spoke against {}: to rows that had not trained it they were clearly dearer "
        "than those to the start, which is handed over. More rows, or more calls per row, are what may help.",
        learned);
  else if (found.limit == Limit::kOverfitting)
    found.paragraph = fmt::format(
        "The run overfits: held-out rows confirmed only {:.0f} % of {}. More rows, or more calls per row, "
        "are what may help.",
        100 * confirmed, learned);
  else
    found.paragraph = fmt::format(
        "Nothing in its figures held the run back: held-out rows confirmed {:.0f} % of {}. What is left is "
        "up to the features, the predictor and the number of rows; more calls per row may teach a little "
        "more.",
        100 * confirmed, learned);
}

std::string advice(const Diagnosis& found) {
  switch (found.limit) {
    case Limit::kPlateau:
      return fmt::format(
          "The run stands on a plateau: late in training only {:.3g} % of probes changed a decision, so "
          "there "
          "was next to nothing to learn from. Probe further out (larger radius-start and radius-end, or "
          "radius-rule = flip-rate).",
          100 * *found.late_flip_rate);
    case Limit::kOverfitting:
      return fmt::format(
          "The run overfits: the training cost fell by {:.3g} % while held-out rows {}. More training rows, "
          "more bags or fewer steps help; more steps do not.",
          -100 * *found.training_change,
          found.last_blend && *found.last_blend < kSmallBlend
              ? fmt::format("confirmed only {:.0f} % of what was learned", 100 * *found.last_blend)
              : std::string("cost more at the end than at the start"));
    case Limit::kNoise:
      return fmt::format(
          "The run is limited by noise: from check to check costs rose {:.2g} times as much as they fell. "
          "Larger batches, more bags, shorter steps or more validation rows make it steadier.",
          found.rises_per_fall);
    case Limit::kBudget:
      return fmt::format(
          "The run is limited by its budget: it was still improving when it ended, at a cost of {:.6g}. More "
          "steps (a larger --budget) should help.",
          found.last_check);
    case Limit::kNone:
      break;
  }
  return fmt::format(
      "Nothing in its figures held the run back: {}costs had settled at {:.6g} by the end. What is left is "
      "up "
      "to the features and the predictor.",
      found.late_flip_rate ? "probes changed decisions, held-out rows did not object, and " : "",
      found.best_check);
}

}  // namespace

std::string to_text(Limit limit) {
  constexpr const char* kNames[] = {"plateau", "overfitting", "noise", "budget", "none"};
  return kNames[static_cast<std::size_t>(limit)];
}

Diagnosis diagnose(std::span<const StepMetrics> steps) {
  Diagnosis found;
  if (const auto flips = values_of(steps, &StepMetrics::flip_rate); !flips.empty())
    found.late_flip_rate = mean(std::span(flips).last(quarter(flips.size())));
  if (const auto costs = values_of(steps, &StepMetrics::training_cost); costs.size() > 1) {
    const double early = mean(std::span(costs).first(quarter(costs.size())));
    const double late = mean(std::span(costs).last(quarter(costs.size())));
    if (early != 0) found.training_change = (late - early) / std::abs(early);
  }
  if (const auto blends = values_of(steps, &StepMetrics::blend); !blends.empty())
    found.last_blend = blends.back();
  const std::vector<double> checks = checks_of(steps);
  if (!checks.empty()) {
    found.best_check = *std::min_element(checks.begin(), checks.end());
    found.last_check = checks.back();
    found.rises_per_fall = rises_per_fall(checks);
  }
  if (const auto guards = values_of(steps, &StepMetrics::guarded); !guards.empty()) {
    judge_answers(steps, guards.back() != 0, found);
    return found;
  }
  found.limit = limit_of(found, checks);
  found.paragraph = advice(found);
  return found;
}

}  // namespace polystep
