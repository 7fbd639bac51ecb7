#include "runtime/plan/counted_work.hpp"

#include "evaluation/evaluator.hpp"

namespace polystep {

std::optional<WorkModel> count_work(const Task& task, const RunRequest& request, const Pace& pace,
                                    double reading_seconds, const SolveTiming& timing, Team& team) {
  Evaluator evaluator(task, team);
  const auto learner = request.method->make({evaluator, request.method_options, request.seed});
  const std::optional<CountedCalls> calls = learner->counted();
  if (!calls) return std::nullopt;
  const double each = timing.seconds / static_cast<double>(team.threads() * team.ranks());
  const auto work = [&](double solves) { return Work{solves, solves * each}; };
  const auto rows = [](const Split& split) { return static_cast<double>(split.rows); };
  WorkModel model;
  set_rows(task, request.method_options, model);
  model.reading.seconds = reading_seconds;
  model.start = work(rows(task.data.training));  // the failure cost
  model.rehearsed_fits = 0;
  model.row_step = work(calls->step / model.rows_per_step(pace));
  model.early_share = calls->steps > 0 ? calls->early_steps / calls->steps : 0;
  model.early_step = work(calls->early_step);
  model.first = work(calls->preparation);
  model.check = work(calls->check);
  model.validation = work(rows(task.data.validation));
  model.evaluation = work((evaluator.knows_optimum() ? 2 : 1) * rows(task.data.test));
  return model;
}

}  // namespace polystep
