#include <fmt/format.h>

#include <filesystem>

#include "base/console.hpp"
#include "base/files.hpp"
#include "commands.hpp"
#include "data/data_directory.hpp"
#include "polystep/error.hpp"
#include "report/call_curves.hpp"
#include "report/plot_svg.hpp"
#include "run_arguments.hpp"
#include "runtime/bench/regret_curve.hpp"

namespace polystep {
namespace {

constexpr const char* kWhere = "polystepor curve";
constexpr const char* kDefaultMethods =
    "polystepor:paper,polystepor:best,polystepor-output:best,fenchel-young";

std::vector<GridCell> cells_of(const CurveArguments& arguments, const ProblemRegistry& problems) {
  GridRequest request;
  request.problems = {*arguments.problem};
  request.methods = parse_names(arguments.methods.value_or(kDefaultMethods), "--methods");
  request.seeds = parse_seeds(arguments.seeds.value_or("0-9"), "--seeds");
  request.data = arguments.data;
  for (const std::string& assignment : arguments.assignments)
    request.given.push_back(parse_assignment(assignment));
  std::vector<GridCell> cells = benchmark_grid(problems, request);
  for (const GridCell& cell : cells)
    if (cell.setting != cells.front().setting)
      throw InputError(fmt::format("{}: found the settings {} and {}, expected one; choose it with --set {}",
                                   kWhere, cells.front().setting, cell.setting, cells.front().setting));
  return cells;
}

std::string to_csv(const std::vector<RegretCurve>& curves) {
  std::string text = "method,step,solver_calls,test_regret,failed\n";
  for (const RegretCurve& curve : curves)
    for (const CurvePoint& point : curve.points)
      text +=
          fmt::format("{},{},{},{},{}\n", curve.method, point.step, point.solves, point.regret, point.failed);
  return text;
}

Plot to_plot(const std::vector<RegretCurve>& curves, const std::string& title, const std::string& note) {
  Plot plot;
  plot.title = title;
  plot.note = note;
  plot.x = {.label = "solver calls", .scale = AxisScale::kLogarithmic};
  plot.y = {.label = "test regret"};
  for (const RegretCurve& curve : curves) {
    PlotSeries series{.name = curve.method, .x = {}, .y = {}};
    for (const CurvePoint& point : curve.points) {
      series.x.push_back(point.solves);
      series.y.push_back(point.regret);
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

// What each method needs for the regret at which the first one ends.
void print_table(const std::vector<RegretCurve>& curves) {
  const RegretCurve& first = curves.front();
  const CurvePoint goal = first.points.back();
  print_out("{:<28} {:>14} {:>12} {:>26}\n", "method", "solver calls", "test regret",
            fmt::format("calls to reach {:.4f}", goal.regret));
  for (const RegretCurve& curve : curves) {
    const std::optional<double> needed = solves_to_reach(curve, goal.regret);
    print_out(
        "{:<28} {:>14.0f} {:>12.4f} {:>26}\n", curve.method, curve.points.back().solves,
        curve.points.back().regret,
        needed ? fmt::format("{:.0f} ({:.1f} %)", *needed, 100 * *needed / goal.solves) : "not reached");
  }
  for (const RegretCurve& curve : curves)
    if (curve.points.back().failed > 0)
      print_out("{}: {:.3g} % of test rows have no decision or no reference at the end\n", curve.method,
                100 * curve.points.back().failed);
}

void refuse_existing(const std::filesystem::path& file, bool force) {
  if (std::filesystem::exists(file) && !force)
    throw InputError(fmt::format("{} exists, expected a new file; --force replaces it", file.string()));
}

// Runs that were made elsewhere: one picture per setting.
int draw_table(const CurveArguments& arguments) {
  const std::vector<CallCurve> curves = call_curves(read_cut_runs(*arguments.from));
  const std::filesystem::path directory = arguments.out.value_or("runs/curve");
  ensure_writable_directory(directory);
  const auto picture = [&](const CallCurve& curve) {
    return directory / fmt::format("curve-{}.svg", file_stem(curve.setting));
  };
  for (const CallCurve& curve : curves) refuse_existing(picture(curve), arguments.force);
  for (const CallCurve& curve : curves) {
    write_file(picture(curve), plot_svg(curve.plot));
    print_out("{}\n", picture(curve).string());
  }
  return 0;
}

}  // namespace

int curve_command(const CurveArguments& arguments, const ProblemRegistry& problems) {
  if (arguments.problem.has_value() == arguments.from.has_value())
    throw InputError(fmt::format("{}: found {}, expected one of them", kWhere,
                                 arguments.from ? "a problem and --from" : "neither a problem nor --from"));
  if (arguments.from) return draw_table(arguments);
  const std::vector<GridCell> cells = cells_of(arguments, problems);
  find_data_directory(arguments.data.value_or(""));
  const std::filesystem::path directory = arguments.out.value_or("runs/curve-" + *arguments.problem);
  ensure_writable_directory(directory);
  const std::filesystem::path table = directory / "curve.csv", picture = directory / "curve.svg";
  for (const std::filesystem::path& file : {table, picture}) refuse_existing(file, arguments.force);
  Progress progress(progress_style_for_stderr(arguments.quiet));
  ThreadTeam team(static_cast<std::size_t>(arguments.threads));
  const std::vector<RegretCurve> curves = regret_curves(cells, team, progress);
  const std::string seeds = arguments.seeds.value_or("0-9");
  write_file(table, to_csv(curves));
  write_file(picture,
             plot_svg(to_plot(curves, fmt::format("{}, {}", *arguments.problem, cells.front().setting),
                              fmt::format("mean over seeds {}", seeds))));
  print_table(curves);
  print_out("written to {} and {}\n", table.string(), picture.string());
  return 0;
}

}  // namespace polystep
