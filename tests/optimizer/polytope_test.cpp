#include "optimizer/polytope.hpp"

#include <gtest/gtest.h>

#include "black_box.hpp"
#include "optimizer/rotation.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

using polystep::testing::dot;

class EveryPolytope : public ::testing::TestWithParam<std::tuple<PolytopeKind, std::size_t>> {};

TEST_P(EveryPolytope, HasUnitVerticesAroundTheOrigin) {
  const auto [kind, q] = GetParam();
  const Polytope polytope(kind, q);
  std::vector<double> sum(q, 0.0);
  for (std::size_t v = 0; v < polytope.vertices(); ++v) {
    EXPECT_NEAR(dot(polytope.vertex(v), polytope.vertex(v)), 1.0, 1e-14);
    for (std::size_t i = 0; i < q; ++i) sum[i] += polytope.vertex(v)[i];
  }
  for (const double s : sum) EXPECT_NEAR(s, 0.0, 1e-13);
}

TEST_P(EveryPolytope, RotatedVerticesAreTheRotationTimesTheVertices) {
  const auto [kind, q] = GetParam();
  const Polytope polytope(kind, q);
  std::vector<double> rotation(q * q), reflector, rotated(polytope.vertices() * q);
  RandomStream random(3, Purpose::kTest);
  draw_rotation(random, q, rotation, reflector);
  polytope.rotate(rotation, rotated);
  for (std::size_t v = 0; v < polytope.vertices(); ++v)
    for (std::size_t i = 0; i < q; ++i) {
      double expected = 0;
      for (std::size_t j = 0; j < q; ++j) expected += rotation[j * q + i] * polytope.vertex(v)[j];
      EXPECT_NEAR(rotated[v * q + i], expected, 1e-14);
    }
}

TEST_P(EveryPolytope, CentroidDividesByTheActualWeightSum) {
  const auto [kind, q] = GetParam();
  const Polytope polytope(kind, q);
  std::vector<double> weights(polytope.vertices(), 0.0), mean(q);
  weights[1] = 0.25;  // alone, so the mean is this vertex whatever the sum
  polytope.centroid(weights, mean);
  for (std::size_t i = 0; i < q; ++i) EXPECT_DOUBLE_EQ(mean[i], polytope.vertex(1)[i]);
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryPolytope,
                         ::testing::Combine(::testing::Values(PolytopeKind::kOrthoplex,
                                                              PolytopeKind::kSimplex, PolytopeKind::kCube),
                                            ::testing::Values(1, 2, 3, 8)));

TEST(Polytope, CountsVertices) {
  EXPECT_EQ(Polytope(PolytopeKind::kOrthoplex, 8).vertices(), 16u);
  EXPECT_EQ(Polytope(PolytopeKind::kSimplex, 8).vertices(), 9u);
  EXPECT_EQ(Polytope(PolytopeKind::kCube, 8).vertices(), 256u);
  EXPECT_THROW(Polytope(PolytopeKind::kCube, 17), InputError);
  EXPECT_THROW(Polytope(PolytopeKind::kOrthoplex, 0), InputError);
}

TEST(Polytope, OrthoplexListsPositiveAxesThenTheirOpposites) {
  const Polytope polytope(PolytopeKind::kOrthoplex, 3);
  EXPECT_TRUE(polytope.antipodal());
  for (std::size_t v = 0; v < 3; ++v)
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(polytope.vertex(v)[i], i == v ? 1 : 0);
      EXPECT_EQ(polytope.vertex(v + 3)[i], i == v ? -1 : 0);
    }
}

TEST(Polytope, SimplexVerticesAreEquallyFarApart) {
  const Polytope polytope(PolytopeKind::kSimplex, 5);
  for (std::size_t a = 0; a < 6; ++a)
    for (std::size_t b = 0; b < a; ++b) EXPECT_NEAR(dot(polytope.vertex(a), polytope.vertex(b)), -0.2, 1e-14);
}

TEST(Polytope, CubeBitMeansMinus) {
  const Polytope polytope(PolytopeKind::kCube, 3);
  EXPECT_GT(polytope.vertex(0)[0], 0);
  EXPECT_LT(polytope.vertex(1)[0], 0);
  EXPECT_GT(polytope.vertex(1)[1], 0);
  EXPECT_LT(polytope.vertex(6)[1], 0);
  EXPECT_LT(polytope.vertex(6)[2], 0);
}

}  // namespace
}  // namespace polystep
