// Alloy production: the golden purchases, what they come to, and what an instance costs that nobody can
// serve.
#include "problems/alloy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "evaluation/evaluator.hpp"
#include "input_error.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

using Numbers = std::vector<double>;

const AlloyInstances& golden_instances() {
  static const AlloyInstances drawn = draw_alloy_instances(kAlloySeed, 0, 500, 0.5);
  return drawn;
}

const Alloy& golden_problem() {
  static const Alloy problem(kAlloySuppliers, golden_instances().prices, golden_instances().penalties,
                             kAlloyRequired);
  return problem;
}

std::span<const double> truth(std::size_t instance) {
  return std::span(golden_instances().contents).subspan(instance * kAlloyContents, kAlloyContents);
}

double optimum(std::size_t instance) {
  Numbers decision(kAlloySuppliers);
  EXPECT_EQ(golden_problem().reference(instance, truth(instance), decision), SolveStatus::kSolved);
  return golden_problem().cost(decision, truth(instance), instance);
}

struct Golden {
  std::size_t instance;
  Numbers prediction;
  std::vector<std::pair<std::size_t, double>> purchase;
  double own_cost, optimal, factor, surcharge, cost;
};

const std::vector<Golden>& golden_purchases() {
  static const std::vector<Golden> all = {
      {0,
       {33,   23.7, 34.3, 12.8, 26.9, 23.5, 21.2, 25.4, 17.8, 16.4,
        16.2, 30.9, 35.3, 26.7, 18.9, 28.7, 26.6, 14.9, 24.2, 21.8},
       {{0, 21}, {1, 1}},
       229,
       244,
       1.0716521739,
       .4947649781,
       253.52662368},
      {400,
       {24.9, 19.2, 30.9, 29.7, 31.5, 15.2, 27,   32.9, 25.9, 20.6,
        17.9, 33.7, 18.2, 37.6, 28,   16.5, 18.8, 32.9, 10.8, 23.9},
       {{6, 16}, {7, 6}},
       304,
       298,
       1,
       .4965739249,
       304},
      {403,
       {24.2, 33.5, 19.7, 15,   16.2, 31.9, 19.7, 24.1, 17.6, 23.9,
        30.9, 21.9, 29.3, 30.2, 19.1, 28.6, 22.8, 32.3, 19.6, 14.6},
       {{6, 5}, {7, 22}},
       314,
       260,
       1.0304433498,
       .4978755543,
       328.31850971},
      {404,
       {33.7, 26.6, 31.9, 24, 22.4, 21.8, 18.1, 29.6, 30.4, 18,
        26.3, 16.2, 13.6, 32, 20.1, 30.3, 27.6, 15,   28.1, 31.3},
       {{3, 25}, {8, 1}},
       343,
       322,
       1,
       .4986171283,
       343},
      {406,
       {17.9, 13.7, 36.6, 24.2, 33.6, 35.1, 21.9, 16.7, 28,   19.6,
        23.5, 27.4, 20.4, 14.6, 32.4, 37,   24.1, 30.3, 27.9, 36.8},
       {{2, 16}, {3, 1}, {9, 1}},
       265,
       279,
       1.1003571429,
       .5069663755,
       305.07723255},
      {401,
       {21.81, 29,   33.5,  27.5,  29.27, 30.72, 28.58, 22.51, 29.29, 24.26,
        27.9,  22.7, 21.41, 20.74, 27.28, 14.61, 26.18, 19.06, 23.66, 27.58},
       {{9, 26}},
       312,
       257,
       1.2703238866,
       .4959037970,
       438.16610087}};
  return all;
}

