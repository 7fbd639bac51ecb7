#include <gtest/gtest.h>

#include "optimizer/block_layout.hpp"
#include "polystep/error.hpp"
#include "polystep/search_space.hpp"

namespace polystep {
namespace {

std::vector<TensorShape> linear(std::size_t in, std::size_t out) {
  return {{"weight", {out, in}}, {"bias", {out}}};
}

std::vector<TensorShape> matching_net() {
  return {{"hidden.weight", {200, 2866}},
          {"hidden.bias", {200}},
          {"output.weight", {1, 200}},
          {"output.bias", {1}}};
}

std::size_t total(const std::vector<TensorPlan>& plan) {
  std::size_t sum = 0;
  for (const TensorPlan& tensor : plan) sum += tensor.coordinates;
  return sum;
}

std::vector<std::size_t> coordinates(const std::vector<TensorPlan>& plan) {
  std::vector<std::size_t> counts;
  for (const TensorPlan& tensor : plan) counts.push_back(tensor.coordinates);
  return counts;
}

struct Row {
  const char* name;
  std::size_t in, out, rank, dimension;
  bool identity;
  std::size_t blocks, dummies;
};

// The published predictors: their search dimension and, at block size 8, blocks and padding.
TEST(LayerPlan, ReproducesThePublishedDimensions) {
  for (const Row& row :
       {Row{"shortest path", 5, 40, 8, 240, true, 30, 0}, Row{"portfolio", 5, 50, 8, 300, true, 38, 4},
        Row{"knapsack, energy", 8, 1, 8, 9, true, 2, 7}, Row{"knapsack weight", 5, 50, 4, 270, false, 34, 2},
        Row{"knapsack capacity", 5, 1, 4, 6, true, 1, 2}, Row{"covering 10", 5, 10, 4, 60, true, 8, 4},
        Row{"covering 5", 5, 5, 4, 30, true, 4, 2}}) {
    SCOPED_TRACE(row.name);
    const auto plan = plan_layers(linear(row.in, row.out), {.rank = row.rank});
    EXPECT_EQ(total(plan), row.dimension);
    EXPECT_EQ(plan[0].identity(), row.identity);
    EXPECT_TRUE(plan[1].identity());
    const BlockLayout blocks(row.dimension, 8, LastBlock::kPadded);
    EXPECT_EQ(blocks.blocks, row.blocks);
    EXPECT_EQ(blocks.padded_dimension() - row.dimension, row.dummies);
  }
}

TEST(LayerPlan, CapsTheMatchingNetAt512) {
  const auto uncapped = plan_layers(matching_net(), {.rank = 8});
  EXPECT_EQ(uncapped[0].coordinates, 24528u);
  EXPECT_EQ(uncapped[2].coordinates, 200u);  // 201 by the formula, but there are only 200 weights
  const auto plan = plan_layers(matching_net(), {.rank = 8, .max_dimension = 512});
  EXPECT_EQ(plan[0].coordinates, 308u);
  EXPECT_EQ(plan[1].coordinates, 200u);
  EXPECT_EQ(plan[2].coordinates, 3u);
  EXPECT_EQ(plan[3].coordinates, 1u);
  EXPECT_EQ(total(plan), 512u);
  EXPECT_EQ(BlockLayout(512, 8, LastBlock::kPadded).blocks, 64u);
}

TEST(LayerPlan, CappedMatchingNetHas512CoordinatesAtOtherRanksToo) {
  const auto rank4 = plan_layers(matching_net(), {.rank = 4, .max_dimension = 512});
  EXPECT_EQ(rank4[0].coordinates, 306u);
  EXPECT_EQ(rank4[2].coordinates, 5u);
  const auto rank16 = plan_layers(matching_net(), {.rank = 16, .max_dimension = 512});
  EXPECT_EQ(rank16[0].coordinates, 310u);
  EXPECT_EQ(rank16[2].coordinates, 1u);
}

// Released runs count a matrix that is searched in full among what a cap leaves alone.
TEST(LayerPlan, ReleasedCapOfTheMatchingNetSearchesItsLastLayerInFull) {
  const auto plan =
      plan_layers(matching_net(), {.rank = 8, .max_dimension = 512, .cap_rule = CapRule::kProjected});
  EXPECT_EQ(coordinates(plan), (std::vector<std::size_t>{111, 200, 200, 1}));
}

// The districting net: three graph convolutions of two matrices each, three dense layers.
TEST(LayerPlan, ReleasedCapSharesWhatIsLeftToTheExactTotal) {
  std::vector<TensorShape> net;
  for (const std::size_t in : {7u, 64u, 64u}) {
    net.push_back({"own", {64, in}});
    net.push_back({"neighbours", {64, in}});
    net.push_back({"bias", {64}});
  }
  for (const std::size_t out : {64u, 64u, 1u}) {
    net.push_back({"weight", {out, 64}});
    net.push_back({"bias", {out}});
  }
  const auto plan = plan_layers(net, {.rank = 4, .max_dimension = 512, .cap_rule = CapRule::kProjected});
  EXPECT_EQ(coordinates(plan),
            (std::vector<std::size_t>{10, 10, 64, 18, 18, 64, 18, 18, 64, 18, 64, 17, 64, 64, 1}));
  std::size_t direct = 0;
  for (const TensorPlan& tensor : plan) direct += tensor.identity() ? tensor.coordinates : 0;
  EXPECT_EQ(direct, 385u);
  EXPECT_EQ(total(plan), 512u);
}

TEST(LayerPlan, ReleasedCapSparesSmallNets) {
  const auto plan =
      plan_layers(linear(5, 50), {.rank = 4, .max_dimension = 100, .cap_rule = CapRule::kProjected});
  EXPECT_EQ(coordinates(plan), (std::vector<std::size_t>{220, 50}));
}

// Biases alone exceed the cap: every projected matrix keeps one coordinate.
TEST(LayerPlan, ReleasedCapLeavesEveryMatrixACoordinate) {
  const std::vector<TensorShape> net = {{"a", {600, 600}}, {"b", {600}}, {"c", {600, 600}}, {"d", {600}}};
  const auto plan = plan_layers(net, {.rank = 4, .max_dimension = 512, .cap_rule = CapRule::kProjected});
  EXPECT_EQ(coordinates(plan), (std::vector<std::size_t>{1, 600, 1, 600}));
}

TEST(LayerPlan, BiasesSurviveATightCap) {
  const auto plan = plan_layers(linear(5, 40), {.rank = 8, .max_dimension = 10});
  EXPECT_EQ(plan[0].coordinates, 1u);
  EXPECT_EQ(plan[1].coordinates, 40u);
}

TEST(LayerPlan, CapAboveTheTotalChangesNothing) {
  EXPECT_EQ(total(plan_layers(linear(5, 40), {.rank = 8, .max_dimension = 240})), 240u);
}

TEST(LayerPlan, HigherDimensionsCountAsInputs) {
  const std::vector<TensorShape> convolution = {{"kernel", {16, 3, 5, 5}}};
  EXPECT_EQ(plan_layers(convolution, {.rank = 2})[0].coordinates, 2u * (16 + 75));
}

TEST(LayerPlan, RefusesWhatCannotBeUsed) {
  EXPECT_THROW(plan_layers(linear(5, 40), {.rank = 0}), InputError);
  EXPECT_THROW(plan_layers(std::vector<TensorShape>{{"none", {0, 3}}}, {}), InputError);
}

TEST(BlockLayout, ShrunkenLastBlockHasTheRemainder) {
  const BlockLayout layout(9, 8, LastBlock::kShrunken);
  EXPECT_EQ(layout.blocks, 2u);
  EXPECT_EQ(layout.size(0), 8u);
  EXPECT_EQ(layout.size(1), 1u);
  EXPECT_EQ(layout.padded_dimension(), 9u);
  EXPECT_EQ(BlockLayout(16, 8, LastBlock::kShrunken).size(1), 8u);
  EXPECT_THROW(BlockLayout(0, 8, LastBlock::kPadded), InputError);
}

}  // namespace
}  // namespace polystep
