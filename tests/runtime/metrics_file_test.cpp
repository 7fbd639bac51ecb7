#include "runtime/run/metrics_file.hpp"

#include <gtest/gtest.h>

#include "input_error.hpp"

namespace polystep {
namespace {

TEST(ParseMetrics, ReadsWhatThereIsAndLeavesTheRestEmpty) {
  const std::vector<StepMetrics> steps = parse_metrics(
      "{\"step\":0,\"seconds\":0.5,\"validation_cost\":7,\"improved\":true}\n"
      "{\"step\":1,\"seconds\":1,\"flip_rate\":0.25,\"moving_share\":0.5,\"radius\":2,\"incumbent_cost\":9,"
      "\"held_out_cost\":8,\"blend\":0.3}\n",
      "metrics.jsonl");
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].validation_cost, 7);
  EXPECT_FALSE(steps[0].flip_rate || steps[0].blend || steps[0].training_cost);
  EXPECT_EQ(steps[1].step, 1u);
  EXPECT_EQ(steps[1].flip_rate, 0.25);
  EXPECT_EQ(steps[1].moving_share, 0.5);
  EXPECT_EQ(steps[1].radius, 2);
  EXPECT_EQ(steps[1].training_cost, 9);
  EXPECT_EQ(steps[1].held_out_cost, 8);
  EXPECT_EQ(steps[1].blend, 0.3);
  EXPECT_FALSE(steps[1].validation_cost);
}

TEST(ParseMetrics, NamesTheLineThatIsNoStep) {
  const auto refusal = [](const std::string& text) {
    return input_error([&] { parse_metrics(text, "metrics.jsonl"); });
  };
  EXPECT_EQ(refusal(""), "metrics.jsonl is empty, expected one line per step");
  EXPECT_EQ(refusal("{\"step\":0}\n{\"st"),
            "metrics.jsonl line 2: found no step, expected a JSON object with the figures of one");
  EXPECT_EQ(refusal("{\"step\":0,\"radius\":\"far\"}\n"),
            "metrics.jsonl line 1: radius is \"far\", expected a number");
}

}  // namespace
}  // namespace polystep
