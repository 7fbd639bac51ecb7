// The moving basis: the same bits however it is built, orthonormal in both precisions, rebuilt by load.
#include <gtest/gtest.h>

#include <cmath>

#include "black_box.hpp"
#include "optimizer/dense_columns.hpp"
#include "optimizer/tile_products.hpp"
#include "polystep/error.hpp"
#include "polystep/random.hpp"
#include "polystep/search_space.hpp"
#include "polystep/team.hpp"

namespace polystep {
namespace {

using polystep::testing::copy;
using polystep::testing::dot;

std::vector<double> column(const SearchSpace& space, std::size_t c) {
  Direction direction;
  const double one = 1;
  space.direction(c, {&one, 1}, direction);
  EXPECT_TRUE(direction.dense());
  return copy(direction.value());
}

std::vector<double> all_columns(const SearchSpace& space) {
  std::vector<double> all;
  for (std::size_t c = 0; c < space.dimension(); ++c) {
    const std::vector<double> next = column(space, c);
    all.insert(all.end(), next.begin(), next.end());
  }
  return all;
}

double worst_inner_product(const SearchSpace& space) {
  std::vector<std::vector<double>> columns;
  for (std::size_t c = 0; c < space.dimension(); ++c) columns.push_back(column(space, c));
  double worst = 0;
  for (std::size_t a = 0; a < columns.size(); ++a)
    for (std::size_t b = 0; b <= a; ++b)
      worst = std::max(worst, std::abs(dot(columns[a], columns[b]) - (a == b ? 1.0 : 0.0)));
  return worst;
}

std::vector<double> step_number(std::size_t t, std::size_t dimension) {
  std::vector<double> y(dimension);
  RandomStream(1, Purpose::kTest, t).fill_normal(y);
  return y;
}

void take_steps(SearchSpace& space, std::size_t first, std::size_t last) {
  for (std::size_t t = first; t < last; ++t) {
    const std::vector<double> y = step_number(t, space.dimension());
    space.finish_step(y, y);
  }
}

struct Case {
  const char* name;
  std::size_t parameters, dimension;
  bool single;
};

class MovingBasis : public ::testing::TestWithParam<Case> {
 protected:
  MovingSpaceOptions options(std::size_t interval = 1) const {
    return {.dimension = GetParam().dimension,
            .interval = interval,
            .horizon = 3,
            .single_precision = GetParam().single};
  }
  std::unique_ptr<SearchSpace> space(std::size_t interval = 1, ParallelFor parallel = {}) const {
    return make_moving_space(std::vector<double>(GetParam().parameters, 0.5), options(interval), 3,
                             std::move(parallel));
  }
};

TEST_P(MovingBasis, HasTheSameBitsOnAnyNumberOfThreads) {
  const auto alone = space();
  take_steps(*alone, 0, 4);
  const std::vector<double> y = step_number(9, GetParam().dimension);
  std::vector<double> expected(GetParam().parameters), found(expected.size());
  alone->place(y, expected);
  for (const std::size_t threads : {1u, 2u, 7u}) {
    ThreadTeam team(threads);
    const auto together = space(1, threads_of(team));
    take_steps(*together, 0, 4);
    EXPECT_EQ(copy(together->origin()), copy(alone->origin())) << threads << " threads";
    EXPECT_EQ(all_columns(*together), all_columns(*alone)) << threads << " threads";
    together->place(y, found);
    EXPECT_EQ(found, expected) << threads << " threads";
  }
}

TEST_P(MovingBasis, IsOrthonormal) {
  const auto moving = space();
  const double tolerance = GetParam().single ? 1e-6 : 1e-12;
  EXPECT_LT(worst_inner_product(*moving), tolerance);
  take_steps(*moving, 0, 5);
  EXPECT_LT(worst_inner_product(*moving), tolerance);
}

TEST_P(MovingBasis, GoesOnAfterLoadAsIfNothingHadHappened) {
  for (const std::size_t interval : {1u, 3u}) {
    for (const std::size_t stop : {0u, 1u, 4u, 8u}) {
      const auto unbroken = space(interval);
      take_steps(*unbroken, 0, stop);
      ArchiveWriter saved;
      unbroken->save(saved);
      const auto resumed = space(interval);
      ArchiveReader reader(saved.bytes(), "saved");
      resumed->load(reader);
      EXPECT_TRUE(reader.exhausted());
      ASSERT_EQ(all_columns(*resumed), all_columns(*unbroken)) << "interval " << interval << " stop " << stop;
      take_steps(*resumed, stop,
                 stop + 7);  // across rebuilds, and until all that was remembered is forgotten
      take_steps(*unbroken, stop, stop + 7);
      ASSERT_EQ(copy(resumed->origin()), copy(unbroken->origin()));
      ASSERT_EQ(all_columns(*resumed), all_columns(*unbroken)) << "interval " << interval << " stop " << stop;
    }
  }
}

// What is saved is the origin and each remembered step once, never the basis.
TEST_P(MovingBasis, IsNotSavedItself) {
  const auto moving = space();
  take_steps(*moving, 0, 8);
  ArchiveWriter saved;
  moving->save(saved);
  const std::size_t steps = 5 * GetParam().parameters * (GetParam().single ? sizeof(float) : sizeof(double));
  EXPECT_LT(saved.bytes().size(), GetParam().parameters * sizeof(double) + steps + 200);
}

INSTANTIATE_TEST_SUITE_P(Sizes, MovingBasis,
                         ::testing::Values(Case{"small", 61, 6, false}, Case{"small_single", 61, 6, true},
                                           Case{"tiles", 3001, 37, false},
                                           Case{"tiles_single", 3001, 37, true}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(MovingBasisPrecision, CannotBeMixedInACheckpoint) {
  const auto wide = make_moving_space(std::vector<double>(20, 0.0), {.dimension = 3}, 1);
  const auto narrow =
      make_moving_space(std::vector<double>(20, 0.0), {.dimension = 3, .single_precision = true}, 1);
  ArchiveWriter saved;
  wide->save(saved);
  ArchiveReader reader(saved.bytes(), "saved");
  EXPECT_THROW(narrow->load(reader), InputError);
}

TEST(MovingBasisPrecision, SingleAndDoubleMoveAlike) {
  // Along the direction of its own last step, a basis of either precision keeps that step.
  for (const bool single : {false, true}) {
    const auto space =
        make_moving_space(std::vector<double>(500, 0.0), {.dimension = 8, .single_precision = single}, 3);
    const std::vector<double> y = step_number(0, 8);
    space->finish_step(y, y);
    const std::vector<double> moved = copy(space->origin());
    EXPECT_NEAR(std::abs(dot(column(*space, 0), moved)) / std::sqrt(dot(moved, moved)), 1.0, 1e-6);
  }
}

// The plain loops that tiles are held against: inner products tile by tile, columns one by one.
void plain_orthonormalize(std::vector<std::vector<double>>& x) {
  const std::size_t n = x.size(), rows = x[0].size();
  std::vector<double> r(n * n, 0.0);
  for (std::size_t top = 0; top < rows; top += kTileRows)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i; j < n; ++j)
        r[i * n + j] += tile_dot(x[i].data() + top, x[j].data() + top, std::min(kTileRows, rows - top));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k)
      for (std::size_t j = i; j < n; ++j) r[i * n + j] -= r[k * n + i] * r[k * n + j];
    const double diagonal = std::sqrt(r[i * n + i]);
    for (std::size_t j = i; j < n; ++j) r[i * n + j] /= diagonal;
  }
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < j; ++i)
      for (std::size_t k = 0; k < rows; ++k) x[j][k] -= r[i * n + j] * x[i][k];
    for (std::size_t k = 0; k < rows; ++k) x[j][k] /= r[j * n + j];
  }
}

