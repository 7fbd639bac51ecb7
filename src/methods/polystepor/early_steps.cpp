#include "methods/polystepor/early_steps.hpp"

#include <cmath>

#include "polystep/random.hpp"

namespace polystep {

EarlySteps::EarlySteps(Evaluator& evaluator, const Split& training, std::size_t steps)
    : steps_(steps),
      pool_(evaluator, training),
      evaluator_(evaluator.task(), evaluator.team(), pool_.problem()),
      probes_(evaluator_, false, &training) {
  evaluator_.set_failure_cost(evaluator.failure_cost());
}

void EarlySteps::learn_around(std::span<const double> start, const Spread& spread, SolveCounts& counts) {
  pool_.learn(start, counts);
  std::vector<double> theta(start.size());
  for (std::size_t draw = 0; draw < spread.draws; ++draw) {
    RandomStream stream(spread.seed, Purpose::kPerturbation, draw);
    for (std::size_t i = 0; i < theta.size(); ++i) theta[i] = start[i] + spread.deviation * stream.normal();
    pool_.learn(theta, counts);
  }
}

void add_early_options(OptionTable& table) {
  table
      .choice(
          "early", "exact", {"exact", "pooled", "auto"},
          "how early steps decide probes: by the solver, by the best decision seen for the row so far, or "
          "the latter where the objective is linear and the solver knows no margins")
      .number("early-share", 0.6, 0.0, 0.95, "of the steps that are early (early = pooled or auto)")
      .integer("early-draws", 8, 0, 1000,
               "random parameters around the start whose decisions the pool begins with");
}

namespace {

std::size_t early_step_count(const Options& options) {
  const double share = options.number("early-share");
  return static_cast<std::size_t>(std::lround(share * static_cast<double>(options.integer("steps"))));
}

}  // namespace

bool has_early_steps(const Task& task, const Options& options) {
  const std::string& early = options.text("early");
  if (early == "exact" || early_step_count(options) == 0) return false;
  if (!task.predictor->affine() || !DecisionPool::serves(task)) return false;
  return early != "auto" || !task.problem->facts().has_margins || !task.problem->instances()->alike();
}

std::unique_ptr<EarlySteps> make_early_steps(Evaluator& evaluator, const Split& training,
                                             const Options& options) {
  if (training.rows == 0 || !has_early_steps(evaluator.task(), options)) return nullptr;
  return std::make_unique<EarlySteps>(evaluator, training, early_step_count(options));
}

}  // namespace polystep
