#include "methods/probes/probe_costs.hpp"

#include <gtest/gtest.h>

#include "polystep/random.hpp"

namespace polystep {
namespace {

Task shortest_path_task() {
  const ProblemRegistry problems = builtin_problems();
  const ProblemEntry& entry = problems.find("shortest-path", "test");
  Options options(entry.options);
  options.set_text("source", "generated", "test");
  return entry.make(options, {});
}

// The same predictor without its shortcuts, so that every probe is predicted in full.
class WithoutShortcuts final : public Predictor {
 public:
  explicit WithoutShortcuts(std::unique_ptr<Predictor> inner) : inner_(std::move(inner)) {}
  std::unique_ptr<Predictor> clone() const override {
    return std::make_unique<WithoutShortcuts>(inner_->clone());
  }
  std::string kind() const override { return inner_->kind(); }
  PredictorFacts facts() const override { return {.curved = true}; }
  std::vector<TensorShape> tensors() const override { return inner_->tensors(); }
  std::size_t feature_columns() const override { return inner_->feature_columns(); }
  std::size_t outputs() const override { return inner_->outputs(); }
  void predict(std::span<const double> theta, const Tile& tile, double* prediction) const override {
    inner_->predict(theta, tile, prediction);
  }
  void add_gradient(std::span<const double> theta, const Tile& tile, const double* output_gradient,
                    std::span<double> gradient) const override {
    inner_->add_gradient(theta, tile, output_gradient, gradient);
  }

