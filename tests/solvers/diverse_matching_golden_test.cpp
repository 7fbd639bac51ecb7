// Optima of the published matching instances, found by another solver, whole and relaxed.
#include <gtest/gtest.h>

#include "data/benchmarks/cora_data.hpp"
#include "data/data_directory.hpp"
#include "solvers/matching/diverse_matching.hpp"

namespace polystep::solvers {
namespace {

struct Golden {
  std::size_t instance;
  double plain;
  double whole[3];    // types 1 to 3
  double relaxed[3];  // types 1 to 3
};

constexpr double kShares[] = {0.1, 0.25, 0.5};
constexpr Golden kGolden[] = {
    {0, 47, {47, 40, 28}, {47, 40.5, 28}},       {1, 43, {43, 43, 24}, {43, 43, 24}},
    {2, 41, {41, 41, 30}, {41, 41, 30}},         {3, 38, {38, 38, 29}, {38, 38, 29}},
    {4, 46, {46, 23, 11}, {46, 23, 11}},         {22, 43, {38, 14, 6}, {38, 14, 6}},
    {23, 42, {42, 42, 26}, {42, 42, 26}},        {24, 40, {40, 40, 39}, {40, 40, 39.333333}},
    {25, 41, {41, 38, 21}, {41, 38.428571, 21}}, {26, 32, {32, 31, 15}, {32, 31, 15}},
};

TEST(DiverseMatchingGolden, OptimaOfThePublishedInstances) {
  const std::string directory = find_data_directory("");
  if (directory.empty()) GTEST_SKIP() << "skipped: needs data, see docs/data.md";
  const CoraData data = read_cora(directory);
  std::vector<int> partner(kCoraSide);
  std::vector<double> choice(kCoraPairs);
  for (const Golden& golden : kGolden) {
    const auto weights = data.weights(golden.instance);
    const auto same_label = data.same_label(golden.instance);
    const DiverseMatching plain(kCoraSide, kCoraSide, same_label, 0.0, 0.0);
    DiverseMatching::Workspace plain_workspace(plain);
    EXPECT_EQ(plain.solve(weights, plain_workspace, partner), golden.plain);
    for (std::size_t type = 0; type < 3; ++type) {
      const DiverseMatching matching(kCoraSide, kCoraSide, same_label, kShares[type], kShares[type]);
      DiverseMatching::Workspace workspace(matching);
      EXPECT_EQ(matching.solve(weights, workspace, partner), golden.whole[type])
          << "instance " << golden.instance << " type " << type + 1;
      EXPECT_TRUE(matching.allows(partner));
      EXPECT_NEAR(matching.solve_relaxation(weights, workspace, choice), golden.relaxed[type], 1e-6)
          << "instance " << golden.instance << " type " << type + 1;
    }
  }
}

}  // namespace
}  // namespace polystep::solvers
