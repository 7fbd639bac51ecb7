#include "data/benchmarks/numpy_shuffle.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "data/published_files.hpp"
#include "data/tables/comma_file.hpp"

namespace polystep {
namespace {

TEST(NumpyShuffle, MatchesKnownOrders) {
  // numpy.random.RandomState(s).permutation of 0..9, as widely printed for seeds 0 and 42.
  EXPECT_EQ(numpy_shuffled(10, 0), (std::vector<std::size_t>{2, 8, 4, 9, 1, 6, 7, 3, 0, 5}));
  EXPECT_EQ(numpy_shuffled(10, 42), (std::vector<std::size_t>{8, 1, 5, 0, 7, 2, 9, 4, 3, 6}));
}

TEST(NumpyShuffle, MatchesThePublishedSplits) {
  POLYSTEP_NEEDS_DATA();
  CommaFile file(classical_file(find_data_directory(""), "energy/splits.csv"));
  for (std::size_t seed = 0; seed < 10; ++seed) {
    file.expect_line(790);
    ASSERT_EQ(file.number(0), static_cast<double>(seed));
    const std::vector<std::size_t> order = numpy_shuffled(789, seed);
    for (std::size_t k = 0; k < order.size(); ++k) {
      ASSERT_EQ(file.number(k + 1), static_cast<double>(order[k])) << "seed " << seed << ", position " << k;
    }
  }
  file.expect_end();
}

TEST(NumpyShuffle, EveryOrderIsAPermutation) {
  for (const std::size_t count : {0, 1, 2, 3, 64, 65, 789}) {
    std::vector<std::size_t> order = numpy_shuffled(count, 4294967295);
    std::sort(order.begin(), order.end());
    for (std::size_t k = 0; k < count; ++k) ASSERT_EQ(order[k], k);
  }
}

TEST(NumpyShuffle, RejectsSeedsNumpyCannotTake) {
  EXPECT_INPUT_ERROR(numpy_shuffled(3, 4294967296), "found seed 4294967296", "expected 0 to 4294967295");
}

}  // namespace
}  // namespace polystep