 private:
  std::unique_ptr<Predictor> inner_;
};

TiledRows some_rows(const Task& task, std::size_t count) {
  std::vector<std::size_t> rows;
  RandomStream stream(3, Purpose::kTest);
  for (std::size_t i = 0; i < count; ++i) rows.push_back(stream.below(task.data.training.rows));
  TiledRows tiles;
  tiles.gather(task.data.training, rows);
  return tiles;
}

PolyStepOptions probing(PolytopeKind polytope, std::size_t radii, double radius) {
  PolyStepOptions options;
  options.polytope = polytope;
  options.radii = radii;
  options.probe_radius = Schedule::constant(radius);
  return options;
}

struct Case {
  PolytopeKind polytope;
  std::size_t radii;
  double radius;
  std::size_t rows;
};

class ProbeCostsOf : public testing::TestWithParam<Case> {};

// The plain way: each probe as a whole parameter vector, each row predicted and solved.
TEST_P(ProbeCostsOf, EqualThePlainEvaluationOfEachProbe) {
  const Task task = shortest_path_task();
  ThreadTeam team(2);
  Evaluator evaluator(task, team);
  const std::vector<double> theta = task.predictor->initial_parameters(1);
  PolyStep optimizer(make_full_space(theta),
                     probing(GetParam().polytope, GetParam().radii, GetParam().radius), 1);
  const Probes& probes = optimizer.ask();
  const TiledRows rows = some_rows(task, GetParam().rows);
  ProbeCosts costs;
  ProbeEvaluator(evaluator, true).evaluate(probes, optimizer.parameters(), rows, costs);
  ASSERT_EQ(costs.costs.size(), probes.size());
  std::vector<double> candidate(theta.size());
  std::size_t checked = 0, equal = 0;
  for (std::size_t probe = 0; probe < probes.size(); probe += 7) {
    optimizer.candidate(probe, candidate);
    const double plain = evaluator.evaluate(candidate, rows).mean_cost;
    // A changed prediction is rounded once more than a full one, which may tip a tie in a rare row.
    EXPECT_NEAR(costs.costs[probe], plain, 0.02 * plain);
    ++checked;
    equal += std::abs(costs.costs[probe] - plain) <= 1e-12 * plain;
  }
  EXPECT_GE(equal, checked - 1);
  EXPECT_NEAR(costs.incumbent_cost, evaluator.evaluate(theta, rows).mean_cost, 1e-9 * costs.incumbent_cost);
  EXPECT_EQ(costs.probe_solves.requested, probes.size() * GetParam().rows);
  EXPECT_EQ(costs.probe_solves.requested, costs.probe_solves.performed + costs.probe_solves.certified);
}

TEST_P(ProbeCostsOf, AreTheSameBitsWithAndWithoutSkippingAndForAnyThreads) {
  const Task task = shortest_path_task();
  PolyStep optimizer(make_full_space(task.predictor->initial_parameters(1)),
                     probing(GetParam().polytope, GetParam().radii, GetParam().radius), 1);
  const Probes& probes = optimizer.ask();
  const TiledRows rows = some_rows(task, GetParam().rows);
  std::vector<double> first;
  std::uint64_t flips = 0, moving = 0;
  for (const std::size_t threads : {1u, 2u, 5u}) {
    for (const bool skip : {false, true}) {
      ThreadTeam team(threads);
      Evaluator evaluator(task, team);
      ProbeCosts costs;
      ProbeEvaluator(evaluator, skip).evaluate(probes, optimizer.parameters(), rows, costs);
      if (first.empty()) {
        first = costs.costs;
        flips = costs.flips;
        moving = costs.moving;
      }
      EXPECT_EQ(costs.costs, first);
      EXPECT_EQ(costs.flips, flips);
      EXPECT_EQ(costs.moving, moving);
      EXPECT_LE(costs.moving, std::min<std::uint64_t>(flips, rows.rows()));
      EXPECT_EQ(costs.moving == 0, flips == 0);
      if (!skip) {
        EXPECT_EQ(costs.probe_solves.certified, 0u);
      } else if (GetParam().radius < 0.1) {
        EXPECT_GT(costs.probe_solves.certified, 0u);
      }
    }
  }
}

TEST_P(ProbeCostsOf, AgreeWithAPredictorThatHasNoShortcuts) {
  Task task = shortest_path_task();
  PolyStep optimizer(make_full_space(task.predictor->initial_parameters(1)),
                     probing(GetParam().polytope, GetParam().radii, GetParam().radius), 1);
  const Probes& probes = optimizer.ask();
  const TiledRows rows = some_rows(task, GetParam().rows);
  ThreadTeam team(1);
  ProbeCosts fast, plain;
  {
    Evaluator evaluator(task, team);
    ProbeEvaluator(evaluator, true).evaluate(probes, optimizer.parameters(), rows, fast);
  }
  task.predictor = std::make_unique<WithoutShortcuts>(std::move(task.predictor));
  Evaluator evaluator(task, team);
  ProbeEvaluator(evaluator, true).evaluate(probes, optimizer.parameters(), rows, plain);
  std::size_t equal = 0;
  for (std::size_t probe = 0; probe < probes.size(); ++probe)
    equal += std::abs(fast.costs[probe] - plain.costs[probe]) <= 1e-12 * plain.costs[probe];
  EXPECT_GE(equal, probes.size() - 2);
}

// A problem whose solver knows margins, but whose decisions are not said to be 0 or 1.
class CountsOfAnySize final : public Problem {
 public:
  explicit CountsOfAnySize(const Problem& inner) : Problem(inner.instances()), inner_(inner) {}
  ProblemFacts facts() const override {
    ProblemFacts facts = inner_.facts();
    facts.binary_decisions = false;
    return facts;
  }
  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override {
    return inner_.decide(prediction, instance, decision);
  }
  double cost(std::span<const double> decision, std::span<const double> truth,
              std::size_t instance) const override {
    return inner_.cost(decision, truth, instance);
  }
  std::unique_ptr<TileSolver> make_tile_solver() const override { return inner_.make_tile_solver(); }

