#include "problems/knapsack.hpp"

#include <fmt/format.h>

#include "data/benchmarks/energy_data.hpp"
#include "data/benchmarks/price_generator.hpp"
#include "polystep/feasible_sets.hpp"
#include "problems/data_source.hpp"

namespace polystep {
namespace {

class KnapsackTileSolver final : public TileSolver {
 public:
  explicit KnapsackTileSolver(const solvers::Knapsack& knapsack) : knapsack_(knapsack) {}

  void solve(const Tile& tile, const double* prediction, TileOutcome& outcome) override {
    knapsack_.solve_tile(prediction, tile.truth, outcome.cost.data(), outcome.signature.data());
    for (double& cost : outcome.cost) cost = -cost;
    outcome.failed = 0;
  }
  bool margins(const Tile&, const double* prediction, double* margin) override {
    return knapsack_.margins_tile(prediction, margin);
  }

 private:
  const solvers::Knapsack& knapsack_;
};

class KnapsackProblem final : public Problem, public CommonFeasibleSet {
 public:
  KnapsackProblem(const std::vector<int>& weights, int capacity)
      : Problem(weights.size(), weights.size()), knapsack_(weights, capacity) {}

  SolveStatus decide(std::span<const double> prediction, std::size_t,
                     std::span<double> decision) const override {
    knapsack_.solve_by_classes(prediction, decision);
    return SolveStatus::kSolved;
  }
  double cost(std::span<const double> decision, std::span<const double> truth, std::size_t) const override {
    double value = 0;
    for (std::size_t i = 0; i < decision.size(); ++i)
      if (decision[i] != 0) value += truth[i];
    return -value;
  }
  std::unique_ptr<TileSolver> make_tile_solver() const override {
    return std::make_unique<KnapsackTileSolver>(knapsack_);
  }
  ProblemFacts facts() const override { return stated_facts(); }
  static ProblemFacts stated_facts() {
    ProblemFacts facts = linear_facts(Sense::kMaximise);
    facts.binary_decisions = facts.has_margins = true;
    return facts;
  }
  std::string decision_name(std::size_t component) const override {
    return fmt::format("item_{}", component);
  }

 private:
  solvers::Knapsack knapsack_;
};

Task make_knapsack(const Options& options, const TaskContext& context) {
  const auto capacity = static_cast<int>(options.integer("capacity"));
  Task task;
  task.setting = fmt::format("capacity={}", capacity);
  std::vector<int> weights;
  if (wants_published("knapsack", options, context)) {
    task.data = published_knapsack(context.data_directory, context.seed);
    weights = published_knapsack_weights(context.data_directory);
  } else {
    task.data = generated_knapsack(data_seed(options), context.seed);
    weights = generated_knapsack_weights();
    task.setting += fmt::format(" data-seed={}", data_seed(options));
  }
  task.problem = std::make_unique<KnapsackProblem>(weights, capacity);
  task.predictor = make_shared_linear(task.data.feature_names.size(), weights.size());
  return task;
}

}  // namespace

ProblemEntry knapsack_entry() {
  ProblemEntry entry;
  entry.name = "knapsack";
  entry.help = "most valuable half-hours of a day within a capacity, values predicted from market forecasts";
  entry.options.integer("capacity", 60, 0, 1000000, "of the knapsack; the 48 items weigh 240 together");
  add_source_options(entry.options);
  entry.settle = settle_source;
  entry.facts = [](const Options&) { return KnapsackProblem::stated_facts(); };
  entry.published = "knapsack";
  entry.make = make_knapsack;
  return entry;
}

}  // namespace polystep
