// Infeasibility and regrets of five golden purchases, over all rows and over batches.
#include "evaluation/recourse_figures.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace polystep {
namespace {

// T1 to T5 of the alloy benchmark: costs after recourse, optima, mean penalties.
const Evaluation& golden() {
  static const Evaluation five = [] {
    Evaluation all;
    all.costs = {253.52662368, 304, 328.31850971, 343, 305.07723255};
    all.failed = {0, 0, 0, 0, 0};
    all.broken = {1, 0, 1, 0, 1};
    return all;
  }();
  return five;
}
const std::vector<double> kOptimal = {244, 298, 260, 322, 279};
const std::vector<double> kSurcharge = {.4947649781, .4965739249, .4978755543, .4986171283, .5069663755};

TEST(RecourseFigures, AreTheGoldenOnes) {
  EXPECT_NEAR(*conditional_regret(golden(), kOptimal), .04267581, 5e-9);
  EXPECT_NEAR(mean_regret(RegretMetric::kRelative, golden(), kOptimal), .09612509, 5e-9);
  const BatchFigures batches = batch_figures(golden(), kOptimal, kSurcharge, 3);
  EXPECT_NEAR(*batches.infeasible, .58333333, 5e-9);
  EXPECT_NEAR(*batches.conditional_regret, .04267581, 5e-9);
  EXPECT_NEAR(batches.regret, .0933279, 5e-8);
}

TEST(RecourseFigures, OfNoFeasibleDecisionAreUndefined) {
  Evaluation none = golden();
  none.broken = {1, 1, 1, 1, 1};
  EXPECT_EQ(conditional_regret(none, kOptimal), std::nullopt);
  EXPECT_EQ(batch_figures(none, kOptimal, kSurcharge, 3).conditional_regret, std::nullopt);
  none.broken = {1, 1, 1, 0, 1};  // a batch without any is skipped
  EXPECT_NEAR(*batch_figures(none, kOptimal, kSurcharge, 3).conditional_regret, 343. / 322 - 1, 1e-12);
}

// A row without a decision vanishes from infeasibility, and adds an undivided number to regret.
TEST(RecourseFigures, RowsWithoutADecisionCountAsPublished) {
  Evaluation some = golden();
  some.failed = {0, 0, 1, 0, 0};
  some.broken[2] = 0;
  some.costs[2] = 13750;
  const BatchFigures batches = batch_figures(some, kOptimal, kSurcharge, 3);
  EXPECT_NEAR(*batches.infeasible, .5, 1e-12);
  const double first = ((253.52662368 - 244) / 244 + 6. / 298 + 260 * .4978755543) / 3;
  const double second = (21. / 322 + (305.07723255 - 279) / 279) / 2;
  EXPECT_NEAR(batches.regret, (first + second) / 2, 1e-9);
  EXPECT_NEAR(*conditional_regret(some, kOptimal), .04267581, 5e-9);
  some.failed = {1, 1, 1, 1, 1};
  EXPECT_EQ(batch_figures(some, kOptimal, kSurcharge, 3).infeasible, std::nullopt);
}

}  // namespace
}  // namespace polystep
