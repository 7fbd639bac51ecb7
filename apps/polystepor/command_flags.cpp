#include "command_flags.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <functional>
#include <limits>
#include <set>

#include "base/option_value.hpp"
#include "own/own_task.hpp"
#include "polystep/error.hpp"
#include "polystep/method.hpp"
#include "run_arguments.hpp"
#include "runtime/run/config_file.hpp"
#include "runtime/run/run_request.hpp"

namespace polystep {
namespace {

constexpr double kLongestInterval = 1e9;  // seconds

// A flag whose value an option table checks, in the words it has for configuration files too. The library's
// own conversion takes -1 for a large seed and nothing for 0.
void add_checked_flag(CLI::App& command, OptionTable table, const std::string& name, const std::string& help,
                      std::function<void(const Options&)> take) {
  const auto check = [=](const std::string& text) {
    Options options(table);
    options.set_text(name, text, "--" + name);
    take(options);
  };
  command.add_option_function<std::string>("--" + name, check, help)->type_name("");
}

template <class Number>
void add_threads_flag(CLI::App& command, Number& threads) {
  add_checked_flag(command, run_options(), "threads", "worker threads; results do not depend on it [1]",
                   [&](const Options& options) { threads = options.integer("threads"); });
}

// All 64 bits are seeds, more than an integer option holds.
template <class Number>
void add_seed_flag(CLI::App& command, const std::string& help, Number& target) {
  const auto check = [&target](const std::string& text) {
    std::uint64_t seed = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, seed);
    if (error != std::errc() || stop != end)
      throw InputError(fmt::format("--seed: found {}, expected a whole number from 0 to {}", in_quotes(text),
                                   std::numeric_limits<std::uint64_t>::max()));
    target = seed;
  };
  command.add_option_function<std::string>("--seed", check, help)->type_name("");
}

// Which of the flags apply is judged later, by the problem and method chosen.
void add_table_flags(CLI::App& command, const OptionFlags& options, const OptionTable& table,
                     const std::string& group, TrainArguments& arguments, std::set<std::string>& added) {
  for (const OptionSpec& spec : table.specs()) {
    if (!options.needs(spec.name) || !added.insert(spec.name).second) continue;
    command
        .add_option_function<std::string>(
            "--" + spec.name,
            [name = spec.name, &arguments](const std::string& text) {
              arguments.flags.emplace_back(name, text);
            },
            fmt::format("{} [{}]", spec.help, format_value(spec.fallback)))
        ->type_name("")
        ->group(group);
  }
}

void add_max_seconds_flag(CLI::App& command, const std::string& help, std::optional<double>& target) {
  add_checked_flag(command, run_options(), "max-seconds", help, [&target](const Options& options) {
    const double seconds = options.number("max-seconds");
    if (!(seconds > 0))
      throw InputError(
          fmt::format("--max-seconds: option 'max-seconds' is {}, expected a number above 0", seconds));
    target = seconds;
  });
}

void add_watch_flags(CLI::App& command, WatchArguments& watch) {
  add_max_seconds_flag(command, "end after this long, with what there is by then", watch.max_seconds);
  command.add_flag("--quiet", watch.quiet, "no progress");
}

// What says which run is meant.
void add_run_flags(CLI::App& command, const OptionFlags& options, TrainArguments& arguments) {
  command.add_option(
      "problem", arguments.problem,
      "what to train on: a name that 'polystepor list' shows, or a task file of your own ending in .toml");
  command.add_option("--method", arguments.method, "how to train [polystepor]");
  command.add_option("--preset", arguments.preset, "named option values [the method's first]");
  add_seed_flag(command, "of everything random in the run [0]", arguments.seed);
  add_threads_flag(command, arguments.threads);
  command.add_option("--config", arguments.config, "TOML file with any of these settings");
  command.add_option("--set", arguments.assignments, "key=value: set any option of the problem or method")
      ->allow_extra_args(false);
  command.add_option("--data", arguments.data, "benchmark data directory [POLYSTEPOR_DATA, ../shared/data]");
  command.add_option("--budget", arguments.budget,
                     "seconds=NUMBER or solves=NUMBER: choose bags, steps and batch to fit");
  std::set<std::string> added;
  for (const ProblemEntry& problem : options.problems().entries())
    if (options.shows_problem(problem.name))
      add_table_flags(command, options, problem.options, "Options of problem " + problem.name, arguments,
                      added);
  for (const MethodEntry& method : methods())
    if (options.shows_method(method.name))
      add_table_flags(command, options, method.options, "Options of method " + method.name, arguments, added);
  if (options.shows_everything())
    command.footer(
        "Options that several problems or methods have are listed once. With a problem, and perhaps "
        "--method,\nbefore --help, their own options are listed alone; 'polystepor options' has all.");
}

// What commands that train a whole grid have in common.
template <class Arguments>
void add_grid_flags(CLI::App& command, Arguments& arguments) {
  command
      .add_option("--set", arguments.assignments, "key=value, wherever a problem or method has the option")
      ->allow_extra_args(false);
  command.add_option("--threads", arguments.threads, "runs side by side; results do not depend on it [1]")
      ->check(CLI::Range(1, 4096));
  command.add_option("--data", arguments.data, "benchmark data directory [POLYSTEPOR_DATA, ../shared/data]");
  command.add_flag("--quiet", arguments.quiet, "no progress");
}

// A whole number within limits, refused in the words of option tables.
void add_count_flag(CLI::App& command, const std::string& name, std::int64_t least, std::int64_t most,
                    const std::string& help, std::function<void(std::int64_t)> take) {
  add_checked_flag(command, OptionTable().integer(name, least, least, most, ""), name, help,
                   [=](const Options& options) { take(options.integer(name)); });
}

void add_planning_flags(CLI::App& command, PlanningArguments& planning) {
  const auto into = [](std::int64_t& target) { return [&target](std::int64_t value) { target = value; }; };
  add_count_flag(command, "iterations", 0, 1'000'000'000, "of the search for districts [2000]",
                 into(planning.iterations));
  add_count_flag(command, "chains", 1, 1000, "searches side by side, the best of which counts [1]",
                 into(planning.chains));
  add_count_flag(command, "scenarios", 1, 100'000, "of demand [100]", into(planning.scenarios));
  add_count_flag(command, "scenario-seed", 0, 4294967295, "of demand [3]", into(planning.scenario_seed));
  add_count_flag(command, "perturbations", 0, 1'000'000,
                 "of every tour: more are nearer to the optimum [100]", into(planning.perturbations));
}

}  // namespace

OptionFlags::OptionFlags(const ProblemRegistry& problems, int argc, char** argv) : problems_(problems) {
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if (word == "--help" || word == "-h") help_ = true;
    if (word.starts_with("--")) named_.insert(word.substr(2, word.find('=') - 2));
  }
  if (!help_) return;
  std::string method;
  for (int k = 2; k < argc; ++k) {
    const std::string word = argv[k];
    const bool behind_flag = std::string(argv[k - 1]) == "--method";
    if (behind_flag) method = word;
    if (word.starts_with("--method=")) method = word.substr(word.find('=') + 1);
    const std::string problem = names_task_file(word) ? kOwnProblem : word;
    for (const ProblemEntry& entry : problems.entries())
      if (!behind_flag && entry.name == problem) problem_ = entry.name;
  }
  if (method.empty() && !problem_.empty()) method = default_method(problems.find(problem_, "polystepor"));
  for (const MethodEntry& entry : methods())
    if (entry.name == method) method_ = entry.name;
}

