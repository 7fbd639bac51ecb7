#include "polystep/direction.hpp"

#include <gtest/gtest.h>

#include "black_box.hpp"

namespace polystep {
namespace {

using polystep::testing::copy;

TEST(Direction, SparseEntriesAscendWhateverTheirOrder) {
  Direction direction;
  EXPECT_TRUE(direction.empty());
  direction.add(7, 0.5);
  direction.add(2, -1);
  direction.add(9, 3);
  EXPECT_FALSE(direction.dense());
  EXPECT_EQ(direction.parameters(), (std::vector<std::uint32_t>{2, 7, 9}));
  EXPECT_EQ(copy(direction.value()), (std::vector<double>{-1, 0.5, 3}));
  EXPECT_THROW(Direction({1, 2}, {0.5}), std::logic_error);
}

TEST(Direction, DenseMovesParametersAsTheSameSparseOneDoes) {
  Direction dense;
  const std::span<double> values = dense.make_dense(3, 4);
  for (std::size_t i = 0; i < 4; ++i) values[i] = 0.1 * static_cast<double>(i) - 0.2;
  const Direction sparse({3, 4, 5, 6}, copy(dense.value()));
  EXPECT_EQ(dense.parameters(), sparse.parameters());
  EXPECT_EQ(dense.size(), sparse.size());
  std::vector<double> a(8, 0.3), b(8, 0.3);
  dense.add_to(1.7, a);
  sparse.add_to(1.7, b);
  EXPECT_EQ(a, b);
  EXPECT_NE(a[3], 0.3);
  EXPECT_EQ(a[7], 0.3);
}

TEST(Direction, CanBeUsedAgainInTheOtherForm) {
  Direction direction;
  direction.make_dense(2, 5);
  direction.clear();
  EXPECT_FALSE(direction.dense());
  EXPECT_TRUE(direction.empty());
  direction.add(1, 4);
  const std::span<double> range = direction.add_range(5, 3);
  EXPECT_EQ(copy(range), (std::vector<double>{0, 0, 0}));  // nothing is left of what was dense
  EXPECT_EQ(direction.parameters(), (std::vector<std::uint32_t>{1, 5, 6, 7}));
  direction.make_dense(0, 2);
  EXPECT_TRUE(direction.index().empty());
  EXPECT_EQ(direction.parameters(), (std::vector<std::uint32_t>{0, 1}));
}

}  // namespace
}  // namespace polystep
