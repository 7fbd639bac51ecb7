#include <fmt/format.h>

#include <filesystem>

#include "base/console.hpp"
#include "base/files.hpp"
#include "commands.hpp"
#include "data/data_directory.hpp"
#include "polystep/error.hpp"
#include "report/frontier.hpp"
#include "run_arguments.hpp"
#include "runtime/bench/finished_runs.hpp"
#include "runtime/bench/frontier_grid.hpp"
#include "runtime/bench/grid_runner.hpp"

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
  for (const std::string& assignment : arguments.assignments)
    request.given.push_back(parse_assignment(assignment));
  return request;
}

}  // namespace

int frontier_command(const FrontierArguments& arguments, const ProblemRegistry& problems) {
  const ExistingResults existing = existing_results("polystepor frontier", arguments.resume, arguments.force);
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
  print_out("{}\n{} runs trained, {} found already; written to {}\n", frontier_text(points), outcome.trained,
            outcome.skipped, directory.string());
  for (const std::string& failure : outcome.failures) print_err("{}\n", failure);
  return outcome.failures.empty() ? 0 : kSomeFailed;
}

}  // namespace polystep
