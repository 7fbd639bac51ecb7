#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "input_error.hpp"
#include "polystep/random.hpp"
#include "solvers/tour/tour_solver.hpp"
#include "stop_after.hpp"

namespace polystep::solvers {
namespace {

using Points = std::vector<TourPoint>;

// All orders tried, lengths summed from scratch.
std::int64_t brute_force(const Points& points) {
  std::vector<std::uint32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0u);
  std::int64_t best = tour_length(points, order);
  while (std::next_permutation(order.begin() + 1, order.end()))
    best = std::min(best, tour_length(points, order));
  return best;
}

void expect_tour(const Points& points, std::span<const std::uint32_t> order, std::int64_t length) {
  ASSERT_EQ(order.size(), points.size());
  EXPECT_EQ(order[0], 0u);
  const std::set<std::uint32_t> visited(order.begin(), order.end());
  EXPECT_EQ(visited.size(), points.size());
  EXPECT_EQ(*visited.rbegin(), points.size() - 1);
  double metres = 0;  // by other means than the solver's own sum
  for (std::size_t i = 0; i < order.size(); ++i) {
    const TourPoint a = points[order[i]], b = points[order[(i + 1) % order.size()]];
    metres += std::floor(std::hypot(a.x - b.x, a.y - b.y) + 0.5);
  }
  EXPECT_EQ(static_cast<double>(length), metres);
}

// Four families: spread, crowded onto few places (duplicates and ties), on a line, in two far clusters.
Points random_points(RandomStream& random, std::size_t count, std::size_t family) {
  Points points(count);
  for (TourPoint& point : points) {
    const auto draw = [&](std::uint64_t bound) { return static_cast<std::int32_t>(random.below(bound)); };
    switch (family) {
      case 0:
        point = {draw(20000) - 10000, draw(20000) - 10000};
        break;
      case 1:
        point = {100 * draw(3), 100 * draw(3)};
        break;
      case 2:
        point.x = draw(1000);
        point.y = 2 * point.x;
        break;
      default:
        point = {draw(50) + 100000 * draw(2), draw(50)};
    }
  }
  return points;
}

TEST(HeldKarp, EqualsBruteForce) {
  RandomStream random(1, Purpose::kTest);
  HeldKarp exact;
  for (std::size_t instance = 0; instance < 6000; ++instance) {
    const std::size_t count = 1 + instance / 4 % 7 + (instance % 100 == 0 ? 1 : 0);
    const Points points = random_points(random, count, instance % 4);
    std::vector<std::uint32_t> order(count);
    const std::int64_t length = exact.solve(points, order);
    ASSERT_EQ(length, brute_force(points)) << instance;
    expect_tour(points, order, length);
  }
}

TEST(HeldKarp, TakesTheLargestDistancesThereAre) {
  HeldKarp exact;
  Points points(HeldKarp::kMaxPoints);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::int32_t side = i % 2 == 0 ? kMaxTourCoordinate : -kMaxTourCoordinate;
    points[i] = {side, side};
  }
  std::vector<std::uint32_t> order(points.size());
  EXPECT_EQ(exact.solve(points, order), 2 * 141'421'356);
}

// The search is made for more points; on so few its tours can be held to the exact ones.
TEST(TourSearch, HardlyEverMissesTheOptimumOfAFewPoints) {
  RandomStream random(2, Purpose::kTest);
  HeldKarp exact;
  TourGraph graph;
  GreedyTour start;
  TourSearch search;
  std::size_t missed = 0;
  for (std::size_t instance = 0; instance < 400; ++instance) {
    const std::size_t count = 11 + instance % 3;
    const Points points = random_points(random, count, instance % 4);
    std::vector<std::uint32_t> order(count);
    const std::int64_t optimum = exact.solve(points, order);
    graph.set(points);
    start.build(graph, order);
    const std::int64_t length = search.improve(graph, order, 100, instance);
    EXPECT_EQ(length, tour_length(points, order));
    ASSERT_GE(length, optimum);
    missed += length > optimum ? 1 : 0;
  }
  EXPECT_LE(missed, 4u);
}

TEST(TourSolver, MakesToursOfAnyNumberOfPoints) {
  RandomStream random(3, Purpose::kTest);
  TourSolver solver;
  for (std::size_t family = 0; family < 4; ++family) {
    for (const std::size_t count : {1u, 2u, 3u, 12u, 13u, 14u, 15u, 16u, 20u, 31u, 64u, 115u, 250u}) {
      for (const std::size_t perturbations : {0u, 7u, 100u}) {
        const Points points = random_points(random, count, family);
        const std::int64_t length = solver.solve(points, perturbations, family);
        expect_tour(points, solver.order(), length);
      }
    }
  }
}

