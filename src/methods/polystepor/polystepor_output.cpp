#include "methods/polystepor/polystepor_output.hpp"

#include <fmt/format.h>

#include "methods/polystepor/output_learner.hpp"
#include "methods/polystepor/reduced_learner.hpp"
#include "methods/starts/prior_start.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

OptionTable output_options() {
  OptionTable table;
  table.integer("steps", 500, 1, 1000000000, "step budget")
      .integer("batch", 128, 1, 1000000000, "training rows per step; all of them where there are fewer")
      .integer("samples", 2, 1, 1000000, "pairs of probes per row and step")
      .choice("estimator", "noise", {"noise", "covariance"},
              "what a difference of costs is credited to: the noise added to predictions, or the parts of "
              "decisions that were used (problems that optimise predictions)")
      .number("rate", 0.02, 1e-12, 1e12,
              "Adam's first rate, as a share of the start's mean prediction (networks: parameter)")
      .number("final-rate", 0.0, 0.0, 1.0, "share of that rate at the end of the budget")
      .number("decay", 0.0, 0.0, 1e6, "share of the parameters taken off per step, times the rate")
      .number("average-last", 0.0, 0.0, 1.0,
              "share of the steps, the last ones, whose parameters are averaged")
      .number("noise", 0.3, 1e-12, 1e12, "deviation of the probes, as a share of the start's mean prediction")
      .number("final-noise", 1.0, 0.0, 1e6, "share of that deviation at the end of the budget")
      .choice("lengths", "start", {"start", "absolute"},
              "rate and noise are shares of the start's sizes, or lengths as they are")
      .number("flip-rate-low", 0.05, 0.0, 1.0,
              "the noise grows while fewer pairs than this share decide differently")
      .number("flip-rate-high", 1.0, 0.0, 1.0,
              "the noise shrinks while more pairs than this share decide differently")
      .integer("patience", 0, 0, 1000000000, "stop after this many validations without improvement; 0: never")
      .integer("checks", 5, 1, 1000000000, "validations per step budget")
      .choice(
          "fit", "least-squares", {"random", "least-squares", "prior"},
          "where training starts; predictors without a closed form start at random; prior: fitted to what "
          "the problem itself would predict")
      .integer("starts", 8, 1, 10000, "random starts to choose from by validation cost")
      .flag("standardise", true, "train on features of mean 0 and deviation 1; the result takes raw ones")
      .flag("instance-weights", true,
            "divide a row's costs by its mean true parameter where the metric is relative and the objective "
            "linear")
      .flag("blend", true, "mix with the start as validation rows advise")
      .flag("keep-best", true,
            "without a blend, hand over the parameters of lowest validation cost, not the last");
  add_reduction_options(table);
  add_charging_options(table);
  add_prior_options(table);
  return table;
}

// Large networks from realised costs alone, started from a constant. Lengths are in 25ths of that constant.
// Found on brass alloy, where it takes 1.9 million solves.
OptionValues cost_values() {
  const CostTrainingSettings usual;
  return {{"inputs", std::string("reduced")},
          {"steps", static_cast<std::int64_t>(usual.steps)},
          {"batch", static_cast<std::int64_t>(usual.batch)},
          {"samples", static_cast<std::int64_t>(usual.samples)},
          {"rate", usual.rate},
          {"final-rate", usual.final_rate},
          {"noise", usual.noise},
          {"final-noise", usual.final_noise},
          {"average-last", usual.average_last},
          {"margin", true}};
}

CostTrainingSettings cost_settings(const Options& options) {
  return {.steps = static_cast<std::size_t>(options.integer("steps")),
          .batch = static_cast<std::size_t>(options.integer("batch")),
          .samples = static_cast<std::size_t>(options.integer("samples")),
          .rate = options.number("rate"),
          .final_rate = options.number("final-rate"),
          .noise = options.number("noise"),
          .final_noise = options.number("final-noise"),
          .average_last = options.number("average-last")};
}

// Where a problem says what one would predict without learning, and optimises what is predicted: from there,
// with credit for what decisions used. Found on network districting.
OptionValues credited_values() {
  return {{"estimator", std::string("covariance")},
          {"fit", std::string("prior")},
          {"steps", std::int64_t{300}},
          {"batch", std::int64_t{10}},
          {"samples", std::int64_t{8}},
          {"lengths", std::string("absolute")},
          {"noise", 1.0},
          {"flip-rate-low", 0.0},
          {"rate", 1e-3},
          {"final-rate", 0.02},
          {"decay", 0.1},
          {"average-last", 1.0 / 3},
          {"standardise", false},
          {"instance-weights", false},
          {"blend", false},
          {"keep-best", false}};
}

}  // namespace

FlipRateBand noise_band(const Options& options) {
  const FlipRateBand band{options.number("flip-rate-low"), options.number("flip-rate-high")};
  if (band.low > band.high)
    throw InputError(
        fmt::format("polystepor-output: flip-rate-low is {}, expected at most flip-rate-high, which is {}",
                    band.low, band.high));
  return band;
}

MethodEntry polystepor_output_method() {
  MethodEntry entry;
  entry.name = "polystepor-output";
  entry.help = "probe predictions instead of parameters and pull back through the predictor: for dear solves";
  entry.facts = {.baseline = false, .probes_predictions = true};
  entry.options = output_options();
  entry.tuning = {"rate=log:0.001..0.1", "noise=log:0.03..3", "samples=1,2,4"};
  entry.presets = {
      {"best", "scale-free, started from least squares; from the problem's own prediction where it has one",
       [](const PresetContext& context) {
         if (context.facts.has_prior && context.facts.optimises_prediction) return credited_values();
         return OptionValues{{"relative-costs", true}, {"margin", true}};
       }},
      {"costs", "large networks from realised costs alone, no true parameters: on inputs that data prove",
       [](const PresetContext&) { return cost_values(); }}};
  entry.make = [](const LearnerContext& context) -> std::unique_ptr<Learner> {
    if (wants_reduced_inputs(context.evaluator.task(), context.options)) {
      const CostTrainingSettings settings = cost_settings(context.options);
      return std::make_unique<ReducedLearner>(context, &settings);
    }
    return std::make_unique<OutputLearner>(context);
  };
  return entry;
}

}  // namespace polystep