std::vector<std::string> OptionFlags::all_names() const {
  std::vector<std::string> names;
  const auto add = [&](const OptionTable& table) {
    for (const OptionSpec& spec : table.specs()) names.push_back("--" + spec.name);
  };
  for (const ProblemEntry& problem : problems_.entries()) add(problem.options);
  for (const MethodEntry& method : methods()) add(method.options);
  return names;
}

CLI::App* add_train(CLI::App& app, const OptionFlags& options, TrainArguments& arguments) {
  CLI::App* train = app.add_subcommand("train", "train a predictor and write a run directory");
  add_run_flags(*train, options, arguments);
  train->add_option("--out", arguments.out, "run directory [runs/<problem>-<method>-<seed>]");
  add_max_seconds_flag(*train, "end after this long, with what was trained by then", arguments.max_seconds);
  add_checked_flag(*train, OptionTable().number("checkpoint-seconds", 5, 0, kLongestInterval, ""),
                   "checkpoint-seconds", "time between checkpoints [5]",
                   [&arguments](const Options& options) {
                     arguments.checkpoint_seconds = options.number("checkpoint-seconds");
                   });
  train->add_flag("--resume", arguments.resume, "go on from the run directory's checkpoint");
  train->add_flag("--force", arguments.force, "replace an existing run");
  train->add_flag("--quiet", arguments.quiet, "no progress");
  train->add_flag("--json", arguments.json, "print result.json and nothing else to stdout");
  return train;
}

