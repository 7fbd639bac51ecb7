// Turns argv into arguments for the commands. The only file that knows the command-line library.
#include "polystep/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <functional>
#include <limits>
#include <set>
#include <system_error>

#include "base/option_value.hpp"
#include "commands.hpp"
#include "frontier_command.hpp"
#include "known_data.hpp"
#include "polystep/error.hpp"
#include "polystep/method.hpp"
#include "polystep/version.hpp"
#include "runtime/config_file.hpp"

namespace polystep {
namespace {

constexpr int kBadInput = 2;
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

// Every option of every problem and method becomes a flag of `train`; which of them apply is judged later, by
// the problem and method chosen.
void add_table_flags(CLI::App& command, const OptionTable& table, const std::string& group,
                     TrainArguments& arguments, std::set<std::string>& added) {
  for (const OptionSpec& spec : table.specs()) {
    if (!added.insert(spec.name).second) continue;
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

// What says which run is meant.
void add_run_flags(CLI::App& command, const ProblemRegistry& problems, TrainArguments& arguments) {
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
  for (const ProblemEntry& problem : problems.entries())
    add_table_flags(command, problem.options, "Options of problem " + problem.name, arguments, added);
  for (const MethodEntry& method : methods())
    add_table_flags(command, method.options, "Options of method " + method.name, arguments, added);
}

CLI::App* add_train(CLI::App& app, const ProblemRegistry& problems, TrainArguments& arguments) {
  CLI::App* train = app.add_subcommand("train", "train a predictor and write a run directory");
  add_run_flags(*train, problems, arguments);
  train->add_option("--out", arguments.out, "run directory [runs/<problem>-<method>-<seed>]");
  add_checked_flag(
      *train, run_options(), "max-seconds", "stop training after this long",
      [&arguments](const Options& options) { arguments.max_seconds = options.number("max-seconds"); });
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

CLI::App* add_plan(CLI::App& app, const ProblemRegistry& problems, PlanArguments& arguments) {
  CLI::App* plan = app.add_subcommand("plan", "say what a training would do and take, without running it");
  add_run_flags(*plan, problems, arguments.run);
  plan->add_option("--save", arguments.save, "TOML file to write, for 'polystepor train --config'");
  plan->add_flag("--force", arguments.force, "replace an existing file");
  plan->add_flag("--json", arguments.json, "print JSON and nothing else");
  return plan;
}

CLI::App* add_check(CLI::App& app, const ProblemRegistry& problems, CheckArguments& arguments) {
  CLI::App* check =
      app.add_subcommand("check", "look closely at a task before training: data, model, solves");
  add_run_flags(*check, problems, arguments.run);
  check->add_flag("!--no-plan", arguments.plan, "leave out the forecast, which takes a rehearsal");
  return check;
}

CLI::App* add_explain(CLI::App& app, ExplainArguments& arguments) {
  CLI::App* explain = app.add_subcommand("explain", "say what a finished run did and what limited it");
  explain->add_option("run", arguments.run, "run directory")->required();
  explain->add_option("--data", arguments.data, "benchmark data directory");
  add_checked_flag(*explain, OptionTable().integer("pairs", 256, 1, 1000000, ""), "pairs",
                   "instances and directions to measure flip distances of [256]",
                   [&arguments](const Options& options) { arguments.pairs = options.integer("pairs"); });
  explain->add_flag("--json", arguments.json, "print JSON and nothing else");
  return explain;
}

CLI::App* add_bench(CLI::App& app, BenchArguments& arguments) {
  CLI::App* bench = app.add_subcommand("bench", "run a benchmark's whole grid and compare the methods");
  bench
      ->add_option(
          "suite", arguments.suite,
          "classical or in-constraint: the published methods on their problems; ablation: the parts of "
          "polystepor's preset best")
      ->required()
      ->check(CLI::IsMember({"classical", "in-constraint", "ablation"}));
  bench->add_option("--problems", arguments.problems, "a,b [all of the benchmark]");
  bench->add_option("--methods", arguments.methods, "a,b or with a preset of its own a,b:preset [all]");
  bench->add_option("--preset", arguments.preset, "of methods that name none [paper]");
  bench->add_option("--seeds", arguments.seeds, "such as 0-9 or 0,3,5-7 [0-9, in-constraint: 0-14]");
  bench->add_option("--source", arguments.source, "of the data: auto, published or generated [auto]");
  bench->add_option("--set", arguments.assignments, "key=value, wherever a problem or method has the option")
      ->allow_extra_args(false);
  bench->add_option("--threads", arguments.threads, "runs side by side; results do not depend on it [1]")
      ->check(CLI::Range(1, 4096));
  bench->add_option("--out", arguments.out, "directory of the results [runs/bench-SUITE]");
  bench->add_option("--data", arguments.data, "benchmark data directory [POLYSTEPOR_DATA, ../shared/data]");
  bench->add_flag("--resume", arguments.resume, "keep the results found there and run what is missing");
  bench->add_flag("--force", arguments.force, "replace the results found there");
  bench->add_flag("--quiet", arguments.quiet, "no progress");
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
  curve->add_option("problem", arguments.problem, "of the classical benchmark")->required();
  curve->add_option("--methods", arguments.methods,
                    "a,b:preset; the first sets the mark [polystepor:paper,polystepor:best,"
                    "polystepor-output:best,fenchel-young]");
  curve->add_option("--seeds", arguments.seeds, "such as 0-9 or 0,3,5-7 [0-9]");
  curve
      ->add_option("--set", arguments.assignments,
                   "key=value, wherever the problem or a method has the option")
      ->allow_extra_args(false);
  curve->add_option("--threads", arguments.threads, "runs side by side; results do not depend on it [1]")
      ->check(CLI::Range(1, 4096));
  curve->add_option("--out", arguments.out, "directory of curve.csv and curve.svg [runs/curve-PROBLEM]");
  curve->add_option("--data", arguments.data, "benchmark data directory [POLYSTEPOR_DATA, ../shared/data]");
  curve->add_flag("--force", arguments.force, "replace existing files");
  curve->add_flag("--quiet", arguments.quiet, "no progress");
  return curve;
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

std::vector<std::string> flag_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// What the library could not place: an unknown flag, or a word too many.
std::string explain_extra(const CLI::App& command, const std::string& where) {
  const std::vector<std::string> extras = command.remaining();
  const auto flag = std::find_if(extras.begin(), extras.end(),
                                 [](const std::string& extra) { return extra.starts_with("-"); });
  if (flag == extras.end())
    return fmt::format("{}: found {}, expected nothing more", where,
                       in_quotes(extras.empty() ? "" : extras.front()));
  const std::string name = flag->substr(0, flag->find('='));
  const std::string nearest = nearest_name(name, flag_names(command));
  return fmt::format("{}: unknown flag {}; {}", where, in_quotes(name),
                     nearest.empty() ? fmt::format("'{} --help' shows the choices", where)
                                     : fmt::format("did you mean '{}'?", nearest));
}

// The library's own messages, reworded to one sentence that says what was found and what was expected.
std::string reworded(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = &app;
  for (const CLI::App* chosen : app.get_subcommands()) command = chosen;
  const std::string where = command == &app ? "polystepor" : "polystepor " + command->get_name();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return explain_extra(*command, where);
  std::string text = error.what();
  const std::string flag = text.substr(0, text.find(':'));
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const bool repeated = text.find("but received") != std::string::npos;
    return fmt::format(
        "{}: {} {}", where, flag,
        repeated ? "is given more than once, expected one value" : "has no value, expected one");
  }
  while (!text.empty() && (text.back() == '\n' || text.back() == '.')) text.pop_back();
  return fmt::format("{}: {} (see '{} --help')", where, text, where);
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

int dispatch(int argc, char** argv, const ProblemRegistry& problems) {
  CLI::App app("PolyStepOR trains predictors by the cost of the decisions they lead to.", "polystepor");
  app.set_version_flag("--version", kVersion);
  app.failure_message([](const CLI::App*, const CLI::Error&) { return std::string(); });

  TrainArguments train_arguments;
  CLI::App* train = add_train(app, problems, train_arguments);

  EvaluateArguments evaluate_arguments;
  CLI::App* evaluate = app.add_subcommand("evaluate", "measure a trained predictor again");
  evaluate->add_option("run", evaluate_arguments.run, "run directory")->required();
  evaluate->add_option("--data", evaluate_arguments.data, "benchmark data directory");
  add_threads_flag(*evaluate, evaluate_arguments.threads);
  evaluate->add_flag("--json", evaluate_arguments.json, "print JSON and nothing else");

  DecideArguments decide_arguments;
  CLI::App* decide = app.add_subcommand("decide", "decide new feature rows with a trained predictor");
  decide->add_option("run", decide_arguments.run, "run directory")->required();
  decide->add_option("--features", decide_arguments.features, "CSV with a header and one column per feature")
      ->required();
  decide->add_option("--known", decide_arguments.known, "CSV with the known data of the same rows");
  decide->add_option("--out", decide_arguments.out, "CSV to write, one decision per row")->required();
  decide->add_option("--data", decide_arguments.data, "benchmark data directory");
  decide->add_flag("--force", decide_arguments.force, "replace an existing file");

  PlanArguments plan_arguments;
  CLI::App* plan = add_plan(app, problems, plan_arguments);
  CheckArguments check_arguments;
  CLI::App* check = add_check(app, problems, check_arguments);
  ExplainArguments explain_arguments;
  CLI::App* explain = add_explain(app, explain_arguments);

  BenchArguments bench_arguments;
  CLI::App* bench = add_bench(app, bench_arguments);
  CompareArguments compare_arguments;
  CLI::App* compare = add_compare(app, compare_arguments);
  FrontierArguments frontier_arguments;
  CLI::App* frontier = add_frontier(app, frontier_arguments);

  CurveArguments curve_arguments;
  CLI::App* curve = add_curve(app, curve_arguments);
  ExportArguments export_arguments;
  CLI::App* export_model = add_export(app, export_arguments);

  CLI::App* list = app.add_subcommand("list", "show problems, methods and presets");
  CLI::App* options = app.add_subcommand("options", "print all options as Markdown (docs/options.md)");

  DemoArguments demo_arguments;
  CLI::App* demo =
      app.add_subcommand("demo", "decision-focused training against least squares, in one table");
  add_seed_flag(*demo, "of the training runs [0]", demo_arguments.seed);
  add_checked_flag(
      *demo, OptionTable().integer("degree", 8, 1, 16, ""), "degree", "of the shortest-path data [8]",
      [&demo_arguments](const Options& options) { demo_arguments.degree = options.integer("degree"); });
  add_threads_flag(*demo, demo_arguments.threads);
  demo->add_flag("--quiet", demo_arguments.quiet, "no progress");

  const std::vector<std::string> commands = command_names(app);
  if (argc > 1 && argv[1][0] != '-' && std::find(commands.begin(), commands.end(), argv[1]) == commands.end())
    throw_unknown_name("polystepor", "command", argv[1], commands);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    throw InputError(reworded(app, error));
  }
  if (train->parsed()) return train_command(train_arguments, problems);
  if (plan->parsed()) return plan_command(plan_arguments, problems);
  if (check->parsed()) return check_command(check_arguments, problems);
  if (explain->parsed()) return explain_command(explain_arguments, problems);
  if (evaluate->parsed()) return evaluate_command(evaluate_arguments, problems);
  if (decide->parsed())
    return decide_command(decide_arguments, with_known_data(problems, decide_arguments.known));
  if (bench->parsed()) return bench_command(bench_arguments, problems);
  if (curve->parsed()) return curve_command(curve_arguments, problems);
  if (compare->parsed()) return compare_command(compare_arguments);
  if (export_model->parsed()) return export_command(export_arguments);
  if (frontier->parsed()) return frontier_command(frontier_arguments, problems);
  if (list->parsed()) return list_command(problems);
  if (options->parsed()) return options_command(problems);
  if (demo->parsed()) return demo_command(demo_arguments, problems);
  fmt::print("{}", app.help());
  return 0;
}

// Output may fail while it is printed or only when the last of it leaves the buffer.
int dispatch_and_flush(int argc, char** argv, const ProblemRegistry& problems) {
  const InputError failure("cannot write to standard output, expected room for the result");
  try {
    const int exit_code = dispatch(argc, argv, problems);
    if (std::fflush(stdout) != 0) throw failure;
    return exit_code;
  } catch (const std::system_error&) {
    if (std::ferror(stdout) != 0) throw failure;
    throw;
  }
}

}  // namespace

int run_command_line(int argc, char** argv, const ProblemRegistry& problems) try {
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is then a failed write, like a full disk
  return dispatch_and_flush(argc, argv, problems);
} catch (const InputError& error) {
  fmt::print(stderr, "{}\n", error.what());
  return kBadInput;
} catch (const std::exception& error) {
  fmt::print(stderr, "polystepor: unexpected failure: {}\n", error.what());
  return 1;
}

}  // namespace polystep