 private:
  const Problem& inner_;
};

// A margin proves that a decision stays only where a variable cannot change by more than 1: elsewhere every
// probe is solved (see TileStability.IsSoundForBinaryDecisionsOnly for a wrong proof).
TEST(ProbeCosts, MarginsOfDecisionsThatAreNotBinaryProveNothing) {
  Task task = shortest_path_task();
  PolyStep optimizer(make_full_space(task.predictor->initial_parameters(1)),
                     probing(PolytopeKind::kOrthoplex, 1, 0.02), 1);
  const Probes& probes = optimizer.ask();
  const TiledRows rows = some_rows(task, 64);
  ThreadTeam team(1);
  ProbeCosts binary, any;
  {
    Evaluator evaluator(task, team);
    ProbeEvaluator(evaluator, true).evaluate(probes, optimizer.parameters(), rows, binary);
  }
  const std::unique_ptr<Problem> inner = std::move(task.problem);
  task.problem = std::make_unique<CountsOfAnySize>(*inner);
  Evaluator evaluator(task, team);
  ProbeEvaluator(evaluator, true).evaluate(probes, optimizer.parameters(), rows, any);
  EXPECT_GT(binary.probe_solves.certified, 0u);
  EXPECT_EQ(any.probe_solves.certified, 0u);
  EXPECT_EQ(any.costs, binary.costs);
}

// Rows of different shapes, a solver that takes many at once and a block of more directions than an item has:
// by tours that are short, since decisions alone matter here.
TEST(ProbeCosts, OfLargeBlocksOnRowsOfDifferentShapesEqualThePlainEvaluation) {
  const ProblemRegistry problems = builtin_problems();
  const ProblemEntry& entry = problems.find("districting", "test");
  Options options(entry.options);
  for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{
           {"source", "generated"}, {"cities", "3"}, {"network", "small"}, {"routing-memory", "none"}})
    options.set_text(name, value, "test");
  options.set_text("scenarios", "1", "test");
  options.set_text("perturbations", "0", "test");
  options.set_text("costs", "tours", "test");
  const Task task = entry.make(options, {});
  for (const PolytopeKind polytope : {PolytopeKind::kOrthoplex, PolytopeKind::kSimplex}) {
    PolyStepOptions probed = probing(polytope, 2, 3.0);
    probed.block_size = 300;
    PolyStep optimizer(make_full_space(task.predictor->initial_parameters(1)), probed, 1);
    const Probes& probes = optimizer.ask();
    ASSERT_GT(probes.vertices(0), 2 * 64u);
    const TiledRows rows = some_rows(task, 70);
    ASSERT_EQ(rows.width(), 1u);
    std::vector<double> first;
    std::uint64_t flips = 0;
    for (const std::size_t threads : {1u, 3u}) {
      ThreadTeam team(threads);
      Evaluator evaluator(task, team);
      ProbeCosts costs;
      ProbeEvaluator(evaluator, true).evaluate(probes, optimizer.parameters(), rows, costs);
      ASSERT_EQ(costs.costs.size(), probes.size());
      if (first.empty()) first = costs.costs, flips = costs.flips;
      EXPECT_EQ(costs.costs, first);
      EXPECT_EQ(costs.flips, flips);
      EXPECT_GT(costs.moving, 0u);
      EXPECT_EQ(costs.probe_solves.requested, probes.size() * 70);
      if (threads > 1) continue;
      std::vector<double> candidate(task.predictor->parameters());
      for (std::size_t probe = 0; probe < probes.size(); probe += 37) {
        optimizer.candidate(probe, candidate);
        const double plain = evaluator.evaluate(candidate, rows).mean_cost;
        EXPECT_NEAR(costs.costs[probe], plain, 1e-12 * plain) << probe;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Probings, ProbeCostsOf,
                         testing::Values(Case{PolytopeKind::kOrthoplex, 1, 1.0, 128},
                                         Case{PolytopeKind::kOrthoplex, 3, 0.02, 61},
                                         Case{PolytopeKind::kSimplex, 1, 0.02, 8},
                                         Case{PolytopeKind::kSimplex, 2, 1.0, 1}));

}  // namespace
}  // namespace polystep
