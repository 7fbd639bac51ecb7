// Tours of the published routing instances against the shortest ones known, found by another solver.
#include "solvers/golden_tours.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "data/data_directory.hpp"
#include "solvers/tour/tour_solver.hpp"

namespace polystep::solvers {
namespace {

TEST(GoldenTours, AreMetWithinAFifthOfAPercent) {
  const auto golden = testing::golden_tours(find_data_directory(""));
  if (golden.empty()) GTEST_SKIP() << "skipped: needs data, see docs/data.md";
  ASSERT_EQ(golden.size(), 36u);
  TourSolver solver;
  double excess = 0, worst = 0;
  for (const auto& instance : golden) {
    const std::int64_t length = solver.solve(instance.points, 300, instance.scenario);
    // Shorter than known is only believed of a tour that visits all points and adds up.
    const std::set<std::uint32_t> visited(solver.order().begin(), solver.order().end());
    ASSERT_EQ(visited.size(), instance.points.size());
    ASSERT_EQ(*visited.rbegin(), instance.points.size() - 1);
    ASSERT_EQ(length, tour_length(instance.points, solver.order()));
    const double gap = static_cast<double>(length) / static_cast<double>(instance.best_known) - 1;
    excess += gap;
    worst = std::max(worst, gap);
  }
  EXPECT_LE(excess / static_cast<double>(golden.size()), 0.002);
  EXPECT_LE(worst, 0.01);
}

}  // namespace
}  // namespace polystep::solvers
