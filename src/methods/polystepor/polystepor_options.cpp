#include "methods/polystepor/polystepor_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "methods/constraints/infeasibility_limit.hpp"
#include "methods/frugal/frugal_learner.hpp"
#include "methods/polystepor/early_steps.hpp"
#include "methods/polystepor/reduced_learner.hpp"
#include "methods/starts/prior_start.hpp"
#include "methods/starts/starting_parameters.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

template <class Names>
std::vector<std::string> choices_of(const Names& names) {
  std::vector<std::string> choices;
  for (const auto& [name, kind] : names) choices.emplace_back(name);
  return choices;
}

template <class Names>
auto kind_named(const Names& names, const std::string& wanted) {
  for (const auto& [name, kind] : names)
    if (name == wanted) return kind;
  throw std::logic_error("no kind is named " +
                         wanted);  // the option table admits only names from the same list
}

std::size_t count(const Options& options, std::string_view name) {
  return static_cast<std::size_t>(options.integer(name));
}

Schedule schedule_of(const Options& options, const std::string& quantity) {
  return {.kind = kind_named(kScheduleKinds, options.text("schedule")),
          .start = options.number(quantity + "-start"),
          .end = options.number(quantity + "-end"),
          .horizon = count(options, count(options, "horizon") != 0 ? "horizon" : "steps")};
}

// Whether a block can hold all that one output, or one row of shared weights, depends on.
bool by_outputs(const Options& options, const Predictor& predictor) {
  return options.text("space") == "outputs" && predictor.affine();
}

std::size_t row_length(const Predictor& predictor) { return predictor.tensors()[0].dimensions[1] + 1; }

// Output by output: its weights, then its bias.
std::vector<std::uint32_t> output_order(const Predictor& predictor) {
  const std::size_t rows = predictor.tensors()[1].size();
  const std::size_t inputs = row_length(predictor) - 1;
  std::vector<std::uint32_t> order;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < inputs; ++k) order.push_back(static_cast<std::uint32_t>(row * inputs + k));
    order.push_back(static_cast<std::uint32_t>(rows * inputs + row));
  }
  return order;
}

MovingSpaceOptions moving_options(const Options& options, std::size_t parameters) {
  const std::size_t horizon = count(options, "moving-horizon");
  return {.dimension = std::min(count(options, "dimension"), parameters),
          .interval = count(options, "moving-interval"),
          .history = count(options, "moving-memory"),
          .kept_start = options.number("moving-kept-start"),
          .kept_end = options.number("moving-kept-end"),
          .horizon = horizon != 0 ? horizon : count(options, "steps"),
          .single_precision = options.text("moving-precision") == "single"};
}

LayerSpaceOptions layer_options(const Options& options) {
  return {.rank = count(options, "rank"),
          .max_dimension = count(options, "cap"),
          .cap_rule = kind_named(kCapRules, options.text("cap-rule")),
          .draws = kind_named(kDraws, options.text("draws"))};
}

std::unique_ptr<SearchSpace> make_space(const Options& options, const Predictor& predictor,
                                        std::vector<double> theta0, std::uint64_t seed,
                                        ParallelFor parallel) {
  const std::string& space = options.text("space");
  if (by_outputs(options, predictor)) return make_ordered_space(std::move(theta0), output_order(predictor));
  if (space == "full") return make_full_space(std::move(theta0));
  if (space == "moving") {
    const MovingSpaceOptions moving = moving_options(options, theta0.size());
    if (options.text("moving-columns") == "seen") {
      const TensorShape first = predictor.tensors().front();
      return make_seen_space(std::move(theta0), moving, {first.dimensions[0], first.dimensions[1]}, seed,
                             std::move(parallel));
    }
    return make_moving_space(std::move(theta0), moving, seed, std::move(parallel));
  }
  return make_layer_space(predictor.tensors(), std::move(theta0), layer_options(options), seed);
}

// What all released runs share: the start is not judged, costs are scaled as a whole, and draws follow seeds.
OptionValues released_values() {
  return {{"schedule", std::string("cosine")},
          {"block", std::int64_t{8}},
          {"radii", std::int64_t{1}},
          {"space", std::string("layers")},
          {"scale", std::string("matrix-min-mean")},
          {"judge-start", false},
          {"start", std::string("twister")},
          {"draws", std::string("twister")}};
}

