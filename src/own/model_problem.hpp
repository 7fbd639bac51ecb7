// A decision problem that is a model file: predicted numbers go in, the solver decides, and the true numbers
// say what that decision comes to.
//
// Realised cost is the true objective (negated where the model maximises) of the decision after recourse:
//   - columns that are free in recourse are chosen again, best for the truth; all others stay as decided;
//   - a row or bound that the truth breaks is paid for where it has a penalty. Where it has none the decision
//     cannot be carried out: it is charged the failure cost and counted.
//
// Results do not depend on the number of threads: every solve starts from the same basis, that of the usual
// parameters (see set_usual), whatever was solved before. Decisions are rounded to multiples of 2^-30, so
// that one vertex found by two routes is one decision, bit for bit.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/models/linear_model.hpp"
#include "own/model_slots.hpp"
#include "polystep/feasible_sets.hpp"
#include "polystep/problem.hpp"
#include "solvers/milp/milp.hpp"

namespace polystep {

struct Penalty {
  std::size_t index = 0;  // of the row, or of the column
  bool row = true;
  double below = 0, above = 0;  // price per unit outside; 0 on a side means that side must hold
};

// Why solves of a model came to nothing, counted over all threads.
struct ModelFailures {
  std::atomic<std::uint64_t> limit{0}, infeasible{0}, unbounded{0}, numerical{0};
  std::atomic<std::uint64_t> not_finite{0};  // a prediction was no number
  std::atomic<std::uint64_t> broken{0};      // decided, but the truth broke what has no price

  std::string text() const;
};

// Everything about a model that does not change from solve to solve, and what became of its solves.
struct ModelSetup {
  LinearModel model;
  SlotTable predicted;                    // sources are the problem's outputs
  SlotTable known;                        // sources are columns of known_values
  std::vector<double> known_values;       // [instances × known.columns]
  std::vector<Penalty> penalties;         // at most one per row and per column
  std::vector<std::size_t> free_columns;  // in recourse
  solvers::MilpEngine engine = solvers::MilpEngine::kCoin;
  solvers::MilpLimits limits;
  bool usual_decision_on_failure = false;
  std::shared_ptr<ModelFailures> failures = std::make_shared<ModelFailures>();

  std::size_t known_width() const { return known.columns.size(); }
};

// One decision and how it was found.
struct ModelAnswer {
  solvers::MilpStatus status = solvers::MilpStatus::kFailed;
  bool decided = false;   // there is a decision: the solver's, or the usual one
  bool fallback = false;  // the usual one
};

class ModelWorker;  // solvers with the model loaded, for one thread: model_worker.hpp

class ModelProblem final : public Problem, public FeasibleSets {
 public:
  explicit ModelProblem(ModelSetup setup);
  ~ModelProblem() override;

  // The parameters that solves start from and that the usual decision is for, [outputs]: the means of the
  // training rows. Call it before anything is solved.
  void set_usual(std::vector<double> parameters);

  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override;
  double cost(std::span<const double> decision, std::span<const double> truth,
              std::size_t instance) const override {
    return realise(decision, truth, instance).cost;
  }
  Realisation realise(std::span<const double> decision, std::span<const double> truth,
                      std::size_t instance) const override;
  ProblemFacts facts() const override { return facts_; }
  bool common() const override;
  bool admits(std::span<const double> decision, std::size_t instance) const override;
  std::unique_ptr<TileSolver> make_tile_solver() const override;
  SolverMonitor* monitor() const override { return monitor_.get(); }
  std::string decision_name(std::size_t component) const override;

  // Other instances than those of the task, each with its own known data; the columns are those of the task.
  void replace_known(const CsvTable& table);

  // As decide, telling more.
  ModelAnswer answer(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const;

  // What stands in for a solve that failed, where the task wants that; empty: nothing does. Solved for when
  // the first one fails, so that making a task solves nothing.
  const std::vector<double>& usual_decision() const;

  const ModelSetup& setup() const { return *setup_; }
  std::unique_ptr<ModelWorker> make_worker() const;

 private:
  template <class Work>
  auto with_worker(const Work& work) const;

  std::shared_ptr<const ModelSetup> setup_;
  std::vector<double> usual_;                      // [outputs], may be empty
  std::shared_ptr<const ModelSetup> usual_setup_;  // what it belongs to, whatever replace_known brings
  mutable std::mutex usual_mutex_;
  mutable std::optional<std::vector<double>> usual_decision_;  // [columns], empty where there is none
  ProblemFacts facts_;
  std::unique_ptr<SolverMonitor> monitor_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<ModelWorker>> idle_;  // for decide and cost, which any thread may call
};

}  // namespace polystep
