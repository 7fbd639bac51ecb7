// Districting as a problem: decisions are trees of whole districts, costs are their prices, and references
// are the published optima.
#include "problems/districting/districting.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "data/cities/city_files.hpp"
#include "data/cities/city_generator.hpp"
#include "data/cities/city_graph.hpp"
#include "data/data_directory.hpp"
#include "input_error.hpp"
#include "polystep/random.hpp"
#include "stop_after.hpp"

namespace polystep {
namespace {

using solvers::DistrictGraph;
using solvers::DistrictSizes;
using solvers::UnitPair;
using Numbers = std::vector<double>;

// A ring of units, each touching the next, with a chord or two; the price of a district is any function of
// it.
class FunnyPrices final : public DistrictPrices {
 public:
  double price(std::size_t, std::span<const std::uint32_t> units) const override {
    double price = 0;
    for (const std::uint32_t unit : units) price += std::sin(3.0 * unit) + 2;
    return price * std::sqrt(static_cast<double>(units.size()));
  }
};

std::unique_ptr<DistrictingInstance> ring(std::size_t units) {
  std::vector<UnitPair> touching;
  for (std::uint32_t unit = 0; unit + 1 < units; ++unit) touching.emplace_back(unit, unit + 1);
  touching.emplace_back(0u, static_cast<std::uint32_t>(units - 1));
  touching.emplace_back(0u, 2u);
  DistrictGraph graph(units, touching, DistrictSizes::for_target(units, 3));
  Numbers prior(graph.edges());
  RandomStream random(units, Purpose::kDataFeatures);
  random.fill_normal(prior);
  return std::make_unique<DistrictingInstance>(
      std::move(graph), std::move(prior),
      [](const solvers::ConnectedSets*) { return std::make_unique<FunnyPrices>(); });
}

DistrictingProblem two_rings() {
  DistrictingProblem::Cities cities;
  cities.push_back(ring(9));
  cities.push_back(ring(12));
  return DistrictingProblem(std::move(cities));
}

TEST(DistrictingProblem, ShapesEdgesAndKindsOfOutputsAreThoseOfItsCities) {
  const DistrictingProblem problem = two_rings();
  EXPECT_EQ(problem.outputs(0), 9u + 1 + 9);
  EXPECT_EQ(problem.decision_size(1), 12u + 1 + 12);
  EXPECT_EQ(problem.instances()->edges(1).size(), problem.outputs(1));
  const auto kinds = problem.instances()->output_groups(0);
  EXPECT_EQ(std::accumulate(kinds.begin(), kinds.end(), 0), 9);  // a depot edge per unit
}

TEST(DistrictingProblem, OneSolveSeveralSolvesAndTilesAgree) {
  const DistrictingProblem problem = two_rings();
  const auto solver = problem.make_tile_solver();
  RandomStream random(5, Purpose::kDataFeatures);
  constexpr std::size_t kProbes = 19;
  for (std::size_t instance = 0; instance < 2; ++instance) {
    const std::size_t edges = problem.outputs(instance);
    Numbers predictions(kProbes * edges), decisions(kProbes * edges), alone(edges);
    random.fill_normal(predictions);
    for (std::size_t e = 0; e < edges; ++e) predictions[3 * edges + e] = 1;  // ties all over
    predictions[7 * edges] = std::nan("");
    std::vector<SolveStatus> statuses(kProbes, SolveStatus::kSolved);
    problem.decide_several(predictions, instance, decisions, statuses);
    std::vector<TileOutcome> outcomes(kProbes);
    std::vector<TileJob> jobs;
    for (std::size_t i = 0; i < kProbes; ++i) {
      Tile tile;
      tile.width = tile.lanes = 1;
      tile.instance[0] = instance;
      jobs.push_back({tile, predictions.data() + i * edges, &outcomes[i]});
    }
    solver->solve_all(jobs);
    for (std::size_t i = 0; i < kProbes; ++i) {
      const auto prediction = std::span<const double>(predictions).subspan(i * edges, edges);
      ASSERT_EQ(problem.decide(prediction, instance, alone), statuses[i]) << i;
      ASSERT_EQ(outcomes[i].failed != 0, statuses[i] == SolveStatus::kFailed) << i;
      EXPECT_EQ(statuses[i] == SolveStatus::kFailed, i == 7);
      if (i == 7) continue;
      const auto several = std::span<const double>(decisions).subspan(i * edges, edges);
      EXPECT_TRUE(std::ranges::equal(alone, several)) << i;
      EXPECT_EQ(problem.cost(alone, {}, instance), outcomes[i].cost[0]) << i;
      // As many edges as units: a tree each, and the depot edge of each.
      EXPECT_EQ(std::accumulate(alone.begin(), alone.end(), 0.0),
                static_cast<double>(problem.city(instance).graph().units()));
    }
  }
}

// A lattice whose districts are too many to list, divided by search.
TEST(DistrictingProblem, SearchedCitiesAgreeInAllWaysOfAsking) {
  const City city = synthetic_city(48, 3);
  DistrictingProblem::Cities cities;
  DistrictGraph graph = city_graph(city, 12);
  Numbers prior(graph.edges(), 1.0);
  cities.push_back(std::make_unique<DistrictingInstance>(
      std::move(graph), std::move(prior),
      [](const solvers::ConnectedSets* sets) {
        EXPECT_EQ(sets, nullptr);
        return std::make_unique<FunnyPrices>();
      },
      5));
  const DistrictingProblem problem(std::move(cities));
  const std::size_t edges = problem.outputs(0);
  constexpr std::size_t kProbes = 4;
  Numbers predictions(kProbes * edges), decisions(kProbes * edges), alone(edges);
  RandomStream(8, Purpose::kDataFeatures).fill_normal(predictions);
  predictions[2 * edges + 1] = std::nan("");
  std::vector<SolveStatus> statuses(kProbes, SolveStatus::kSolved);
  problem.decide_several(predictions, 0, decisions, statuses);
  const auto solver = problem.make_tile_solver();
  for (std::size_t i = 0; i < kProbes; ++i) {
    const auto prediction = std::span<const double>(predictions).subspan(i * edges, edges);
    EXPECT_EQ(problem.decide(prediction, 0, alone), statuses[i]);
    Tile tile;
    tile.width = tile.lanes = 1;
    tile.instance[0] = 0;
    TileOutcome outcome;
    solver->solve(tile, prediction.data(), outcome);
    EXPECT_EQ(outcome.failed != 0, i == 2);
    EXPECT_EQ(statuses[i] == SolveStatus::kFailed, i == 2);
    if (i == 2) continue;
    EXPECT_TRUE(std::ranges::equal(alone, std::span<const double>(decisions).subspan(i * edges, edges)));
    EXPECT_EQ(problem.cost(alone, {}, 0), outcome.cost[0]);
    EXPECT_EQ(std::accumulate(alone.begin(), alone.end(), 0.0), 48.0);  // a tree each, and its depot edge
  }
  EXPECT_EQ(problem.cost(Numbers(edges, 1.0), {}, 0), INFINITY);  // one district of all
  EXPECT_EQ(problem.reference(0, {}, alone), SolveStatus::kSolved);
  EXPECT_TRUE(std::isfinite(problem.cost(alone, {}, 0)));
  EXPECT_EQ(problem.averaged_reference(0, {}, alone), SolveStatus::kFailed);
}

TEST(DistrictingProblem, NoPredictionIsCheaperThanTheReference) {
  const DistrictingProblem problem = two_rings();
  RandomStream random(6, Purpose::kDataFeatures);
  for (std::size_t instance = 0; instance < 2; ++instance) {
    Numbers prediction(problem.outputs(instance)), decision(prediction.size()), reference(prediction.size());
    ASSERT_EQ(problem.reference(instance, {}, reference), SolveStatus::kSolved);
    const double best = problem.cost(reference, {}, instance);
    double cheapest = INFINITY;
    for (int trial = 0; trial < 500; ++trial) {
      random.fill_normal(prediction);
      ASSERT_EQ(problem.decide(prediction, instance, decision), SolveStatus::kSolved);
      cheapest = std::min(cheapest, problem.cost(decision, {}, instance));
    }
    EXPECT_GE(cheapest, best - 1e-12);
    EXPECT_LE(cheapest, best + 1e-12);  // and with so many tries on so small a city, one finds it
  }
}

TEST(DistrictingProblem, ADecisionThatIsNoDistrictingCannotBeCarriedOut) {
  const DistrictingProblem problem = two_rings();
  EXPECT_EQ(problem.cost(Numbers(problem.outputs(0), 1.0), {}, 0), INFINITY);  // one district of all
  EXPECT_EQ(problem.cost(Numbers(problem.outputs(0), 0.0), {}, 0), INFINITY);  // single units
}

TEST(DistrictingProblem, AveragedTreesCountEveryOrderOfEdges) {
  // Units 0, 1, 2 are a triangle, 3 hangs on 2: triangle edges are in two of three trees.
  const std::vector<UnitPair> touching = {{0, 1}, {0, 2}, {1, 2}, {2, 3}};
  const DistrictGraph graph(4, touching, {.target = 4, .lower = 2, .upper = 4, .count = 1});
  Numbers decision(graph.edges());
  const std::vector<std::uint32_t> all = {0, 1, 2, 3};
  add_average_tree(graph, all, decision);
  for (std::size_t e = 0; e < graph.edges(); ++e) {
    const auto [unit, other] = graph.edge_ends()[e];
    const double expected = graph.is_depot_edge(e) ? 0.25 : other == 3 ? 1.0 : 2.0 / 3;
    EXPECT_NEAR(decision[e], expected, 1e-12) << unit << "-" << other;
  }
}

Task published_task(const std::string& distances) {
  const ProblemEntry entry = districting_entry();
  Options options(entry.options, "districting");
  options.set("source", std::string("published"), "test");
  options.set("distances", distances, "test");
  return entry.make(options, {.data_directory = find_data_directory("")});
}

TEST(DistrictingProblem, PublishedReferencesAndUntrainedDistancesCostWhatTheyShould) {
  const std::string directory = find_data_directory("");
  if (!holds_districting_data(directory)) GTEST_SKIP() << "skipped: needs data, see docs/data.md";
  const Task task = published_task("degrees");
  const auto optima = read_optimal_districtings(districting_file(directory, "small_optimal.txt"));
  ASSERT_EQ(task.data.training.rows, 100u);
  ASSERT_EQ(task.data.test.rows, 100u);
  EXPECT_EQ(task.predictor->parameters(), 25857u);
  const struct {
    std::size_t city;
    double cost;
  } golden[] = {{0, 564.29952}, {1, 196.51048}, {100, 261.79327}};
  for (const auto& [city, cost] : golden) {
    Numbers decision(task.problem->outputs(city)), prediction(decision.size());
    ASSERT_EQ(task.problem->reference(city, {}, decision), SolveStatus::kSolved);
    EXPECT_NEAR(task.problem->cost(decision, {}, city), optima[city].cost, 1e-8);
    task.problem->prior(city, prediction);
    ASSERT_EQ(task.problem->decide(prediction, city, decision), SolveStatus::kSolved);
    EXPECT_NEAR(task.problem->cost(decision, {}, city), cost, 1e-8);
    ASSERT_EQ(task.problem->averaged_reference(city, {}, decision), SolveStatus::kSolved);
    EXPECT_NEAR(std::accumulate(decision.begin(), decision.end(), 0.0), 30, 1e-9);
  }
}

TEST(DistrictingProblem, GeneratedCitiesArePricedByTours) {
  const ProblemEntry entry = districting_entry();
  Options options(entry.options, "districting");
  options.set("source", std::string("generated"), "test");
  options.set("costs", std::string("tours"), "test");
  options.set("cities", std::int64_t{2}, "test");
  options.set("scenarios", std::int64_t{2}, "test");
  options.set("routing-memory", std::string("none"), "test");
  const Task task = entry.make(options, {});
  Numbers prediction(task.problem->outputs(0)), decision(prediction.size());
  task.problem->prior(0, prediction);
  ASSERT_EQ(task.problem->decide(prediction, 0, decision), SolveStatus::kSolved);
  const double cost = task.problem->cost(decision, {}, 0);
  EXPECT_TRUE(std::isfinite(cost));
  EXPECT_GT(cost, 0);
  EXPECT_EQ(task.problem->cost(decision, {}, 0), cost);
  options.set("costs", std::string("stored"), "test");
  EXPECT_THROW(entry.make(options, {}), InputError);
}

// Wherever tours are driven for training: costs of decisions, references, tiles; and in the searches of
// cities that are not solved exactly. What is stopped has no outcome, and is not remembered as one.
TEST(DistrictingProblem, ToursAndSearchesOfTrainingCanBeStopped) {
  const ProblemEntry entry = districting_entry();
  const auto make = [&](const std::string& sizes) {
    Options options(entry.options, "districting");
    options.set("source", std::string("generated"), "test");
    options.set("costs", std::string("tours"), "test");
    options.set("sizes", sizes, "test");
    options.set("cities", std::int64_t{2}, "test");
    options.set("scenarios", std::int64_t{2}, "test");
    options.set("search-iterations", std::int64_t{2}, "test");
    options.set("routing-memory", std::string("none"), "test");
    return entry.make(options, {});
  };
  const Task task = make("30:3"), untouched = make("30:3");
  Numbers prediction(task.problem->outputs(0)), decision(prediction.size()), other(prediction.size());
  task.problem->prior(0, prediction);
  ASSERT_EQ(task.problem->decide(prediction, 0, decision), SolveStatus::kSolved);
  Tile tile;
  tile.width = tile.lanes = 1;
  tile.instance[0] = 0;
  TileOutcome outcome;
  {
    testing::StopAfterAsks patience(5);
    const StoppedBy stopped_by(&patience);
    EXPECT_THROW(task.problem->cost(decision, {}, 0), Stopped);
    EXPECT_THROW(task.problem->reference(0, {}, other), Stopped);
    EXPECT_THROW(task.problem->make_tile_solver()->solve(tile, prediction.data(), outcome), Stopped);
  }
  EXPECT_EQ(task.problem->cost(decision, {}, 0), untouched.problem->cost(decision, {}, 0));

  const Task searched = make("48:12");
  prediction.resize(searched.problem->outputs(0));
  decision.resize(prediction.size());
  searched.problem->prior(0, prediction);
  {
    testing::StopAfterAsks patience(5);
    const StoppedBy stopped_by(&patience);
    EXPECT_THROW(searched.problem->decide(prediction, 0, decision), Stopped);
  }
  EXPECT_EQ(searched.problem->decide(prediction, 0, decision), SolveStatus::kSolved);
}

}  // namespace
}  // namespace polystep
