// A task is everything a method needs to learn: a problem, its data, the predictor to train, and the metric.
//
// The registry names the tasks the program knows. Adding one line to it gives a problem every method, the
// command line, threads, checkpoints and reports.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "polystep/dataset.hpp"
#include "polystep/options.hpp"
#include "polystep/predictor.hpp"
#include "polystep/problem.hpp"

namespace polystep {

struct Task {
  std::string setting;  // the settings that distinguish this task within its problem: "degree=8"
  std::unique_ptr<Problem> problem;
  std::unique_ptr<Predictor> predictor;
  Dataset data;
  RegretMetric metric = RegretMetric::kRelative;
  std::optional<std::uint64_t> released_seed =
      {};  // of the released run on these data; not given: the run's own
};

// What a task factory may use besides its own options.
struct TaskContext {
  std::string data_directory;  // where benchmark data were found; empty: not found
  std::uint64_t seed = 0;      // of the run; benchmarks whose split depends on the seed use it
};

// Rows that no data set has: numbers first .. first + count - 1 of those that a seed draws.
struct FreshRows {
  std::uint64_t seed = 0;
  std::size_t first = 0;
  std::size_t count = 0;
};

struct ProblemEntry {
  std::string name;
  std::string help;  // one line
  OptionTable options;
  std::function<Task(const Options&, const TaskContext&)> make;
  // Optional: replaces values such as source = auto by what they mean here, so that a saved configuration is
  // explicit.
  std::function<void(Options&, const TaskContext&)> settle = nullptr;
  // Optional: the same task with fresh rows of the same distribution as its test rows, and no others; for
  // measuring more finely than the test rows of a data set can. They do not depend on the run's seed.
  std::function<Task(const Options&, const TaskContext&, const FreshRows&)> make_fresh = nullptr;
  // What presets may know of the problem before its data are read; must agree with what the problem itself
  // states. Not given: nothing is known.
  std::function<ProblemFacts(const Options&)> facts = nullptr;
  // The published benchmark whose settings hold for this problem; empty: none.
  std::string published = {};

  ProblemFacts stated_facts(const Options& options) const { return facts ? facts(options) : ProblemFacts{}; }
};

class ProblemRegistry {
 public:
  ProblemRegistry& add(ProblemEntry entry);
  const std::vector<ProblemEntry>& entries() const { return entries_; }
  const ProblemEntry& find(const std::string& name, const std::string& where) const;  // throws InputError

 private:
  std::vector<ProblemEntry> entries_;
};

ProblemRegistry builtin_problems();

}  // namespace polystep
