#include "optimizer/released_draws.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>

namespace polystep {
namespace {

// adler32("0|weight|0"), as Python's zlib has it.
constexpr std::uint64_t kSeedOfWeight = 358482913;

Eigen::MatrixXd gaussian_matrix(std::uint64_t seed, Eigen::Index rows, Eigen::Index columns) {
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> numbers(rows, columns);
  Twister(seed).fill_normal({numbers.data(), static_cast<std::size_t>(numbers.size())});
  return numbers;
}

struct Shape {
  std::size_t rows, columns;
};

class ReleasedBasisOfShape : public testing::TestWithParam<Shape> {};

// Eigen reflects with LAPACK's signs, so nothing is left to choose.
TEST_P(ReleasedBasisOfShape, IsWhatHouseholderReflectionsLeave) {
  const auto [rows, columns] = GetParam();
  const auto n = static_cast<Eigen::Index>(rows), k = static_cast<Eigen::Index>(columns);
  const Eigen::HouseholderQR<Eigen::MatrixXd> factors(gaussian_matrix(kSeedOfWeight, n, k));
  const Eigen::MatrixXd expected = factors.householderQ() * Eigen::MatrixXd::Identity(n, k);
  const auto diagonal = factors.matrixQR().diagonal().head(k);
  EXPECT_TRUE((diagonal.array() < 0).any() && (columns < 8 || (diagonal.array() > 0).any()));

  DenseColumns basis(rows, columns);
  draw_released_basis(0, {"weight", {rows, 1}}, basis);
  for (Eigen::Index j = 0; j < k; ++j)
    for (Eigen::Index i = 0; i < n; ++i)
      ASSERT_NEAR(basis.column(static_cast<std::size_t>(j))[static_cast<std::size_t>(i)], expected(i, j),
                  1e-10)
          << i << ", " << j;
}

// The weights of the predicted knapsack weights, and small ones down to a single column.
INSTANTIATE_TEST_SUITE_P(Shapes, ReleasedBasisOfShape,
                         testing::Values(Shape{250, 220}, Shape{40, 9}, Shape{17, 16}, Shape{16, 1}),
                         [](const auto& info) {
                           return std::to_string(info.param.rows) + "by" + std::to_string(info.param.columns);
                         });

TEST(ReleasedBasis, GoesByTheReleasedNameWhereThereIsOne) {
  DenseColumns plain(40, 9), named(40, 9), other(40, 9), later(40, 9);
  draw_released_basis(0, {"weight", {40, 1}}, plain);
  draw_released_basis(0, {"hidden.weight", {40, 1}, "weight"}, named);
  draw_released_basis(0, {"hidden.weight", {40, 1}}, other);
  draw_released_basis(1, {"weight", {40, 1}}, later);
  EXPECT_TRUE(std::ranges::equal(plain.column(3), named.column(3)));
  EXPECT_FALSE(std::ranges::equal(plain.column(3), other.column(3)));
  EXPECT_FALSE(std::ranges::equal(plain.column(3), later.column(3)));
}

TEST(ReleasedRotations, AreOrthogonalWithDeterminantOne) {
  const BlockLayout layout(300, 8, LastBlock::kPadded);
  ReleasedRotations rotations(4);
  for (std::size_t step = 0; step < 3; ++step) {
    rotations.draw(step, layout);
    for (std::size_t block = 0; block < layout.blocks; ++block) {
      Eigen::Matrix<double, 8, 8> turn;
      rotations.rotation(block, 8, {turn.data(), 64});
      EXPECT_LT((turn.transpose() * turn - Eigen::Matrix<double, 8, 8>::Identity()).norm(), 1e-12);
      EXPECT_NEAR(turn.determinant(), 1, 1e-12);
    }
  }
}

// Undoing the rotation makes the numbers triangular, with a positive diagonal but where the determinant had
// to be put right: that flips the first column, hence the first row of what is left.
TEST(ReleasedRotations, TurnTheNumbersOfTheirBlockIntoATriangle) {
  constexpr std::size_t kBlocks = 5;
  ReleasedRotations rotations(9);
  Twister twister(9);
  std::size_t flipped = 0;
  for (std::size_t step = 0; step < 4; ++step) {
    rotations.draw(step, {kBlocks * 8, 8, LastBlock::kPadded});
    for (std::size_t block = 0; block < kBlocks; ++block) {
      Eigen::Matrix<double, 8, 8, Eigen::RowMajor> numbers;
      // All blocks of a step are one array; sixteen divides a block, so they can be read one by one.
      twister.fill_normal({numbers.data(), 64});
      Eigen::Matrix<double, 8, 8> turn;
      rotations.rotation(block, 8, {turn.data(), 64});
      const Eigen::Matrix<double, 8, 8> triangle = turn.transpose() * numbers;
      EXPECT_LT(Eigen::MatrixXd(triangle.triangularView<Eigen::StrictlyLower>()).norm(), 1e-12);
      const bool reflected = numbers.determinant() < 0;
      flipped += reflected;
      EXPECT_EQ(triangle(0, 0) < 0, reflected);
      for (Eigen::Index i = 1; i < 8; ++i) EXPECT_GT(triangle(i, i), 0);
    }
  }
  EXPECT_GT(flipped, 0u);
  EXPECT_LT(flipped, 4 * kBlocks);
}

TEST(ReleasedRotations, OfAStepDoNotDependOnThoseDrawnBefore) {
  const BlockLayout layout(9, 8, LastBlock::kPadded);
  ReleasedRotations through(2), straight(2);
  std::vector<double> a(64), b(64);
  for (std::size_t step = 0; step <= 5; ++step) through.draw(step, layout);
  straight.draw(5, layout);
  through.rotation(1, 8, a);
  straight.rotation(1, 8, b);
  EXPECT_EQ(a, b);
}

}  // namespace
}  // namespace polystep