CLI::App* add_plan(CLI::App& app, const OptionFlags& options, PlanArguments& arguments) {
  CLI::App* plan = app.add_subcommand("plan", "say what a training would do and take, without running it");
  add_run_flags(*plan, options, arguments.run);
  plan->add_option("--save", arguments.save, "TOML file to write, for 'polystepor train --config'");
  plan->add_flag("--force", arguments.force, "replace an existing file");
  plan->add_flag("--json", arguments.json, "print JSON and nothing else");
  add_watch_flags(*plan, arguments.watch);
  return plan;
}

CLI::App* add_check(CLI::App& app, const OptionFlags& options, CheckArguments& arguments) {
  CLI::App* check =
      app.add_subcommand("check", "look closely at a task before training: data, model, solves");
  add_run_flags(*check, options, arguments.run);
  check->add_flag("!--no-plan", arguments.plan, "leave out the forecast, which takes a rehearsal");
  add_watch_flags(*check, arguments.watch);
  return check;
}

CLI::App* add_explain(CLI::App& app, ExplainArguments& arguments) {
  CLI::App* explain = app.add_subcommand("explain", "say what a finished run did and what limited it");
  explain->add_option("run", arguments.run, "run directory")->required();
  explain->add_option("--data", arguments.data, "benchmark data directory");
  add_checked_flag(*explain, OptionTable().integer("pairs", 256, 1, 1000000, ""), "pairs",
                   "instances and directions to measure flip distances of [256]",
                   [&arguments](const Options& options) {
                     arguments.pairs = options.integer("pairs");
                     arguments.pairs_given = true;
                   });
  explain->add_flag("--json", arguments.json, "print JSON and nothing else");
  add_watch_flags(*explain, arguments.watch);
  return explain;
}

