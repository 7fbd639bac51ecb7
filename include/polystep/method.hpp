// A method is a way to train a task's predictor; a learner is one such training under way.
//
// A learner only knows how to take one step and how to save itself. The training loop around it (src/runtime)
// validates, stops early, keeps the best parameters, writes checkpoints and metrics: every method gets these
// for free.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "polystep/archive.hpp"
#include "polystep/counts.hpp"
#include "polystep/options.hpp"
#include "polystep/preparation.hpp"
#include "polystep/task.hpp"
#include "polystep/team.hpp"

namespace polystep {

class Evaluator;

// How a training run is paced.
struct TrainingPlan {
  std::size_t steps = 1;         // budget
  std::size_t check_every = 1;   // steps between validations; step 0 and the last step are always validated
  std::size_t patience = 0;      // stop after this many validations without strict improvement; 0: never
  bool keep_best = true;         // result = parameters of the best validation; false: of the last step
  double least_improvement = 0;  // what patience counts as an improvement must exceed this
  bool judge_start = true;       // the starting point counts as a validation; false: trained parameters only
  bool wants_regret = false;     // the learner needs validation regret, not only cost
  bool best_by_regret = false;   // the best validation is that of lowest regret (with wants_regret), not cost
  std::size_t early_steps = 0;   // the first of the steps, where they do other work than the rest
};

// What one step did, for metrics and progress. Fields that a method does not have stay empty.
struct LearnerReport {
  std::vector<std::pair<std::string, double>> figures;  // "temperature", "mean_cost", ...
  std::optional<double> flip_rate;  // share of probe solves whose decision differs from the incumbent's
  SolveCounts solves;
  SolveCounts reference_solves;  // optimal decisions of training rows, for methods that learn from them
};

struct ValidationReport {
  double cost = 0;    // mean realised cost
  double regret = 0;  // only where the plan asks for it
  // What the best parameters are chosen by, where the learner has a better figure than the mean cost.
  std::optional<double> selection_cost;
};

// Solver calls that a training will ask for, by counting alone: nothing is solved to find out. They are upper
// bounds where solves may turn out to be unnecessary.
struct CountedCalls {
  double preparation = 0;  // beside what the training loop itself asks for
  double early_step = 0;   // one of the plan's early steps
  double step = 0;         // any other
  double check = 0;        // besides, of a step after which the learner judges itself
  double early_steps = 0;  // how many
  double steps = 0;        // in all
  double checks = 0;

  double training() const {
    return preparation + early_steps * early_step + (steps - early_steps) * step + checks * check;
  }
};

class Learner {
 public:
  virtual ~Learner() = default;

  // What must be solved before the first step. The constructor solves nothing: it refuses what cannot be
  // trained. Called once, before anything below.
  virtual void prepare(Preparation& preparation) { (void)preparation; }

  // What it will ask the solver for, known before prepare(); nothing where it cannot be told.
  virtual std::optional<CountedCalls> counted() const { return std::nullopt; }

  // Learning beside solves, where that takes more than a little: how much of it step number `step`, from 0,
  // does, in units of its own, as far as is known by now; and what a unit takes on one thread, found by a
  // short try before prepare().
  virtual double learning_units(std::size_t step) const {
    (void)step;
    return 0;
  }
  virtual double learning_unit_seconds() const { return 0; }

  virtual TrainingPlan plan() const = 0;
  virtual LearnerReport step() = 0;
  virtual std::span<const double> parameters() const = 0;
  virtual void observe(const ValidationReport& validation) { (void)validation; }
  // What the current parameters should be compared by, lower is better. Empty: their mean realised cost on
  // the validation rows.
  virtual std::optional<double> selection_cost() { return std::nullopt; }
  // Share of what was trained in the current parameters, where the learner mixes it with its start; 0: they
  // are the start. Empty: it does not mix.
  virtual std::optional<double> trained_share() const { return std::nullopt; }

  // The complete state: a learner loaded from what another saved goes on to the same bits.
  virtual void save(ArchiveWriter& archive) const = 0;
  virtual void load(ArchiveReader& archive) = 0;
};

struct LearnerContext {
  Evaluator& evaluator;  // the task, its solvers and the threads
  const Options& options;
  std::uint64_t seed = 0;
};

using OptionValues = std::vector<std::pair<std::string, OptionValue>>;

// What a preset goes by: what the problem is, not what it is called.
struct PresetContext {
  ProblemFacts facts;
  std::string published;    // the published benchmark whose settings hold for the problem; empty: none
  const Options& settings;  // of the problem

  static PresetContext of(const ProblemEntry& problem, const Options& settings) {
    return {problem.stated_facts(settings), problem.published, settings};
  }
};

// Named option values. A preset may depend on the problem and its settings.
struct Preset {
  std::string name;
  std::string help;
  std::function<OptionValues(const PresetContext&)> values;
  // Axes worth searching around these values, in the words of `polystepor tune --axis`. Not given or empty:
  // those of the method.
  std::function<std::vector<std::string>(const PresetContext&)> tuning = nullptr;
};

// What a method is, for whoever chooses among methods. Nothing is chosen by its name.
struct MethodFacts {
  bool baseline = true;  // published by others: benchmarks run it by its own publication's protocol
  bool probes_predictions = false;  // a few solves per row, however many parameters there are
};

struct MethodEntry {
  std::string name;
  std::string help;  // one line
  MethodFacts facts = {};
  OptionTable options;
  std::vector<Preset> presets;           // the first is the default
  std::vector<std::string> tuning = {};  // axes for presets that state none, such as "rate=log:0.001..1"
  std::function<std::unique_ptr<Learner>(const LearnerContext&)> make;

  const Preset& preset(const std::string& name, const std::string& where) const;  // throws InputError
};

const std::vector<MethodEntry>& methods();
const MethodEntry& find_method(const std::string& name, const std::string& where);  // throws InputError

}  // namespace polystep
