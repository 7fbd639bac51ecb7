#include "problems/multi_knapsack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "data/benchmarks/published_multi_knapsack.hpp"
#include "polystep/error.hpp"
#include "problems/constraint_task.hpp"
#include "problems/data_source.hpp"
#include "problems/packing_objective.hpp"
#include "problems/recourse_memory.hpp"
#include "problems/scaled_multi_knapsack.hpp"
#include "solvers/knapsack/real_knapsack.hpp"

namespace polystep {
namespace {

// Lane by lane.
class MultiKnapsackTileSolver final : public TileSolver {
 public:
  explicit MultiKnapsackTileSolver(const MultiKnapsack& problem)
      : problem_(problem),
        knapsack_(problem.decision_size(), problem.resources()),
        recourse_(problem.recourse_solver()),
        memory_(problem.outputs()),
        prediction_(problem.outputs()) {}

  void solve(const Tile& tile, const double* prediction, TileOutcome& outcome) override {
    outcome.failed = outcome.infeasible = outcome.changed = 0;
    for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
      for (std::size_t k = 0; k < prediction_.size(); ++k)
        prediction_[k] = problem_.rounded(prediction[k * kLanes + lane]);
      const auto chosen =
          knapsack_.solve(problem_.values(), problem_.weights(prediction_), problem_.capacities(prediction_));
      outcome.signature[lane] = chosen.value_or(0);
      Realisation result{kFailed, {}};
      if (chosen) result = realise(tile, lane, *chosen);
      write_lane(result, lane, outcome);
    }
  }

 private:
  const Realisation& realise(const Tile& tile, std::size_t lane, std::uint64_t chosen) {
    return memory_.find(
        tile.instance[lane], tile.truth + lane, chosen,
        [](std::span<const double> truth, std::vector<double>& kept) {
          kept.assign(truth.begin(), truth.end());
        },
        [&](const std::vector<double>& truth, std::uint64_t set) {
          return problem_.realise_set(set, truth, recourse_);
        });
  }

  const MultiKnapsack& problem_;
  solvers::MultiKnapsack knapsack_;
  solvers::MultiKnapsackRecourse recourse_;
  RecourseMemory<std::vector<double>> memory_;
  std::vector<double> prediction_;  // [outputs], of one lane
};

constexpr std::int64_t kBySeed = -1;
constexpr double kDefaultRho = 5, kPublishedPenalty = 1;

bool is_published(const Options& options) { return options.text("source") != "generated"; }

// The published runs had seeds 11 to 15.
std::int64_t published_seed(std::uint64_t seed) { return 11 + static_cast<std::int64_t>(seed % 5); }

std::int64_t published_seed(const Options& options, std::uint64_t seed) {
  const std::int64_t given = options.integer("published-seed");
  return given == kBySeed ? published_seed(seed) : given;
}

// Each source has options that mean nothing to the other.
void refuse_options_of_others(const Options& options) {
  const auto expect_default = [&](const char* option, const char* why) {
    if (options.value(option) == options.table().find(option)->fallback) return;
    throw InputError(fmt::format(
        "multi-knapsack: found {} = {} with source = {}, expected the default, since it is an option "
        "of {}",
        option, format_value(options.value(option)), options.text("source"), why));
  };
  if (is_published(options)) {
    expect_default("rho", "source = generated; penalty is the price here");
    for (const char* option : {"dataset", "split", "data-seed"})
      expect_default(option, "source = generated; published-seed says which data to draw here");
  } else {
    expect_default("penalty", "sources published and aligned; rho is the price here");
    expect_default("published-seed", "sources published and aligned; data-seed says which data to draw here");
  }
}

Task make_published(const Options& options, const TaskContext& context) {
  const bool weights = options.text("predict") == "weights";
  const std::int64_t seed = published_seed(options, context.seed);
  Task task;
  task.setting = fmt::format("predict={} source={}", options.text("predict"), options.text("source"));
  if (options.number("penalty") != kPublishedPenalty)
    task.setting += fmt::format(" penalty={}", options.number("penalty"));
  if (seed != published_seed(context.seed)) task.setting += fmt::format(" published-seed={}", seed);
  const auto pairing =
      options.text("source") == "published" ? KnapsackPairing::kAsPublished : KnapsackPairing::kAligned;
  const auto draw = weights ? published_multi_knapsack_weights : published_multi_knapsack_capacities;
  PublishedKnapsackData data = draw(static_cast<std::uint64_t>(seed), pairing);
  task.problem = std::make_unique<ScaledMultiKnapsack>(
      kPublishedKnapsackItems, kPublishedKnapsackResources,
      weights ? MultiKnapsack::Predicted::kWeights : MultiKnapsack::Predicted::kCapacities,
      std::move(data.values), std::move(data.known), options.number("penalty"));
  task.data = std::move(data.data);
  // In the units of the data, as published: the published rates mean nothing in others.
  task.predictor = make_linear(task.data.training.feature_columns, task.data.training.truth_columns);
  return task;
}

Task make_multi_knapsack(const Options& options, const TaskContext& context) {
  refuse_options_of_others(options);
  if (is_published(options)) return make_published(options, context);
  const ConstraintRun run = constraint_run(options, context.seed);
  const bool weights = options.text("predict") == "weights";
  Task task;
  task.setting =
      fmt::format("predict={} {}", options.text("predict"), constraint_setting(options, context.seed));
  MultiKnapsackData data = weights ? generated_multi_knapsack_weights(data_seed(options), run)
                                   : generated_multi_knapsack_capacities(data_seed(options), run);
  task.problem = std::make_unique<MultiKnapsack>(
      std::move(data.values), kMultiKnapsackResources,
      weights ? MultiKnapsack::Predicted::kWeights : MultiKnapsack::Predicted::kCapacities,
      std::move(weights ? data.capacities : data.weights), options.number("rho"));
  task.data = std::move(data.data);
  task.predictor = make_standardised_linear(task.data.training);
  return task;
}

}  // namespace

