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

// Decisions of part after part, and what they come to together.
class FreshDecisions {
 public:
  void add(const Task& task, const TiledRows& tiles, const std::vector<double>& optimal,
           std::span<const double> parameters, double failure_cost, Team& team) {
    Evaluator evaluator(task, team);
    evaluator.set_failure_cost(failure_cost);
    const Evaluation own = evaluator.evaluate(parameters, tiles);
    append_values(decided_.costs, own.costs);
    append_values(decided_.failed, own.failed);
    append_values(decided_.broken, own.broken);
    decided_.solves += own.solves;
    decided_.infeasible += own.infeasible;
    append_values(optimal_, optimal);
    metric_ = task.metric;
    recourse_ = task.problem->facts().has_recourse;
  }

  FreshFigures figures() const {
    FreshFigures figures;
    figures.rows = decided_.costs.size();
    figures.regret = mean_regret(metric_, decided_, optimal_);
    figures.failed = failed_share(decided_);
    if (recourse_) {
      figures.infeasible = static_cast<double>(decided_.infeasible) / static_cast<double>(figures.rows);
      figures.conditional_regret = conditional_regret(decided_, optimal_);
    }
    return figures;
  }

 private:
  Evaluation decided_;
  std::vector<double> optimal_;
  RegretMetric metric_ = RegretMetric::kRelative;
  bool recourse_ = false;
};

// part(task) for a hundred rows after the other.
template <class Part>
void for_each_part(const RunRequest& request, const FreshRows& rows, const Part& part) {
  if (!request.problem->make_fresh)
    throw InputError(
        fmt::format("fresh rows: problem {} draws none, expected one with a generator of its own",
                    request.problem->name));
  const TaskContext context{find_data_directory(request.data.value_or("")), request.seed};
  for (std::size_t done = 0; done < rows.count; done += kRowsAtOnce)
    part(request.problem->make_fresh(
        request.problem_options, context,
        {rows.seed, rows.first + done, std::min(kRowsAtOnce, rows.count - done)}));
}

}  // namespace

FreshFigures measure_fresh(const RunRequest& request, std::span<const double> parameters, double failure_cost,
                           const FreshRows& rows, Team& team) {
  FreshDecisions decisions;
  for_each_part(request, rows, [&](const Task& task) {
    const TiledRows tiles(task.data.test);
    decisions.add(task, tiles, Evaluator(task, team).optimal(tiles).costs, parameters, failure_cost, team);
  });
  return decisions.figures();
}

KeptFreshRows::KeptFreshRows(const RunRequest& request, const FreshRows& rows, Team& team) {
  for_each_part(request, rows, [&](Task task) {
    Part& part = parts_.emplace_back();
    part.task = std::make_unique<Task>(std::move(task));
    part.tiles = TiledRows(part.task->data.test);
    part.optimal = Evaluator(*part.task, team).optimal(part.tiles).costs;
    std::vector<double>().swap(part.task->data.test.features);
  });
}

FreshFigures KeptFreshRows::measure(std::span<const double> parameters, double failure_cost,
                                    Team& team) const {
  FreshDecisions decisions;
  for (const Part& part : parts_)
    decisions.add(*part.task, part.tiles, part.optimal, parameters, failure_cost, team);
  return decisions.figures();
}

}  // namespace polystep
