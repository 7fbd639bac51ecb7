// Safety margins: the line search finds the cheapest, on either side, and a start with one costs less.
#include "methods/constraints/safety_margin.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "methods/constraint_tasks.hpp"
#include "methods/starts/initial_fit.hpp"
#include "methods/starts/prepared_data.hpp"

namespace polystep {
namespace {

TEST(SafetyMargin, TheSearchFindsTheLowestPointOnEitherSide) {
  for (const double lowest : {-3.3, -0.7, 0.0, 0.21, 3.9}) {
    const double found =
        best_margin([&](double margin) { return std::abs(margin - lowest) * (margin > lowest ? 5 : 1); });
    EXPECT_NEAR(found, lowest, 0.03);
  }
  EXPECT_EQ(best_margin([](double) { return 1.0; }), 0);  // nothing to gain: no margin
}

class MarginOn : public testing::TestWithParam<const char*> {};

TEST_P(MarginOn, MovesBiasesByResidualDeviationsAndLowersTheCost) {
  const Task task = constraint_task(GetParam());
  const PreparedData data = prepare_data(task, true, false);
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  std::vector<std::size_t> rows(data.training.rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const std::vector<double> fit = *least_squares_start(*task.predictor, data.training, rows);
  const std::vector<double> deviations = residual_deviations(*task.predictor, fit, data.training);
  // Outputs are in units of the truth's spread, of which a fit explains some.
  for (const double deviation : deviations) {
    EXPECT_GT(deviation, 0);
    EXPECT_LE(deviation, 1);
  }
  const FitWithMargin with = add_best_margin(evaluator, fit, data.training, data.training, rows);
  const std::size_t biases = fit.size() - deviations.size();
  const double margin = (with.theta[biases] - fit[biases]) / deviations[0];
  for (std::size_t i = 0; i < biases; ++i) EXPECT_EQ(with.theta[i], fit[i]);
  for (std::size_t o = 0; o < deviations.size(); ++o)
    EXPECT_NEAR(with.theta[biases + o], fit[biases + o] + margin * deviations[o], 1e-12);
  const TiledRows tiles(data.training);
  EXPECT_LT(evaluator.evaluate(with.theta, tiles).mean_cost, evaluator.evaluate(fit, tiles).mean_cost);
  // Too little capacity is safe; so is too much of a weight or a requirement.
  EXPECT_EQ(margin < 0, std::string(GetParam()) == "knapsack-capacity");
  EXPECT_EQ(with.solves.requested % tiles.rows(), 0u);
  EXPECT_GT(with.solves.requested, 0u);
}

INSTANTIATE_TEST_SUITE_P(Problems, MarginOn,
                         testing::Values("knapsack-capacity", "knapsack-weight", "set-cover"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace polystep
