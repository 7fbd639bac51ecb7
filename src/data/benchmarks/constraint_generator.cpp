// Draws data sets like the published ones, from the program's own streams.
//
// Features hold three decimals. A rate (1 + (B.z/sqrt(5) + 3)^5) u + 0.03 with a random 0-1 vector B and
// noise u near 1 is the mean of a Poisson draw: a weight, a requirement or one of several capacities. The
// single capacity comes from a Beta distribution around one half, whose spread alone depends on the features.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "data/benchmarks/constraint_data.hpp"
#include "data/cities/poisson.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

constexpr double kRateShift = 0.03;
constexpr double kKnapsackNoise = 0.1;  // half-width of u
constexpr double kCoverNoise = 0.5;
constexpr double kCapacityShare = 0.2;        // of the mean total weight
constexpr double kLowestCapacityShare = 0.1;  // of the total weight
constexpr std::uint64_t kDearestCost = 99;
constexpr std::uint64_t kHeaviest = 100;  // known weight of an item in a resource
// Of the mean total weight of a resource. With a quarter there are instances in which nothing fits.
constexpr double kMultiKnapsackCapacityShare = 0.5;

// Numbers the problems, so that each has streams of its own.
enum class Family : std::uint64_t {
  kCapacity = 101,
  kWeight = 102,
  kCover = 103,
  kMultiKnapsackCapacities = 104,
  kMultiKnapsackWeights = 105,
};

RandomStream stream_of(std::uint64_t data_seed, Purpose purpose, Family family, std::size_t variant,
                       ConstraintRun run) {
  return {data_seed, purpose, static_cast<std::uint64_t>(family),
          static_cast<std::uint64_t>(variant * kConstraintDatasets + run.dataset)};
}

double fifth_power(double base) { return base * base * base * base * base; }

double round_to(double value, double unit) { return std::nearbyint(value / unit) * unit; }

std::vector<double> draw_mask(RandomStream& stream, std::size_t rows) {
  std::vector<double> mask(rows * kConstraintFeatures);
  for (double& entry : mask) entry = static_cast<double>(stream.below(2));
  return mask;
}

double product(const double* mask, const double* features) {
  double sum = 0;
  for (std::size_t k = 0; k < kConstraintFeatures; ++k) sum += mask[k] * features[k];
  return sum;
}

ConstraintSplit draw_split(std::uint64_t data_seed, std::size_t split) {
  std::vector<std::size_t> order(kConstraintInstances);
  std::iota(order.begin(), order.end(), std::size_t{0});
  RandomStream stream(data_seed, Purpose::kSplit, split, static_cast<std::uint64_t>(Family::kCapacity));
  for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[stream.below(i + 1)]);
  const auto at = [&](std::size_t i) { return order.begin() + static_cast<std::ptrdiff_t>(i); };
  return {{at(0), at(720)}, {at(720), at(800)}, {at(800), at(850)}};
}

struct RateModel {
  std::vector<double> mask;  // B [outputs × 5]
  double noise = 0;          // half-width of u
  double unit = 1;           // rates are rounded to multiples of this
};

// Features and Poisson draws of all instances.
ConstraintInstances draw_counts(const RateModel& model, RandomStream& features, RandomStream& noise) {
  ConstraintInstances instances;
  instances.outputs = model.mask.size() / kConstraintFeatures;
  for (std::size_t row = 0; row < kConstraintInstances; ++row) {
    double z[kConstraintFeatures];
    for (double& feature : z) feature = round_to(features.normal(), 1e-3);
    instances.features.insert(instances.features.end(), z, z + kConstraintFeatures);
    for (std::size_t o = 0; o < instances.outputs; ++o) {
      const double signal = product(model.mask.data() + o * kConstraintFeatures, z) /
                            std::sqrt(static_cast<double>(kConstraintFeatures));
      const double rate =
          (1 + fifth_power(signal + 3)) * noise.uniform(1 - model.noise, 1 + model.noise) + kRateShift;
      instances.truth.push_back(poisson(noise, std::max(0.0, round_to(rate, model.unit))));
    }
  }
  return instances;
}

