#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/console.hpp"
#include "base/files.hpp"
#include "commands.hpp"
#include "data/data_directory.hpp"
#include "filed_grid.hpp"
#include "interrupts.hpp"
#include "own/own_task.hpp"
#include "polystep/error.hpp"
#include "run_arguments.hpp"
#include "runtime/bench/tuning_grid.hpp"

namespace polystep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShown = 10;  // of the ranked points; all of them are in the file

TuningRequest request_of(const TuneArguments& arguments) {
  TuningRequest request;
  request.problem = arguments.problem;
  if (names_task_file(arguments.problem)) {
    request.problem = kOwnProblem;
    request.given.push_back({"task-file", arguments.problem, "polystepor"});
  }
  request.method = arguments.method;
  request.preset = arguments.preset;
  request.axes = arguments.axes;
  request.points = static_cast<std::size_t>(arguments.points);
  request.design_seed = arguments.design_seed;
  request.seeds = parse_seeds(arguments.seeds, "--seeds");
  request.data = arguments.data;
  for (const std::string& assignment : arguments.assignments)
    request.given.push_back(parse_assignment(assignment));
  return request;
}

std::string axis_name(const TuningAxis& axis) { return axis.text.substr(0, axis.text.find('=')); }

std::string cost_text(const std::optional<double>& cost) {
  return cost ? fmt::format("{}", *cost) : std::string();
}

// Rank, point, values of the axes, mean and single costs.
std::string trials_csv(const TuningGrid& grid, const TuningRequest& request,
                       const std::vector<TuningTrial>& trials) {
  std::string text = "rank,point";
  for (const TuningAxis& axis : grid.axes) text += "," + axis_name(axis);
  text += ",mean_validation_cost";
  for (const std::uint64_t seed : request.seeds) text += fmt::format(",validation_cost_seed_{}", seed);
  text += "\n";
  for (std::size_t rank = 0; rank < trials.size(); ++rank) {
    text += fmt::format("{},{}", trials[rank].mean ? std::to_string(rank + 1) : "", trials[rank].point);
    for (const std::string& value : grid.points[trials[rank].point].values) text += "," + value;
    text += "," + cost_text(trials[rank].mean);
    for (const std::optional<double>& cost : trials[rank].costs) text += "," + cost_text(cost);
    text += "\n";
  }
  return text;
}

// A table with a column per axis; `lead` gives the columns before them.
template <class Lead>
std::string points_text(const TuningGrid& grid, const std::vector<std::size_t>& shown,
                        const std::string& heading, const Lead& lead) {
  std::vector<std::size_t> widths;
  for (std::size_t k = 0; k < grid.axes.size(); ++k) {
    widths.push_back(axis_name(grid.axes[k]).size());
    for (const std::size_t point : shown)
      widths[k] = std::max(widths[k], grid.points[point].values[k].size());
  }
  std::string text = heading;
  for (std::size_t k = 0; k < widths.size(); ++k)
    text += fmt::format("  {:>{}}", axis_name(grid.axes[k]), widths[k]);
  text += "\n";
  for (std::size_t row = 0; row < shown.size(); ++row) {
    text += lead(row);
    for (std::size_t k = 0; k < widths.size(); ++k)
      text += fmt::format("  {:>{}}", grid.points[shown[row]].values[k], widths[k]);
    text += "\n";
  }
  return text;
}

int show_design(const TuningGrid& grid) {
  std::vector<std::size_t> all(grid.points.size());
  for (std::size_t point = 0; point < all.size(); ++point) all[point] = point;
  print_out("{}",
            points_text(grid, all, "point", [&](std::size_t row) { return fmt::format("{:>5}", all[row]); }));
  return 0;
}

std::string ranking_text(const TuningGrid& grid, const std::vector<TuningTrial>& trials) {
  std::vector<std::size_t> shown;
  for (const TuningTrial& trial : trials)
    if (trial.mean && shown.size() < kShown) shown.push_back(trial.point);
  return points_text(grid, shown, "rank  point  validation cost", [&](std::size_t row) {
    return fmt::format("{:>4}  {:>5}  {:>15.6g}", row + 1, trials[row].point, *trials[row].mean);
  });
}

// Runs of another design in the same directory would be mixed up with these.
void refuse_other_design(const fs::path& file, const std::string& description) {
  if (!fs::exists(file) || read_file(file) == description) return;
  throw InputError(
      fmt::format("{} describes another design, expected the one asked for; give --out another directory or "
                  "--force to replace it",
                  file.string()));
}

int report_interrupt(const fs::path& directory, const GridOutcome& outcome, std::size_t cells) {
  print_err("Stopped with {} of {} runs done; go on with the same command and --resume ({}).\n",
            outcome.trained + outcome.skipped, cells, directory.string());
  return kInterrupted;
}

}  // namespace

int tune_command(const TuneArguments& arguments, const ProblemRegistry& problems) {
  catch_interrupts();
  find_data_directory(arguments.data.value_or(""));  // a wrong --data is refused once, not for every run
  const TuningRequest request = request_of(arguments);
  const TuningGrid grid = tuning_grid(problems, request);
  if (arguments.show) return show_design(grid);
  const fs::path directory =
      arguments.out.value_or(fmt::format("runs/tune-{}-{}", fs::path(arguments.problem).stem().string(),
                                         grid.cells.front().request.method->name));
  const fs::path design = directory / "design.txt";
  if (arguments.resume) refuse_other_design(design, grid.description);
  const FiledGrid filed({.command = "polystepor tune",
                         .directory = directory,
                         .threads = arguments.threads,
                         .resume = arguments.resume,
                         .force = arguments.force,
                         .quiet = arguments.quiet},
                        grid.cells, [&] { write_file(design, grid.description); });
  const GridOutcome& outcome = filed.outcome();
  if (outcome.interrupted) return report_interrupt(directory, outcome, grid.cells.size());
  const std::vector<TuningTrial> trials = rank_trials(grid, request.seeds, filed.runs());
  write_file(directory / "tuning.csv", trials_csv(grid, request, trials));
  for (const std::string& failure : outcome.failures) print_err("{}\n", failure);
  if (!trials.front().mean)
    throw InputError("polystepor tune: no point was trained with all seeds, expected one at least");
  const TuningTrial& best = trials.front();
  const fs::path config = directory / "best.toml";
  write_config(config, tuned_config(grid.cells[best.point], grid.points[best.point], request));
  std::string assignments;
  for (const GivenOption& option : grid.points[best.point].options)
    assignments += fmt::format(" --set {}={}", option.key, option.text);
  print_out(
      "{}\n{} runs trained, {} found already, {} failed; written to {}\nThe best point, to train with other "
      "seeds:\n  polystepor train --config {} --seed 0\nor{}\n",
      ranking_text(grid, trials), outcome.trained, outcome.skipped, outcome.failures.size(),
      directory.string(), config.string(), assignments);
  return 0;
}

}  // namespace polystep
