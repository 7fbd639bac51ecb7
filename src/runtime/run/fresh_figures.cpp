#include "runtime/run/fresh_figures.hpp"

#include <fmt/core.h>

#include "data/data_directory.hpp"
#include "evaluation/recourse_figures.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr std::size_t kRowsAtOnce = 100;

template <class Values>
void append_values(Values& all, const Values& more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

FreshFigures measure_fresh(const RunRequest& request, std::span<const double> parameters, double failure_cost,
                           const FreshRows& rows, Team& team) {
  if (!request.problem->make_fresh)
    throw InputError(fmt::format("fresh rows: problem {} draws none, expected one with a generator of its own",
                                 request.problem->name));
  const TaskContext context{find_data_directory(request.data.value_or("")), request.seed};
  Evaluation decided;
  std::vector<double> optimal;
  RegretMetric metric = RegretMetric::kRelative;
  bool recourse = false;
  for (std::size_t done = 0; done < rows.count; done += kRowsAtOnce) {
    const FreshRows part{rows.seed, rows.first + done, std::min(kRowsAtOnce, rows.count - done)};
    const Task task = request.problem->make_fresh(request.problem_options, context, part);
    Evaluator evaluator(task, team);
    evaluator.set_failure_cost(failure_cost);
    const TiledRows tiles(task.data.test);
    const Evaluation own = evaluator.evaluate(parameters, tiles);
    append_values(decided.costs, own.costs);
    append_values(decided.failed, own.failed);
    append_values(decided.broken, own.broken);
    decided.solves += own.solves;
    decided.infeasible += own.infeasible;
    append_values(optimal, evaluator.optimal(tiles).costs);
    metric = task.metric;
    recourse = task.problem->facts().has_recourse;
  }
  FreshFigures figures;
  figures.rows = rows.count;
  figures.regret = mean_regret(metric, decided, optimal);
  figures.failed = failed_share(decided);
  if (recourse) {
    figures.infeasible = static_cast<double>(decided.infeasible) / static_cast<double>(rows.count);
    figures.conditional_regret = conditional_regret(decided, optimal);
  }
  return figures;
}

}  // namespace polystep
