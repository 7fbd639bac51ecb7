// What limited a run, told from the figures of its steps by a few plain rules.
//
// Rules are tried in order and the first that holds is the answer (docs/command-line.md has them in words):
// plateau, overfitting, noise, budget, none. "Early" and "late" are the first and last quarter of the steps.
// Where training learns from remembered answers, checks go up and down as questions are put, and mean
// nothing: what held-out rows say at the end is all there is, overfitting or none.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace polystep {

// One line of metrics.jsonl; figures that a method or a step does not have stay empty.
struct StepMetrics {
  std::size_t step = 0;
  double seconds = 0;
  std::optional<double> flip_rate;        // share of probes that changed a decision
  std::optional<double> moving_share;     // share of rows whose decision some probe changed
  std::optional<double> radius;           // of the probes
  std::optional<double> training_cost;    // on the minibatch, before the step
  std::optional<double> validation_cost;  // where one was due
  std::optional<double> held_out_cost;    // what the learner itself judged by
  std::optional<double> blend;            // share of what was learned that held-out rows confirmed
  std::optional<double> guarded;  // learning from answers: 1 where they spoke against what was learned
  std::optional<double> solves;   // that were asked for
};

enum class Limit { kPlateau, kOverfitting, kNoise, kBudget, kNone };

struct Diagnosis {
  Limit limit = Limit::kNone;
  std::optional<double> late_flip_rate;   // mean of the last quarter
  std::optional<double> training_change;  // late over early training cost, less 1; below 0: it fell
  std::optional<double> last_blend;
  double best_check = 0;      // lowest cost of all checks
  double last_check = 0;      // cost of the last one
  double rises_per_fall = 0;  // total rise of checks over their total fall
  std::string paragraph;      // the same for a person
};

std::string to_text(Limit limit);  // "plateau", ...

// `steps` as in metrics.jsonl; needs the start's validation.
Diagnosis diagnose(std::span<const StepMetrics> steps);

}  // namespace polystep
