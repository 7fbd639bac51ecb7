// Prices of recourse: those of a penalty and those of a decision made anew are found again, and none is below
// 0.
#include "methods/frugal/recourse_prices.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "polystep/random.hpp"

namespace polystep {
namespace {

struct Answer {
  std::vector<double> excess, worth;
  double unit;
};

std::vector<Answer> answers(std::size_t rows, std::size_t count) {
  std::vector<Answer> drawn;
  for (std::size_t i = 0; i < count; ++i) {
    RandomStream stream(5, Purpose::kPerturbation, 0, i);
    Answer answer;
    for (std::size_t m = 0; m < rows; ++m) {
      answer.excess.push_back(10 * stream.normal());
      answer.worth.push_back(1 + std::abs(stream.normal()));
    }
    answer.unit = 50 + 10 * std::abs(stream.normal());
    drawn.push_back(answer);
  }
  return drawn;
}

TEST(RecoursePrices, FindsAPenalty) {
  RecoursePrices prices(3);
  for (const Answer& answer : answers(3, 400)) {
    double recourse = 0;
    for (std::size_t m = 0; m < 3; ++m)
      recourse += static_cast<double>(m + 1) * 7 * std::max(0.0, answer.excess[m]);
    prices.add(answer.excess, answer.worth, recourse, answer.unit);
  }
  prices.fit();
  for (std::size_t m = 0; m < 3; ++m) {
    const double penalty = static_cast<double>(m + 1) * 7;
    for (const double worth : {1.0, 2.5}) {
      EXPECT_NEAR(prices.over(m, worth), penalty, 1e-3 * penalty);
      EXPECT_NEAR(prices.under(m, worth), 0, 1e-3);
    }
    EXPECT_NEAR(prices.cost(m, 1, 4), 4 * penalty, 1e-2 * penalty);
    EXPECT_NEAR(prices.cost(m, 1, -4), 0, 1e-2);
  }
}

TEST(RecoursePrices, FindsMultiplesOfWhatAUnitIsWorth) {
  RecoursePrices prices(2);
  for (const Answer& answer : answers(2, 400)) {
    double recourse = 0;
    for (std::size_t m = 0; m < 2; ++m)
      recourse += answer.worth[m] * answer.excess[m] * (answer.excess[m] > 0 ? 6 : 0.15);
    prices.add(answer.excess, answer.worth, recourse, answer.unit);
  }
  prices.fit();
  for (const double worth : {1.0, 3.0}) {
    EXPECT_NEAR(prices.over(1, worth), 6 * worth, 1e-2);
    EXPECT_NEAR(prices.under(1, worth), 0.15 * worth, 1e-2);
    EXPECT_NEAR(prices.cost(1, worth, -10), -1.5 * worth, 0.1);
  }
}

TEST(RecoursePrices, AreNeverBelowZero) {
  RecoursePrices prices(2);
  for (const Answer& answer : answers(2, 100))
    prices.add(answer.excess, answer.worth, -3 * std::max(0.0, answer.excess[0]), answer.unit);
  prices.fit();
  for (std::size_t m = 0; m < 2; ++m) {
    EXPECT_GE(prices.over(m, 1), 0);
    EXPECT_GE(prices.under(m, 1), 0);
  }
}

TEST(RecoursePrices, DependOnWhatWasAddedAlone) {
  RecoursePrices once(2), again(2);
  const std::vector<Answer> drawn = answers(2, 60);
  again.add(drawn[0].excess, drawn[0].worth, 1e6, 1);
  again.fit();
  again.forget();
  for (RecoursePrices* prices : {&once, &again}) {
    for (const Answer& answer : drawn)
      prices->add(answer.excess, answer.worth, std::abs(answer.excess[1]), 2);
    prices->fit();
  }
  EXPECT_EQ(once.over(1, 1.5), again.over(1, 1.5));
  EXPECT_EQ(once.under(1, 1.5), again.under(1, 1.5));
}

TEST(RecoursePrices, AreNothingWithoutAnswers) {
  RecoursePrices prices(1);
  prices.fit();
  EXPECT_EQ(prices.over(0, 1), 0);
  EXPECT_EQ(prices.under(0, 1), 0);
}

}  // namespace
}  // namespace polystep
