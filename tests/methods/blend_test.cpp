#include "methods/polystepor/blend.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "polystep/random.hpp"

namespace polystep {
namespace {

// Pays the squared distance between prediction and truth: the best blend can be worked out by hand.
struct Distance final : Problem {
  Distance() : Problem(1, 1) {}
  SolveStatus decide(std::span<const double> prediction, std::size_t,
                     std::span<double> decision) const override {
    decision[0] = prediction[0];
    return SolveStatus::kSolved;
  }
  double cost(std::span<const double> decision, std::span<const double> truth, std::size_t) const override {
    return (decision[0] - truth[0]) * (decision[0] - truth[0]);
  }
};

// The truth is `slope` times the only feature.
Task line(double slope, double noise) {
  Split rows{60, 1, 1, {}, {}, {}};
  RandomStream random(3, Purpose::kTest);
  for (std::size_t row = 0; row < rows.rows; ++row) {
    rows.features.push_back(random.normal());
    rows.truth.push_back(slope * rows.features.back() + noise * random.normal());
  }
  return {"", std::make_unique<Distance>(), make_linear(1, 1), split_at_random(rows, 0.3, 0.1, 1),
          RegretMetric::kAbsolute};
}

const std::vector<double> kFlat = {0, 0};  // slope and intercept
const std::vector<double> kSteep = {1, 0};
const std::vector<double> kShares = {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1};

struct Chooser {
  explicit Chooser(const Task& task) : team(1), evaluator(task, team) {}
  ThreadTeam team;
  Evaluator evaluator;
};

TEST(Blend, FindsTheShareThatFitsHeldOutRows) {
  const Task task = line(0.3, 0);
  Chooser chooser(task);
  const std::vector<std::vector<std::size_t>> bags = {{0, 1, 2}};
  HeldOutRows rows(chooser.evaluator, task.data.training, task.data.validation, bags);
  const std::vector<std::vector<double>> flat = {kFlat}, steep = {kSteep};
  const Blend blend = rows.choose({flat, kFlat}, {steep, kSteep}, kShares);
  EXPECT_DOUBLE_EQ(blend.share, 0.3);
  EXPECT_NEAR(blend.cost, 0, 1e-28);
}

TEST(Blend, TakesAllThatWasLearnedWhereItIsBeyondDoubt) {
  const Task task = line(0.8, 0);  // 0.8 of the steep line is right, and all of it far better than none
  Chooser chooser(task);
  const std::vector<std::vector<std::size_t>> bags = {{0, 1, 2}};
  HeldOutRows rows(chooser.evaluator, task.data.training, task.data.validation, bags);
  const std::vector<std::vector<double>> flat = {kFlat}, steep = {kSteep};
  EXPECT_EQ(rows.choose({flat, kFlat}, {steep, kSteep}, kShares).share, 1);
}

// The start's costs are known from the choice before, and shares between the ends matter only in doubt.
TEST(Blend, DecidesNoMoreThanItNeeds) {
  const Task task = line(0.8, 0), doubtful = line(0, 1);
  const std::vector<std::vector<std::size_t>> bags = {{0, 1, 2}};
  const std::vector<std::vector<double>> flat = {kFlat}, steep = {kSteep}, level = {{1e-9, 0}};
  Chooser chooser(task), doubting(doubtful);
  HeldOutRows rows(chooser.evaluator, task.data.training, task.data.validation, bags);
  const std::size_t once = task.data.training.rows + task.data.validation.rows;
  rows.choose({flat, kFlat}, {flat, kFlat}, start_alone());
  EXPECT_EQ(rows.solves().requested, once);
  rows.choose({flat, kFlat}, {steep, kSteep}, kShares);
  EXPECT_EQ(rows.solves().requested, once);
  rows.forget_start();
  rows.choose({flat, kFlat}, {steep, kSteep}, kShares);
  EXPECT_EQ(rows.solves().requested, 2 * once);
  rows.choose({level, kFlat}, {steep, kSteep}, kShares);  // another start
  EXPECT_EQ(rows.solves().requested, 2 * once);
  HeldOutRows doubt(doubting.evaluator, doubtful.data.training, doubtful.data.validation, bags);
  doubt.choose({flat, kFlat}, {level, kFlat}, kShares);
  EXPECT_EQ(doubt.solves().requested, 11 * once);
}

TEST(Blend, StaysWithTheStartWhereNothingIsGained) {
  const Task task = line(0, 1);
  Chooser chooser(task);
  const std::vector<std::vector<std::size_t>> bags = {{0, 1, 2}};
  HeldOutRows rows(chooser.evaluator, task.data.training, task.data.validation, bags);
  const std::vector<std::vector<double>> flat = {kFlat}, steep = {{1e-9, 0}};
  EXPECT_EQ(rows.choose({flat, kFlat}, {steep, kSteep}, kShares).share, 0);
}

// Bag 0 saw the first half and answers for the second, and the other way round. A bag that is wrong on rows
// it did not see must be found out; validation rows are kept out of it by giving them the start either way.
TEST(Blend, JudgesABagByRowsItDidNotSee) {
  const Task task = line(1, 0);
  Chooser chooser(task);
  const std::size_t half = task.data.training.rows / 2;
  std::vector<std::vector<std::size_t>> bags(2);
  for (std::size_t row = 0; row < task.data.training.rows; ++row) bags[row < half ? 0 : 1].push_back(row);
  HeldOutRows rows(chooser.evaluator, task.data.training, task.data.validation, bags);
  const std::vector<std::vector<double>> start = {kFlat, kFlat}, trained = {kSteep, kFlat};
  const std::vector<double> all = {1.0};
  double expected = 0;
  for (std::size_t row = 0; row < half; ++row) {  // bag 1 answers, flat
    const double truth = task.data.training.truth[row];
    expected += truth * truth;
  }
  for (const double truth : task.data.validation.truth) expected += truth * truth;
  expected /= static_cast<double>(task.data.training.rows + task.data.validation.rows);
  EXPECT_NEAR(rows.choose({start, kFlat}, {trained, kFlat}, all).cost, expected, 1e-12);
}

}  // namespace
}  // namespace polystep
