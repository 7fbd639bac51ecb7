#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "black_box.hpp"
#include "optimizer/motion.hpp"
#include "polystep/optimizer.hpp"

namespace polystep {
namespace {

using namespace polystep::testing;

Schedule cosine(double start, double end, std::size_t horizon) {
  return {.kind = ScheduleKind::kCosine, .start = start, .end = end, .horizon = horizon};
}

PolyStepOptions annealed(std::size_t steps) {
  PolyStepOptions options;
  options.temperature = cosine(1, 0.1, steps);
  options.step_length = cosine(1, 0.02, steps);
  options.probe_radius = cosine(1, 0.02, steps);
  return options;
}

double rosenbrock(std::span<const double> x) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    sum += 100 * std::pow(x[i + 1] - x[i] * x[i], 2) + std::pow(1 - x[i], 2);
  return sum;
}

double staircase(std::span<const double> x) {  // its gradient is zero wherever it exists
  double sum = 0;
  for (const double xi : x) sum += std::floor(std::abs(xi) * 2);
  return sum;
}

TEST(PolyStep, MinimisesASphere) {
  PolyStep optimizer(make_full_space(std::vector<double>(20, 2.0)), annealed(200), 1);
  take_steps(optimizer, sphere, 200);
  EXPECT_LT(sphere(optimizer.parameters()), 0.01);  // from 80
}

TEST(PolyStep, DescendsRosenbrock) {
  PolyStepOptions options = annealed(600);
  options.block_size = 4;
  PolyStep optimizer(make_full_space({-1.2, 1, -1.2, 1}), options, 1);
  take_steps(optimizer, rosenbrock, 600);
  EXPECT_LT(rosenbrock(optimizer.parameters()), 2);  // from 532
}

TEST(PolyStep, DescendsAPiecewiseConstantLoss) {
  PolyStep optimizer(make_full_space(std::vector<double>(12, 3.2)), annealed(150), 1);
  take_steps(optimizer, staircase, 150);
  EXPECT_LE(staircase(optimizer.parameters()), 2);  // from 72
}

TEST(PolyStep, WorksInEverySpace) {
  const std::vector<TensorShape> tensors = {{"weight", {12, 6}}, {"bias", {12}}};
  const std::vector<double> start(84, 1.0);
  std::vector<std::unique_ptr<SearchSpace>> spaces;
  spaces.push_back(make_full_space(start));
  spaces.push_back(make_layer_space(tensors, start, {.rank = 2}, 5));
  spaces.push_back(make_moving_space(start, {.dimension = 16}, 5));
  for (auto& space : spaces) {
    PolyStep optimizer(std::move(space), annealed(150), 5);
    take_steps(optimizer, sphere, 150);
    EXPECT_LT(sphere(optimizer.parameters()), 0.7 * 84);
  }
}

struct Variant {
  const char* name;
  void (*change)(PolyStepOptions&);
};

class EveryOption : public ::testing::TestWithParam<Variant> {};

TEST_P(EveryOption, StillDescendsAndSurvivesSaveAndLoad) {
  PolyStepOptions options = annealed(120);
  options.block_size = 4;
  GetParam().change(options);
  const auto make = [&] { return PolyStep(make_full_space(std::vector<double>(10, 1.5)), options, 3); };
  PolyStep optimizer = make();
  take_steps(optimizer, sphere, 60);
  ArchiveWriter archive;
  optimizer.save(archive);
  take_steps(optimizer, sphere, 60);
  EXPECT_LT(sphere(optimizer.parameters()), 0.5 * 22.5);

  PolyStep resumed = make();
  ArchiveReader reader(archive.bytes(), "archive");
  resumed.load(reader);
  EXPECT_TRUE(reader.exhausted());
  EXPECT_EQ(resumed.step(), 60u);
  take_steps(resumed, sphere, 60);
  EXPECT_EQ(copy(resumed.parameters()), copy(optimizer.parameters()));
  EXPECT_EQ(copy(resumed.velocity()), copy(optimizer.velocity()));
}

const Variant kVariants[] = {
    {"Defaults", [](PolyStepOptions&) {}},
    {"Simplex", [](PolyStepOptions& o) { o.polytope = PolytopeKind::kSimplex; }},
    {"Cube", [](PolyStepOptions& o) { o.polytope = PolytopeKind::kCube; }},
    {"NoRotation", [](PolyStepOptions& o) { o.rotation = RotationKind::kIdentity; }},
    {"Shrunken", [](PolyStepOptions& o) { o.last_block = LastBlock::kShrunken; }},
    {"ThreeRadii", [](PolyStepOptions& o) { o.radii = 3; }},
    {"PaperRadii", [](PolyStepOptions& o) { o.radii = 2, o.radii_rule = RadiiRule::kPaper; }},
    {"UpstreamRadii", [](PolyStepOptions& o) { o.radii = 2, o.radii_rule = RadiiRule::kUpstream; }},
    {"Jitter", [](PolyStepOptions& o) { o.radius_jitter = 0.05; }},
    {"RelativeLengths", [](PolyStepOptions& o) { o.lengths_relative_to_temperature = true; }},
    {"AdaptiveRadius", [](PolyStepOptions& o) { o.adaptive_radius = true; }},
    {"RowMean", [](PolyStepOptions& o) { o.cost_scale = CostScale::kRowShiftRowMean; }},
    {"MatrixMinMean", [](PolyStepOptions& o) { o.cost_scale = CostScale::kMatrixShiftMatrixMean; }},
    {"RawMean", [](PolyStepOptions& o) { o.cost_scale = CostScale::kRawMean; }},
    {"Max", [](PolyStepOptions& o) { o.cost_scale = CostScale::kMax; }},
    {"Fixed", [](PolyStepOptions& o) { o.cost_scale = CostScale::kFixed, o.fixed_scale = 3; }},
    {"None", [](PolyStepOptions& o) { o.cost_scale = CostScale::kNone; }},
    {"Sinkhorn", [](PolyStepOptions& o) { o.weight_rule = WeightRule::kSinkhorn; }},
    {"KlSoftmax", [](PolyStepOptions& o) { o.weight_rule = WeightRule::kKlSoftmax; }},
    {"Tempered", [](PolyStepOptions& o) { o.weight_rule = WeightRule::kTempered; }},
    {"Greedy", [](PolyStepOptions& o) { o.weight_rule = WeightRule::kGreedy; }},
    {"Top", [](PolyStepOptions& o) { o.weight_rule = WeightRule::kTopCount; }},
    {"Momentum", [](PolyStepOptions& o) { o.momentum = cosine(0.5, 0.7, 100), o.velocity_gain = 0.5; }},
};

INSTANTIATE_TEST_SUITE_P(Options, EveryOption, ::testing::ValuesIn(kVariants),
                         [](const auto& info) { return info.param.name; });

TEST(PolyStep, ResumesInAMovingSpaceWithTheSameBits) {
  for (const std::size_t interval : {1u, 4u}) {
    const auto make = [&] {
      return PolyStep(
          make_moving_space(std::vector<double>(30, 1.0), {.dimension = 8, .interval = interval}, 9),
          annealed(40), 9);
    };
    PolyStep optimizer = make();
    take_steps(optimizer, sphere, 18);
    ArchiveWriter archive;
    optimizer.save(archive);
    take_steps(optimizer, sphere, 12);
    PolyStep resumed = make();
    ArchiveReader reader(archive.bytes(), "archive");
    resumed.load(reader);
    EXPECT_TRUE(reader.exhausted());
    take_steps(resumed, sphere, 12);
    EXPECT_EQ(copy(resumed.parameters()), copy(optimizer.parameters()));
  }
}

TEST(PolyStep, RebuildOfTheBasisStopsTheVelocityButNotThePoint) {
  PolyStepOptions options = annealed(40);
  options.momentum = Schedule::constant(0.9);
  PolyStep optimizer(make_moving_space(std::vector<double>(30, 1.0), {.dimension = 8}, 9), options, 9);
  take_step(optimizer, sphere);
  EXPECT_TRUE(optimizer.report().basis_rebuilt);
  EXPECT_GT(optimizer.report().displacement, 0);
  for (const double v : optimizer.velocity()) EXPECT_EQ(v, 0);
  EXPECT_EQ(copy(optimizer.parameters()), copy(optimizer.space().origin()));
  EXPECT_NE(optimizer.parameters()[0], 1.0);
}

TEST(PolyStep, AskTwiceGivesTheSameProbes) {
  PolyStep optimizer = at_origin(16, annealed(10));
  const auto first = copy(optimizer.ask().block_direction(1, 2));
  EXPECT_EQ(first, copy(optimizer.ask().block_direction(1, 2)));
}

TEST(PolyStep, SaveBetweenAskAndTellLosesNothing) {
  PolyStep optimizer = at_origin(16, annealed(10));
  take_steps(optimizer, rosenbrock, 3);
  const auto probes = copy(optimizer.ask().block_direction(1, 2));
  ArchiveWriter archive;
  optimizer.save(archive);
  PolyStep resumed = at_origin(16, annealed(10));
  ArchiveReader reader(archive.bytes(), "archive");
  resumed.load(reader);
  EXPECT_EQ(probes, copy(resumed.ask().block_direction(1, 2)));
}

TEST(PolyStep, SeedsGiveDifferentRuns) {
  PolyStep a = at_origin(8, annealed(10), 1), b = at_origin(8, annealed(10), 2);
  take_steps(a, rosenbrock, 2);
  take_steps(b, rosenbrock, 2);
  EXPECT_NE(copy(a.parameters()), copy(b.parameters()));
}

TEST(PolyStep, PlateauMeansNoMotionForEveryPolytopeAndRule) {
  for (const auto& [polytope_name, polytope] : kPolytopeKinds)
    for (const auto& [rule_name, rule] : kWeightRules) {
      PolyStepOptions options;
      options.block_size = 3;
      options.polytope = polytope;
      options.weight_rule = rule;
      PolyStep optimizer = at_origin(6, options);
      take_steps(
          optimizer, [](auto) { return 0.1; }, 3);
      for (const double y : optimizer.coordinates()) EXPECT_EQ(y, 0) << polytope_name << ' ' << rule_name;
      EXPECT_EQ(optimizer.report().flat_blocks, 2u);
    }
}

TEST(PolyStep, NonFiniteCostsRepel) {
  PolyStep optimizer = at_origin(1, plain_options(1, 1, 1));
  optimizer.tell(std::vector<double>{std::numeric_limits<double>::quiet_NaN(), 3.0});
  EXPECT_EQ(optimizer.report().replaced_costs, 1u);
  EXPECT_NEAR(optimizer.parameters()[0], -1.0, 1e-12);
}

TEST(Motion, NonFiniteMoveRevertsAndStops) {
  Motion motion(2);
  ASSERT_TRUE(motion.advance(std::vector<double>{1, 0}, 1, 0.5, 1));
  EXPECT_FALSE(motion.advance(std::vector<double>{0, std::nan("")}, 1, 0.5, 1));
  EXPECT_EQ(motion.y, (std::vector<double>{1, 0}));
  EXPECT_EQ(motion.velocity, (std::vector<double>{0, 0}));
  ASSERT_TRUE(motion.advance(std::vector<double>{0, 1}, 1, 0.5, 1));
  EXPECT_EQ(motion.y, (std::vector<double>{1, 1}));
}

TEST(PolyStep, ReportsWhatTheStepDid) {
  PolyStepOptions options = plain_options(2, 1, 1 / std::log(3.0));
  options.lengths_relative_to_temperature = true;
  PolyStep optimizer = at_origin(2, options);
  EXPECT_DOUBLE_EQ(optimizer.ask().radii()[0], 1 / std::log(3.0));
  optimizer.tell(std::vector<double>{0, 1, 1, 1});
  const StepReport& report = optimizer.report();
  EXPECT_EQ(report.step, 0u);
  EXPECT_DOUBLE_EQ(report.temperature, 1 / std::log(3.0));
  EXPECT_DOUBLE_EQ(report.step_length, 1 / std::log(3.0));
  EXPECT_DOUBLE_EQ(report.probe_radius, 2 / std::log(3.0));
  EXPECT_EQ(report.radii, 1u);
  EXPECT_DOUBLE_EQ(report.mean_cost, 0.75);
  EXPECT_DOUBLE_EQ(report.best_cost, 0);
  EXPECT_DOUBLE_EQ(report.displacement, 1 / std::log(3.0) / 3);
  EXPECT_NEAR(report.weight_entropy, (std::log(2.0) / 2 + std::log(6.0) / 2) / std::log(4.0), 1e-14);
  EXPECT_EQ(optimizer.step(), 1u);
}

TEST(PolyStep, AdaptiveRadiiProbeOnceWhileCostsFall) {
  PolyStepOptions options = annealed(100);
  options.radii = 2;
  options.radii_rule = RadiiRule::kPaper;
  PolyStep optimizer = at_origin(8, options);
  for (const double cost : {9.0, 8.0, 7.0, 6.0}) {
    EXPECT_EQ(optimizer.ask().size(), 32u);
    optimizer.tell(std::vector<double>(32, cost));
  }
  EXPECT_EQ(optimizer.ask().size(), 16u);
  EXPECT_DOUBLE_EQ(optimizer.ask().radii()[0], options.probe_radius.value(4) * 2 / 3);
  optimizer.tell(std::vector<double>(16, 6.0));
  EXPECT_EQ(optimizer.ask().size(), 32u);
}

// The stall count decides when the lengths grow, so a run resumed on a plateau must remember it.
TEST(PolyStep, ResumesInTheMiddleOfAStall) {
  PolyStepOptions options = plain_options(2, 1, 1);
  options.adaptive_radius = true;
  PolyStep optimizer = at_origin(2, options), resumed = at_origin(2, options);
  for (int t = 0; t < 6; ++t) optimizer.tell(std::vector<double>(4, 5.0));
  ArchiveWriter archive;
  optimizer.save(archive);
  ArchiveReader reader(archive.bytes(), "archive");
  resumed.load(reader);
  for (int t = 0; t < 5; ++t) resumed.tell(std::vector<double>(4, 5.0));
  EXPECT_DOUBLE_EQ(resumed.ask().radii()[0], 1.5);
}

}  // namespace
}  // namespace polystep
