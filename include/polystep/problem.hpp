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

enum class Sense { kMinimise = 1, kMaximise = -1 };

class Problem {
 public:
  Problem(std::size_t outputs, std::size_t decision_size)
      : outputs_(outputs), decision_size_(decision_size) {}
  virtual ~Problem() = default;

  std::size_t outputs() const { return outputs_; }              // predicted parameters per instance
  std::size_t decision_size() const { return decision_size_; }  // length of a decision

  // Decides for one instance from its predicted parameters. `instance` is its row in the data set, for
  // problems whose instances carry known data of their own. An exception counts as kFailed.
  virtual SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                             std::span<double> decision) const = 0;

  // What a decision really costs, given the true parameters. Lower is better: a maximisation problem returns
  // the negated value.
  virtual double cost(std::span<const double> decision, std::span<const double> truth,
                      std::size_t instance) const = 0;

  // Set where predicted parameters are the coefficients of a linear objective, so that decisions have as many
  // components and cost = ±decision . truth. Most other methods than PolyStepOR need this; they refuse
  // problems without it.
  virtual std::optional<Sense> linear_objective() const { return std::nullopt; }

  // False where the best decision moves smoothly with the predictions, as under a quadratic constraint: no
  // decision then comes back, and remembering them does not pay.
  virtual bool decisions_recur() const { return true; }

  // Set where predictions are coefficients or sides of linear constraints.
  virtual const PredictedRows* predicted_rows() const { return nullptr; }

  // Set where the true parameters can make a decision infeasible, so that cost includes repair or penalty;
  // results then tell how often, by `recourse`.
  virtual bool has_recourse() const { return false; }
  virtual Recourse recourse(std::span<const double> decision, std::span<const double> truth,
                            std::size_t instance) const {
    (void)decision, (void)truth, (void)instance;
    return {};
  }

  // This problem as one that is decided many instances at a time, where it is.
  virtual const BatchProblem* batched() const { return nullptr; }

  // Set where the solver runs outside the program: what happened to it, and where its messages go.
  virtual SolverMonitor* monitor() const { return nullptr; }

  // Set where decide uses data of its instance that only the data set has, so that rows from elsewhere cannot
  // be decided.
  virtual bool needs_instance_data() const { return false; }

  // A solver of whole tiles for one thread. The default calls decide and cost lane by lane.
  virtual std::unique_ptr<TileSolver> make_tile_solver() const;

  // Names one component of a decision in written tables ("edge_0_1", "item_3").
  virtual std::string decision_name(std::size_t component) const { return "x" + std::to_string(component); }

 private:
  std::size_t outputs_;
  std::size_t decision_size_;
};

// How a benchmark turns realised and optimal cost into one number, averaged over test instances.
enum class RegretMetric {
  kRelative,  // (cost - optimal) / |optimal|
  kAbsolute,  // cost - optimal
};

}  // namespace polystep
