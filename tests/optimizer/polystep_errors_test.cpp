// What the optimizer refuses, and how it says so.
#include <gtest/gtest.h>

#include "black_box.hpp"
#include "polystep/error.hpp"
#include "polystep/optimizer.hpp"

namespace polystep {
namespace {

using namespace polystep::testing;

void expect_refused(void (*change)(PolyStepOptions&)) {
  PolyStepOptions options;
  change(options);
  EXPECT_THROW(at_origin(16, options), InputError);
}

TEST(PolyStep, RefusesOptionsOutOfRange) {
  expect_refused([](PolyStepOptions& o) { o.block_size = 0; });
  expect_refused([](PolyStepOptions& o) { o.radii = 0; });
  expect_refused([](PolyStepOptions& o) { o.top_count = 0; });
  expect_refused([](PolyStepOptions& o) { o.radius_jitter = 1; });
  expect_refused([](PolyStepOptions& o) { o.fixed_scale = 0; });
  expect_refused([](PolyStepOptions& o) { o.fixed_temperature = -1; });
  expect_refused([](PolyStepOptions& o) { o.velocity_gain = 0; });
  expect_refused([](PolyStepOptions& o) { o.column_penalty = -1; });
  expect_refused([](PolyStepOptions& o) { o.sinkhorn.max_iterations = 0; });
  expect_refused([](PolyStepOptions& o) { o.sinkhorn.check_every = 0; });
  expect_refused([](PolyStepOptions& o) { o.temperature = Schedule::constant(0); });
  expect_refused([](PolyStepOptions& o) {
    o.temperature = {.kind = ScheduleKind::kCosine, .start = 1, .end = 0, .horizon = 10};
  });
  expect_refused([](PolyStepOptions& o) {
    o.temperature = {.kind = ScheduleKind::kCosine, .start = 1, .end = 0.5, .horizon = 0};
  });
  expect_refused([](PolyStepOptions& o) { o.probe_radius = Schedule::constant(0); });
  expect_refused([](PolyStepOptions& o) { o.step_length = Schedule::constant(-1); });
  expect_refused([](PolyStepOptions& o) { o.momentum = Schedule::constant(1); });
  expect_refused([](PolyStepOptions& o) { o.weight_rule = WeightRule::kSinkhorn, o.block_size = 16; });
  EXPECT_THROW(PolyStep(nullptr, {}, 1), InputError);
}

TEST(PolyStep, RefusesMisuseWithASentence) {
  PolyStep optimizer = at_origin(8, {});
  std::vector<double> theta(8);
  EXPECT_THROW(optimizer.candidate(0, theta), InputError);  // not asked yet
  optimizer.ask();
  EXPECT_THROW(optimizer.candidate(16, theta), InputError);
  EXPECT_THROW(optimizer.candidate(0, std::span(theta).first(7)), InputError);
  try {
    optimizer.tell(std::vector<double>(5));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "tell: found 5 costs, expected 16, one per probe");
  }
}

TEST(PolyStep, RefusesACheckpointOfAnotherRun) {
  ArchiveWriter archive;
  at_origin(8, {}, 1).save(archive);
  PolyStep other_seed = at_origin(8, {}, 2), other_size = at_origin(17, {}, 1),
           same_blocks = at_origin(7, {}, 1);
  for (PolyStep* optimizer : {&other_seed, &other_size, &same_blocks}) {
    ArchiveReader reader(archive.bytes(), "archive");
    EXPECT_THROW(optimizer->load(reader), InputError);
  }
  PolyStep same = at_origin(8, {}, 1);
  ArchiveReader cut(std::span(archive.bytes()).first(archive.bytes().size() - 1), "archive");
  EXPECT_THROW(same.load(cut), InputError);
}

}  // namespace
}  // namespace polystep
