#include "data/benchmarks/published_multi_knapsack.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "data/benchmarks/numpy_random.hpp"
#include "data/benchmarks/numpy_shuffle.hpp"

namespace polystep {
namespace {

constexpr std::size_t kItems = kPublishedKnapsackItems, kResources = kPublishedKnapsackResources,
                      kFeatures = kPublishedKnapsackFeatures, kInstances = kPublishedKnapsackInstances;
constexpr std::size_t kTestRows = 500, kValidationRows = 100;
constexpr double kDegree = 6, kNoise = 0.25;
constexpr double kLeastValue = 5;
constexpr std::array<double, kResources> kCapacityRatio = {0.18, 0.20, 0.22};

const char* const kWhere = "multi-knapsack";

void draw_features(NumpyRandom& random, PublishedKnapsacks& drawn) {
  drawn.features.resize(kInstances * kFeatures);
  for (double& feature : drawn.features) feature = random.uniform(0, 1);
}

std::vector<double> draw_mask(NumpyRandom& random, std::size_t outputs) {
  std::vector<double> mask(outputs * kFeatures);
  for (double& entry : mask) entry = random.coin() ? 1 : 0;
  return mask;
}

void draw_values(NumpyRandom& random, PublishedKnapsacks& drawn) {
  drawn.values.resize(kInstances * kItems);
  for (double& value : drawn.values) value = std::max(kLeastValue, random.gumbel(100, 20));
}

// (1 + (3 + B.z / sqrt(10))^6) / 3.5^6: about 1 for a middling instance.
double rate(const double* mask, const double* features) {
  double sum = 0;
  for (std::size_t f = 0; f < kFeatures; ++f) sum += mask[f] * features[f];
  return (1 + std::pow(3 + sum / std::sqrt(static_cast<double>(kFeatures)), kDegree)) /
         std::pow(3.5, kDegree);
}

// Rows of `numbers` [instances × columns] in the given order.
std::vector<double> rows_of(const std::vector<double>& numbers, std::size_t columns,
                            const std::vector<std::size_t>& order) {
  std::vector<double> rows;
  rows.reserve(order.size() * columns);
  for (const std::size_t row : order) {
    const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(row * columns);
    rows.insert(rows.end(), begin, begin + static_cast<std::ptrdiff_t>(columns));
  }
  return rows;
}

void append(std::vector<double>& all, const std::vector<double>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

PublishedKnapsackData deal(const PublishedKnapsacks& drawn, std::uint64_t seed, KnapsackPairing pairing,
                           bool predict_weights) {
  const TrainTestOrder outer = numpy_train_test(kInstances, kTestRows, seed);
  TrainTestOrder inner = numpy_train_test(outer.training.size(), kValidationRows, seed);
  for (std::vector<std::size_t>* part : {&inner.training, &inner.test})
    for (std::size_t& row : *part) row = outer.training[row];

  PublishedKnapsackData dealt;
  std::size_t instances = 0;
  const auto take = [&](const std::vector<std::size_t>& shuffled) {
    std::vector<std::size_t> numbers(shuffled.size());
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    const std::vector<std::size_t>& left_behind =
        pairing == KnapsackPairing::kAsPublished ? numbers : shuffled;
    const std::vector<double> weights = rows_of(drawn.weights, kResources * kItems, shuffled);
    const std::vector<double> capacities = rows_of(drawn.capacities, kResources, left_behind);
    append(dealt.values, rows_of(drawn.values, kItems, left_behind));
    append(dealt.known, predict_weights ? capacities : weights);
    for (std::size_t& number : numbers) number += instances;
    instances += shuffled.size();
    Split split;
    split.rows = shuffled.size();
    split.feature_columns = kFeatures;
    split.truth_columns = predict_weights ? kResources * kItems : kResources;
    split.features = rows_of(drawn.features, kFeatures, shuffled);
    split.truth = predict_weights ? weights : capacities;
    split.instances = std::move(numbers);
    return split;
  };
  dealt.data.training = take(inner.training);
  dealt.data.validation = take(inner.test);
  dealt.data.test = take(outer.test);
  for (std::size_t f = 1; f <= kFeatures; ++f) dealt.data.feature_names.push_back(fmt::format("z{}", f));
  return dealt;
}

}  // namespace

PublishedKnapsacks draw_knapsacks_of_unknown_weights(std::uint64_t seed) {
  NumpyRandom random(seed, kWhere);
  PublishedKnapsacks drawn;
  draw_features(random, drawn);
  const std::vector<double> mask = draw_mask(random, kResources * kItems);
  for (std::size_t i = 0; i < kInstances; ++i)
    for (std::size_t r = 0; r < kResources; ++r) {
      const auto own = mask.begin() + static_cast<std::ptrdiff_t>(r * kItems * kFeatures);
      const double ones = std::accumulate(own, own + static_cast<std::ptrdiff_t>(kItems * kFeatures), 0.0);
      drawn.capacities.push_back(
          std::ceil(10 * (kCapacityRatio[r] * ones) * random.uniform(1 - kNoise, 1 + kNoise)));
    }
  drawn.weights.resize(kInstances * kResources * kItems);
  for (std::size_t i = 0; i < kInstances; ++i)
    for (std::size_t j = 0; j < kItems; ++j) {
      const double noise = random.uniform(1 - kNoise, 1 + kNoise);  // shared by the resources
      for (std::size_t r = 0; r < kResources; ++r) {
        const std::size_t k = r * kItems + j;
        drawn.weights[i * kResources * kItems + k] =
            std::ceil(100 * (rate(&mask[k * kFeatures], &drawn.features[i * kFeatures]) * noise)) / 10;
      }
    }
  draw_values(random, drawn);
  return drawn;
}

PublishedKnapsacks draw_knapsacks_of_unknown_capacities(std::uint64_t seed) {
  constexpr double kMost = 5 * kItems;
  NumpyRandom random(seed, kWhere);
  PublishedKnapsacks drawn;
  drawn.weights.resize(kInstances * kResources * kItems);
  for (double& weight : drawn.weights)
    weight = std::nearbyint((1000 + random.up_to(999)) / 1000.0 * 100) / 100;
  draw_features(random, drawn);
  const std::vector<double> mask = draw_mask(random, kResources);
  for (std::size_t i = 0; i < kInstances; ++i)
    for (std::size_t r = 0; r < kResources; ++r) {
      const double share =
          rate(&mask[r * kFeatures], &drawn.features[i * kFeatures]) * random.uniform(1 - kNoise, 1 + kNoise);
      drawn.capacities.push_back(std::trunc(std::ceil(std::min(kMost, share * kMost)) / 10));
    }
  for (double& feature : drawn.features) feature = std::nearbyint(feature * 0.5 * kItems);
  draw_values(random, drawn);
  return drawn;
}

PublishedKnapsackData published_multi_knapsack_weights(std::uint64_t seed, KnapsackPairing pairing) {
  return deal(draw_knapsacks_of_unknown_weights(seed), seed, pairing, true);
}

PublishedKnapsackData published_multi_knapsack_capacities(std::uint64_t seed, KnapsackPairing pairing) {
  return deal(draw_knapsacks_of_unknown_capacities(seed), seed, pairing, false);
}

}  // namespace polystep