CLI::App* add_bench(CLI::App& app, BenchArguments& arguments) {
  CLI::App* bench = app.add_subcommand("bench", "run a benchmark's whole grid and compare the methods");
  bench
      ->add_option(
          "suite", arguments.suite,
          "classical or in-constraint: the published methods on their problems; ablation: the parts of "
          "polystepor's preset best; alloy: all methods on alloy production; districting: trained models and "
          "estimates on large cities")
      ->required()
      ->check(CLI::IsMember({"classical", "in-constraint", "ablation", "alloy", "districting"}));
  bench->add_option("--problems", arguments.problems,
                    "a,b; districting: cities, alone or as CITY:TARGET [all of the benchmark]");
  bench->add_option("--methods", arguments.methods,
                    "a,b or with a preset of its own a,b:preset [all, and polystepor:best]");
  bench->add_option("--preset", arguments.preset, "of methods that name none [paper]");
  bench->add_option("--seeds", arguments.seeds,
                    "such as 0-9 or 0,3,5-7 [0-9, in-constraint: 0-14; districting, of predgnn: 1]");
  bench->add_option("--source", arguments.source, "of the data: auto, published or generated [auto]");
  bench->add_option("--out", arguments.out, "directory of the results [runs/bench-SUITE]");
  bench->add_flag("--resume", arguments.resume, "keep the results found there and run what is missing");
  bench->add_flag("--force", arguments.force, "replace the results found there");
  bench
      ->add_option("--fresh", arguments.fresh,
                   "alloy: fresh rows that every trained predictor is measured on besides; 0: none")
      ->capture_default_str()
      ->check(CLI::Range(0, 1000000));
  CLI::Option_group* districting = bench->add_option_group("Options of suite districting");
  districting->add_option("--models", arguments.models, "NAME=RUN,RUN: a trained method, one run per seed")
      ->allow_extra_args(false);
  districting
      ->add_option("--averages", arguments.averages, "NAME=RUN,RUN: the average of these runs as one model")
      ->allow_extra_args(false);
  districting
      ->add_option(
          "--iterations-for", arguments.iterations_for,
          "METHOD=N: iterations of one method's search; predgnn has a twentieth where nothing is said")
      ->allow_extra_args(false);
  add_count_flag(*districting, "predgnn-epochs", 0, 1'000'000, "of the fit of --methods predgnn [100]",
                 [&](std::int64_t value) { arguments.predgnn_epochs = value; });
  districting->add_flag("--small", arguments.small,
                        "instead, the small cities that nobody trains on, exactly and by stored costs");
  districting->add_flag("--sizes", arguments.sizes, "Leeds and London of several sizes as well");
  districting->add_flag("--large", arguments.large, "Synth2000 as well");
  add_count_flag(*districting, "drawn", 1, 1000,
                 "so many drawn cities in place of the published ones; needs no data",
                 [&](std::int64_t value) { arguments.drawn = value; });
  add_count_flag(
      *districting, "published-limit", 0, 1'000'000'000,
      "the published search in place of ours, for so many seconds as it counts them; published: 1200",
      [&](std::int64_t value) { arguments.published_limit = value; });
  districting->add_flag("--published-tours", arguments.published_tours,
                        "tours as long as those of the published evaluator");
  add_count_flag(*districting, "search-seed", 0, 1'000'000'000, "of searches [0]",
                 [&](std::int64_t value) { arguments.planning.seed = static_cast<std::uint64_t>(value); });
  add_planning_flags(*districting, arguments.planning);
  add_grid_flags(*bench, arguments);
  return bench;
}

CLI::App* add_compare(CLI::App& app, CompareArguments& arguments) {
  CLI::App* compare = app.add_subcommand("compare", "tables and paired tests of finished runs");
  compare->add_option("runs", arguments.places, "run directories, results.csv or result.json files")
      ->required();
  compare->add_option("--html", arguments.html, "also write the tables as an HTML page");
  compare->add_flag("--force", arguments.force, "replace an existing page");
  return compare;
}

CLI::App* add_curve(CLI::App& app, CurveArguments& arguments) {
  CLI::App* curve = app.add_subcommand("curve", "draw test regret against solver calls for several methods");
  curve->add_option("problem", arguments.problem, "of the classical benchmark");
  curve->add_option("--from", arguments.from,
                    "instead of training: a table of runs that were each cut to some solver calls, as "
                    "benchmarks/dear_solves.py writes; a picture per setting");
  curve->add_option("--methods", arguments.methods,
                    "a,b:preset; the first sets the mark [polystepor:paper,polystepor:best,"
                    "polystepor-output:best,fenchel-young]");
  curve->add_option("--seeds", arguments.seeds, "such as 0-9 or 0,3,5-7 [0-9]");
  curve->add_option("--out", arguments.out,
                    "directory of curve.csv and curve.svg [runs/curve-PROBLEM; --from: runs/curve]");
  curve->add_flag("--force", arguments.force, "replace existing files");
  add_grid_flags(*curve, arguments);
  return curve;
}