void set_value(OptionValues& values, const std::string& name, OptionValue value) {
  for (auto& [present, old] : values)
    if (present == name) {
      old = std::move(value);
      return;
    }
  values.emplace_back(name, std::move(value));
}

// The published settings where predictions enter constraints: one for all of them, constant over 500 epochs
// of 23 batches.
OptionValues constraint_values() {
  OptionValues values = released_values();
  set_value(values, "steps", std::int64_t{11500});
  set_value(values, "checks", std::int64_t{500});
  set_value(values, "patience", std::int64_t{10});
  set_value(values, "batch", std::int64_t{32});
  set_value(values, "sampling", std::string("in-order"));
  set_value(values, "schedule", std::string("constant"));
  set_value(values, "rank", std::int64_t{4});
  set_value(values, "start", std::string("twister-0"));
  for (const auto& [quantity, value] : {std::pair("temperature", 0.5), {"step", 1.0}, {"radius", 0.5}}) {
    values.emplace_back(std::string(quantity) + "-start", value);
    values.emplace_back(std::string(quantity) + "-end", value);
  }
  return values;
}

struct Range {
  const char* quantity;
  double start, end;
};

// What the paper's runs on one benchmark had that others had not.
struct PaperRow {
  std::string_view published;
  std::int64_t steps = 100;
  std::array<Range, 3> ranges = {{{"temperature", 10, 0.1}, {"step", 5, 1}, {"radius", 10, 2}}};
};

PaperRow paper_row(const std::string& published) {
  static const PaperRow rows[] = {
      {.published = "shortest-path", .steps = 150},
      {.published = "portfolio", .ranges = {{{"temperature", 5, 0.3}, {"step", 32, 8}, {"radius", 2, 0.5}}}}};
  for (const PaperRow& row : rows)
    if (row.published == published) return row;
  return {};
}

// Network districting as released: all cities at once, one block of 512 coordinates, the cheapest candidate.
// `tuned`: the settings that its published row was run with, of which no release has the driver.
OptionValues districting_values(bool tuned) {
  OptionValues values = released_values();
  const std::array<Range, 3> ranges = tuned ? std::array<Range, 3>{{{"temperature", 0.174, 0.174},
                                                                    {"step", 86.4, 19.8},
                                                                    {"radius", 18.3, 18.3}}}
                                            : PaperRow{}.ranges;
  set_value(values, "steps", std::int64_t{30});
  set_value(values, "checks", std::int64_t{1});
  set_value(values, "patience", std::int64_t{0});
  set_value(values, "batch", std::int64_t{1000000000});
  set_value(values, "block", std::int64_t{512});
  set_value(values, "rank", std::int64_t{4});
  set_value(values, "cap", std::int64_t{512});
  set_value(values, "cap-rule", std::string("projected"));
  set_value(values, "keep-probe", true);
  set_value(values, "start", std::string("streams"));
  set_value(values, "draws", std::string("streams"));
  set_value(values, "horizon", std::int64_t{29});
  if (tuned) {
    set_value(values, "schedule", std::string("linear"));
    set_value(values, "radii", std::int64_t{4});
    set_value(values, "momentum-start", 0.9);
    set_value(values, "momentum-end", 0.9);
  }
  for (const Range& range : ranges) {
    values.emplace_back(std::string(range.quantity) + "-start", range.start);
    values.emplace_back(std::string(range.quantity) + "-end", range.end);
  }
  return values;
}

