#include "methods/polystepor/bags.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace polystep {
namespace {

TEST(Bags, OneBagHoldsAllRowsAndTheRunsSeed) {
  const BagPlan plan{.bags = 1, .share = 0.5, .seed = 9};
  const auto bags = draw_bags(plan, 5);
  ASSERT_EQ(bags.size(), 1u);
  EXPECT_EQ(bags[0], (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(bag_seed(plan, 0), 9u);
}

TEST(Bags, HoldDifferentRowsOfTheAskedNumberWithoutRepetition) {
  const BagPlan plan{.bags = 12, .share = 0.3, .seed = 2};
  const auto bags = draw_bags(plan, 200);
  std::set<std::vector<std::size_t>> different;
  std::set<std::uint64_t> seeds;
  std::vector<int> count(200, 0);
  for (std::size_t bag = 0; bag < bags.size(); ++bag) {
    EXPECT_EQ(bags[bag].size(), 60u);
    EXPECT_TRUE(std::adjacent_find(bags[bag].begin(), bags[bag].end(), std::greater_equal<>()) ==
                bags[bag].end());
    for (const std::size_t row : bags[bag]) ++count.at(row);
    different.insert(bags[bag]);
    seeds.insert(bag_seed(plan, bag));
  }
  EXPECT_EQ(different.size(), 12u);
  EXPECT_EQ(seeds.size(), 12u);
  EXPECT_LT(*std::max_element(count.begin(), count.end()), 12);  // every row has a bag that did not see it
  EXPECT_EQ(draw_bags(plan, 200), bags);
}

TEST(Bags, ATinyShareStillHasARow) {
  for (const auto& bag : draw_bags({.bags = 3, .share = 0.01, .seed = 0}, 4)) EXPECT_EQ(bag.size(), 1u);
}

}  // namespace
}  // namespace polystep
