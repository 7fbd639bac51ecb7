// Turns argv into arguments for the commands and calls the one that is meant.
#include "polystep/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <new>

#include "base/console.hpp"
#include "base/option_value.hpp"
#include "command_flags.hpp"
#include "command_words.hpp"
#include "commands.hpp"
#include "interrupts.hpp"
#include "known_data.hpp"
#include "polystep/error.hpp"
#include "polystep/version.hpp"

namespace polystep {
namespace {

constexpr int kFailed = 1;
constexpr int kBadInput = 2;

std::vector<std::string> flag_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// What the library could not place: an unknown flag, or a word too many. `options`: flags that the command
// has besides those that were set up.
std::string explain_extra(const CLI::App& command, const std::vector<std::string>& options,
                          const std::string& where) {
  const std::vector<std::string> extras = command.remaining();
  const auto flag = std::find_if(extras.begin(), extras.end(),
                                 [](const std::string& extra) { return extra.starts_with("-"); });
  if (flag == extras.end())
    return fmt::format("{}: found {}, expected nothing more", where,
                       in_quotes(extras.empty() ? "" : extras.front()));
  const std::string name = flag->substr(0, flag->find('='));
  std::vector<std::string> known = flag_names(command);
  known.insert(known.end(), options.begin(), options.end());
  const std::string nearest = nearest_name(name, known);
  return fmt::format("{}: unknown flag {}; {}", where, in_quotes(name),
                     nearest.empty() ? fmt::format("'{} --help' shows the choices", where)
                                     : fmt::format("did you mean '{}'?", nearest));
}

// The library's own messages, reworded to one sentence that says what was found and what was expected.
std::string reworded(const CLI::App& app, const std::vector<std::string>& options,
                     const CLI::ParseError& error) {
  const CLI::App* command = &app;
  for (const CLI::App* chosen : app.get_subcommands()) command = chosen;
  const std::string where = command == &app ? "polystepor" : "polystepor " + command->get_name();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
    return explain_extra(*command, options, where);
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

// Whether commands are carried out, or only their words read.
enum class Mode { kCarryOut, kReadOnly };

int dispatch(int argc, char** argv, const ProblemRegistry& problems, Mode mode) {
  CLI::App app("PolyStepOR trains predictors by the cost of the decisions they lead to.", "polystepor");
  app.set_version_flag("--version", kVersion);
  app.failure_message([](const CLI::App*, const CLI::Error&) { return std::string(); });

  const OptionFlags option_flags(problems, argc, argv);
  TrainArguments train_arguments;
  CLI::App* train = add_train(app, option_flags, train_arguments);

  EvaluateArguments evaluate_arguments;
  CLI::App* evaluate = add_evaluate(app, evaluate_arguments);
  AverageArguments average_arguments;
  CLI::App* average = add_average(app, average_arguments);
  DecideArguments decide_arguments;
  CLI::App* decide = add_decide(app, decide_arguments);
  PlanArguments plan_arguments;
  CLI::App* plan = add_plan(app, option_flags, plan_arguments);
  CheckArguments check_arguments;
  CLI::App* check = add_check(app, option_flags, check_arguments);
  ExplainArguments explain_arguments;
  CLI::App* explain = add_explain(app, explain_arguments);

  BenchArguments bench_arguments;
  CLI::App* bench = add_bench(app, bench_arguments);
  CompareArguments compare_arguments;
  CLI::App* compare = add_compare(app, compare_arguments);
  FrontierArguments frontier_arguments;
  CLI::App* frontier = add_frontier(app, frontier_arguments);
  TuneArguments tune_arguments;
  CLI::App* tune = add_tune(app, tune_arguments);

  CurveArguments curve_arguments;
  CLI::App* curve = add_curve(app, curve_arguments);
  DistrictArguments district_arguments;
  CLI::App* district = add_district(app, district_arguments);
  MapArguments map_arguments;
  CLI::App* map = add_map(app, map_arguments);
  ExportArguments export_arguments;
  CLI::App* export_model = add_export(app, export_arguments);

  CLI::App* list = app.add_subcommand("list", "show problems, methods and presets");
  CLI::App* options = app.add_subcommand("options", "print all options as Markdown (docs/options.md)");

  DemoArguments demo_arguments;
  CLI::App* demo = add_demo(app, demo_arguments);

  const std::vector<std::string> commands = command_names(app);
  if (argc > 1 && argv[1][0] != '-' && std::find(commands.begin(), commands.end(), argv[1]) == commands.end())
    throw_unknown_name("polystepor", "command", argv[1], commands);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return mode == Mode::kReadOnly ? 0 : app.exit(success);
  } catch (const CLI::ParseError& error) {
    const bool has_option_flags = train->parsed() || plan->parsed() || check->parsed();
    throw InputError(
        reworded(app, has_option_flags ? option_flags.all_names() : std::vector<std::string>(), error));
  }
  if (mode == Mode::kReadOnly) return 0;
  if (train->parsed()) return train_command(train_arguments, problems);
  if (plan->parsed()) return plan_command(plan_arguments, problems);
  if (check->parsed()) return check_command(check_arguments, problems);
  if (explain->parsed()) return explain_command(explain_arguments, problems);
  if (evaluate->parsed()) return evaluate_command(evaluate_arguments, problems);
  if (average->parsed()) return average_command(average_arguments, problems);
  if (decide->parsed())
    return decide_command(decide_arguments, with_known_data(problems, decide_arguments.known));
  if (bench->parsed()) return bench_command(bench_arguments, problems);
  if (curve->parsed()) return curve_command(curve_arguments, problems);
  if (compare->parsed()) return compare_command(compare_arguments);
  if (district->parsed()) return district_command(district_arguments, problems);
  if (map->parsed()) return map_command(map_arguments);
  if (export_model->parsed()) return export_command(export_arguments);
  if (frontier->parsed()) return frontier_command(frontier_arguments, problems);
  if (tune->parsed()) return tune_command(tune_arguments, problems);
  if (list->parsed()) return list_command(problems);
  if (options->parsed()) return options_command(problems);
  if (demo->parsed()) return demo_command(demo_arguments, problems);
  print_out("{}", app.help());
  return 0;
}

}  // namespace

void check_command_words(int argc, char** argv, const ProblemRegistry& problems) {
  dispatch(argc, argv, problems, Mode::kReadOnly);
}

int run_command_line(int argc, char** argv, const ProblemRegistry& problems) try {
  prepare_console();
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is then a failed write, like a full disk
  const int exit_code = dispatch(argc, argv, problems, Mode::kCarryOut);
  finish_out();
  return exit_code;
} catch (const Stopped&) {
  print_err("{}\n", interrupt_requested() ? "Stopped." : "Out of time.");
  return kInterrupted;
} catch (const InputError& error) {
  print_err("{}\n", error.what());
  return kBadInput;
} catch (const OutputError& error) {
  print_err("{}\n", error.what());
  return kFailed;
} catch (const std::bad_alloc&) {
  print_err(
      "polystepor: there is not enough memory for this; a smaller network, batch or table takes less\n");
  return kFailed;
} catch (const std::exception& error) {
  print_err("polystepor: unexpected failure: {}\n", error.what());
  return kFailed;
}

}  // namespace polystep
