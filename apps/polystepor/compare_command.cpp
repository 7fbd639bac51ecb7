#include <fmt/format.h>

#include <filesystem>

#include "base/console.hpp"
#include "base/files.hpp"
#include "commands.hpp"
#include "polystep/error.hpp"
#include "report/comparison_html.hpp"
#include "report/comparison_markdown.hpp"
#include "runtime/bench/finished_runs.hpp"

namespace polystep {

int compare_command(const CompareArguments& arguments) {
  if (arguments.html && std::filesystem::exists(*arguments.html) && !arguments.force)
    throw InputError(fmt::format(
        "polystepor compare: {} exists, expected a new file; give --force to replace it", *arguments.html));
  std::vector<RunRecord> runs;
  for (const std::string& place : arguments.places) {
    const FinishedRuns found = load_finished_runs(place);
    runs.insert(runs.end(), found.runs.begin(), found.runs.end());
    for (const std::string& note : found.notes) print_err("{}\n", note);
  }
  const std::vector<ProblemComparison> tables = compare_runs(runs);
  if (arguments.html) write_file(*arguments.html, render_html(tables, "Comparison"));
  print_out("{}", render_markdown(tables, "Comparison"));
  return 0;
}

}  // namespace polystep
