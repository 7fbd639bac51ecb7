#include "data/benchmarks/constraint_data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <numeric>
#include <set>

#include "data/cities/poisson.hpp"
#include "data/published_files.hpp"

namespace polystep {
namespace {

using testing::read_text;
using testing::TemporaryDirectory;
using testing::write_text;

#define POLYSTEP_NEEDS_CONSTRAINT_DATA()               \
  if (!holds_constraint_data(find_data_directory(""))) \
  GTEST_SKIP() << "skipped: needs data, see "          \
                  "docs/data.md"

void expect_sizes(const Dataset& data, std::size_t outputs) {
  std::set<std::size_t> seen;
  for (const auto& [split, rows] :
       {std::pair(&data.training, 720u), std::pair(&data.validation, 80u), std::pair(&data.test, 50u)}) {
    EXPECT_EQ(split->rows, rows);
    EXPECT_EQ(split->features.size(), rows * 5);
    EXPECT_EQ(split->truth_columns, outputs);
    EXPECT_EQ(split->truth.size(), rows * outputs);
    for (const double value : split->truth) EXPECT_TRUE(value >= 0 && value == std::floor(value));
    seen.insert(split->instances.begin(), split->instances.end());
  }
  EXPECT_EQ(seen.size(), 850u);  // no instance is in two splits
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviation(const std::vector<double>& values) {
  const double centre = mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - centre) * (value - centre);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

TEST(Poisson, HasItsMeanAndVariance) {
  for (const double rate : {0.0, 0.7, 9.9, 10.0, 400.0, 16000.0}) {
    RandomStream stream(5, Purpose::kTest);
    std::vector<double> draws(20000);
    for (double& draw : draws) draw = poisson(stream, rate);
    const double error = std::sqrt(rate / 20000);
    EXPECT_NEAR(mean(draws), rate, 4 * error + 1e-12);
    EXPECT_NEAR(deviation(draws), std::sqrt(rate), 0.02 * std::sqrt(rate) + 1e-12);
  }
}

TEST(PublishedConstraintData, ReadsTheKnapsacks) {
  POLYSTEP_NEEDS_CONSTRAINT_DATA();
  const std::string place = find_data_directory("");
  const KnapsackData capacity = published_knapsack_capacity(place, {0, 0});
  expect_sizes(capacity.data, 1);
  EXPECT_EQ(std::vector<std::size_t>(capacity.data.test.instances.begin(),
                                     capacity.data.test.instances.begin() + 5),
            (std::vector<std::size_t>{993, 859, 298, 553, 672}));
  EXPECT_EQ(capacity.data.test.truth[0], 14);
  EXPECT_EQ(capacity.data.test.truth[4], 10);
  EXPECT_NEAR(mean(capacity.data.training.truth), 10.0166667, 1e-6);
  EXPECT_NEAR(deviation(capacity.data.training.truth), 3.38691748, 1e-6);
  const double capacities[] = {3737, 3965, 4117, 3934, 4164};
  for (std::size_t dataset = 0; dataset < kConstraintDatasets; ++dataset) {
    const KnapsackData weight = published_knapsack_weight(place, {dataset, 2});
    expect_sizes(weight.data, 50);
    EXPECT_EQ(weight.capacity, capacities[dataset]);
  }
}

TEST(PublishedConstraintData, ReadsTheCovers) {
  POLYSTEP_NEEDS_CONSTRAINT_DATA();
  const std::string place = find_data_directory("");
  const CoverData cover = published_set_cover(place, find_cover_size("5x25"), {0, 0});
  expect_sizes(cover.data, 5);
  EXPECT_EQ(cover.costs.size(), 25u);
  const std::vector<double> expected = {357.7764, 418.2903, 305.5139, 299.7639, 367.5403};
  for (std::size_t i = 0; i < 5; ++i) {
    double sum = 0;
    for (std::size_t row = 0; row < 720; ++row) sum += cover.data.training.truth_row(row)[i];
    EXPECT_NEAR(sum / 720, expected[i], 5e-5);
  }
  for (std::size_t dataset = 0; dataset < kConstraintDatasets; ++dataset) {
    const CoverData large = published_set_cover(place, find_cover_size("10x50"), {dataset, 1});
    const auto path = constraint_file(place, "wsmc_10x50/seed" + std::to_string(dataset) + "/items.csv");
    std::string listed = "max_cover_cost\n";
    for (const double cost : large.dearest) listed += std::to_string(static_cast<int>(cost)) + "\n";
    EXPECT_EQ(read_text(path), listed);
  }
}

// A copy of one small benchmark with one file changed.
void expect_refusal(const std::string& file, const std::function<std::string(std::string)>& change,
                    const std::string& part, const std::string& other_part) {
  const std::string place = find_data_directory("");
  const TemporaryDirectory copy;
  for (const char* name : {"split0.txt", "kp_capacity/seed0/items.csv", "kp_capacity/seed0/instances.csv"}) {
    const std::string text = read_text(constraint_file(place, name));
    write_text(copy.path() / "in-constraint" / name, name == file ? change(text) : text);
  }
  EXPECT_INPUT_ERROR(published_knapsack_capacity(copy.string(), {0, 0}), part, other_part);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(PublishedConstraintData, NamesWhatIsWrong) {
  POLYSTEP_NEEDS_CONSTRAINT_DATA();
  expect_refusal(
      "split0.txt", [](std::string t) { return replaced(t, "train 878", "train 702"); }, "split0.txt line 1",
      "found instance 702 twice");
  expect_refusal(
      "split0.txt", [](std::string t) { return replaced(t, "val ", "valid "); }, "line 2",
      "found list 'valid', expected 'val'");
  expect_refusal(
      "kp_capacity/seed0/instances.csv",
      [](std::string t) { return replaced(t, "1.892,6\n", "1.892,6.5\n"); }, "line 2",
      "found '6.5' in field 6, expected a whole number from 0");
  expect_refusal(
      "kp_capacity/seed0/items.csv", [](std::string t) { return t + "1,1\n"; }, "line 52",
      "expected the end of the file");
}

TEST(DataDirectory, MayHoldConstraintDataOnly) {
  const TemporaryDirectory place;
  write_text(place.path() / "in-constraint/split0.txt", "x");
  EXPECT_EQ(find_data_directory(place.string()), place.string());
  EXPECT_FALSE(holds_classical_data(place.string()));
  EXPECT_TRUE(holds_constraint_data(place.string()));
  EXPECT_FALSE(holds_constraint_data(""));
}

TEST(GeneratedConstraintData, HasThePublishedShape) {
  for (std::size_t dataset = 0; dataset < kConstraintDatasets; ++dataset) {
    const KnapsackData capacity = generated_knapsack_capacity(1, {dataset, 0});
    expect_sizes(capacity.data, 1);
    const double total = std::accumulate(capacity.weights.begin(), capacity.weights.end(), 0.0);
    EXPECT_NEAR(mean(capacity.data.training.truth), total / 2, 0.06 * total);
    for (const double feature : capacity.data.training.features) EXPECT_GE(feature, 0);

    const KnapsackData weight = generated_knapsack_weight(1, {dataset, 0});
    expect_sizes(weight.data, 50);
    EXPECT_NEAR(mean(weight.data.training.truth), 390, 60);
    EXPECT_NEAR(weight.capacity, 0.2 * 50 * mean(weight.data.training.truth), 0.05 * weight.capacity);

    const CoverData cover = generated_set_cover(1, find_cover_size("10x50"), {dataset, 0});
    expect_sizes(cover.data, 10);
    const auto marks = std::accumulate(cover.members.begin(), cover.members.end(), 0);
    EXPECT_TRUE(marks >= 60 && marks <= 75) << marks;
    EXPECT_NEAR(mean(cover.data.training.truth), 390, 90);
  }
}

TEST(GeneratedConstraintData, DependsOnItsSeedAndRunAlone) {
  const auto truth = [](std::uint64_t seed, ConstraintRun run) {
    return generated_set_cover(seed, find_cover_size("5x25"), run).data.training.truth;
  };
  EXPECT_EQ(truth(3, {1, 2}), truth(3, {1, 2}));
  EXPECT_NE(truth(3, {1, 2}), truth(4, {1, 2}));
  EXPECT_NE(truth(3, {1, 2}), truth(3, {2, 2}));
  EXPECT_NE(truth(3, {1, 2}), truth(3, {1, 1}));
  // Splits of one data set deal the same instances.
  const auto sorted_costs = [](ConstraintRun run) {
    return generated_set_cover(3, find_cover_size("5x25"), run).costs;
  };
  EXPECT_EQ(sorted_costs({1, 0}), sorted_costs({1, 2}));
}

}  // namespace
}  // namespace polystep