MultiKnapsack::MultiKnapsack(std::vector<double> values, std::size_t resources, Predicted predicted,
                             std::vector<double> known, double rho)
    : RecourseProblem(predicted == Predicted::kWeights ? resources * values.size() : resources,
                      values.size()),
      values_(std::move(values)),
      objective_(negated(values_)),
      resources_(resources),
      predicted_(predicted),
      known_(std::move(known)),
      recourse_(values_, resources, rho) {
  const std::size_t expected = predicted == Predicted::kWeights ? resources : resources * values_.size();
  if (known_.size() != expected)
    throw InputError(fmt::format("multi-knapsack: found {} known {}, expected {}", known_.size(),
                                 predicted == Predicted::kWeights ? "capacities" : "weights", expected));
}

double MultiKnapsack::rounded(double prediction) const {
  const double whole = std::nearbyint(prediction);
  return predicted_ == Predicted::kCapacities && whole < 0 ? 0.0 : whole;
}

SolveStatus MultiKnapsack::decide(std::span<const double> prediction, std::size_t,
                                  std::span<double> decision) const {
  std::vector<double> whole(prediction.size());
  std::transform(prediction.begin(), prediction.end(), whole.begin(), [&](double p) { return rounded(p); });
  const auto chosen =
      solvers::MultiKnapsack(values_.size(), resources_).solve(values_, weights(whole), capacities(whole));
  if (!chosen) return SolveStatus::kFailed;
  solvers::write_set(*chosen, decision);
  return SolveStatus::kSolved;
}

Realisation MultiKnapsack::realise_set(std::uint64_t chosen, std::span<const double> truth,
                                       solvers::MultiKnapsackRecourse& solver) const {
  const auto outcome = solver.apply(chosen, weights(truth), capacities(truth));
  if (!outcome) return {kFailed, {}};
  bool infeasible = false;
  for (std::size_t r = 0; r < resources_; ++r)
    infeasible |= solvers::sum_over(chosen, weights(truth).subspan(r * values_.size(), values_.size())) >
                  capacities(truth)[r];
  return {-outcome->value, {.infeasible = infeasible, .changed = outcome->kept != chosen}};
}

Realisation MultiKnapsack::realise(std::span<const double> decision, std::span<const double> truth,
                                   std::size_t) const {
  solvers::MultiKnapsackRecourse solver = recourse_;
  return realise_set(solvers::set_of(decision), truth, solver);
}

std::unique_ptr<TileSolver> MultiKnapsack::make_tile_solver() const {
  return std::make_unique<MultiKnapsackTileSolver>(*this);
}

std::string MultiKnapsack::decision_name(std::size_t component) const {
  return fmt::format("item_{}", component);
}

void MultiKnapsack::write_rows(std::span<const double> prediction, std::size_t, std::span<double> a,
                               std::span<double> b) const {
  std::ranges::copy(weights(prediction), a.begin());
  std::ranges::transform(capacities(prediction), b.begin(), std::negate<>());
}

void MultiKnapsack::add_gradient(std::span<const double> a_gradient, std::span<const double> b_gradient,
                                 std::span<double> prediction_gradient) const {
  for (std::size_t k = 0; k < prediction_gradient.size(); ++k)
    prediction_gradient[k] += predicted_ == Predicted::kWeights ? a_gradient[k] : -b_gradient[k];
}

bool MultiKnapsack::solve_rows(std::span<const double> prediction, std::size_t, std::span<const double>,
                               std::span<double> x) const {
  const auto chosen = solvers::MultiKnapsack(values_.size(), resources_)
                          .solve(values_, weights(prediction), capacities(prediction));
  if (!chosen) return false;
  solvers::write_set(*chosen, x);
  return true;
}

ProblemEntry multi_knapsack_entry() {
  ProblemEntry entry;
  entry.name = "multi-knapsack";
  entry.help =
      "most valuable items within three capacities, these or the weights predicted; late changes cost";
  entry.options
      .choice("predict", "weights", {"weights", "capacities"},
              "what is unknown: the weights of the items in 3 resources, or the capacities")
      .choice(
          "source", "generated", {"generated", "published", "aligned"},
          "data: our own with 20 items, or the published benchmark with 50, either with features that its "
          "split pairs with other instances' capacities and values (published) or with their own (aligned)")
      .integer("data-seed", 0, 0, INT64_MAX, "of generated data")
      .number("penalty", kPublishedPenalty, 0, 1e6,
              "price of what scaling down gives up (source = published or aligned)")
      .integer("published-seed", kBySeed, kBySeed, 4294967295,
               "seed of data and split (source = published or aligned); -1: 11 + seed modulo 5");
  add_constraint_options(entry, kDefaultRho, false);
  entry.settle = [settle_generated = entry.settle](Options& options, const TaskContext& context) {
    if (!is_published(options)) return settle_generated(options, context);
    options.set("published-seed", published_seed(options, context.seed), "published-seed");
  };
  entry.make = make_multi_knapsack;
  entry.facts = [](const Options& options) {
    return is_published(options) ? ScaledMultiKnapsack::stated_facts() : constraint_facts(true);
  };
  entry.published = "multi-knapsack";
  return entry;
}

}  // namespace polystep