CLI::App* add_frontier(CLI::App& app, FrontierArguments& arguments) {
  CLI::App* frontier =
      app.add_subcommand("frontier", "trace cost against infeasible decisions, as a table and a plot");
  frontier
      ->add_option("problem", arguments.problem,
                   "a name that 'polystepor list' shows, or a task file, whose predictions enter constraints")
      ->required();
  frontier->add_option("--method", arguments.method,
                       "that is held to limits: polystepor or polystepor-output [polystepor]");
  frontier->add_option("--points", arguments.points, "limits to train under [8]")->check(CLI::Range(1, 1000));
  frontier->add_option("--lowest", arguments.lowest, "limit on the share of infeasible decisions [0.02]");
  frontier->add_option("--highest", arguments.highest, "limit [0.6]");
  frontier->add_option("--seeds", arguments.seeds,
                       "such as 0-14 [0,3,6,9,12: every published data set once]");
  frontier->add_option("--out", arguments.out, "directory of the results [runs/frontier-PROBLEM]");
  frontier->add_flag("--resume", arguments.resume, "keep the runs found there and train what is missing");
  frontier->add_flag("--force", arguments.force, "replace the runs found there");
  add_grid_flags(*frontier, arguments);
  return frontier;
}

CLI::App* add_tune(CLI::App& app, TuneArguments& arguments) {
  CLI::App* tune = app.add_subcommand(
      "tune", "search option values by a Sobol design, trained on tuning seeds, chosen by validation cost");
  tune->add_option("problem", arguments.problem,
                   "a name that 'polystepor list' shows, or a task file of your own ending in .toml")
      ->required();
  tune->add_option("--method", arguments.method, "whose options are tuned [as for train]");
  tune->add_option("--preset", arguments.preset, "of options that are not tuned [the method's first]");
  tune->add_option("--axis", arguments.axes,
                   "option=log:LOW..HIGH, option=linear:LOW..HIGH or option=a,b,c: what to tune instead of "
                   "the ranges that the preset or method states")
      ->allow_extra_args(false);
  add_count_flag(*tune, "points", 1, 1'000'000, "of the design; powers of 2 spread evenly [32]",
                 [&](std::int64_t value) { arguments.points = value; });
  add_seed_flag(*tune, "of the design [0]", arguments.design_seed);
  tune->add_option("--seeds", arguments.seeds, "to train every point with, such as 7,8 or 0-4 [7,8]");
  tune->add_flag("--show", arguments.show, "print the points and train nothing");
  tune->add_option("--out", arguments.out, "directory of the results [runs/tune-PROBLEM-METHOD]");
  tune->add_flag("--resume", arguments.resume, "keep the runs found there and train what is missing");
  tune->add_flag("--force", arguments.force, "replace the runs found there");
  add_grid_flags(*tune, arguments);
  return tune;
}

CLI::App* add_district(CLI::App& app, DistrictArguments& arguments) {
  CLI::App* command = app.add_subcommand("district", "divide a city into districts and drive their tours");
  command
      ->add_option("city", arguments.city,
                   "a GeoJSON file, a published city such as London, or synthetic:N for N units")
      ->required();
  add_count_flag(*command, "target", 1, 1'000'000, "units per district, about (required)",
                 [&](std::int64_t value) { arguments.target = value; });
  command->get_option("--target")->required();
  add_count_flag(*command, "units", 2, 1'000'000, "only the first so many units [all]",
                 [&](std::int64_t value) { arguments.units = value; });
  command->add_option("--model", arguments.models,
                      "run of problem districting, or its model.bin; several are averaged");
  command->add_option("--method", arguments.method,
                      "without a model: centre-distance, bd, fig or avgtsp [centre-distance]");
  command->add_option("--name", arguments.name, "what the plan is called [the method's name]");
  add_seed_flag(*command, "of the search [0]", arguments.planning.seed);
  add_planning_flags(*command, arguments.planning);
  add_threads_flag(*command, arguments.planning.threads);
  command->add_option("--data", arguments.data, "benchmark data directory [POLYSTEPOR_DATA, ../shared/data]");
  command->add_option("--out", arguments.out,
                      "directory of districting.json, or a file that ends in .json "
                      "[runs/district-CITY-TARGET-METHOD]");
  command->add_flag("--force", arguments.force, "replace an existing file");
  command->add_flag("--quiet", arguments.quiet, "no progress");
  return command;
}

