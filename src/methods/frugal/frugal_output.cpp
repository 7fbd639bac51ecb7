#include "methods/frugal/frugal_output.hpp"

#include <algorithm>
#include <cmath>

#include "methods/constraints/charged_task.hpp"
#include "methods/polystepor/polystepor_output.hpp"

namespace polystep {
namespace {

// Calls per training row from which on a margin is searched for, which takes 29 of them: with a hundred,
// steps are worth more (docs/dear-solves.md).
constexpr double kCallsForMargin = 150;
// And those from which on rows are measured by what they cost at best, one call each.
constexpr double kCallsForReferences = 8;

constexpr double kSharesTried = 10;  // of a blend, by each check

// Rows per step, each with one pair of probes: what few calls buy is better spent on more steps than on
// steadier ones (docs/dear-solves.md).
constexpr std::int64_t kRowsPerStep = 32;

const OptionTable& output_table() {
  static const OptionTable table = polystepor_output_method().options;
  return table;
}

void set(Options& options, const char* name, OptionValue value) {
  options.set(name, std::move(value), "fidelity = frugal");
}

// Preset `best` of that method, its steps cut to what is left of the calls.
Options output_options_for(const LearnerContext& context) {
  const Task& task = context.evaluator.task();
  Options options(output_table(), "polystepor-output");
  const Options none{OptionTable()};
  const PresetContext preset{task.problem->facts(), "", none};
  for (auto& [name, value] : polystepor_output_method().presets.front().values(preset))
    set(options, name.c_str(), std::move(value));
  const double calls = context.options.number("calls");
  for (const char* name : {"relative-costs", "margin", "max-infeasibility"})
    set(options, name, context.options.value(name));
  const auto training = static_cast<double>(task.data.training.rows);
  const auto validation = static_cast<double>(task.data.validation.rows);
  if (calls < kCallsForMargin) set(options, "margin", false);
  if (calls < kCallsForReferences) set(options, "relative-costs", false);
  set(options, "checks", std::int64_t{1});
  set(options, "batch", kRowsPerStep);
  set(options, "samples", std::int64_t{1});
  // Failure costs of both kinds of rows, the start as it is judged, the first and the last validation.
  double spent = training + 5 * validation;
  if (wants_relative_costs(context.evaluator, options)) spent += training + validation;
  if (options.flag("margin")) spent += 29 * training;
  spent += (task.predictor->affine() ? kSharesTried : 1) * validation;
  const double batch = std::min(static_cast<double>(options.integer("batch")), training);
  const double step = 2 * static_cast<double>(options.integer("samples")) * batch;
  const double steps = std::floor((calls * training - spent) / step);
  set(options, "steps", static_cast<std::int64_t>(std::max(1.0, steps)));
  return options;
}

}  // namespace

FrugalOutputLearner::FrugalOutputLearner(const LearnerContext& context)
    : options_(output_options_for(context)),
      inner_(std::make_unique<OutputLearner>(LearnerContext{context.evaluator, options_, context.seed})) {}

}  // namespace polystep
