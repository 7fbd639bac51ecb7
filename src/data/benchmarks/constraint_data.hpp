// Data of the benchmarks whose predictions enter constraints: a knapsack with unknown capacity or unknown
// weights, a knapsack of several resources with unknown capacities or weights, and a set multi-cover with
// unknown requirements.
//
// A data set has 1000 instances of five features each. A split deals them into 720 for training, 80 for
// validation and 50 for test; the order of rows is that of the published runs, which take batches in stored
// order. Five data sets and three splits make the fifteen runs of a published figure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "polystep/dataset.hpp"

namespace polystep {

inline constexpr std::size_t kConstraintFeatures = 5;
inline constexpr std::size_t kConstraintInstances = 1000;
inline constexpr std::size_t kConstraintDatasets = 5;
inline constexpr std::size_t kConstraintSplits = 3;
inline constexpr std::size_t kConstraintItems = 50;  // of both knapsacks

// Which of the fifteen runs.
struct ConstraintRun {
  std::size_t dataset = 0;  // 0 to 4
  std::size_t split = 0;    // 0 to 2

  std::uint64_t released_seed() const { return 1000 * dataset + split; }  // of its search
};

// Instance numbers in the order in which rows are used.
struct ConstraintSplit {
  std::vector<std::size_t> training;    // 720
  std::vector<std::size_t> validation;  // 80
  std::vector<std::size_t> test;        // 50
};

// Truth is the capacity [rows × 1] or the weights [rows × items]; the other is known and the same for all.
struct KnapsackData {
  Dataset data;
  std::vector<double> values;   // [items]
  std::vector<double> weights;  // [items]; empty where they are predicted
  double capacity = 0;          // where it is not predicted
};

inline constexpr std::size_t kMultiKnapsackItems = 20;
inline constexpr std::size_t kMultiKnapsackResources = 3;

// Truth is the capacities [rows × resources] or the weights [rows × resources × items]; the other is known
// and the same for all.
struct MultiKnapsackData {
  Dataset data;
  std::vector<double> values;      // [items]
  std::vector<double> weights;     // [resources × items]; empty where they are predicted
  std::vector<double> capacities;  // [resources]; empty where they are predicted
};

struct CoverSize {
  std::string_view name;
  std::size_t items;
  std::size_t covers;
};
inline constexpr CoverSize kCoverSizes[] = {{"10x50", 10, 50}, {"5x25", 5, 25}};
const CoverSize& find_cover_size(const std::string& name);  // throws InputError

// Truth is the requirements [rows × items].
struct CoverData {
  Dataset data;
  std::vector<double> costs;          // [covers]
  std::vector<std::uint8_t> members;  // [covers × items], 1: the cover contains the item
  std::vector<double> dearest;        // [items], cost of the dearest cover that contains the item
};

// The benchmark's files.
ConstraintSplit published_constraint_split(const std::string& data_directory, std::size_t split);
KnapsackData published_knapsack_capacity(const std::string& data_directory, ConstraintRun run);
KnapsackData published_knapsack_weight(const std::string& data_directory, ConstraintRun run);
CoverData published_set_cover(const std::string& data_directory, const CoverSize& size, ConstraintRun run);

// Fresh draws of the same distributions, which depend on data_seed and run alone.
KnapsackData generated_knapsack_capacity(std::uint64_t data_seed, ConstraintRun run);
KnapsackData generated_knapsack_weight(std::uint64_t data_seed, ConstraintRun run);
CoverData generated_set_cover(std::uint64_t data_seed, const CoverSize& size, ConstraintRun run);

// A benchmark of this program, without published data: drawn by the same rules.
MultiKnapsackData generated_multi_knapsack_capacities(std::uint64_t data_seed, ConstraintRun run);
MultiKnapsackData generated_multi_knapsack_weights(std::uint64_t data_seed, ConstraintRun run);

// All instances of one data set: what readers and generators have in common.
struct ConstraintInstances {
  std::size_t outputs = 0;
  std::vector<double> features;  // [instances × 5]
  std::vector<double> truth;     // [instances × outputs]
};
Dataset deal_instances(const ConstraintInstances& instances, const ConstraintSplit& split);

// Fills `dearest` from costs and members.
void find_dearest_covers(CoverData& cover);

}  // namespace polystep