// Alloys as released: 20 epochs, one moving basis of 128 coordinates over the whole network, raw costs, and
// the last parameters whatever validation says. Two modes were tuned, of which the first is reported.
OptionValues alloy_values(bool constant) {
  OptionValues values = {{"steps", std::int64_t{220}},
                         {"checks", std::int64_t{20}},
                         {"patience", std::int64_t{0}},
                         {"batch", std::int64_t{32}},
                         {"sampling", std::string("epochs")},
                         {"judge-start", false},
                         {"keep-last", true},
                         {"start", std::string("twister")},
                         {"space", std::string("moving")},
                         {"moving-columns", std::string("seen")},
                         {"dimension", std::int64_t{128}},
                         {"block", std::int64_t{8}},
                         {"scale", std::string("none")},
                         {"radii-rule", std::string("upstream")},
                         {"schedule", std::string(constant ? "cosine" : "linear")},
                         {"radii", std::int64_t{constant ? 1 : 2}},
                         {"temperature-start", constant ? 0.5652 : 0.7067},
                         {"temperature-end", constant ? 0.05 : 0.7067}};
  if (constant) {
    for (const char* end : {"start", "end"}) {
      values.emplace_back(std::string("step-") + end, 6.2353);
      values.emplace_back(std::string("radius-") + end, 948.0546);
    }
    set_value(values, "lengths", std::string("relative"));
    set_value(values, "momentum-start", 0.5);
    set_value(values, "momentum-end", 0.9);
    return values;
  }
  values.emplace_back("step-start", 2.6658);
  values.emplace_back("step-end", 2.6658 * 0.4715);
  for (const char* end : {"start", "end"})
    values.emplace_back(std::string("radius-") + end, 652.5121 * 0.7067);
  return values;
}

// The search that alloys' settings were found by, in the order of its coordinates: 32 points of design seed
// 0, trained with seeds 7 and 8. Points 1 (moving) and 29 (constant) are the settings above.
std::vector<std::string> alloy_tuning(const PresetContext& context, bool constant) {
  if (context.published != "alloy") return {};
  const std::vector<std::string> sizes = {"dimension=8,32,128", "radii=1,2",
                                          "momentum-start+momentum-end=0,0.5+0.9"};
  std::vector<std::string> axes = {"step-start=log:1..5000",
                                   "radius-start+radius-end=temperature-start*log:10..100000",
                                   "temperature-start+temperature-end=linear:0.1..1"};
  if (constant)
    axes = {"step-start+step-end=log:1..5000", "radius-start+radius-end=log:10..100000",
            "temperature-start=linear:0.1..1"};
  axes.insert(axes.end(), sizes.begin(), sizes.end());
  if (!constant) axes.emplace_back("step-end=step-start*linear:0.05..0.5");
  return axes;
}

// The published settings. All problems but the portfolio share one row, apart from the step budget. The cap
// only ever binds for networks.
OptionValues paper_values(const PresetContext& context) {
  if (context.published == "alloy") return alloy_values(false);
  if (context.facts.predicts_constraints) return constraint_values();
  if (context.published == "districting") return districting_values(false);
  const PaperRow row = paper_row(context.published);
  OptionValues values = released_values();
  set_value(values, "steps", row.steps);
  set_value(values, "checks", row.steps / (row.steps / 20));  // every steps / 20 steps, rounded down
  set_value(values, "batch", std::int64_t{128});
  set_value(values, "rank", std::int64_t{8});
  set_value(values, "cap", std::int64_t{512});
  set_value(values, "cap-rule", std::string("projected"));
  for (const Range& range : row.ranges) {
    values.emplace_back(std::string(range.quantity) + "-start", range.start);
    values.emplace_back(std::string(range.quantity) + "-end", range.end);
  }
  return values;
}

// One row for every problem: all lengths are multiples of the start's predictions.
OptionValues common_best_values() {
  return {{"steps", std::int64_t{30}},
          {"checks", std::int64_t{5}},
          {"patience", std::int64_t{0}},
          {"batch", std::int64_t{500}},
          {"fit", std::string("least-squares")},
          {"starts", std::int64_t{8}},
          {"standardise", true},
          {"instance-weights", true},
          {"lengths", std::string("predictions")},
          {"radius-rule", std::string("flip-rate")},
          {"space", std::string("outputs")},
          {"cap", std::int64_t{512}},  // for networks, whose layers would have thousands of coordinates
          {"bags", std::int64_t{6}},
          {"blend", true},
          {"validation-trains", true},
          {"early", std::string("auto")},
          {"early-share", 0.8},
          {"temperature-start", 1.0},
          {"temperature-end", 0.3},
          {"step-start", 0.5},
          {"step-end", 0.05},
          {"radius-start", 1.0},
          {"radius-end", 0.2},
          {"relative-costs", true},
          {"margin", true},
          {"fidelity", std::string("auto")},
          {"inputs", std::string("auto")}};  // large networks whose predictions enter constraints
}

