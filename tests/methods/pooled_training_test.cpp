// Training on remembered decisions: towards the cheapest of them, or towards answers to the truth.
#include "methods/frugal/pooled_training.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "constraint_tasks.hpp"
#include "methods/frugal/unseen_predictions.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

void keep_rows(Split& split, std::size_t rows) {
  split.rows = rows;
  split.features.resize(rows * split.feature_columns);
  split.truth.resize(rows * split.truth_columns);
  if (!split.instances.empty()) split.instances.resize(rows);
}

// What SPO+ charges the rows for predictions by theta: members may tempt, and the wanted decision is
// `wanted`.
double spo_plus_bound(const Task& task, const RememberedDecisions& decisions,
                      const std::vector<double>& theta,
                      const std::function<RememberedDecisions::Member(std::size_t)>& wanted) {
  const Split& rows = task.data.training;
  const std::vector<std::vector<std::size_t>> no_row_left_out(1);
  const UnseenPredictions predictions(*task.predictor, rows, no_row_left_out);
  ThreadTeam team(1);
  const std::vector<std::vector<double>> one = {theta};
  const std::vector<double> all = predictions.of(one, team);
  double sum = 0;
  for (std::size_t row = 0; row < rows.rows; ++row) {
    const std::span<const double> prediction = predictions.layout().row(all, row);
    const auto bound = [&](const RememberedDecisions::Member& member) {
      return member.cost - 2 * decisions.value(member.decision, prediction.data());
    };
    double largest = bound(wanted(row));
    for (const RememberedDecisions::Member& member : decisions.members(row))
      largest = std::max(largest, bound(member));
    sum += largest - bound(wanted(row));
  }
  return sum;
}

TEST(PooledTraining, GoesTowardsReferencesWhereTheyAreKnown) {
  Task task = constraint_task("shortest-path");
  keep_rows(task.data.training, 60);
  const Split& rows = task.data.training;
  double size = 0;
  for (const double entry : rows.truth) size += std::abs(entry) / static_cast<double>(rows.truth.size());
  RememberedDecisions decisions(*task.problem, rows), told(*task.problem, rows);
  std::vector<double> asked(rows.truth_columns), decision(rows.truth_columns);
  for (std::size_t row = 0; row < rows.rows; ++row)
    for (std::uint64_t draw = 0; draw < 12; ++draw) {
      RandomStream stream(4, Purpose::kTest, row, draw);
      for (std::size_t o = 0; o < asked.size(); ++o) asked[o] = size * (1 + stream.normal());
      task.problem->decide(asked, rows.instance(row), decision);
      decisions.remember(row, decision);
      told.remember(row, decision);
    }
  const TiledRows tiles(rows);
  const std::vector<double> start(task.predictor->parameters(), 0.1 * size);
  PooledTraining setting{
      .training = {.steps = 300, .rate = 0.02 * size}, .by_references = true, .soft_share = 0};
  // Without references, and with those that are remembered anyway, it is pooled SPO+, to the bit.
  const std::vector<double> without = train_on_decisions(*task.predictor, decisions, tiles, start, setting);
  setting.by_references = false;
  const std::vector<double> pooled = train_on_decisions(*task.predictor, decisions, tiles, start, setting);
  EXPECT_EQ(without, pooled);
  const auto reference = [&](std::size_t row) { return *told.reference(row); };
  for (std::size_t row = 0; row < rows.rows; ++row) {
    task.problem->decide(rows.truth_row(row), rows.instance(row), decision);
    told.remember_reference(row, decision);
    EXPECT_LE(told.reference(row)->cost, told.members(row)[told.cheapest(row)].cost);
  }
  setting.by_references = true;
  const std::vector<double> by_references = train_on_decisions(*task.predictor, told, tiles, start, setting);
  EXPECT_LT(spo_plus_bound(task, told, by_references, reference),
            0.95 * spo_plus_bound(task, told, pooled, reference));
}

}  // namespace
}  // namespace polystep
