// Probes along columns that are drawn as they are seen: against predictions of the parameters that they stand
// for, and whole trainings.
#include "methods/probes/seen_probes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "methods/probes/probe_costs.hpp"
#include "polystep/optimizer.hpp"
#include "polystep/train.hpp"

namespace polystep {
namespace {

Task small_alloy() {
  const ProblemRegistry problems = builtin_problems();
  const ProblemEntry& entry = problems.find("alloy", "test");
  Options options(entry.options);
  for (const auto& [key, value] : {std::pair("source", "generated"),
                                   {"features", "24"},
                                   {"hidden", "32"},
                                   {"training-rows", "41"},
                                   {"validation-rows", "9"},
                                   {"test-rows", "17"}})
    options.set_text(key, value, "test");
  return entry.make(options, {});
}

class SeenProbesOfAlloy : public ::testing::TestWithParam<std::size_t> {};

// A probe's parameters do not exist, but any parameters with the products that the probe sees predict the
// same.
TEST_P(SeenProbesOfAlloy, PredictWhatTheirParametersPredict) {
  const Task task = small_alloy();
  const StagedPredictor& predictor = *task.predictor->staged();
  ASSERT_TRUE(SeenProbes::serves(predictor));
  const std::vector<double> start = predictor.initial_parameters(3);
  PolyStepOptions options;
  options.radii = GetParam();
  options.probe_radius = Schedule::constant(20.0);
  PolyStep optimizer(make_seen_space(start, {.dimension = 16, .horizon = 10}, {.units = 32, .inputs = 24}, 5),
                     options, 5);
  SeenProbes seen(predictor, task.data.training);
  ThreadTeam team(2);
  const std::vector<std::size_t> rows = {3, 40, 0, 7, 7, 15, 9, 1, 20, 11, 30};
  TiledRows tiles;
  tiles.gather(task.data.training, rows);
  for (int step = 0; step < 2; ++step) {
    const Probes& probes = optimizer.ask();
    seen.prepare(probes, optimizer.parameters(), rows, team);
    const std::size_t outputs = predictor.outputs();
    std::vector<double> incumbent(outputs * kLanes), expected(outputs * kLanes);
    for (std::size_t tile = 0; tile < tiles.tiles(); ++tile) {
      seen.predict_incumbent(tile, incumbent.data());
      predictor.predict(optimizer.parameters(), tiles.tile(tile), expected.data());
      for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(incumbent[i], expected[i], 1e-4);
    }
    SeenProbes::Scratch scratch;
    std::vector<double> theta(start.size());
    const std::size_t last =
        step == 0 ? probes.blocks() : 1;  // later the first block holds what is remembered
    for (std::size_t block = 0; block < last; ++block) {
      const std::size_t radii = probes.radii().size(), count = probes.vertices(block) * radii;
      std::vector<double> found(count * outputs * kLanes);
      for (std::size_t tile = 0; tile < tiles.tiles(); ++tile) {
        seen.predict(probes, block, tile, scratch, found.data());
        for (const std::size_t probe : {std::size_t{0}, count / 2, count - 1}) {
          std::vector<double> y(16, 0.0);
          const std::span<const double> direction = probes.block_direction(block, probe / radii);
          for (std::size_t c = 0; c < direction.size(); ++c)
            y[probes.first_coordinate(block) + c] = probes.radii()[probe % radii] * direction[c];
          probes.space().place(y, theta);
          predictor.predict(theta, tiles.tile(tile), expected.data());
          for (std::size_t i = 0; i < expected.size(); ++i)
            EXPECT_NEAR(found[probe * expected.size() + i], expected[i], 2e-3 * (1 + std::abs(expected[i])))
                << "step " << step << " block " << block << " probe " << probe;
        }
      }
    }
    std::vector<double> costs(probes.size());
    for (std::size_t i = 0; i < costs.size(); ++i) costs[i] = static_cast<double>(i % 5);
    optimizer.tell(costs);
  }
}

INSTANTIATE_TEST_SUITE_P(Radii, SeenProbesOfAlloy, ::testing::Values(1, 2, 3));

TEST(SeenProbes, ServeOnlyOneHiddenLayerAndOneOutputPerRow) {
  EXPECT_TRUE(SeenProbes::serves(*make_shared_mlp(5, {16}, 4)));
  EXPECT_TRUE(SeenProbes::serves(*make_mlp(5, {16}, 1)));
  EXPECT_FALSE(SeenProbes::serves(*make_mlp(5, {16}, 2)));
  EXPECT_FALSE(SeenProbes::serves(*make_shared_mlp(5, {16, 16}, 4)));
  EXPECT_FALSE(SeenProbes::serves(*make_linear(5, 1)));
}

Options paper_options(const char* preset, std::int64_t steps) {
  const MethodEntry& method = find_method("polystepor", "test");
  const ProblemRegistry problems = builtin_problems();
  const ProblemEntry& entry = problems.find("alloy", "test");
  Options settings(entry.options), options(method.options);
  for (const auto& [key, value] : method.preset(preset, "test").values(PresetContext::of(entry, settings)))
    options.set(key, value, "test");
  options.set("steps", steps, "test");
  options.set("dimension", std::int64_t{24}, "test");
  return options;
}

TEST(AlloyPaperPreset, TrainsToTheSameBitsOnAnyNumberOfThreads) {
  const Task task = small_alloy();
  for (const char* preset : {"paper", "paper-constant"}) {
    const Options options = paper_options(preset, 6);
    const auto trained = [&](std::size_t threads) {
      return train(task, find_method("polystepor", "test"), options, {.seed = 11, .threads = threads});
    };
    const TrainingResult one = trained(1), two = trained(2);
    EXPECT_EQ(one.parameters, two.parameters);
    EXPECT_EQ(one.test_regret, two.test_regret);
    EXPECT_NE(one.parameters, task.predictor->initial_parameters(11, InitialDraw::kTwister));
    EXPECT_EQ(one.steps, 6u);
    // Two batches an epoch, 32 and 9 rows; 48 directions, and two radii in the first mode.
    const std::size_t probes = 48 * (std::string(preset) == "paper" ? 2 : 1);
    EXPECT_EQ(one.training_solves.requested, 3 * (32 + 9) * (probes + 1));
  }
}

// The published schedules.
TEST(AlloyPaperPreset, HasThePublishedSchedules) {
  const auto at = [](const Options& options, const std::string& quantity, std::size_t step) {
    const bool linear = options.text("schedule") == "linear";
    const Schedule schedule{.kind = linear ? ScheduleKind::kLinear : ScheduleKind::kCosine,
                            .start = options.number(quantity + "-start"),
                            .end = options.number(quantity + "-end"),
                            .horizon = 220};
    return schedule.value(step);
  };
  const Options moving = paper_options("paper", 220), constant = paper_options("paper-constant", 220);
  EXPECT_NEAR(at(moving, "step", 0), 2.6658, 1e-12);
  EXPECT_NEAR(at(moving, "step", 1), 2.65939602, 5e-9);
  EXPECT_NEAR(at(moving, "step", 110), 1.96136235, 5e-9);
  EXPECT_NEAR(at(moving, "step", 219), 1.26332868, 5e-9);
  EXPECT_NEAR(at(moving, "radius", 219), 461.1303, 5e-5);
  EXPECT_EQ(at(moving, "temperature", 219), 0.7067);
  EXPECT_EQ(at(constant, "temperature", 0), 0.5652);
  EXPECT_NEAR(at(constant, "temperature", 110), 0.3076, 1e-12);
  EXPECT_NEAR(at(constant, "temperature", 219), 0.05002626, 5e-9);
  EXPECT_EQ(constant.text("lengths"), "relative");
  EXPECT_NEAR(at(constant, "step", 0) * at(constant, "temperature", 0), 3.52419, 5e-6);
  EXPECT_NEAR(at(constant, "step", 219) * at(constant, "temperature", 219), 0.31193, 5e-6);
}

}  // namespace
}  // namespace polystep
