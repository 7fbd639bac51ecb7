// Problems whose predictions enter constraints: decide, then repair or penalise, then charge.
//
// A decision made for predicted parameters can turn out infeasible under the true ones. What happens then is
// the problem's recourse, and three forms cover most cases:
//   penalty           the decision stands and what is missing is bought at a price (pay_shortage);
//   scaling           the decision is shrunk until it fits (scale_to_fit), or grows until it is enough and
//   pays
//                     a surcharge for what came late (scale_to_cover);
//   re-optimisation   the best change of the decision is found by a solver (the knapsacks here).
// Whatever the form, training sees the cost after recourse, and results count how many decisions were
// infeasible before it. A decision that cannot be made or repaired at all is a failed solve: it is charged
// the finite failure cost of evaluation/evaluator.hpp and counted there.
#pragma once

#include <limits>
#include <span>

#include "polystep/problem.hpp"

namespace polystep {

// The cost of a decision that could not be made or repaired.
inline constexpr double kFailed = std::numeric_limits<double>::quiet_NaN();

// Derive from this and write decide and realise.
class RecourseProblem : public Problem {
 public:
  using Problem::Problem;

  Realisation realise(std::span<const double> decision, std::span<const double> truth,
                      std::size_t instance) const override = 0;
  double cost(std::span<const double> decision, std::span<const double> truth,
              std::size_t instance) const final {
    return realise(decision, truth, instance).cost;
  }
};

// The facts of such a problem.
inline ProblemFacts constraint_facts(bool binary) {
  return {.predicts_constraints = true, .has_recourse = true, .binary_decisions = binary};
}

// Writes one lane of an outcome, but for its signature; a cost that is not finite is a failed solve.
void write_lane(const Realisation& result, std::size_t lane, TileOutcome& outcome);

// The decision's own cost, plus price[i] for each unit that provided[i] lacks of required[i].
Realisation pay_shortage(double decision_cost, std::span<const double> required,
                         std::span<const double> provided, std::span<const double> price);

// Multiplies a non-negative decision by the largest factor up to 1 at which uses . decision is at most the
// capacity; says whether that changed it. A negative capacity leaves nothing.
Recourse scale_to_fit(std::span<double> decision, std::span<const double> uses, double capacity);

// The decision's own cost, where it provides all that is required. Else the whole of it grows by the smallest
// factor that makes it enough, required / provided, and what is added costs `surcharge` times its price more:
//
//   cost = factor * decision_cost + surcharge * (factor - 1) * decision_cost
//
// Not finite where nothing is provided of something required: no factor helps.
Realisation scale_to_cover(double decision_cost, std::span<const double> required,
                           std::span<const double> provided, double surcharge);

}  // namespace polystep
