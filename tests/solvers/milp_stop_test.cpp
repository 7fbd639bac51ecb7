// Solves are stopped in the middle.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "polystep/random.hpp"
#include "polystep/stop.hpp"
#include "solvers/milp/highs_library.hpp"
#include "solvers/milp/milp.hpp"

namespace polystep::solvers {
namespace {

// Wants to stop when it was asked so often.
class Patience final : public StopSource {
 public:
  explicit Patience(long asks) : asks_(asks) {}
  bool wanted() const noexcept override { return ++asked_ > asks_; }
  long asked() const { return asked_; }

 private:
  long asks_;
  mutable std::atomic<long> asked_{0};
};

// Equations over many binaries that hardly any choice satisfies: a search without end.
MilpModel market_split(std::size_t rows, std::size_t columns) {
  MilpModel model{.sense = Sense::kMinimise};
  RandomStream random(5, Purpose::kTest);
  std::vector<std::size_t> binaries;
  for (std::size_t column = 0; column < columns; ++column) binaries.push_back(model.add_binary(0.0));
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<MilpEntry> entries;
    double sum = 0;
    for (const std::size_t column : binaries) {
      const auto coefficient = static_cast<double>(random.below(100));
      sum += coefficient;
      entries.push_back({column, coefficient});
    }
    const std::size_t above = model.add_column(0, kUnbounded, 1), below = model.add_column(0, kUnbounded, 1);
    entries.push_back({above, 1});
    entries.push_back({below, -1});
    model.add_row(std::move(entries), std::floor(sum / 2), std::floor(sum / 2));
  }
  return model;
}

TEST(MilpStop, ASearchWithoutEndEndsWhenAsked) {
  const MilpSolver solver(market_split(6, 60));
  const Patience patience(20000);
  const StoppedBy stopped_by(&patience);
  EXPECT_THROW(solver.solve(), Stopped);
  EXPECT_GT(patience.asked(), 20000);
}

TEST(MilpStop, SoDoesOneOfHighs) {
  if (!HighsLibrary::present())
    GTEST_SKIP() << "skipped: needs the library of HiGHS, see docs/own-problem.md";
  const MilpSolver solver(market_split(6, 60), MilpEngine::kHighs);
  const Patience patience(200);
  const StoppedBy stopped_by(&patience);
  EXPECT_THROW(solver.solve(), Stopped);
  EXPECT_GT(patience.asked(), 200);
}

// Wherever it was stopped, the next solve is as if nothing had happened.
TEST(MilpStop, AStoppedSolveLeavesNoTrace) {
  const MilpModel model = market_split(2, 10);
  const MilpSolver solver(model), other(model);
  const MilpResult expected = other.solve();
  ASSERT_EQ(expected.status, MilpStatus::kOptimal);
  long needed = 0;
  {
    const Patience endless(1000000000);
    const StoppedBy watched(&endless);
    EXPECT_EQ(other.solve().solution, expected.solution);  // being watched changes nothing
    needed = endless.asked();
  }
  ASSERT_GT(needed, 10);
  for (long asks = 0; asks < needed; asks += 1 + needed / 8) {
    {
      const Patience patience(asks);
      const StoppedBy stopped_by(&patience);
      EXPECT_THROW(solver.solve(), Stopped);
    }
    const MilpResult found = solver.solve();
    EXPECT_EQ(found.status, expected.status);
    EXPECT_EQ(found.solution, expected.solution);
  }
}

}  // namespace
}  // namespace polystep::solvers