// Where predictions enter constraints, far more decisions can be had for the same time from one bag, and the
// blend has nothing to hold on to: the start, a fit with a margin, is far from what can be learned.
OptionValues best_values(const PresetContext& context) {
  OptionValues values = common_best_values();
  if (context.facts.has_prior) set_value(values, "fit", std::string("prior"));
  if (!context.facts.predicts_constraints) return values;
  set_value(values, "steps", std::int64_t{40});
  set_value(values, "batch", std::int64_t{256});
  set_value(values, "bags", std::int64_t{1});
  set_value(values, "blend", false);
  if (!context.facts.has_prior) set_value(values, "fit", std::string("frugal"));
  return values;
}

}  // namespace

OptionTable polystepor_options() {
  OptionTable table;
  table.integer("steps", 150, 1, 1000000000, "step budget")
      .choice("fidelity", "probes", {"probes", "frugal", "auto"},
              "probes: steps by probes, as many as the other options say; frugal: a few questions per row, "
              "learning from remembered decisions (see calls); auto: a few timed solves decide "
              "before the run, and a run remembers what was chosen")
      .integer("patience", 10, 0, 1000000000,
               "stop after this many validations without improvement; 0: never")
      .integer("checks", 20, 1, 1000000000, "validations per step budget")
      .flag("judge-start", true, "the start competes with what training finds; no: trained parameters only")
      .flag("keep-probe", false,
            "hand over the cheapest of all probes and the final point by training cost, not a point moved to")
      .integer("batch", 128, 1, 1000000000, "training rows per step; all of them where there are fewer")
      .choice("start", "streams", start_choices(), kStartHelp)
      .choice(
          "fit", "random", {"random", "least-squares", "prior", "frugal"},
          "where training starts; predictors without a closed form start at random; prior: fitted to what "
          "the problem itself would predict; frugal: the cheaper of least squares and what a frugal training "
          "learns from `calls` per training row, where predictions enter constraints that the problem shows; "
          "least squares elsewhere")
      .integer("starts", 1, 1, 10000, "random starts to choose from by validation cost")
      .flag("standardise", false, "train on features of mean 0 and deviation 1; the result takes raw ones")
      .flag("instance-weights", false,
            "divide a row's costs by its mean true parameter where the metric is relative and the objective "
            "linear")
      .integer("bags", 1, 1, 1000, "shares of the training rows to train on; their parameters are averaged")
      .number("bag-share", 0.5, 0.01, 1.0, "of the training rows in each bag (bags above 1)")
      .flag("blend", false, "mix with the start as held-out rows advise")
      .flag(
          "validation-trains", false,
          "validation rows train too, every row being held out by the bags without it (bags above 1, linear "
          "objective)")
      .choice("sampling", "without-replacement",
              {"without-replacement", "with-replacement", "in-order", "epochs"},
              "how a step's rows are drawn; in-order: batch after batch in stored order, epoch after epoch; "
              "epochs: likewise, in an order of its own in each epoch")
      .flag("keep-last", false, "hand over the last parameters, whatever validation says")
      .choice("schedule", "cosine", choices_of(kScheduleKinds),
              "how temperature, step and radius go from start to end")
      .integer("horizon", 0, 0, 1000000000, "step at which they reach their end; 0: the step budget")
      .number("temperature-start", 10.0, 1e-12, 1e12, "softmax temperature at the first step")
      .number("temperature-end", 0.1, 1e-12, 1e12, "softmax temperature at the end of the budget")
      .number("step-start", 5.0, 0.0, 1e12, "step length at the first step")
      .number("step-end", 1.0, 0.0, 1e12, "step length at the end of the budget")
      .number("radius-start", 10.0, 0.0, 1e12, "outer probe radius at the first step")
      .number("radius-end", 2.0, 0.0, 1e12, "outer probe radius at the end of the budget")
      .choice(
          "lengths", "physical", {"physical", "relative", "predictions"},
          "step and radius as distances, as multiples of the temperature, or of the start's mean prediction")
      .choice("radius-rule", "schedule", {"schedule", "flip-rate"},
              "lengths follow their schedules alone, or besides the share of probes that change a decision")
      .number("flip-rate-low", 0.005, 0.0, 1.0, "below this share lengths grow (radius-rule = flip-rate)")
      .number("flip-rate-high", 1.0, 0.0, 1.0, "above this share lengths shrink (radius-rule = flip-rate)")
      .number("jitter", 0.0, 0.0, 0.99, "radii vary by up to this share from step to step")
      .integer("radii", 1, 1, 64, "probes per direction, at r k/(radii+1)")
      .choice("radii-rule", "fixed", choices_of(kRadiiRules), "when a step may probe one radius only")
      .flag("adaptive-radius", false, "lengthen radius and step when costs stall, shorten them as costs fall")
      .choice("polytope", "orthoplex", choices_of(kPolytopeKinds), "directions probed in each block")
      .choice("draws", "streams", choices_of(kDraws),
              "random numbers of rotations, layer bases and minibatches; twister: those of the released runs")
      .choice("rotation", "haar", choices_of(kRotationKinds), "how the polytope is turned at each step")
      .integer("block", 8, 1, 4096, "coordinates per block")
      .choice("last-block", "padded", choices_of(kLastBlocks), "a last block that is not full")
      .choice(
          "space", "layers", {"layers", "full", "moving", "outputs"},
          "search coordinates: a basis per layer, all parameters, one moving basis, or all parameters with a "
          "block per output (networks: layers)")
      .integer("rank", 8, 1, 1000000, "of each layer's basis (space = layers)")
      .integer("cap", 0, 0, 1000000000, "most coordinates of all layers together; 0: no cap (space = layers)")
      .choice("cap-rule", "matrices", choices_of(kCapRules),
              "who gives way to the cap: all matrices, or those with a basis where the network is large, as "
              "released")
      .integer("dimension", 128, 1, 1000000, "coordinates of the moving basis (space = moving)")
      .integer("moving-interval", 1, 1, 1000000000,
               "steps from one rebuilding of the basis to the next (space = moving)")
      .integer("moving-memory", 5, 1, 1000000,
               "latest steps that the basis is rebuilt around (space = moving)")
      .number("moving-kept-start", 0.0, 0.0, 1.0,
              "share of the basis for directions of remembered steps at the first step; always at least one, "
              "at most one per remembered step (space = moving)")
      .number("moving-kept-end", 0.5, 0.0, 1.0, "the same share from step moving-horizon on (space = moving)")
      .integer("moving-horizon", 0, 0, 1000000000,
               "step at which the share reaches its end; 0: the step budget (space = moving)")
      .choice(
          "moving-columns", "written", {"written", "seen"},
          "random columns of the basis are written down, or only what the minibatch sees of them is drawn; "
          "for networks of one large hidden layer (space = moving)")
      .choice("moving-precision", "double", {"double", "single"},
              "numbers of the basis; single halves its memory and the time to build it (space = "
              "moving)")
      .choice("scale", "matrix-mean", choices_of(kCostScales),
              "what costs are divided by before the temperature")
      .number("scale-value", 1.0, 1e-300, 1e300, "the divisor (scale = fixed)")
      .choice("weights", "softmax", choices_of(kWeightRules), "how costs become weights")
      .number("weights-temperature", 1.0, 1e-12, 1e12, "temperature of the weights (weights = tempered)")
      .number("column-penalty", 1.0, 0.0, 1e12, "pull to equal mass per vertex (weights = kl-softmax)")
      .integer("top", 3, 1, 1000000, "vertices that share the mass (weights = top)")
      .number("momentum-start", 0.0, 0.0, 0.999999, "share of the velocity kept at the first step")
      .number("momentum-end", 0.0, 0.0, 0.999999, "share of the velocity kept at the last step")
      .number("velocity-gain", 1.0, 0.0, 1e6, "the point moves by this times the velocity")
      .flag("skip-solves", true,
            "do not solve where the decision provably stays; results are the same either way");
  add_early_options(table);
  add_frugal_options(table);
  add_reduction_options(table);
  add_charging_options(table);
  add_prior_options(table);
  return table;
}

