// A decision problem: what the solver decides for predicted parameters, and what that decision costs in
// reality.
//
// To bring a problem of your own, derive from Problem and write decide and cost; everything else has a
// default (see examples/own_problem). Training calls decide and cost from several threads at once; both are
// const and must not share state. A problem that can solve many instances side by side overrides
// make_tile_solver; a test should hold the two equal. One whose solver is better asked about many instances
// at once, whatever their arrangement, derives from BatchProblem.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "polystep/instances.hpp"
#include "polystep/tile.hpp"

namespace polystep {

class BatchProblem;   // batch_problem.hpp
class PredictedRows;  // predicted_rows.hpp
class SolverMonitor;  // solver_monitor.hpp

enum class SolveStatus {
  kSolved,
  kFailed,  // no decision (infeasible, time limit, crash); charged the failure cost and counted
};

// What reality did to a decision before it was charged, for problems whose predictions enter constraints.
struct Recourse {
  bool infeasible = false;  // the decision broke a constraint under the true parameters
  bool changed = false;     // recourse acted on it: repaired it, charged a shortage, or improved it late
};

// What a decision comes to once the true parameters are known.
struct Realisation {
  double cost = 0;  // after recourse, lower is better; not finite: the decision cannot be carried out
  Recourse recourse;
};

enum class Sense { kMinimise = 1, kMaximise = -1 };

// What a problem is, stated by itself. Presets, starts, exports and forecasts go by these facts, never by a
// name. Every default is the cautious answer: a problem that states nothing is treated rightly, if slowly.
struct ProblemFacts {
  // The solver minimises, or maximises, prediction . decision over a set that predictions do not change. Then
  // decisions do not depend on the scale of predictions, and one once feasible stays so.
  std::optional<Sense> optimises_prediction = {};
  // The realised cost is decision . truth, negated where the problem maximises.
  std::optional<Sense> cost_is_truth_times_decision = {};
  bool predicts_constraints = false;  // predictions are coefficients or sides of constraints
  bool has_recourse = false;      // the truth can make a decision infeasible: cost includes repair or penalty
  bool decisions_recur = true;    // false: decisions move smoothly with predictions, and none comes back
  bool binary_decisions = false;  // all components are 0 or 1, which margins rest on (see tile.hpp)
  bool has_margins = false;       // tile solvers know margins, and cheaply
  bool has_references = false;    // `reference` is more than deciding on the truth
  bool has_prior = false;         // `prior` states what one would predict without learning
  bool needs_instance_data = false;  // decide uses data of its instance that only the data set has, so that
                                     // rows from elsewhere cannot be decided

  // Both objectives are linear, in the same sense: what most published methods need.
  std::optional<Sense> linear_objective() const {
    return optimises_prediction == cost_is_truth_times_decision ? optimises_prediction : std::nullopt;
  }

  friend bool operator==(const ProblemFacts&, const ProblemFacts&) = default;
};

// The facts of a problem whose predictions are the coefficients of a linear objective.
inline ProblemFacts linear_facts(Sense sense) {
  return {.optimises_prediction = sense, .cost_is_truth_times_decision = sense};
}

class Problem {
 public:
  // All instances alike, or each with a shape of its own.
  Problem(std::size_t outputs, std::size_t decision_size)
      : Problem(std::make_shared<const Instances>(InstanceShape{outputs, decision_size})) {}
  explicit Problem(std::shared_ptr<const Instances> instances) : instances_(std::move(instances)) {}
  virtual ~Problem() = default;

  // What is known of every instance; a predictor that needs it shares it.
  const std::shared_ptr<const Instances>& instances() const { return instances_; }

  // Predicted parameters and length of a decision; without an instance, of the largest.
  std::size_t outputs() const { return instances_->largest().outputs; }
  std::size_t outputs(std::size_t instance) const { return instances_->shape(instance).outputs; }
  std::size_t decision_size() const { return instances_->largest().decision; }
  std::size_t decision_size(std::size_t instance) const { return instances_->shape(instance).decision; }

  virtual ProblemFacts facts() const { return {}; }

  // Decides for one instance from its predicted parameters. `instance` is its row in the data set, for
  // problems whose instances carry known data of their own. An exception counts as kFailed.
  virtual SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                             std::span<double> decision) const = 0;

  // What a decision really costs, given the true parameters. Lower is better: a maximisation problem returns
  // the negated value.
  virtual double cost(std::span<const double> decision, std::span<const double> truth,
                      std::size_t instance) const = 0;

  // The same with what recourse did, in one call. Problems with recourse write this one.
  virtual Realisation realise(std::span<const double> decision, std::span<const double> truth,
                              std::size_t instance) const {
    return {cost(decision, truth, instance), {}};
  }

  // The decision that others are measured against, where the truth is known. Unless a problem has better ones
  // (facts().has_references), it decides on the truth; kFailed where the truth is not a parameter per output.
  virtual SolveStatus reference(std::size_t instance, std::span<const double> truth,
                                std::span<double> decision) const {
    return truth.size() == outputs(instance) ? decide(truth, instance, decision) : SolveStatus::kFailed;
  }

  // What an instance without a decision is charged, where the problem itself says so; else it is the failure
  // cost of the run (src/evaluation/evaluator.hpp). All instances or none have a charge.
  virtual std::optional<double> failure_charge(std::size_t instance) const {
    (void)instance;
    return std::nullopt;
  }

  // What imitation of a reference should aim at: the reference, or where several decisions stand for it, such
  // as the spanning trees of the same districts, their average.
  virtual SolveStatus averaged_reference(std::size_t instance, std::span<const double> truth,
                                         std::span<double> decision) const {
    return reference(instance, truth, decision);
  }

  // What one would predict for an instance without learning, such as minus the length of an edge; only where
  // facts().has_prior. Its unit and its mean do not matter.
  virtual void prior(std::size_t instance, std::span<double> prediction) const;

  // Decides one instance by several predictions, [count × outputs] into [count × decision_size]; statuses
  // [count] come as kSolved. Worth overriding where solves of one instance share work; what becomes of one
  // must not depend on the others. A solve that throws must be kFailed here.
  virtual void decide_several(std::span<const double> predictions, std::size_t instance,
                              std::span<double> decisions, std::span<SolveStatus> statuses) const;

  // Set where predictions are coefficients or sides of linear constraints.
  virtual const PredictedRows* predicted_rows() const { return nullptr; }

  // This problem as one that is decided many instances at a time, where it is.
  virtual const BatchProblem* batched() const { return nullptr; }

  // Set where the solver runs outside the program: what happened to it, and where its messages go.
  virtual SolverMonitor* monitor() const { return nullptr; }

  // A solver of whole tiles for one thread. The default calls decide and realise lane by lane.
  virtual std::unique_ptr<TileSolver> make_tile_solver() const;

  // Names one component of a decision in written tables ("edge_0_1", "item_3").
  virtual std::string decision_name(std::size_t component) const {
    return std::string("x").append(std::to_string(component));
  }

 private:
  std::shared_ptr<const Instances> instances_;
};

// The default tile solver: decide and realise, lane by lane, in tiles of any width.
std::unique_ptr<TileSolver> make_scalar_tile_solver(const Problem& problem);

// How a benchmark turns realised and optimal cost into one number, averaged over test instances.
enum class RegretMetric {
  kRelative,  // (cost - optimal) / |optimal|
  kAbsolute,  // cost - optimal
};

}  // namespace polystep