ConstraintInstances draw_capacities(double total_weight, RandomStream& matrix, RandomStream& features,
                                    RandomStream& noise) {
  const std::vector<double> mask = draw_mask(matrix, 1);
  ConstraintInstances instances;
  instances.outputs = 1;
  for (std::size_t row = 0; row < kConstraintInstances; ++row) {
    double z[kConstraintFeatures];
    for (double& feature : z) feature = std::abs(round_to(features.normal(), 1e-3));
    instances.features.insert(instances.features.end(), z, z + kConstraintFeatures);
    const double shape = (1 + fifth_power(product(mask.data(), z))) * noise.uniform(0.9, 1.1);
    const double first = noise.gamma(shape), second = noise.gamma(shape);
    const double share = std::max(first / (first + second), kLowestCapacityShare);  // Beta(shape, shape)
    instances.truth.push_back(std::nearbyint(share * total_weight));
  }
  return instances;
}

// An item is worth a random multiple of how often it is heavy, over all instances.
std::vector<double> values_of_weights(const ConstraintInstances& instances, RandomStream& stream) {
  std::vector<double> values(instances.outputs);
  for (std::size_t j = 0; j < values.size(); ++j) {
    double low = instances.truth[j], high = low, sum = 0;
    for (std::size_t row = 0; row < kConstraintInstances; ++row) {
      const double weight = instances.truth[row * values.size() + j];
      low = std::min(low, weight);
      high = std::max(high, weight);
      sum += weight;
    }
    const double share = high > low ? (sum - low * kConstraintInstances) / (high - low) : 0.0;
    values[j] = stream.uniform() * share;
  }
  return values;
}

// An item of a knapsack with several resources is worth its mean weight plus a random share of the mean of
// all items: valuable ones tend to be heavy, as in the customary test sets of this problem.
std::vector<double> values_of_resource_weights(std::span<const double> mean_weights, RandomStream& stream) {
  std::vector<double> values(kMultiKnapsackItems);
  double mean = 0;
  for (std::size_t k = 0; k < mean_weights.size(); ++k) {
    values[k % kMultiKnapsackItems] += mean_weights[k] / kMultiKnapsackResources;
    mean += mean_weights[k] / static_cast<double>(mean_weights.size());
  }
  for (double& value : values) value += stream.uniform() * mean;
  return values;
}

// weights [resources × items]
double total_of(std::span<const double> weights, std::size_t resource) {
  const std::span<const double> row = weights.subspan(resource * kMultiKnapsackItems, kMultiKnapsackItems);
  return std::accumulate(row.begin(), row.end(), 0.0);
}

// Every item is in two covers at least, every cover has one item at least.
std::vector<std::uint8_t> draw_members(const CoverSize& size, RandomStream& stream) {
  std::vector<std::uint8_t> members(size.covers * size.items);
  for (std::size_t i = 0; i < size.items; ++i) {
    std::uint64_t first = 0, second = 0;
    while (first == second) {  // marks of equal draws stay
      first = stream.below(size.covers);
      second = stream.below(size.covers);
      members[first * size.items + i] = members[second * size.items + i] = 1;
    }
  }
  for (std::size_t j = 0; j < size.covers; ++j) members[j * size.items + stream.below(size.items)] = 1;
  return members;
}

}  // namespace

KnapsackData generated_knapsack_capacity(std::uint64_t data_seed, ConstraintRun run) {
  RandomStream matrix = stream_of(data_seed, Purpose::kDataMatrix, Family::kCapacity, 0, run);
  RandomStream features = stream_of(data_seed, Purpose::kDataFeatures, Family::kCapacity, 0, run);
  RandomStream noise = stream_of(data_seed, Purpose::kDataNoise, Family::kCapacity, 0, run);
  KnapsackData knapsack;
  double total_weight = 0;
  for (std::size_t i = 0; i < kConstraintItems; ++i) {
    const double share = matrix.uniform(), weight = matrix.uniform();
    knapsack.values.push_back(share * weight);
    knapsack.weights.push_back(weight);
    total_weight += weight;
  }
  knapsack.data = deal_instances(draw_capacities(total_weight, matrix, features, noise),
                                 draw_split(data_seed, run.split));
  return knapsack;
}

