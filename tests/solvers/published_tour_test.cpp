// Tours of the published evaluator: tours at all, and as much too long as theirs.
#include "solvers/tour/published_tour.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "data/data_directory.hpp"
#include "input_error.hpp"
#include "polystep/random.hpp"
#include "solvers/golden_tours.hpp"
#include "solvers/tour/held_karp.hpp"
#include "stop_after.hpp"

namespace polystep::solvers {
namespace {

using Points = std::vector<TourPoint>;

// Spread, crowded onto few places with many ties, or on a line.
Points scatter(RandomStream& random, std::size_t count, std::size_t family) {
  Points points(count);
  for (TourPoint& point : points) {
    const auto draw = [&](std::uint64_t bound) { return static_cast<std::int32_t>(random.below(bound)); };
    if (family == 0) point = {draw(20000) - 10000, draw(20000) - 10000};
    if (family == 1) point = {100 * draw(3), 100 * draw(3)};
    if (family == 2) point.x = draw(1000), point.y = 2 * point.x;
  }
  return points;
}

TEST(PublishedTour, VisitsEveryPointOnceAndMeasuresIt) {
  RandomStream random(1, Purpose::kTest);
  PublishedTour used;
  for (std::size_t family = 0; family < 3; ++family) {
    for (const std::size_t count : {1u, 2u, 3u, 7u, 8u, 9u, 13u, 30u, 64u, 130u}) {
      const Points points = scatter(random, count, family);
      const std::int64_t length = used.solve(points);
      EXPECT_EQ(length, tour_length(points, used.order()));
      ASSERT_EQ(used.order().size(), count);
      EXPECT_EQ(used.order()[0], 0u);
      EXPECT_EQ(std::set(used.order().begin(), used.order().end()).size(), count);
      PublishedTour fresh;
      EXPECT_EQ(fresh.solve(points), length);
      EXPECT_TRUE(std::ranges::equal(fresh.order(), used.order()));
    }
  }
}

// Where candidates are most of the points there is nothing to be misled by.
TEST(PublishedTour, IsNearlyShortestThroughFewPoints) {
  RandomStream random(2, Purpose::kTest);
  PublishedTour solver;
  HeldKarp exact;
  std::size_t shortest = 0;
  for (std::size_t instance = 0; instance < 300; ++instance) {
    const Points points = scatter(random, 3 + instance % 8, 0);
    std::vector<std::uint32_t> order(points.size());
    const std::int64_t optimum = exact.solve(points, order), length = solver.solve(points);
    ASSERT_GE(length, optimum);
    shortest += length == optimum;
  }
  EXPECT_GE(shortest, 290u) << "of 300";
}

// 36 published instances with the lengths of the published evaluator, 0 to 111 % above the shortest known.
TEST(PublishedTour, IsAsMuchTooLongAsPublished) {
  const std::vector<testing::GoldenTour> all = testing::golden_tours(find_data_directory(""));
  if (all.empty()) GTEST_SKIP() << "skipped: needs data, see docs/data.md";
  PublishedTour solver;
  double theirs = 0, ours = 0, square_theirs = 0, square_ours = 0, product = 0;
  for (const testing::GoldenTour& tour : all) {
    const auto excess = [&](std::int64_t length) {
      return static_cast<double>(length) / static_cast<double>(tour.best_known) - 1;
    };
    const double own = excess(solver.solve(tour.points)), published = excess(tour.published);
    ASSERT_GE(own, 0);
    if (published < 1e-4) {
      EXPECT_LT(own, 0.02) << tour.points.size();
    }
    if (published > 0.3) {
      EXPECT_GT(own, 0.2) << tour.points.size();
    }
    theirs += published, ours += own;
    square_theirs += published * published, square_ours += own * own, product += published * own;
  }
  const auto count = static_cast<double>(all.size());
  theirs /= count, ours /= count;
  EXPECT_NEAR(theirs, 0.0980, 0.0005);
  EXPECT_NEAR(ours, theirs, 0.015);
  const double correlation =
      (product / count - theirs * ours) /
      std::sqrt((square_theirs / count - theirs * theirs) * (square_ours / count - ours * ours));
  EXPECT_GT(correlation, 0.97);
}

TEST(PublishedTour, StopsInTheMiddle) {
  RandomStream random(3, Purpose::kTest);
  const Points points = scatter(random, 120, 0);
  PublishedTour solver, fresh;
  for (const std::size_t asks : {0u, 3u, 100u, 300u}) {
    testing::StopAfterAsks patience(asks);
    const StoppedBy stopped_by(&patience);
    EXPECT_THROW(solver.solve(points), Stopped);
    EXPECT_EQ(patience.asked(), asks + 1);
  }
  EXPECT_EQ(solver.solve(points), fresh.solve(points));
}

TEST(PublishedTour, RefusesWhatIsNoTour) {
  PublishedTour solver;
  EXPECT_NE(input_error([&] { solver.solve(Points{}); }).find("0 points"), std::string::npos);
  EXPECT_NE(input_error([&] {
              solver.solve(Points{{kMaxTourCoordinate + 1, 0}});
            }).find("metres"),
            std::string::npos);
}

}  // namespace
}  // namespace polystep::solvers
