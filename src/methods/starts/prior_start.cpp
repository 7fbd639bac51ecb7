#include "methods/starts/prior_start.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "methods/starts/adam_fit.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

// The standardised priors of rows of a split.
FitTargets priors_of(const Task& task, const Split& training, std::span<const std::size_t> rows,
                     double size) {
  FitTargets targets;
  for (const std::size_t row : rows) {
    const std::size_t instance = training.instance(row);
    targets.values.resize(targets.begin.back() + task.problem->outputs(instance));
    task.problem->prior(instance, std::span(targets.values).subspan(targets.begin.back()));
    targets.begin.push_back(targets.values.size());
  }
  std::vector<double>& values = targets.values;
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (double& value : values) value -= mean, squares += value * value;
  const double deviation = std::sqrt(squares / count);
  if (deviation > 0)
    for (double& value : values) value *= size / deviation;
  return targets;
}

}  // namespace

void add_prior_options(OptionTable& table) {
  const PriorFit usual;
  table
      .integer("prior-steps", static_cast<std::int64_t>(usual.steps), 1, 1000000000,
               "steps of the fit to the problem's own prediction (prior)")
      .integer("prior-batch", static_cast<std::int64_t>(usual.batch), 1, 1000000000,
               "training rows per step of that fit")
      .number("prior-rate", usual.rate, 1e-12, 1e3, "Adam's first rate in that fit; it ends at 0")
      .number("prior-size", usual.size, 1e-12, 1e12, "deviation of the predictions that are fitted");
}

PriorFit prior_fit(const Options& options) {
  return {.steps = static_cast<std::size_t>(options.integer("prior-steps")),
          .batch = static_cast<std::size_t>(options.integer("prior-batch")),
          .rate = options.number("prior-rate"),
          .size = options.number("prior-size")};
}

void check_prior(const Task& task, const std::string& option) {
  if (!task.problem->facts().has_prior)
    throw InputError(
        option + " is prior, but the problem states no prediction of its own, expected another " + option);
}

std::vector<double> prior_start(Evaluator& evaluator, const Split& training,
                                std::span<const std::size_t> rows, const PriorFit& fit, std::uint64_t seed,
                                InitialDraw generator) {
  return fit_by_adam(evaluator, training, rows, priors_of(evaluator.task(), training, rows, fit.size),
                     {.steps = fit.steps, .batch = fit.batch, .rate = fit.rate}, seed,
                     evaluator.task().predictor->initial_parameters(seed, generator));
}

}  // namespace polystep
