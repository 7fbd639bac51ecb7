#include "frontier_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "base/files.hpp"
#include "data/data_directory.hpp"
#include "polystep/error.hpp"
#include "report/frontier.hpp"
#include "runtime/finished_runs.hpp"
#include "runtime/frontier_grid.hpp"
#include "runtime/grid_runner.hpp"

namespace polystep {
namespace {

constexpr int kSomeFailed = 2;

FrontierRequest request_of(const FrontierArguments& arguments) {
  FrontierRequest request;
  request.problem = arguments.problem;
  request.method = arguments.method;
  request.points = static_cast<std::size_t>(arguments.points);
  request.lowest = arguments.lowest;
  request.highest = arguments.highest;
  request.seeds = parse_seeds(arguments.seeds, "--seeds");
  request.data = arguments.data;
  for (const std::string& assignment : arguments.assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InputError(fmt::format("--set: found '{}', expected key=value", assignment));
    request.given.push_back({assignment.substr(0, equals), assignment.substr(equals + 1), "--set"});
  }
  return request;
}

ExistingResults existing_results(const FrontierArguments& arguments) {
  if (arguments.resume && arguments.force)
    throw InputError("polystepor frontier: found both --resume and --force, expected one of them");
  if (arguments.resume) return ExistingResults::kResume;
  return arguments.force ? ExistingResults::kReplace : ExistingResults::kRefuse;
}

}  // namespace

CLI::App* add_frontier(CLI::App& app, FrontierArguments& arguments) {
  CLI::App* frontier =
      app.add_subcommand("frontier", "trace cost against infeasible decisions, as a table and a plot");
  frontier->add_option("problem", arguments.problem, "whose predictions enter constraints")->required();
  frontier->add_option("--method", arguments.method,
                       "that is held to limits: polystepor or polystepor-output [polystepor]");
  frontier->add_option("--points", arguments.points, "limits to train under [8]")->check(CLI::Range(1, 1000));
  frontier->add_option("--lowest", arguments.lowest, "limit on the share of infeasible decisions [0.02]");
  frontier->add_option("--highest", arguments.highest, "limit [0.6]");
  frontier->add_option("--seeds", arguments.seeds,
                       "such as 0-14 [0,3,6,9,12: every published data set once]");
  frontier
      ->add_option("--set", arguments.assignments, "key=value, wherever the problem or method has the option")
      ->allow_extra_args(false);
  frontier->add_option("--threads", arguments.threads, "runs side by side; results do not depend on it [1]")
      ->check(CLI::Range(1, 4096));
  frontier->add_option("--out", arguments.out, "directory of the results [runs/frontier-PROBLEM]");
  frontier->add_option("--data", arguments.data,
                       "benchmark data directory [POLYSTEPOR_DATA, ../shared/data]");
  frontier->add_flag("--resume", arguments.resume, "keep the runs found there and train what is missing");
  frontier->add_flag("--force", arguments.force, "replace the runs found there");
  frontier->add_flag("--quiet", arguments.quiet, "no progress");
  return frontier;
}

int frontier_command(const FrontierArguments& arguments, const ProblemRegistry& problems) {
  const ExistingResults existing = existing_results(arguments);
  find_data_directory(arguments.data.value_or(""));  // a wrong --data is refused once, not for every run
  const std::vector<GridCell> cells = frontier_grid(problems, request_of(arguments));
  const std::filesystem::path directory = arguments.out.value_or("runs/frontier-" + arguments.problem);
  ensure_writable_directory(directory);
  const std::filesystem::path table = directory / "results.csv";
  GridOutcome outcome;
  {
    ResultsFile results(table, existing);
    Progress progress(progress_style_for_stderr(arguments.quiet));
    outcome = run_grid(cells, results, static_cast<std::size_t>(arguments.threads), progress);
  }
  const std::vector<RunRecord> runs = load_finished_runs(table).runs;
  const std::vector<FrontierPoint> points = tabulate_frontier(runs);
  const std::string setting = runs.empty() ? "" : runs.front().setting;
  write_file(directory / "frontier.csv", frontier_csv(points));
  write_file(directory / "frontier.svg",
             plot_svg(frontier_plot(
                 points, fmt::format("{}, {}: cost against infeasibility", arguments.problem, setting))));
  fmt::print("{}\n{} runs trained, {} found already; written to {}\n", frontier_text(points), outcome.trained,
             outcome.skipped, directory.string());
  for (const std::string& failure : outcome.failures) fmt::print(stderr, "{}\n", failure);
  return outcome.failures.empty() ? 0 : kSomeFailed;
}

}  // namespace polystep
