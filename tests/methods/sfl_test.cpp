#include <gtest/gtest.h>

#include <cmath>

#include "methods/constraints/sfl_loss.hpp"

namespace polystep {
namespace {

struct Instance {
  std::size_t rows, variables;
  std::vector<double> a, b, optimum, objective, negatives;
};

Instance random_instance(std::uint64_t number) {
  RandomStream stream(2, Purpose::kTest, number);
  Instance instance{.rows = 1 + stream.below(3),
                    .variables = 2 + stream.below(4),
                    .a = {},
                    .b = {},
                    .optimum = {},
                    .objective = {},
                    .negatives = {}};
  for (std::size_t k = 0; k < instance.rows * instance.variables; ++k)
    instance.a.push_back(stream.uniform(-1, 1));
  for (std::size_t row = 0; row < instance.rows; ++row) instance.b.push_back(stream.uniform(-2, 2));
  for (std::size_t j = 0; j < instance.variables; ++j) {
    instance.optimum.push_back(static_cast<double>(stream.below(3)));
    instance.objective.push_back(stream.uniform(1, 5));
  }
  for (std::size_t k = 0; k < 4 * instance.variables; ++k)
    instance.negatives.push_back(static_cast<double>(stream.below(3)));
  return instance;
}

// One negative's shares depend on the rows but are held constant: with a high temperature they hardly move.
SflShape smooth() { return {.temperature = 1e9, .inside_margin = 0.5, .outside_margin = 0.5}; }

TEST(Sfl, GradientsAreThoseOfTheLosses) {
  for (std::uint64_t number = 0; number < 200; ++number)
    for (std::size_t which = 0; which < kSflLosses; ++which) {
      Instance instance = random_instance(number);
      SflValues weights{};
      weights[which] = 1;
      SflLoss loss(instance.rows, instance.variables, smooth());
      const auto value = [&] {
        loss.begin(instance.a, instance.b);
        return loss.differentiate(instance.optimum, instance.objective, instance.negatives, weights)[which];
      };
      value();
      const std::vector<double> a_gradient(loss.a_gradient().begin(), loss.a_gradient().end());
      const std::vector<double> b_gradient(loss.b_gradient().begin(), loss.b_gradient().end());
      const auto slope = [&](double& entry) {
        const double h = 1e-7, before = entry;
        entry = before + h;
        const double above = value();
        entry = before - h;
        const double below = value();
        entry = before;
        return (above - below) / (2 * h);
      };
      for (std::size_t k = 0; k < a_gradient.size(); ++k)
        EXPECT_NEAR(a_gradient[k], slope(instance.a[k]), 1e-5) << number << " " << which;
      for (std::size_t k = 0; k < b_gradient.size(); ++k)
        EXPECT_NEAR(b_gradient[k], slope(instance.b[k]), 1e-5) << number << " " << which;
    }
}

// Two rows x >= 1 and y >= 2 in the plane, by hand.
TEST(Sfl, LossesByHand) {
  const std::vector<double> a = {-2, 0, 0, -1}, b = {2, 2}, optimum = {1, 3}, objective = {3, 4};
  SflLoss loss(2, 2, {.temperature = 0.5, .inside_margin = 0.01, .outside_margin = 0.01});
  loss.begin(a, b);
  const std::vector<double> negatives = {4, 2.5};  // inside by 3 and by 0.5
  const SflValues losses = loss.differentiate(optimum, objective, negatives, {});
  EXPECT_NEAR(losses[0], 0.01 / 2, 1e-12);  // the optimum lies on the first row
  const double share = 1 / (1 + std::exp(-(3 - 0.5) / 0.5));
  EXPECT_NEAR(losses[1], (share * 0.51 + (1 - share) * 3.01) / (1 + 1.2e-7), 1e-9);
  // Inward normals (1, 0) and (0, 1), downward objective -(0.6, 0.8): mean (0.4, 0.2) / 3.
  EXPECT_NEAR(losses[2], (0.16 + 0.04) / 9 / 2, 1e-12);
}

TEST(Sfl, NegativesDifferFromTheOptimumAndCostNoMore) {
  std::size_t found = 0;
  for (std::uint64_t number = 0; number < 100; ++number) {
    const Instance instance = random_instance(number);
    RandomStream stream(0, Purpose::kPerturbation, number), again(0, Purpose::kPerturbation, number);
    NegativeDecisions negatives(instance.rows, instance.variables);
    const std::span<const double> used = negatives.collect(instance.a, instance.b, instance.optimum,
                                                           instance.objective, instance.negatives, stream);
    const auto cost = [&](std::span<const double> x) {
      double sum = 0;
      for (std::size_t j = 0; j < x.size(); ++j) sum += instance.objective[j] * x[j];
      return sum;
    };
    for (std::size_t k = 0; k < used.size(); k += instance.variables) {
      const std::span<const double> negative = used.subspan(k, instance.variables);
      EXPECT_FALSE(std::equal(negative.begin(), negative.end(), instance.optimum.begin()));
      EXPECT_LE(cost(negative), cost(instance.optimum));
      for (const double entry : negative) EXPECT_EQ(entry, std::round(entry));
      ++found;
    }
    NegativeDecisions other(instance.rows, instance.variables);
    const std::span<const double> same = other.collect(instance.a, instance.b, instance.optimum,
                                                       instance.objective, instance.negatives, again);
    EXPECT_TRUE(std::equal(used.begin(), used.end(), same.begin(), same.end()));
  }
  EXPECT_GT(found, 500u);
}

// As published: 26 units become -25.
TEST(Sfl, WholeNumbersAreFlippedAsIfTheyWereBinary) {
  RandomStream stream(0, Purpose::kTest);
  NegativeDecisions negatives(1, 2);
  const std::vector<double> a = {-1, -1}, b = {26}, optimum = {26, 0}, objective = {1, 1};
  const std::span<const double> used = negatives.collect(a, b, optimum, objective, {}, stream);
  ASSERT_GE(used.size(), 2u);
  EXPECT_EQ(used[0], -25);
  EXPECT_EQ(used[1], 0);
}

TEST(Sfl, BalanceStartsEvenAndFavoursWhatVaries) {
  LossBalance balance;
  const SflValues first = balance.weigh({3, 0.02, 0.5});
  for (const double weight : first) EXPECT_NEAR(weight, 1.0 / 3, 1e-12);
  balance.weigh({3, 0.03, 0.5});
  const SflValues later = balance.weigh({3, 0.01, 0.5});
  EXPECT_GT(later[1], 0.9);
  EXPECT_NEAR(later[0] + later[1] + later[2], 1, 1e-12);
  // Saved and loaded it goes on alike.
  ArchiveWriter writer;
  balance.save(writer);
  LossBalance restored;
  ArchiveReader reader(writer.bytes(), "test");
  restored.load(reader);
  EXPECT_EQ(balance.weigh({1, 1, 1}), restored.weigh({1, 1, 1}));
}

}  // namespace
}  // namespace polystep
