#include "methods/polystepor/polystepor_output.hpp"

#include <fmt/format.h>

#include "methods/polystepor/output_learner.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

OptionTable output_options() {
  OptionTable table;
  table.integer("steps", 500, 1, 1000000000, "step budget")
      .integer("batch", 128, 1, 1000000000, "training rows per step; all of them where there are fewer")
      .integer("samples", 2, 1, 1000000, "pairs of probes per row and step")
      .number(
          "rate", 0.02, 1e-12, 1e12,
          "Adam's first rate, as a share of the start's mean prediction (networks: parameter); it ends at 0")
      .number("noise", 0.3, 1e-12, 1e12, "deviation of the probes, as a share of the start's mean prediction")
      .number("flip-rate-low", 0.05, 0.0, 1.0,
              "the noise grows while fewer pairs than this share decide differently")
      .number("flip-rate-high", 1.0, 0.0, 1.0,
              "the noise shrinks while more pairs than this share decide differently")
      .integer("patience", 0, 0, 1000000000, "stop after this many validations without improvement; 0: never")
      .integer("checks", 5, 1, 1000000000, "validations per step budget")
      .choice("fit", "least-squares", {"random", "least-squares"},
              "where training starts; predictors without a closed form start at random")
      .integer("starts", 8, 1, 10000, "random starts to choose from by validation cost")
      .flag("standardise", true, "train on features of mean 0 and deviation 1; the result takes raw ones")
      .flag("instance-weights", true,
            "divide a row's costs by its mean true parameter where the metric is relative and the objective "
            "linear")
      .flag("blend", true, "mix with the start as validation rows advise");
  add_charging_options(table);
  return table;
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
  entry.options = output_options();
  entry.presets = {
      {"best", "scale-free, started from least squares, for every problem",
       [](const PresetContext&) {
         return OptionValues{{"relative-costs", true}, {"margin", true}};
       }}};
  entry.make = [](const LearnerContext& context) -> std::unique_ptr<Learner> {
    return std::make_unique<OutputLearner>(context);
  };
  return entry;
}

}  // namespace polystep
