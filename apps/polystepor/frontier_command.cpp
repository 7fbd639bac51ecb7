#include <fmt/format.h>

#include <filesystem>

#include "base/files.hpp"
#include "commands.hpp"
#include "data/data_directory.hpp"
#include "filed_grid.hpp"
#include "own/own_task.hpp"
#include "polystep/error.hpp"
#include "report/frontier.hpp"
#include "run_arguments.hpp"
#include "runtime/bench/frontier_grid.hpp"

namespace polystep {
namespace {

FrontierRequest request_of(const FrontierArguments& arguments) {
  FrontierRequest request;
  request.problem = arguments.problem;
  if (names_task_file(arguments.problem)) {
    request.problem = kOwnProblem;
    request.given.push_back({"task-file", arguments.problem, "polystepor"});
  }
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
  find_data_directory(arguments.data.value_or(""));  // a wrong --data is refused once, not for every run
  const std::vector<GridCell> cells = frontier_grid(problems, request_of(arguments));
  const std::string name = names_task_file(arguments.problem)
                               ? std::filesystem::path(arguments.problem).stem().string()
                               : arguments.problem;
  const std::filesystem::path directory = arguments.out.value_or("runs/frontier-" + name);
  const FiledGrid grid({.command = "polystepor frontier",
                        .directory = directory,
                        .threads = arguments.threads,
                        .resume = arguments.resume,
                        .force = arguments.force,
                        .quiet = arguments.quiet},
                       cells);
  const std::vector<FrontierPoint> points = tabulate_frontier(grid.runs());
  const std::string setting = grid.runs().empty() ? "" : grid.runs().front().setting;
  write_file(directory / "frontier.csv", frontier_csv(points));
  write_file(
      directory / "frontier.svg",
      plot_svg(frontier_plot(points, fmt::format("{}, {}: cost against infeasibility", name, setting))));
  return grid.finish(frontier_text(points));
}

}  // namespace polystep
