#include <fmt/format.h>

#include <filesystem>

#include "base/files.hpp"
#include "commands.hpp"
#include "data/data_directory.hpp"
#include "filed_grid.hpp"
#include "polystep/error.hpp"
#include "report/alloy_report.hpp"
#include "run_arguments.hpp"
#include "runtime/bench/alloy_grid.hpp"
#include "runtime/bench/blind_curve.hpp"

namespace polystep {
namespace {

constexpr std::uint64_t kFreshSeed = 77;
constexpr std::size_t kBlindRows = 2000;

GridRequest alloy_request(const BenchArguments& arguments) {
  if (!arguments.models.empty() || !arguments.averages.empty() || arguments.sizes || arguments.large ||
      arguments.drawn > 0 || arguments.published_limit || arguments.published_tours || arguments.problems)
    throw InputError(
        "polystepor bench alloy: found --problems, --models, --averages, --sizes, --large, --drawn, "
        "--published-limit or --published-tours, expected none of them; --set profile=arc chooses the data");
  GridRequest request;
  if (arguments.methods) request.methods = parse_names(*arguments.methods, "--methods");
  if (arguments.preset) request.preset = *arguments.preset;
  if (arguments.seeds) request.seeds = parse_seeds(*arguments.seeds, "--seeds");
  request.data = arguments.data;
  request.given.push_back({"source", arguments.source.value_or("generated"), "--source"});
  for (const std::string& assignment : arguments.assignments)
    request.given.push_back(parse_assignment(assignment));
  if (arguments.source.value_or("generated") == "generated")
    request.fresh = {kFreshSeed, 0, static_cast<std::size_t>(arguments.fresh)};
  return request;
}

// Prices and contents do not depend on the features, of which one is then enough.
std::vector<BlindPoint> curve_of(const GridCell& cell, ThreadTeam& team) {
  Options options = cell.request.problem_options;
  options.set("features", std::int64_t{1}, "features");
  const Task task = cell.request.problem->make_fresh(options, {}, {kFreshSeed, 0, kBlindRows});
  std::vector<double> levels;
  for (int level = 16; level <= 34; ++level) levels.push_back(level);
  return blind_curve(task, levels, team);
}

}  // namespace

int bench_alloy_command(const BenchArguments& arguments, const ProblemRegistry& problems) {
  const GridRequest request = alloy_request(arguments);
  const std::vector<GridCell> cells = alloy_grid(problems, request);
  find_data_directory(arguments.data.value_or(""));  // a wrong --data is refused once, not for every run
  const std::filesystem::path directory = arguments.out.value_or("runs/bench-alloy");
  const FiledGrid grid({.command = "polystepor bench",
                        .directory = directory,
                        .threads = arguments.threads,
                        .resume = arguments.resume,
                        .force = arguments.force,
                        .quiet = arguments.quiet},
                       cells);
  const std::vector<AlloyTable> tables = compare_alloy_runs(grid.runs());
  std::vector<BlindPoint> blind;
  if (request.fresh.count > 0 || arguments.source.value_or("generated") == "generated") {
    ThreadTeam team(1);
    if (!cells.empty()) blind = curve_of(cells.front(), team);
  }
  const std::string markdown = alloy_markdown(tables, blind);
  write_file(directory / "results.md", markdown);
  for (const AlloyTable& one : tables) {
    std::string name = one.setting.substr(0, one.setting.find(' '));
    std::ranges::replace(name, '=', '-');
    write_file(directory / (name + ".svg"), plot_svg(alloy_plot(one, blind, true)));
  }
  return grid.finish(markdown);
}

}  // namespace polystep