TEST(Alloy, BuysAndPaysWhatTheGoldenCasesSay) {
  for (const Golden& golden : golden_purchases()) {
    SCOPED_TRACE(golden.instance);
    Numbers expected(kAlloySuppliers, 0.0), decision(kAlloySuppliers);
    for (const auto& [supplier, units] : golden.purchase) expected[supplier] = units;
    ASSERT_EQ(golden_problem().decide(golden.prediction, golden.instance, decision), SolveStatus::kSolved);
    EXPECT_EQ(decision, expected);
    const std::span<const double> prices = golden_problem().prices(golden.instance);
    EXPECT_EQ(std::inner_product(prices.begin(), prices.end(), decision.begin(), 0.0), golden.own_cost);
    EXPECT_NEAR(golden_problem().surcharge(golden.instance), golden.surcharge, 5e-11);
    const Realisation found = golden_problem().realise(decision, truth(golden.instance), golden.instance);
    EXPECT_NEAR(found.cost, golden.cost, 5e-9);
    EXPECT_EQ(found.recourse.infeasible, golden.factor > 1);
    EXPECT_EQ(found.recourse.changed, golden.factor > 1);
    EXPECT_EQ(optimum(golden.instance), golden.optimal);
  }
}

TEST(Alloy, HasTheGoldenOptima) {
  double all = 0, training = 0, validation = 0, least = 1e9, most = 0;
  for (std::size_t i = 0; i < 500; ++i) {
    const double cost = optimum(i);
    all += cost;
    training += i < 350 ? cost : 0;
    validation += i >= 350 && i < 400 ? cost : 0;
    least = std::min(least, cost);
    most = std::max(most, cost);
  }
  EXPECT_EQ(all, 158771);
  EXPECT_EQ(training, 111300);
  EXPECT_EQ(validation, 16271);
  EXPECT_EQ(least, 180);
  EXPECT_EQ(most, 656);
  const Numbers first = {optimum(400), optimum(401), optimum(402), optimum(403), optimum(404)};
  EXPECT_EQ(first, (Numbers{298, 257, 300, 260, 322}));
}

TEST(Alloy, ChargesWhatNobodyCanServe) {
  const Alloy problem(3, {20, 30, 25}, {.4, .5, .6}, kAlloyRequired);
  Numbers decision(3, -1);
  EXPECT_EQ(problem.decide(Numbers{.5, -.2, .1, -.3, -.4, -.1}, 0, decision), SolveStatus::kFailed);
  EXPECT_EQ(problem.failure_charge(0), 100 * .5 * 75);
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_EQ(problem.decide(Numbers{1, 1, bad, 1, 1, 1}, 0, decision), SolveStatus::kFailed);
  ASSERT_EQ(problem.decide(Numbers{10, -2, 1, -1, 8, 2}, 0, decision), SolveStatus::kSolved);
  EXPECT_EQ(decision, (Numbers{74, 56, 0}));
  // Reality may have nothing of a metal: then no factor helps.
  EXPECT_FALSE(std::isfinite(problem.realise(decision, Numbers{1, 1, 1, 0, 0, 0}, 0).cost));
}

// A row without a decision costs its own charge, in evaluations too.
TEST(Alloy, EvaluationsChargeEveryInstanceItsOwn) {
  Task task;
  task.problem = std::make_unique<Alloy>(2, Numbers{20, 30, 40, 50}, Numbers{.5, .5, .2, .2}, kAlloyRequired);
  task.predictor = make_shared_linear(1, 4);
  for (std::size_t row = 0; row < 2; ++row)
    task.data.test.add_row(Numbers{1, 1, 1, 1}, Numbers{20, 20, 20, 20}, row);
  task.data.training = task.data.validation = task.data.test;
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  EXPECT_EQ(evaluator.calibrate_failure_cost(Numbers{-1, 0}, task.data.training).performed, 0u);
  EXPECT_EQ(evaluator.failure_cost(), (100 * .5 * 50 + 100 * .2 * 90) / 2);
  const Evaluation found = evaluator.evaluate(Numbers{-1, 0}, TiledRows(task.data.test));
  EXPECT_EQ(found.costs, (Numbers{100 * .5 * 50, 100 * .2 * 90}));
  EXPECT_EQ(found.failed, (std::vector<std::uint8_t>{1, 1}));
  EXPECT_EQ(found.broken, (std::vector<std::uint8_t>{0, 0}));
  const Evaluation rich = evaluator.evaluate(Numbers{21, 0}, TiledRows(task.data.test));
  EXPECT_EQ(rich.broken, (std::vector<std::uint8_t>{1, 1}));
}

