// Probes of a predictor in two stages: projected states against whole predictions.
#include "methods/probes/staged_probes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "methods/probes/probe_costs.hpp"
#include "polystep/optimizer.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

constexpr std::size_t kFeatures = 6, kLeft = 4, kRight = 5, kHidden = 70, kPairs = kLeft * kRight;

// Takes the pair of the highest score and pays its true price.
class BestPair final : public Problem {
 public:
  BestPair() : Problem(kPairs, 1) {}
  SolveStatus decide(std::span<const double> prediction, std::size_t,
                     std::span<double> decision) const override {
    decision[0] =
        static_cast<double>(std::max_element(prediction.begin(), prediction.end()) - prediction.begin());
    return SolveStatus::kSolved;
  }
  double cost(std::span<const double> decision, std::span<const double> truth, std::size_t) const override {
    return truth[static_cast<std::size_t>(decision[0])];
  }
};

Task best_pair_task(std::size_t rows) {
  Task task;
  task.problem = std::make_unique<BestPair>();
  task.predictor = make_pair_network(kFeatures, kLeft, kRight, kHidden);
  Split& training = task.data.training;
  training.rows = rows;
  training.feature_columns = task.predictor->feature_columns();
  training.truth_columns = kPairs;
  training.features.resize(rows * training.feature_columns);
  training.truth.resize(rows * kPairs);
  RandomStream stream(8, Purpose::kTest);
  for (double& value : training.features) value = stream.below(2) == 0 ? stream.normal() : 0.0;
  for (double& value : training.truth) value = stream.uniform();
  return task;
}

struct Case {
  const char* name;
  PolytopeKind polytope;
  std::size_t radii;
  bool moving;
};

class StagedProbesOf : public testing::TestWithParam<Case> {};

TEST_P(StagedProbesOf, CostWhatWholePredictionsCost) {
  const Task task = best_pair_task(23);
  ThreadTeam team(2);
  Evaluator evaluator(task, team);
  const std::vector<double> theta = task.predictor->initial_parameters(1);
  PolyStepOptions options;
  options.polytope = GetParam().polytope;
  options.radii = GetParam().radii;
  options.probe_radius = Schedule::constant(3.0);
  PolyStep optimizer(GetParam().moving ? make_moving_space(theta, {.dimension = 24, .horizon = 10}, 1)
                                       : make_layer_space(task.predictor->tensors(), theta, {.rank = 2}, 1),
                     options, 1);
  ProbeEvaluator probe_evaluator(evaluator, true);
  std::size_t flips = 0;
  for (int step = 0; step < 3; ++step) {
    const Probes& probes = optimizer.ask();
    TiledRows rows;
    const std::vector<std::size_t> chosen = {
        3, 22, 0, 7, 7, 15, 9, 1, 20, 11, static_cast<std::size_t>(step)};
    rows.gather(task.data.training, chosen);
    ProbeCosts costs;
    probe_evaluator.evaluate(probes, optimizer.parameters(), rows, costs);
    std::vector<double> candidate(theta.size());
    std::size_t equal = 0;
    for (std::size_t probe = 0; probe < probes.size(); ++probe) {
      optimizer.candidate(probe, candidate);
      equal += std::abs(evaluator.evaluate(candidate, rows).mean_cost - costs.costs[probe]) < 1e-12;
    }
    // Single precision may decide a near tie differently; one probe in a hundred may have one.
    EXPECT_GE(100 * equal, 99 * probes.size()) << "step " << step;
    flips += costs.flips;
    optimizer.tell(costs.costs);
  }
  EXPECT_GT(flips, 0u);
}

INSTANTIATE_TEST_SUITE_P(Spaces, StagedProbesOf,
                         testing::Values(Case{"orthoplex", PolytopeKind::kOrthoplex, 1, false},
                                         Case{"simplex", PolytopeKind::kSimplex, 1, false},
                                         Case{"radii", PolytopeKind::kOrthoplex, 3, false},
                                         Case{"moving", PolytopeKind::kOrthoplex, 1, true}),
                         [](const auto& info) { return std::string(info.param.name); });

// Predictions of all probes of a step, by StagedProbes that may keep so many entries.
std::vector<double> staged_predictions(StagedProbes& staged, const Probes& probes, std::size_t rows) {
  std::vector<double> all;
  StagedProbes::Scratch scratch;
  for (std::size_t block = 0; block < probes.blocks(); ++block)
    for (std::size_t tile = 0; tile * kLanes < rows; ++tile) {
      std::vector<double> predictions(probes.vertices(block) * probes.radii().size() * kPairs * kLanes);
      staged.predict(probes, block, tile, scratch, predictions.data());
      all.insert(all.end(), predictions.begin(), predictions.end());
    }
  return all;
}

TEST(StagedProbes, MinibatchAloneIsProjectedToTheBitsOfAllRows) {
  const Task task = best_pair_task(23);
  const StagedPredictor& predictor = *task.predictor->staged();
  const std::vector<double> theta = task.predictor->initial_parameters(1);
  for (const bool moving : {false, true}) {
    PolyStep optimizer(moving ? make_moving_space(theta, {.dimension = 24, .horizon = 10}, 1)
                              : make_layer_space(task.predictor->tensors(), theta, {.rank = 2}, 1),
                       PolyStepOptions{}, 1);
    const std::size_t entries = optimizer.space().dimension() * predictor.state_size();
    // All training rows fit, the rows of a minibatch do, half of them do, nothing does.
    std::vector<StagedProbes> ways;
    for (const std::size_t rows : {23u, 11u, 5u, 0u})
      ways.emplace_back(predictor, task.data.training, rows * entries);
    ThreadTeam team(2);
    for (std::size_t step = 0; step < 4; ++step) {
      const Probes& probes = optimizer.ask();
      std::vector<std::size_t> rows = {3, 22, 0, 7, 7, 15, 9, 1, 20, 11};
      rows.push_back(step / 2);  // the same rows twice, then others
      std::vector<std::vector<double>> found;
      for (StagedProbes& staged : ways) {
        staged.prepare(probes, optimizer.parameters(), rows, team);
        found.push_back(staged_predictions(staged, probes, rows.size()));
      }
      for (std::size_t way = 1; way < ways.size(); ++way)
        ASSERT_TRUE(found[way] == found[0]) << "moving " << moving << " step " << step << " way " << way;
      std::vector<double> costs(probes.size());
      for (std::size_t i = 0; i < costs.size(); ++i)
        costs[i] = static_cast<double>((i * 37 + step * 11) % 101);
      optimizer.tell(costs);
    }
  }
}

}  // namespace
}  // namespace polystep
