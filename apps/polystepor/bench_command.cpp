#include <fmt/format.h>

#include <filesystem>

#include "base/console.hpp"
#include "base/files.hpp"
#include "commands.hpp"
#include "data/data_directory.hpp"
#include "polystep/error.hpp"
#include "report/ablation_markdown.hpp"
#include "report/comparison_html.hpp"
#include "report/comparison_markdown.hpp"
#include "run_arguments.hpp"
#include "runtime/bench/ablation_grid.hpp"
#include "runtime/bench/finished_runs.hpp"
#include "runtime/bench/grid_runner.hpp"
#include "statistics/ablation.hpp"

namespace polystep {
namespace {

constexpr int kSomeFailed = 2;

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
      arguments.large || arguments.drawn > 0)
    throw InputError(
        fmt::format("polystepor bench {}: found --models, --averages, --small, --sizes, --large or --drawn, "
                    "expected them with suite districting alone",
                    arguments.suite));
}

void print_failures(const std::vector<std::string>& failures) {
  if (failures.empty()) return;
  print_err("{} run{} failed:\n", failures.size(), failures.size() == 1 ? "" : "s");
  for (const std::string& failure : failures) print_err("  {}\n", failure);
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
  const ExistingResults existing = existing_results("polystepor bench", arguments.resume, arguments.force);
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
  ensure_writable_directory(directory);
  const std::filesystem::path table = directory / "results.csv";
  GridOutcome outcome;
  {
    ResultsFile results(table, existing);
    Progress progress(progress_style_for_stderr(arguments.quiet));
    outcome = run_grid(cells, results, static_cast<std::size_t>(arguments.threads), progress);
  }
  // Also what earlier calls left there: a table may be filled bit by bit.
  const std::string markdown = write_pages(directory, load_finished_runs(table).runs, arguments.suite);
  print_out("{}\n{} runs trained, {} found already; written to {}\n", markdown, outcome.trained,
            outcome.skipped, directory.string());
  print_failures(outcome.failures);
  return outcome.failures.empty() ? 0 : kSomeFailed;
}

}  // namespace polystep
