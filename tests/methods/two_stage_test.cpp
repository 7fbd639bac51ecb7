#include <gtest/gtest.h>

#include <cmath>

#include "methods/constraints/two_stage_loss.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

// Two metals from ten suppliers: required - contents . x <= 0.
struct Purchase {
  std::vector<double> predicted, truth, required = {627.54, 369.72}, prices, surcharges;
};

Purchase random_purchase(std::uint64_t number) {
  RandomStream stream(5, Purpose::kTest, number);
  Purchase purchase;
  for (std::size_t j = 0; j < 10; ++j) {
    purchase.prices.push_back(10 + static_cast<double>(stream.below(36)));
    purchase.surcharges.push_back(stream.uniform(0.485, 0.515));
  }
  for (std::size_t k = 0; k < 20; ++k) {
    purchase.truth.push_back(-15 - static_cast<double>(stream.below(21)));
    purchase.predicted.push_back(purchase.truth.back() + stream.uniform(-6, 4));
  }
  return purchase;
}

std::optional<double> cost(const Purchase& purchase, TwoStageLoss& loss) {
  return loss.differentiate({purchase.predicted, purchase.required}, {purchase.truth, purchase.required},
                            purchase.prices, purchase.surcharges);
}

TEST(TwoStage, GradientsAreThoseOfWhatIsPaid) {
  std::size_t moved = 0;
  for (std::uint64_t number = 0; number < 40; ++number) {
    Purchase purchase = random_purchase(number);
    TwoStageLoss loss(2, 10, {.barrier = 0.1, .damping = 0});
    ASSERT_TRUE(cost(purchase, loss));
    const std::vector<double> gradient(loss.a_gradient().begin(), loss.a_gradient().end());
    for (std::size_t k = 0; k < 20; ++k) {
      const double h = 1e-4, before = purchase.predicted[k];
      purchase.predicted[k] = before + h;
      const double above = *cost(purchase, loss);
      purchase.predicted[k] = before - h;
      const double below = *cost(purchase, loss);
      purchase.predicted[k] = before;
      EXPECT_NEAR(gradient[k], (above - below) / (2 * h), 2e-3 * (1 + std::abs(gradient[k])))
          << number << " " << k;
      moved += std::abs(gradient[k]) > 0.1;
    }
  }
  EXPECT_GT(moved, 50u);
}

// Predictions that are right leave nothing to buy late: what is paid is the price of the relaxed decision, a
// little above its optimum because of the barrier.
TEST(TwoStage, TheTruthNeedsNoCorrection) {
  Purchase purchase = random_purchase(1);
  purchase.predicted = purchase.truth;
  TwoStageLoss loose(2, 10, {.barrier = 0.1, .damping = 0.01}),
      tight(2, 10, {.barrier = 1e-6, .damping = 0.01});
  const double at_barrier = *cost(purchase, loose), nearly_optimal = *cost(purchase, tight);
  EXPECT_GT(at_barrier, nearly_optimal);
  EXPECT_LT(at_barrier, nearly_optimal + 0.1 * 12 + 1e-6);  // the barrier times the number of inequalities
  // Too rich a prediction is corrected and costs more than the truth did.
  for (double& content : purchase.predicted) content *= 1.2;
  EXPECT_GT(*cost(purchase, tight), nearly_optimal + 1);
}

TEST(TwoStage, NothingIsLearnedWhereNothingCanBeBought) {
  Purchase purchase = random_purchase(2);
  for (double& content : purchase.predicted) content = 1;  // all contents -1
  TwoStageLoss loss(2, 10, {});
  EXPECT_FALSE(cost(purchase, loss));
  for (const double entry : loss.a_gradient()) EXPECT_EQ(entry, 0);
}

}  // namespace
}  // namespace polystep
