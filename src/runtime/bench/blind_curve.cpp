#include "runtime/bench/blind_curve.hpp"

#include "evaluation/recourse_figures.hpp"
#include "polystep/error.hpp"

namespace polystep {

std::vector<BlindPoint> blind_curve(const Task& task, std::span<const double> levels, Team& team) {
  if (!task.problem->facts().has_recourse)
    throw InputError("blind curve: no decision of this problem can turn out infeasible, expected recourse");
  Evaluator evaluator(task, team);
  const TiledRows rows(task.data.test);
  const Evaluation optimal = evaluator.optimal(rows);
  std::vector<BlindPoint> points;
  for (const double level : levels) {
    const std::vector<double> constant(rows.rows() * task.problem->outputs(), level);
    const Evaluation decided = evaluator.decide(constant, rows);
    points.push_back({level, static_cast<double>(decided.infeasible) / static_cast<double>(rows.rows()),
                      conditional_regret(decided, optimal.costs),
                      mean_regret(task.metric, decided, optimal.costs)});
  }
  return points;
}

}  // namespace polystep