std::vector<Preset> polystepor_presets() {
  return {{"best",
           "no tuning needed: scale-free, started from least squares, steered and held against overfitting",
           best_values},
          {"paper", "the published settings of each problem", paper_values,
           [](const PresetContext& context) { return alloy_tuning(context, false); }},
          {"tuned", "the published settings tuned for network districting; elsewhere those of paper",
           [](const PresetContext& context) {
             return context.published == "districting" ? districting_values(true) : paper_values(context);
           }},
          {"paper-constant", "the second published settings of alloys; elsewhere those of paper",
           [](const PresetContext& context) {
             return context.published == "alloy" ? alloy_values(true) : paper_values(context);
           },
           [](const PresetContext& context) { return alloy_tuning(context, true); }}};
}

FlipRateBand flip_rate_band(const Options& options) {
  const FlipRateBand band{options.number("flip-rate-low"), options.number("flip-rate-high")};
  if (band.low > band.high)
    throw InputError(
        fmt::format("polystepor: flip-rate-low is {}, expected at most flip-rate-high, which is {}", band.low,
                    band.high));
  return band;
}

namespace {

PolyStepOptions optimizer_settings(const Options& options, const Predictor& predictor) {
  PolyStepOptions settings;
  settings.block_size = by_outputs(options, predictor) ? row_length(predictor) : count(options, "block");
  settings.last_block = kind_named(kLastBlocks, options.text("last-block"));
  settings.polytope = kind_named(kPolytopeKinds, options.text("polytope"));
  settings.rotation = kind_named(kRotationKinds, options.text("rotation"));
  settings.draws = kind_named(kDraws, options.text("draws"));
  settings.probe_radius = schedule_of(options, "radius");
  settings.radii = count(options, "radii");
  settings.radii_rule = kind_named(kRadiiRules, options.text("radii-rule"));
  settings.radius_jitter = options.number("jitter");
  settings.temperature = schedule_of(options, "temperature");
  settings.cost_scale = kind_named(kCostScales, options.text("scale"));
  settings.fixed_scale = options.number("scale-value");
  settings.weight_rule = kind_named(kWeightRules, options.text("weights"));
  settings.fixed_temperature = options.number("weights-temperature");
  settings.column_penalty = options.number("column-penalty");
  settings.top_count = count(options, "top");
  settings.step_length = schedule_of(options, "step");
  settings.momentum = {.kind = ScheduleKind::kLinear,
                       .start = options.number("momentum-start"),
                       .end = options.number("momentum-end"),
                       .horizon = std::max<std::size_t>(1, count(options, "steps") - 1)};
  settings.velocity_gain = options.number("velocity-gain");
  settings.lengths_relative_to_temperature = options.text("lengths") == "relative";
  settings.adaptive_radius = options.flag("adaptive-radius");
  return settings;
}

}  // namespace