KnapsackData generated_knapsack_weight(std::uint64_t data_seed, ConstraintRun run) {
  RandomStream matrix = stream_of(data_seed, Purpose::kDataMatrix, Family::kWeight, 0, run);
  RandomStream features = stream_of(data_seed, Purpose::kDataFeatures, Family::kWeight, 0, run);
  RandomStream noise = stream_of(data_seed, Purpose::kDataNoise, Family::kWeight, 0, run);
  const RateModel model{draw_mask(matrix, kConstraintItems), kKnapsackNoise, 1};
  const ConstraintInstances instances = draw_counts(model, features, noise);
  KnapsackData knapsack;
  knapsack.values = values_of_weights(instances, matrix);
  const double total = std::accumulate(instances.truth.begin(), instances.truth.end(), 0.0);
  knapsack.capacity = std::nearbyint(kCapacityShare * total / kConstraintInstances);
  knapsack.data = deal_instances(instances, draw_split(data_seed, run.split));
  return knapsack;
}

MultiKnapsackData generated_multi_knapsack_capacities(std::uint64_t data_seed, ConstraintRun run) {
  constexpr Family kFamily = Family::kMultiKnapsackCapacities;
  RandomStream matrix = stream_of(data_seed, Purpose::kDataMatrix, kFamily, 0, run);
  RandomStream features = stream_of(data_seed, Purpose::kDataFeatures, kFamily, 0, run);
  RandomStream noise = stream_of(data_seed, Purpose::kDataNoise, kFamily, 0, run);
  MultiKnapsackData knapsack;
  for (std::size_t k = 0; k < kMultiKnapsackResources * kMultiKnapsackItems; ++k)
    knapsack.weights.push_back(static_cast<double>(1 + matrix.below(kHeaviest)));
  knapsack.values = values_of_resource_weights(knapsack.weights, matrix);
  const RateModel model{draw_mask(matrix, kMultiKnapsackResources), kCoverNoise, 1};
  ConstraintInstances instances = draw_counts(model, features, noise);
  // Without a share that is always there some instances could take nothing, and relative regret would have
  // nothing to be relative to.
  for (std::size_t k = 0; k < instances.truth.size(); ++k)
    instances.truth[k] +=
        std::nearbyint(kLowestCapacityShare * total_of(knapsack.weights, k % kMultiKnapsackResources));
  knapsack.data = deal_instances(instances, draw_split(data_seed, run.split));
  return knapsack;
}

MultiKnapsackData generated_multi_knapsack_weights(std::uint64_t data_seed, ConstraintRun run) {
  constexpr Family kFamily = Family::kMultiKnapsackWeights;
  RandomStream matrix = stream_of(data_seed, Purpose::kDataMatrix, kFamily, 0, run);
  RandomStream features = stream_of(data_seed, Purpose::kDataFeatures, kFamily, 0, run);
  RandomStream noise = stream_of(data_seed, Purpose::kDataNoise, kFamily, 0, run);
  const RateModel model{draw_mask(matrix, kMultiKnapsackResources * kMultiKnapsackItems), kKnapsackNoise, 1};
  const ConstraintInstances instances = draw_counts(model, features, noise);
  std::vector<double> mean_weights(instances.outputs);
  for (std::size_t k = 0; k < instances.truth.size(); ++k)
    mean_weights[k % instances.outputs] += instances.truth[k] / kConstraintInstances;
  MultiKnapsackData knapsack;
  knapsack.values = values_of_resource_weights(mean_weights, matrix);
  for (std::size_t r = 0; r < kMultiKnapsackResources; ++r)
    knapsack.capacities.push_back(std::nearbyint(kMultiKnapsackCapacityShare * total_of(mean_weights, r)));
  knapsack.data = deal_instances(instances, draw_split(data_seed, run.split));
  return knapsack;
}

CoverData generated_set_cover(std::uint64_t data_seed, const CoverSize& size, ConstraintRun run) {
  RandomStream matrix = stream_of(data_seed, Purpose::kDataMatrix, Family::kCover, size.items, run);
  RandomStream features = stream_of(data_seed, Purpose::kDataFeatures, Family::kCover, size.items, run);
  RandomStream noise = stream_of(data_seed, Purpose::kDataNoise, Family::kCover, size.items, run);
  CoverData cover;
  for (std::size_t j = 0; j < size.covers; ++j)
    cover.costs.push_back(static_cast<double>(1 + matrix.below(kDearestCost)));
  cover.members = draw_members(size, matrix);
  find_dearest_covers(cover);
  const RateModel model{draw_mask(matrix, size.items), kCoverNoise, 1e-5};
  cover.data = deal_instances(draw_counts(model, features, noise), draw_split(data_seed, run.split));
  return cover;
}

}  // namespace polystep
