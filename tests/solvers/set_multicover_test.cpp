#include "solvers/cover/set_multicover.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "data/benchmarks/constraint_data.hpp"
#include "data/constraint_golden.hpp"
#include "data/data_directory.hpp"
#include "input_error.hpp"
#include "polystep/random.hpp"
#include "solvers/milp/milp.hpp"

namespace polystep::solvers {
namespace {

double by_milp(const SetMulticover& cover, std::span<const double> requirements) {
  MilpModel model;
  for (std::size_t j = 0; j < cover.covers(); ++j) model.add_integer(0, 1e5, cover.costs()[j]);
  for (std::size_t i = 0; i < cover.items(); ++i) {
    std::vector<MilpEntry> entries;
    for (std::size_t j = 0; j < cover.covers(); ++j)
      if (cover.contains(j, i)) entries.push_back({j, 1.0});
    model.add_row(entries, std::max(0.0, std::ceil(requirements[i])), kUnbounded);
  }
  const MilpResult result = MilpSolver(model).solve();
  EXPECT_EQ(result.status, MilpStatus::kOptimal);
  return result.objective;
}

void expect_optimal(const SetMulticover& cover, std::span<const double> requirements,
                    SetMulticover::Workspace& work) {
  std::vector<double> multiples(cover.covers());
  ASSERT_TRUE(cover.solve(requirements, multiples, work));
  for (const double multiple : multiples) EXPECT_TRUE(multiple >= 0 && multiple == std::floor(multiple));
  for (std::size_t i = 0; i < cover.items(); ++i) EXPECT_GE(cover.coverage(multiples, i), requirements[i]);
  EXPECT_NEAR(cover.cost_of(multiples), by_milp(cover, requirements), 1e-6);
}

std::vector<double> draw_requirements(RandomStream& stream, std::size_t items) {
  std::vector<double> requirements(items);
  for (double& requirement : requirements) {
    requirement = stream.uniform(-50, 700);
    if (stream.below(4) == 0) requirement = std::floor(requirement);
    if (stream.below(8) == 0) requirement = 0;
  }
  return requirements;
}

TEST(SetMulticover, EqualsTheGeneralSolverOnGeneratedCovers) {
  for (std::uint64_t number = 0; number < 40; ++number) {
    const CoverSize& size = kCoverSizes[number % 2];
    const CoverData data = generated_set_cover(number, size, {number % 5, 0});
    const SetMulticover cover(data.costs, data.members, size.items);
    SetMulticover::Workspace work;
    RandomStream stream(21, Purpose::kTest, number);
    for (int draw = 0; draw < 25; ++draw) expect_optimal(cover, draw_requirements(stream, size.items), work);
  }
}

// Three items, each two of which share a cover that costs less than two single ones: an odd cycle, where the
// relaxation is half-integral.
TEST(SetMulticover, DecidesOddCycles) {
  const std::vector<double> costs = {5, 5, 5, 3, 3, 3};
  const std::vector<std::uint8_t> members = {1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const SetMulticover cover(costs, members, 3);
  SetMulticover::Workspace work;
  RandomStream stream(22, Purpose::kTest);
  for (int draw = 0; draw < 300; ++draw) expect_optimal(cover, draw_requirements(stream, 3), work);
  EXPECT_EQ(work.general, 0u);  // the general solver only checks here
}

TEST(SetMulticover, EqualsTheGeneralSolverOnDenseCovers) {
  for (std::uint64_t number = 0; number < 30; ++number) {
    RandomStream stream(23, Purpose::kTest, number);
    std::vector<double> costs(12);
    std::vector<std::uint8_t> members(12 * 5);
    for (double& cost : costs) cost = stream.uniform(1, 9);
    for (std::uint8_t& mark : members) mark = stream.below(3) == 0 ? 1 : 0;
    for (std::size_t i = 0; i < 5; ++i) members[i * 5 + i] = 1;
    const SetMulticover cover(costs, members, 5);
    SetMulticover::Workspace work;
    for (int draw = 0; draw < 10; ++draw) expect_optimal(cover, draw_requirements(stream, 5), work);
  }
}

TEST(SetMulticover, RoundsRequirementsUp) {
  const SetMulticover cover(std::vector<double>{2}, std::vector<std::uint8_t>{1}, 1);
  SetMulticover::Workspace work;
  for (const auto& [requirement, multiple] : std::vector<std::pair<double, double>>{
           {3, 3}, {3.2, 4}, {3.0000001, 3}, {3.00001, 4}, {0, 0}, {-7.5, 0}, {0.2, 1}}) {
    std::vector<double> multiples(1);
    ASSERT_TRUE(cover.solve(std::vector<double>{requirement}, multiples, work));
    EXPECT_EQ(multiples[0], multiple) << requirement;
  }
}

TEST(SetMulticover, DropsWhatIsNeverNeeded) {
  // Cover 1 is contained in cheaper cover 0; cover 4 is dearer than covers 2 and 3 together; 5 repeats 2.
  const std::vector<double> costs = {4, 5, 3, 2, 6, 3};
  const std::vector<std::uint8_t> members = {1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0,
                                             0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  const SetMulticover cover(costs, members, 4);
  EXPECT_EQ(std::vector<std::size_t>(cover.useful().begin(), cover.useful().end()),
            (std::vector<std::size_t>{0, 2, 3}));
}

TEST(SetMulticover, SaysWhereThereIsNoCover) {
  const SetMulticover cover(std::vector<double>{2}, std::vector<std::uint8_t>{1, 0}, 2);
  SetMulticover::Workspace work;
  std::vector<double> multiples(1);
  EXPECT_TRUE(cover.solve(std::vector<double>{3, 0}, multiples, work));
  EXPECT_FALSE(cover.solve(std::vector<double>{3, 1}, multiples, work));
  EXPECT_FALSE(cover.solve(std::vector<double>{std::nan(""), 0}, multiples, work));
  EXPECT_EQ(input_error([] { SetMulticover(std::vector<double>{0}, std::vector<std::uint8_t>{1}, 1); }),
            "set cover: cover 0 costs 0, expected a finite cost above 0");
}

// Published optima of all instances, none of them left to the general solver.
TEST(SetMulticover, FindsThePublishedOptima) {
  const std::string place = find_data_directory("");
  if (!holds_constraint_data(place)) GTEST_SKIP() << "skipped: needs data, see docs/data.md";
  for (const CoverSize& size : kCoverSizes)
    for (std::size_t dataset = 0; dataset < kConstraintDatasets; ++dataset) {
      const CoverData data = published_set_cover(place, size, {dataset, 0});
      const SetMulticover cover(data.costs, data.members, size.items);
      const std::vector<double> optima =
          testing::constraint_optima("wsmc_" + std::string(size.name), dataset);
      SetMulticover::Workspace work;
      std::vector<double> multiples(size.covers);
      for (std::size_t row = 0; row < data.data.training.rows; ++row) {
        ASSERT_TRUE(cover.solve(data.data.training.truth_row(row), multiples, work));
        ASSERT_EQ(cover.cost_of(multiples), optima[data.data.training.instance(row)]);
      }
      EXPECT_EQ(work.general, 0u) << size.name << " " << dataset;
    }
}

}  // namespace
}  // namespace polystep::solvers
