#include "methods/frugal/frugal_start.hpp"

#include "evaluation/evaluator.hpp"
#include "methods/frugal/frugal_learner.hpp"
#include "methods/frugal/recourse_lessons.hpp"
#include "polystep/stop.hpp"

namespace polystep {
namespace {

// Numbers that a Newton step on the prices of rows goes through. 10 rows and 50 variables have 6,000;
// training on 700 such instances takes some five core-seconds.
constexpr std::size_t kLargestStep = 20'000;

std::size_t step_size(const PredictedRows& shown) {
  return shown.rows() * shown.rows() * (shown.rows() + shown.variables());
}

}  // namespace

bool serves_frugal_start(const Task& task, const Options& options) {
  return FrugalLearner::serves(task, options) && RecourseLessons::serve(task) &&
         step_size(*task.problem->predicted_rows()) <= kLargestStep;
}

Found frugal_start(const LearnerContext& context) {
  Evaluator evaluator(context.evaluator.task(), context.evaluator.team());
  FrugalLearner learner({evaluator, context.options, context.seed}, FrugalLearner::Rows::kTraining);
  Preparation preparation;
  learner.prepare(preparation);
  Found found;
  const std::size_t steps = learner.plan().steps;
  for (std::size_t step = 0; step < steps; ++step) {
    stop_if_wanted();
    found.solves += learner.step().solves;
  }
  const std::span<const double> theta = learner.prepared_parameters();
  found.numbers.assign(theta.begin(), theta.end());
  return found;
}

}  // namespace polystep