TEST(Alloy, TilesAreDecidedAsRowsAre) {
  const auto fast = golden_problem().make_tile_solver(), plain = make_scalar_tile_solver(golden_problem());
  RandomStream stream(51, Purpose::kTest);
  std::vector<double> prediction(kAlloyContents * kLanes), real(kAlloyContents * kLanes);
  std::uint32_t failed = 0;
  for (int draw = 0; draw < 300; ++draw) {
    Tile tile;
    tile.truth = real.data();
    tile.shape = {1, kAlloyContents};
    tile.lanes = draw % 7 == 0 ? 5 : kLanes;
    const double level = draw % 3 == 0 ? 0.3 : 25, spread = draw % 3 == 0 ? 0.5 : 4;
    for (double& number : prediction) number = level + spread * stream.normal();
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      tile.instance[lane] = stream.below(500);
      for (std::size_t k = 0; k < kAlloyContents; ++k)
        real[k * kLanes + lane] = truth(tile.instance[lane])[k];
    }
    TileOutcome left, right;
    fast->solve(tile, prediction.data(), left);
    plain->solve(tile, prediction.data(), right);
    EXPECT_EQ(left.failed, right.failed);
    EXPECT_EQ(left.infeasible, right.infeasible);
    failed |= left.failed;
    for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
      EXPECT_EQ(left.cost[lane], right.cost[lane]);
      EXPECT_EQ(left.signature[lane], right.signature[lane]);
    }
  }
}

TEST(Alloy, ShowsItsConstraintsAsRows) {
  const PredictedRows& rows = *golden_problem().predicted_rows();
  const Golden& golden = golden_purchases()[0];
  Numbers a(kAlloyContents), b(2), x(kAlloySuppliers);
  rows.write_rows(golden.prediction, 0, a, b);
  EXPECT_EQ(a[0], -33);
  EXPECT_EQ(b, (Numbers{627.54, 369.72}));
  EXPECT_EQ(rows.objective(0)[1], 19);
  EXPECT_NEAR(rows.surcharges(0)[1], .48649797, 1e-8);
  const Numbers wide(kAlloySuppliers, 1e5), narrow(kAlloySuppliers, 12);
  ASSERT_TRUE(rows.solve_rows(golden.prediction, 0, wide, x));
  EXPECT_EQ(x[0], 21);
  ASSERT_TRUE(rows.solve_rows(golden.prediction, 0, narrow, x));
  for (const double units : x) EXPECT_LE(units, 12);
  EXPECT_FALSE(rows.solve_rows(golden.prediction, 0, Numbers(kAlloySuppliers, 1), x));
  Numbers gradient(kAlloyContents, 0.0);
  rows.add_gradient(Numbers(kAlloyContents, 2.0), b, gradient);
  EXPECT_EQ(gradient[3], -2);
}

TEST(Alloy, RefusesWhatIsNotAPurchase) {
  EXPECT_NE(input_error([] {
              Alloy(2, {1, 2, 3}, {0, 0, 0}, kAlloyRequired);
            }).find("found 3 prices"),
            std::string::npos);
  EXPECT_NE(input_error([] {
              Alloy(2, {1, 0}, {0, 0}, kAlloyRequired);
            }).find("found price 0"),
            std::string::npos);
  EXPECT_NE(input_error([] {
              Alloy(2, {1, 2}, {0, 0}, {0, 1});
            }).find("found requirement 0"),
            std::string::npos);
}

}  // namespace
}  // namespace polystep
