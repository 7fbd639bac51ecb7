// Every built-in problem's batched solver against its own plain decide and cost, decision for decision.
#include <gtest/gtest.h>

#include <map>

#include "polystep/aligned.hpp"
#include "polystep/random.hpp"
#include "polystep/task.hpp"

namespace polystep {
namespace {

struct Setting {
  const char* problem;
  std::vector<std::pair<const char*, const char*>> options;
  std::size_t distinct_decisions = 30;  // at least as many should come up
};

void PrintTo(const Setting& setting, std::ostream* out) { *out << setting.problem; }

class EverySetting : public testing::TestWithParam<Setting> {
 protected:
  EverySetting() {
    const ProblemRegistry problems = builtin_problems();
    const ProblemEntry& entry = problems.find(GetParam().problem, "test");
    Options options(entry.options);
    options.set_text("source", "generated", "test");
    for (const auto& [key, value] : GetParam().options) options.set_text(key, value, "test");
    task = entry.make(options, {});
  }

  Task task;
};

// Predictions like those of training: true parameters with noise, whole numbers with many ties, pure noise.
AlignedDoubles random_prediction(const Task& task, const Tile& tile, std::uint64_t trial) {
  RandomStream stream(5, Purpose::kTest, trial);
  AlignedDoubles prediction(task.problem->outputs() * kLanes);
  for (std::size_t i = 0; i < prediction.size(); ++i) {
    const double truth = tile.truth[i];
    prediction[i] = trial % 3 == 0   ? truth * stream.uniform(0.5, 1.5)
                    : trial % 3 == 1 ? static_cast<double>(stream.below(4)) - 1
                                     : stream.normal();
  }
  return prediction;
}

TEST_P(EverySetting, BatchedSolverEqualsThePlainOneBitForBit) {
  const auto batched = task.problem->make_tile_solver();
  const auto plain = task.problem->Problem::make_tile_solver();
  std::map<std::uint64_t, std::uint64_t> plain_of;  // signatures must name the same decisions in both
  const std::size_t outputs = task.problem->outputs();
  AlignedDoubles truth(outputs * kLanes);
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    Tile tile;
    tile.truth = truth.data();
    tile.shape.truth = outputs;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t row = (trial * kLanes + lane) % task.data.test.rows;
      tile.instance[lane] = task.data.test.instance(row);
      for (std::size_t o = 0; o < outputs; ++o) truth[o * kLanes + lane] = task.data.test.truth_row(row)[o];
    }
    const AlignedDoubles prediction = random_prediction(task, tile, trial);
    TileOutcome fast, slow;
    batched->solve(tile, prediction.data(), fast);
    plain->solve(tile, prediction.data(), slow);
    EXPECT_EQ(fast.failed, slow.failed);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      EXPECT_EQ(fast.cost[lane], slow.cost[lane]) << "trial " << trial << " lane " << lane;
      const auto [entry, added] = plain_of.emplace(fast.signature[lane], slow.signature[lane]);
      EXPECT_EQ(entry->second, slow.signature[lane]) << "trial " << trial << " lane " << lane;
    }
  }
  EXPECT_GE(plain_of.size(), GetParam().distinct_decisions);
}

TEST_P(EverySetting, NamesEveryComponentOfADecisionOnce) {
  std::map<std::string, int> names;
  for (std::size_t i = 0; i < task.problem->decision_size(); ++i) ++names[task.problem->decision_name(i)];
  EXPECT_EQ(names.size(), task.problem->decision_size());
}

TEST_P(EverySetting, HasALinearObjectiveWhereItSaysSo) {
  const auto sense = task.problem->facts().linear_objective();
  if (!sense) return;
  std::vector<double> decision(task.problem->decision_size());
  for (std::size_t row = 0; row < 20; ++row) {
    const auto truth = task.data.test.truth_row(row);
    ASSERT_EQ(task.problem->decide(truth, task.data.test.instance(row), decision), SolveStatus::kSolved);
    double value = 0;
    for (std::size_t i = 0; i < decision.size(); ++i) value += decision[i] * truth[i];
    const double cost = task.problem->cost(decision, truth, task.data.test.instance(row));
    EXPECT_NEAR(cost, static_cast<int>(*sense) * value, 1e-9 * (1 + std::abs(value)));
  }
}

INSTANTIATE_TEST_SUITE_P(Problems, EverySetting,
                         testing::Values(Setting{"shortest-path", {{"degree", "4"}}},
                                         Setting{"shortest-path", {{"grid", "3"}}, 6},
                                         Setting{"shortest-path", {{"grid", "9"}, {"degree", "2"}}},
                                         Setting{"knapsack", {{"capacity", "60"}}},
                                         Setting{"knapsack", {{"capacity", "180"}}},
                                         Setting{"knapsack", {{"capacity", "0"}}, 1}));

}  // namespace
}  // namespace polystep