TEST(DenseColumns, OrthonormalizeHasTheBitsOfPlainLoops) {
  // One pass each: random columns of many rows are nearly orthogonal from the start.
  for (const auto& [rows, count] : {std::pair<std::size_t, std::size_t>{4096, 24}, {5003, 29}, {2050, 5}}) {
    DenseColumns columns(rows, count);
    columns.draw_gaussian(2, 0);
    std::vector<std::vector<double>> expected;
    for (std::size_t j = 0; j < count; ++j) expected.push_back(copy(columns.column(j)));
    columns.orthonormalize();
    plain_orthonormalize(expected);
    for (std::size_t j = 0; j < count; ++j)
      ASSERT_EQ(copy(columns.column(j)), expected[j]) << rows << " " << j;
  }
}

TEST(TileProducts, AreTheSameForEveryInstructionSet) {
  if (!simd::is_supported(simd::InstructionSet::kAvx512)) GTEST_SKIP() << "skipped: no AVX-512 here";
  const TileProducts a = tile_products(simd::InstructionSet::kBaseline);
  const TileProducts b = tile_products(simd::InstructionSet::kAvx512);
  constexpr std::size_t kColumns = 48;
  for (const std::size_t rows : {kTileRows, std::size_t{77}}) {
    std::vector<double> tile(kColumns * kTileRows, 0.0), expected(kColumns * kColumns), found(expected);
    RandomStream stream(3, Purpose::kTest);
    for (std::size_t j = 0; j < kColumns; ++j)
      for (std::size_t row = 0; row < rows; ++row) tile[j * kTileRows + row] = stream.normal();
    a.gram(tile.data(), rows, kColumns, expected.data());
    b.gram(tile.data(), rows, kColumns, found.data());
    for (std::size_t i = 0; i < kColumns; ++i)
      for (std::size_t j = i; j < kColumns; ++j)
        ASSERT_EQ(found[i * kColumns + j], expected[i * kColumns + j]);
  }
  std::vector<double> strip(kColumns * kStripRows), r(kColumns * kColumns);
  RandomStream stream(4, Purpose::kTest);
  stream.fill_normal(strip);
  for (double& value : r) value = 0.1 * stream.normal();
  for (std::size_t i = 0; i < kColumns; ++i) r[i * kColumns + i] = 1.5;
  std::vector<double> other = strip;
  a.divide(strip.data(), kColumns, r.data(), kColumns);
  b.divide(other.data(), kColumns, r.data(), kColumns);
  EXPECT_EQ(strip, other);
}

}  // namespace
}  // namespace polystep
