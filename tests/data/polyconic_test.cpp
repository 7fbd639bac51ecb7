#include "data/cities/polyconic.hpp"

#include <gtest/gtest.h>

namespace polystep {
namespace {

TEST(Polyconic, HasItsOriginAtTheReference) {
  const Point origin = polyconic({-1.4, 52.3}, {-1.4, 52.3});
  EXPECT_EQ(origin.x, 0);
  EXPECT_EQ(origin.y, 0);
}

// Degrees of the WGS84 ellipsoid at 48 degrees north: tables give 74.628 and 111.190 km.
TEST(Polyconic, HasDegreesOfTheRightLength) {
  EXPECT_NEAR(polyconic({2.1, 48}, {2, 48}).x, 7.4628, 0.0005);
  EXPECT_NEAR(polyconic({2, 48.05}, {2, 47.95}).y, 11.1190, 0.0005);
  EXPECT_NEAR(polyconic({2.1, 0}, {2, 0}).x, 11.1319, 0.0005);
  EXPECT_NEAR(polyconic({2.1, 1e-7}, {2, 0}).x, 11.1319, 0.0005);
  EXPECT_NEAR(polyconic({2, -0.05}, {2, 0.05}).y, -11.0574, 0.0005);
}

}  // namespace
}  // namespace polystep