std::size_t count_probes(const Options& options, const Predictor& predictor) {
  const std::string& space = options.text("space");
  std::size_t coordinates = 0;
  if (by_outputs(options, predictor) || space == "full")
    coordinates = predictor.parameters();
  else if (space == "moving")
    coordinates = std::min(count(options, "dimension"), predictor.parameters());
  else
    for (const TensorPlan& tensor : plan_layers(predictor.tensors(), layer_options(options)))
      coordinates += tensor.coordinates;
  const PolyStepOptions settings = optimizer_settings(options, predictor);
  const std::size_t in_block = std::min(coordinates, settings.block_size);
  PolyStep one_block(make_full_space(std::vector<double>(in_block)), settings, 0);
  const std::size_t blocks = (coordinates + in_block - 1) / in_block;
  return blocks * one_block.ask().size();
}

PolyStep make_optimizer(const Options& options, const Predictor& predictor, std::vector<double> start,
                        std::uint64_t seed, ParallelFor parallel) {
  return PolyStep(make_space(options, predictor, std::move(start), seed, std::move(parallel)),
                  optimizer_settings(options, predictor), seed);
}

// Two blocks will do, or one where there are no more: the basis of a large network takes long to build.
void check_optimizer(const Options& options, const Predictor& predictor) {
  flip_rate_band(options);
  const PolyStepOptions settings = optimizer_settings(options, predictor);
  std::size_t coordinates =
      std::min(predictor.parameters(), std::max<std::size_t>(1, 2 * settings.block_size));
  if (options.text("space") == "moving") coordinates = std::min(coordinates, count(options, "dimension"));
  PolyStep(make_full_space(std::vector<double>(coordinates)), settings, 0);
}

}  // namespace polystep