TEST(TourSolver, MakesToursBeyondTheTableOfArcs) {
  RandomStream random(4, Purpose::kTest);
  const Points points = random_points(random, 2500, 0);
  TourSolver solver;
  const std::int64_t length = solver.solve(points, 500, 1);
  expect_tour(points, solver.order(), length);
  // Random tours in the square have a length near 0.7124 sqrt(points × area).
  EXPECT_LT(static_cast<double>(length), 1.10 * 0.7124 * 20000 * std::sqrt(2500.0));
}

TEST(TourSolver, GoesAroundAConvexPolygon) {
  TourSolver solver;
  for (const std::size_t count : {20u, 57u, 130u}) {
    Points points(count);
    std::vector<std::uint32_t> around(count);
    for (std::size_t i = 0; i < count; ++i) {
      // A stride that has no factor in common with the count mixes the numbers.
      const std::size_t place = i * 11 % count;
      const double angle = 2 * 3.14159265358979 * static_cast<double>(place) / static_cast<double>(count);
      points[i] = {static_cast<std::int32_t>(90000 * std::cos(angle)),
                   static_cast<std::int32_t>(60000 * std::sin(angle))};
      around[place] = static_cast<std::uint32_t>(i);
    }
    EXPECT_EQ(solver.solve(points, 300, 1), tour_length(points, around));
  }
}

TEST(TourSolver, VisitsALatticeWithoutDetour) {
  Points points;
  for (std::int32_t x = 0; x < 10; ++x)
    for (std::int32_t y = 0; y < 8; ++y) points.push_back({1000 * x, 1000 * y});
  TourSolver solver;
  EXPECT_EQ(solver.solve(points, 1000, 1), 80 * 1000);
}

TEST(TourSolver, MorePerturbationsAreNeverWorse) {
  RandomStream random(5, Purpose::kTest);
  TourSolver solver;
  for (std::size_t instance = 0; instance < 20; ++instance) {
    const Points points = random_points(random, 90, 0);
    const std::int64_t none = solver.solve(points, 0, 1);
    const std::int64_t some = solver.solve(points, 50, 1);
    const std::int64_t many = solver.solve(points, 200, 1);
    EXPECT_LE(some, none);
    EXPECT_LE(many, some);
  }
}

TEST(TourSolver, IsAFunctionOfItsArguments) {
  RandomStream random(6, Purpose::kTest);
  TourSolver used;
  for (std::size_t instance = 0; instance < 30; ++instance) {
    const Points points = random_points(random, 14 + random.below(150), instance % 4);
    TourSolver fresh;
    EXPECT_EQ(used.solve(points, 40, instance), fresh.solve(points, 40, instance));
    EXPECT_TRUE(std::ranges::equal(used.order(), fresh.order()));
  }
}

// Tours that nobody could wait for end when they are asked to, wherever they are, and leave a solver that
// solves as a new one does.
TEST(TourSolver, StopsInTheMiddleOfATour) {
  RandomStream random(7, Purpose::kTest);
  const Points points = random_points(random, 150, 0);
  constexpr std::size_t kForEver = std::size_t{1} << 60;
  TourSolver solver, fresh;
  for (const std::size_t asks : {0u, 1u, 2u, 3u, 10u, 100u}) {
    testing::StopAfterAsks patience(asks);
    const StoppedBy stopped_by(&patience);
    EXPECT_THROW(solver.solve(points, kForEver, 1), Stopped);
    EXPECT_EQ(patience.asked(), asks + 1);
  }
  EXPECT_EQ(solver.solve(points, 40, 1), fresh.solve(points, 40, 1));
  EXPECT_TRUE(std::ranges::equal(solver.order(), fresh.order()));
}

// What passes between two asks is bounded by work, not by how long a tour is.
TEST(TourSolver, AsksWhetherToStopEveryFewPerturbations) {
  RandomStream random(8, Purpose::kTest);
  TourSolver solver;
  const Points points = random_points(random, 300, 0);
  std::size_t before = 0;
  for (const std::size_t perturbations : {0u, 1000u, 2000u}) {
    testing::StopAfterAsks endless(testing::StopAfterAsks::kNever);
    const StoppedBy stopped_by(&endless);
    solver.solve(points, perturbations, 1);
    // A perturbation has eight ends, some of them possibly the same point.
    EXPECT_GE(endless.asked(), before + (perturbations > 0 ? 1000 * 4 / TourSearch::kLooksBetweenAsks : 4));
    before = endless.asked();
  }
}

TEST(TourSolver, RefusesWhatIsNotOnTheEarth) {
  TourSolver solver;
  EXPECT_EQ(input_error([&] { solver.solve(Points{}, 1, 1); }), "a tour has 0 points, expected at least one");
  EXPECT_EQ(input_error([&] {
              solver.solve(Points{{0, 0}, {0, -50'000'001}}, 1, 1);
            }),
            "a tour has the point (0, -50000001), expected coordinates within 50000000 metres");
}

}  // namespace
}  // namespace polystep::solvers
