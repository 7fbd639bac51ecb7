// Purchases for two requirements: golden ones, and against plain enumeration, a table and the general solver.
#include "solvers/cover/two_row_cover.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/cover_purchases.hpp"

namespace polystep::solvers {
namespace {

using Numbers = std::vector<double>;
using namespace polystep::testing;

std::optional<Numbers> bought(const CoverInstance& instance, TwoRowCover& cover) {
  Numbers amounts(instance.prices.size());
  if (!cover.solve(instance.prices, instance.contents, kBrass, amounts)) return std::nullopt;
  EXPECT_TRUE(cover.proven());
  for (const double amount : amounts) EXPECT_TRUE(amount >= 0 && amount == std::floor(amount));
  EXPECT_GE(provides(instance, amounts, 0), kBrass[0] * (1 - 2e-9));
  EXPECT_GE(provides(instance, amounts, 1), kBrass[1] * (1 - 2e-9));
  EXPECT_NEAR(costs(instance, amounts), cover.cost(), 1e-9 * cover.cost());
  return amounts;
}

std::optional<Numbers> bought(const CoverInstance& instance) {
  TwoRowCover cover(instance.prices.size());
  return bought(instance, cover);
}

TEST(TwoRowCover, BuysTheGoldenPurchases) {
  EXPECT_EQ(bought({{20, 30, 25}, {10, -2, 1, -1, 8, 2}}), (Numbers{74, 56, 0}));
  EXPECT_EQ(bought({{20, 30, 25}, {.05, .02, .01, .01, .06, .02}}), (Numbers{10807, 4361, 0}));
  EXPECT_EQ(bought({{20, 30, 25}, {.5, -.2, .1, -.3, -.4, -.1}}), std::nullopt);
}

TEST(TwoRowCover, SaysNoExactlyWhereNoMixHasBothMetals) {
  EXPECT_EQ(bought({{1}, {1, 0}}), std::nullopt);
  EXPECT_EQ(bought({{1}, {0, 0}}), std::nullopt);
  EXPECT_EQ(bought({{1}, {-1, -1}}), std::nullopt);
  EXPECT_EQ(bought({{1, 1}, {1, 0, 0, 1}}), (Numbers{628, 370}));
  EXPECT_EQ(bought({{1, 1}, {1, -1, -1, 1}}), std::nullopt);  // what one adds the other takes
  EXPECT_NE(bought({{1, 1}, {1, -1, -1, 1.01}}), std::nullopt);
  EXPECT_EQ(bought({{1, 1}, {1, -1, -1, 0.99}}), std::nullopt);
  EXPECT_NE(bought({{1, 1}, {1e-7, -1e-9, -1e-9, 1e-7}}), std::nullopt);
  // Half a million units where contents all but cancel; still a purchase.
  EXPECT_NE(bought({{7, 9}, {1, -0.999, -1, 1}}), std::nullopt);
}

// Two metals from one supplier, and from a dear one that has just a bit more.
TEST(TwoRowCover, NeverBuysFromASupplierThatAnotherBeats) {
  EXPECT_EQ(bought({{10, 10}, {25, 26, 25, 26}}), (Numbers{0, 25}));
  EXPECT_EQ(bought({{10, 10}, {25, 25, 25, 25}}), (Numbers{26, 0}));
  EXPECT_EQ(bought({{10, 9}, {25, 25, 25, 25}}), (Numbers{0, 26}));
}

bool beaten(const CoverInstance& instance, std::size_t j) {
  const std::size_t n = instance.prices.size();
  for (std::size_t k = 0; k < n; ++k) {
    const bool no_worse = instance.prices[k] <= instance.prices[j] &&
                          instance.contents[k] >= instance.contents[j] &&
                          instance.contents[n + k] >= instance.contents[n + j];
    const bool same = instance.prices[k] == instance.prices[j] &&
                      instance.contents[k] == instance.contents[j] &&
                      instance.contents[n + k] == instance.contents[n + j];
    if (k != j && no_worse && (!same || k < j)) return true;
  }
  return false;
}

// Every purchase of two suppliers in turn, the third in closed form by counting up; amounts below `most`.
std::optional<Numbers> by_enumeration(const CoverInstance& instance, double most) {
  std::optional<Numbers> best;
  double best_cost = std::numeric_limits<double>::infinity();
  const double last[2] = {instance.contents[2], instance.contents[5]};
  for (double x = beaten(instance, 0) ? 0 : most; x >= 0; --x)
    for (double y = beaten(instance, 1) ? 0 : most; y >= 0; --y) {
      if (instance.prices[0] * x + instance.prices[1] * y > best_cost) continue;
      double least = 0, greatest = beaten(instance, 2) ? 0 : most;
      for (std::size_t m = 0; m < 2; ++m) {
        const double missing =
            kBrass[m] * (1 - 1e-9) - instance.contents[3 * m] * x - instance.contents[3 * m + 1] * y;
        if (last[m] > 0)
          least = std::max(least, std::ceil(missing / last[m]));
        else if (last[m] < 0)
          greatest = std::min(greatest, std::floor(missing / last[m]));
        else if (missing > 0)
          greatest = -1;
      }
      if (least > greatest) continue;
      const double cost = instance.prices[0] * x + instance.prices[1] * y + instance.prices[2] * least;
      if (cost >= best_cost) continue;  // x, then y, come from above: the first of equals takes most
      best_cost = cost;
      best = Numbers{x, y, least};
    }
  return best;
}

TEST(TwoRowCover, EqualsPlainEnumerationAndItsTieRule) {
  RandomStream stream(41, Purpose::kTest);
  TwoRowCover cover(3);
  std::size_t ties = 0;
  for (int draw = 0; draw < 4000; ++draw) {
    CoverInstance instance;
    for (int j = 0; j < 3; ++j) instance.prices.push_back(10 + static_cast<double>(stream.below(4)));
    for (int k = 0; k < 6; ++k) instance.contents.push_back(15 + static_cast<double>(stream.below(21)));
    const auto expected = by_enumeration(instance, 45);
    ASSERT_EQ(bought(instance, cover), expected) << "draw " << draw;
    ties += instance.prices[0] == instance.prices[1];
  }
  EXPECT_GT(ties, 500u);
}

TEST(TwoRowCover, EqualsPlainEnumerationWithMixedSigns) {
  RandomStream stream(42, Purpose::kTest);
  TwoRowCover cover(3);
  std::size_t solvable = 0, unsolvable = 0;
  for (int draw = 0; draw < 1500; ++draw) {
    CoverInstance instance;
    for (int j = 0; j < 3; ++j) instance.prices.push_back(10 + static_cast<double>(stream.below(36)));
    for (int k = 0; k < 6; ++k) instance.contents.push_back(8 + 14 * stream.normal());
    const auto found = bought(instance, cover);
    found ? ++solvable : ++unsolvable;
    if (found && *std::ranges::max_element(*found) > 200) continue;  // beyond what is enumerated
    EXPECT_EQ(found, by_enumeration(instance, 260)) << "draw " << draw;
  }
  EXPECT_GT(solvable, 600u);
  EXPECT_GT(unsolvable, 50u);
}

// Ten suppliers of whole contents: a table over what is still required.
double by_table(const CoverInstance& instance) {
  constexpr std::size_t kCopper = 628, kZinc = 370;
  static std::vector<double> least((kCopper + 1) * (kZinc + 1));
  const std::size_t n = instance.prices.size();
  for (std::size_t c = 0; c <= kCopper; ++c)
    for (std::size_t z = 0; z <= kZinc; ++z) {
      double& cell = least[c * (kZinc + 1) + z];
      cell = c + z == 0 ? 0 : std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < n && c + z > 0; ++j) {
        const auto copper = static_cast<std::size_t>(instance.contents[j]);
        const auto zinc = static_cast<std::size_t>(instance.contents[n + j]);
        cell = std::min(cell,
                        instance.prices[j] +
                            least[(c > copper ? c - copper : 0) * (kZinc + 1) + (z > zinc ? z - zinc : 0)]);
      }
    }
  return least.back();
}

TEST(TwoRowCover, EqualsATableOnWholeContents) {
  RandomStream stream(43, Purpose::kTest);
  TwoRowCover cover(10);
  for (int draw = 0; draw < 120; ++draw) {
    const CoverInstance instance = draw_cover(stream, 10, Contents::kTrue);
    ASSERT_TRUE(bought(instance, cover));
    ASSERT_EQ(cover.cost(), by_table(instance)) << "draw " << draw;
  }
}

// The same comparison on 20,000 instances is `polystep_bench two-row-cover`.
TEST(TwoRowCover, EqualsTheGeneralSolver) {
  RandomStream stream(44, Purpose::kTest);
  TwoRowCover cover(10);
  std::size_t compared = 0, unsolvable = 0;
  for (int draw = 0; draw < 400; ++draw) {
    const Contents kind = kAllContents[static_cast<std::size_t>(draw) % std::size(kAllContents)];
    const CoverInstance instance = draw_cover(stream, 10, kind);
    const auto found = bought(instance, cover);
    const GeneralAnswer general = solve_generally(instance);
    if (general.status == MilpStatus::kInfeasible) {
      EXPECT_FALSE(found) << "draw " << draw;
      ++unsolvable;
    } else if (general.status == MilpStatus::kOptimal) {
      ASSERT_TRUE(found) << "draw " << draw;
      if (cover.cost() > general.cost + 1e-6 * general.cost) {
        EXPECT_FALSE(truly_enough(instance, general.amounts)) << "draw " << draw;
      }
      EXPECT_LE(cover.cost(), costs(instance, general.amounts) * (1 + 1e-6) +
                                  (truly_enough(instance, general.amounts) ? 0.0 : 45.0))
          << "draw " << draw;
      EXPECT_GE(cover.cost(), general.cost * (1 - 1e-6)) << "draw " << draw;
      ++compared;
    }
  }
  EXPECT_GT(compared, 350u);
  (void)unsolvable;
}

}  // namespace
}  // namespace polystep::solvers
