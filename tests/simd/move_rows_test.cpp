// Moved rows against the same arithmetic written out.
#include "simd/move_rows.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "polystep/random.hpp"
#include "polystep/tile.hpp"

namespace polystep::simd {
namespace {

TEST(TileRows, MovesTheNamedRowsAndNoOthers) {
  RandomStream random(21, Purpose::kTest);
  const std::vector<std::uint32_t> rows{0, 3, 4, 9};
  std::vector<double> base(10 * kLanes);
  std::vector<double> change(rows.size() * kLanes);
  random.fill_normal(base);
  random.fill_normal(change);
  for (const InstructionSet set : {InstructionSet::kBaseline, InstructionSet::kAvx512}) {
    if (!is_supported(set)) continue;
    std::vector<double> predicted = base;
    std::vector<double> expected = base;
    move_rows_variant(set)(base.data(), rows, change.data(), -0.3, predicted.data());
    for (std::size_t k = 0; k < rows.size(); ++k) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::size_t at = rows[k] * kLanes + lane;
        expected[at] = base[at] + -0.3 * change[k * kLanes + lane];
      }
    }
    EXPECT_EQ(predicted, expected);
  }
}

}  // namespace
}  // namespace polystep::simd
