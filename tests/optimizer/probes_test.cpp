#include "polystep/probes.hpp"

#include <gtest/gtest.h>

#include "black_box.hpp"

namespace polystep {
namespace {

using polystep::testing::at_origin;
using polystep::testing::norm;

PolyStep optimizer_with(std::size_t dimension, LastBlock last_block, std::size_t radii = 1) {
  PolyStepOptions options;
  options.last_block = last_block;
  options.radii = radii;
  return at_origin(dimension, options);
}

TEST(Probes, IndexAndAddressAreInverse) {
  PolyStep optimizer = optimizer_with(11, LastBlock::kShrunken, 2);
  const Probes& probes = optimizer.ask();
  EXPECT_EQ(probes.blocks(), 2u);
  EXPECT_EQ(probes.vertices(0), 16u);
  EXPECT_EQ(probes.vertices(1), 6u);
  EXPECT_EQ(probes.size(), 44u);
  EXPECT_EQ(probes.block_offset(1), 32u);
  std::size_t expected = 0;
  for (std::size_t block = 0; block < 2; ++block)
    for (std::size_t vertex = 0; vertex < probes.vertices(block); ++vertex)
      for (std::size_t radius = 0; radius < 2; ++radius, ++expected) {
        ASSERT_EQ(probes.index(block, vertex, radius), expected);
        const ProbeAddress at = probes.address(expected);
        ASSERT_EQ(at.block, block);
        ASSERT_EQ(at.vertex, vertex);
        ASSERT_EQ(at.radius, radius);
      }
}

TEST(Probes, OppositeVerticesAreExactOpposites) {
  PolyStep optimizer = optimizer_with(11, LastBlock::kPadded);
  const Probes& probes = optimizer.ask();
  ASSERT_TRUE(probes.antipodal());
  Direction plus, minus;
  for (std::size_t block = 0; block < 2; ++block)
    for (std::size_t vertex = 0; vertex < 8; ++vertex) {
      probes.direction(block, vertex, plus);
      probes.direction(block, vertex + 8, minus);
      ASSERT_EQ(plus.parameters(), minus.parameters());
      for (std::size_t i = 0; i < plus.size(); ++i) ASSERT_EQ(plus.value()[i], -minus.value()[i]);
    }
}

TEST(Probes, SimplexAndCubeAreNotDeclaredAntipodal) {
  for (const PolytopeKind kind : {PolytopeKind::kSimplex, PolytopeKind::kCube}) {
    PolyStepOptions options;
    options.polytope = kind;
    PolyStep optimizer = at_origin(8, options);
    EXPECT_FALSE(optimizer.ask().antipodal());
  }
}

TEST(Probes, PaddingIsDroppedFromDirections) {
  PolyStep optimizer = optimizer_with(11, LastBlock::kPadded);
  const Probes& probes = optimizer.ask();
  EXPECT_EQ(probes.size(), 32u);
  Direction direction;
  double real_share = 0;
  for (std::size_t vertex = 0; vertex < 8; ++vertex) {
    probes.direction(0, vertex, direction);
    EXPECT_NEAR(norm(direction.value()), 1.0, 1e-14);
    probes.direction(1, vertex, direction);
    EXPECT_EQ(direction.parameters(), (std::vector<std::uint32_t>{8, 9, 10}));
    EXPECT_LT(norm(direction.value()), 1.0);
    real_share += norm(direction.value()) * norm(direction.value());
    EXPECT_NEAR(norm(probes.block_direction(1, vertex)), 1.0, 1e-14);
  }
  EXPECT_NEAR(real_share, 3.0, 1e-13);  // three real axes, spread over the block's orthonormal directions
}

TEST(Probes, SupportListsTheBlocksParameters) {
  PolyStep optimizer = optimizer_with(11, LastBlock::kPadded);
  std::vector<std::uint32_t> support;
  optimizer.ask().support(1, support);
  EXPECT_EQ(support, (std::vector<std::uint32_t>{8, 9, 10}));
  optimizer.ask().support(0, support);
  EXPECT_EQ(support.size(), 8u);
}

TEST(Probes, CandidateIsThePointPlusRadiusTimesDirection) {
  const std::vector<TensorShape> tensors = {{"weight", {50, 5}}, {"bias", {50}}};
  PolyStepOptions options;
  options.radii = 3;
  PolyStep optimizer(make_layer_space(tensors, std::vector<double>(300, 0.25), {.rank = 4}, 2), options, 2);
  testing::take_step(optimizer, testing::sphere);
  const Probes& probes = optimizer.ask();
  Direction direction;
  std::vector<double> theta(300);
  for (const std::size_t probe : {std::size_t{0}, std::size_t{500}, probes.size() - 1}) {
    const ProbeAddress at = probes.address(probe);
    probes.direction(at.block, at.vertex, direction);
    std::vector<double> expected = testing::copy(optimizer.parameters());
    for (std::size_t i = 0; i < direction.size(); ++i)
      expected[direction.parameters()[i]] += probes.radii()[at.radius] * direction.value()[i];
    optimizer.candidate(probe, theta);
    EXPECT_EQ(theta, expected);
  }
}

TEST(Probes, DirectionReusesItsStorage) {
  PolyStep optimizer = optimizer_with(64, LastBlock::kPadded);
  const Probes& probes = optimizer.ask();
  Direction direction;
  probes.direction(0, 0, direction);
  const double* storage = direction.value().data();
  for (std::size_t block = 0; block < probes.blocks(); ++block) probes.direction(block, 3, direction);
  EXPECT_EQ(direction.value().data(), storage);
}

TEST(Probes, RotationsDifferByBlockAndStep) {
  PolyStep optimizer = optimizer_with(16, LastBlock::kPadded);
  const auto first = testing::copy(optimizer.ask().block_direction(0, 0));
  EXPECT_NE(first, testing::copy(optimizer.ask().block_direction(1, 0)));
  testing::take_step(optimizer, testing::sphere);
  EXPECT_NE(first, testing::copy(optimizer.ask().block_direction(0, 0)));
}

}  // namespace
}  // namespace polystep