CLI::App* add_map(CLI::App& app, MapArguments& arguments) {
  CLI::App* command =
      app.add_subcommand("map", "draw districts as a page for browsers or a picture for papers");
  command->add_option("files", arguments.places, "districting files, or run directories that hold one")
      ->required();
  command->add_option("--out", arguments.out, "file to write [map.html, map.svg]");
  command->add_option("--format", arguments.format, "html or svg [html]")
      ->check(CLI::IsMember({"html", "svg"}));
  command->add_option("--methods", arguments.methods, "a,b: only these plans, in this order");
  command->add_flag("!--no-tours", arguments.tours, "leave tours out");
  command->add_flag("--force", arguments.force, "replace an existing file");
  return command;
}

CLI::App* add_export(CLI::App& app, ExportArguments& arguments) {
  CLI::App* command = app.add_subcommand("export", "write a trained predictor as a C header, ONNX or JSON");
  command->add_option("run", arguments.run, "run directory")->required();
  command->add_option("--format", arguments.format, "c-header, onnx or json")
      ->required()
      ->check(CLI::IsMember({"c-header", "onnx", "json"}));
  command->add_option("--out", arguments.out, "file to write [standard output]");
  command->add_option("--name", arguments.name, "start of the names in a C header [polystepor]");
  command->add_flag("--force", arguments.force, "replace an existing file");
  return command;
}

CLI::App* add_evaluate(CLI::App& app, EvaluateArguments& arguments) {
  CLI::App* evaluate = app.add_subcommand("evaluate", "measure a trained predictor again");
  evaluate->add_option("run", arguments.run, "run directory")->required();
  evaluate->add_option("--data", arguments.data, "benchmark data directory");
  add_threads_flag(*evaluate, arguments.threads);
  evaluate->add_flag("--json", arguments.json, "print JSON and nothing else");
  evaluate->add_option("--against", arguments.against,
                       "a run on the same data: the difference in regret, test row by test row");
  evaluate
      ->add_option("--fresh", arguments.fresh,
                   "measure on this many fresh rows besides, where the problem can draw them")
      ->check(CLI::Range(0, 1000000));
  evaluate->add_option("--fresh-seed", arguments.fresh_seed, "that fresh rows are drawn from")
      ->check(CLI::NonNegativeNumber);
  add_watch_flags(*evaluate, arguments.watch);
  return evaluate;
}

CLI::App* add_average(CLI::App& app, AverageArguments& arguments) {
  CLI::App* average = app.add_subcommand(
      "average", "make one model of several runs of a task: the mean of their predictions");
  average->add_option("runs", arguments.runs, "run directories, two or more")->required();
  average->add_option("--out", arguments.out, "run directory to write")->required();
  average->add_option("--data", arguments.data, "benchmark data directory");
  add_threads_flag(*average, arguments.threads);
  average->add_flag("--force", arguments.force, "replace an existing run");
  add_watch_flags(*average, arguments.watch);
  return average;
}

CLI::App* add_decide(CLI::App& app, DecideArguments& arguments) {
  CLI::App* decide = app.add_subcommand("decide", "decide new feature rows with a trained predictor");
  decide->add_option("run", arguments.run, "run directory")->required();
  decide->add_option("--features", arguments.features, "CSV with a header and one column per feature")
      ->required();
  decide->add_option("--known", arguments.known, "CSV with the known data of the same rows");
  decide->add_option("--out", arguments.out, "CSV to write, one decision per row")->required();
  decide->add_option("--data", arguments.data, "benchmark data directory");
  decide->add_flag("--force", arguments.force, "replace an existing file");
  add_watch_flags(*decide, arguments.watch);
  return decide;
}

CLI::App* add_demo(CLI::App& app, DemoArguments& arguments) {
  CLI::App* demo =
      app.add_subcommand("demo", "decision-focused training against least squares, in one table");
  add_seed_flag(*demo, "of the training runs [0]", arguments.seed);
  add_checked_flag(*demo, OptionTable().integer("degree", 8, 1, 16, ""), "degree",
                   "of the shortest-path data [8]",
                   [&arguments](const Options& options) { arguments.degree = options.integer("degree"); });
  add_threads_flag(*demo, arguments.threads);
  demo->add_flag("--quiet", arguments.quiet, "no progress");
  return demo;
}

}  // namespace polystep
