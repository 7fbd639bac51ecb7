// Knapsack instances and values of every kind, and the enumeration of all decisions, for tests.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "polystep/random.hpp"
#include "polystep/tile.hpp"
#include "solvers/knapsack/knapsack.hpp"
#include "solvers/tile_lanes.hpp"

namespace polystep::solvers {

enum class Values { kReal, kMixedSigns, kFewIntegers, kSignedIntegers, kAllEqual, kAllZero, kAllNegative };
constexpr Values kAllValues[] = {Values::kReal,           Values::kMixedSigns, Values::kFewIntegers,
                                 Values::kSignedIntegers, Values::kAllEqual,   Values::kAllZero,
                                 Values::kAllNegative};

inline double draw(RandomStream& random, Values kind) {
  switch (kind) {
    case Values::kReal:
      return random.uniform(1.0, 400.0);
    case Values::kMixedSigns:
      return random.uniform(-3.0, 5.0);
    case Values::kFewIntegers:
      return static_cast<double>(random.below(4));
    case Values::kSignedIntegers:
      return static_cast<double>(random.below(7)) - 2.0;
    case Values::kAllEqual:
      return 2.0;
    case Values::kAllZero:
      return 0.0;
    case Values::kAllNegative:
      return -random.uniform(0.5, 2.0);
  }
  return 0.0;
}

inline std::vector<double> draw_values(RandomStream& random, Values kind, std::size_t count) {
  std::vector<double> values(count);
  for (double& value : values) value = draw(random, kind);
  return values;
}

// A small instance: weights from 1 to 4 different ones (0 among them), capacity from 0 to beyond the total.
struct Instance {
  std::vector<int> weights;
  std::int64_t capacity;
};

inline Instance draw_instance(RandomStream& random, std::size_t most_items) {
  Instance instance;
  std::vector<int> kinds(1 + random.below(4));
  for (int& kind : kinds) kind = static_cast<int>(random.below(9));
  instance.weights.resize(1 + random.below(most_items));
  int total = 0;
  for (int& weight : instance.weights) total += weight = kinds[random.below(kinds.size())];
  instance.capacity = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(total) + 3));
  return instance;
}

struct TwoBest {
  double best = -std::numeric_limits<double>::infinity();
  double second = -std::numeric_limits<double>::infinity();
};

inline TwoBest enumerate(const Instance& instance, const std::vector<double>& values) {
  TwoBest found;
  for (unsigned decision = 0; decision < 1u << values.size(); ++decision) {
    std::int64_t weight = 0;
    double value = 0.0;
    for (std::size_t item = 0; item < values.size(); ++item) {
      if ((decision >> item & 1) == 0) continue;
      weight += instance.weights[item];
      value += values[item];
    }
    if (weight > instance.capacity) continue;
    found.second = std::max(found.second, std::min(value, found.best));
    found.best = std::max(found.best, value);
  }
  return found;
}

inline void expect_valid(const Instance& instance, const std::vector<double>& values,
                         const std::vector<double>& take, double value) {
  std::int64_t weight = 0;
  double sum = 0.0;
  for (std::size_t item = 0; item < values.size(); ++item) {
    ASSERT_TRUE(take[item] == 0.0 || take[item] == 1.0);
    if (take[item] == 0.0) continue;
    ASSERT_GT(values[item], 0.0);
    weight += instance.weights[item];
    sum += values[item];
  }
  ASSERT_LE(weight, instance.capacity);
  ASSERT_EQ(sum, value);
}

inline std::vector<int> benchmark_weights() {
  std::vector<int> weights;
  for (int item = 0; item < 48; ++item) weights.push_back(3 + 2 * (item * 7 % 3));
  return weights;
}

}  // namespace polystep::solvers
