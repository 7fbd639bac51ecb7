// A network that sorts every sequence of zeros and ones sorts every sequence, so all 65,536 of them are
// tried.
#include "simd/sorting_network.hpp"

#include <gtest/gtest.h>

namespace polystep::simd {
namespace {

TEST(SortingNetwork, SortsEverySequenceOfZerosAndOnes) {
  for (unsigned sequence = 0; sequence < 1u << kSorted; sequence += FourLanes::kWidth) {
    FourLanes::Real column[kSorted];
    for (unsigned lane = 0; lane < FourLanes::kWidth; ++lane) {
      for (unsigned row = 0; row < kSorted; ++row) column[row][lane] = (sequence + lane) >> row & 1;
    }
    sort_descending<FourLanes>(column);
    for (unsigned lane = 0; lane < FourLanes::kWidth; ++lane) {
      double ones = column[0][lane];
      for (unsigned row = 1; row < kSorted; ++row) {
        ASSERT_GE(column[row - 1][lane], column[row][lane]);
        ones += column[row][lane];
      }
      ASSERT_EQ(ones, __builtin_popcount(sequence + lane));
    }
  }
}

}  // namespace
}  // namespace polystep::simd
