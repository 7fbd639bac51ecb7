#include <fmt/format.h>

#include <filesystem>

#include "base/files.hpp"
#include "commands.hpp"
#include "data/data_directory.hpp"
#include "filed_grid.hpp"
#include "polystep/error.hpp"
#include "report/ablation_markdown.hpp"
#include "report/comparison_html.hpp"
#include "report/comparison_markdown.hpp"
#include "run_arguments.hpp"
#include "runtime/bench/ablation_grid.hpp"
#include "statistics/ablation.hpp"

namespace polystep {
namespace {

GridRequest grid_request(const BenchArguments& arguments) {
  GridRequest request;
  request.suite = arguments.suite == "in-constraint" ? Suite::kConstraint : Suite::kClassical;
  if (arguments.problems) request.problems = parse_names(*arguments.problems, "--problems");
  if (arguments.methods) request.methods = parse_names(*arguments.methods, "--methods");
  if (arguments.preset) request.preset = *arguments.preset;
  if (arguments.seeds) request.seeds = parse_seeds(*arguments.seeds, "--seeds");
  request.data = arguments.data;
  if (arguments.source) request.given.push_back({"source", *arguments.source, "--source"});
  for (const std::string& assignment : arguments.assignments)
    request.given.push_back(parse_assignment(assignment));
  return request;
}

void refuse_districting_flags(const BenchArguments& arguments) {
  if (!arguments.models.empty() || !arguments.averages.empty() || arguments.small || arguments.sizes ||
      arguments.large || arguments.drawn > 0 || arguments.published_limit || arguments.published_tours)
    throw InputError(
        fmt::format("polystepor bench {}: found --models, --averages, --small, --sizes, --large, --drawn, "
                    "--published-limit or --published-tours, expected them with suite districting alone",
                    arguments.suite));
}

// Writes the tables next to results.csv and returns them as Markdown.
std::string write_pages(const std::filesystem::path& directory, const std::vector<RunRecord>& runs,
                        const std::string& suite) {
  if (suite == "ablation") {
    const std::string markdown = render_ablation(tabulate_ablation(runs, "best"));
    write_file(directory / "results.md", markdown);
    return markdown;
  }
  const std::string title =
      suite == "classical" ? "Classical benchmarks" : "Benchmarks with predicted constraints";
  const std::vector<ProblemComparison> tables = compare_runs(runs);
  const std::string markdown = render_markdown(tables, title);
  write_file(directory / "results.md", markdown);
  write_file(directory / "results.html", render_html(tables, title));
  return markdown;
}

}  // namespace

int bench_command(const BenchArguments& arguments, const ProblemRegistry& problems) {
  if (arguments.suite == "districting") return bench_districting_command(arguments, problems);
  if (arguments.suite == "alloy") return bench_alloy_command(arguments, problems);
  refuse_districting_flags(arguments);
  const bool ablation = arguments.suite == "ablation";
  if (ablation && (arguments.methods || arguments.preset))
    throw InputError(
        "polystepor bench ablation: found --methods or --preset, expected neither: it compares preset best "
        "of polystepor with itself");
  const GridRequest request = grid_request(arguments);
  const std::vector<GridCell> cells =
      ablation ? ablation_grid(problems, request) : benchmark_grid(problems, request);
  find_data_directory(arguments.data.value_or(""));  // a wrong --data is refused once, not for every run
  const std::filesystem::path directory = arguments.out.value_or("runs/bench-" + arguments.suite);
  const FiledGrid grid({.command = "polystepor bench",
                        .directory = directory,
                        .threads = arguments.threads,
                        .resume = arguments.resume,
                        .force = arguments.force,
                        .quiet = arguments.quiet},
                       cells);
  return grid.finish(write_pages(directory, grid.runs(), arguments.suite));
}

}  // namespace polystep
