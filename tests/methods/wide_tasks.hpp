// Tasks with many inputs per output: purchases whose contents are predicted, from features that are mostly
// noise.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "polystep/random.hpp"
#include "polystep/task.hpp"

namespace polystep {

// Buys from the supplier who seems cheapest per content, as much as seems needed. What is short in reality is
// bought later, at one and a half times the price.
class Purchase final : public Problem {
 public:
  static constexpr std::size_t kSuppliers = 4;
  static constexpr double kNeed = 100;

  Purchase() : Problem(kSuppliers, kSuppliers) {}
  ProblemFacts facts() const override { return {.predicts_constraints = true, .has_recourse = true}; }
  static double price(std::size_t instance, std::size_t supplier) {
    RandomStream stream(3, Purpose::kTest, instance, supplier);
    return 10 + static_cast<double>(stream.below(20));
  }
  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override {
    std::fill(decision.begin(), decision.end(), 0.0);
    const auto content = [&](std::size_t s) { return std::max(prediction[s], 0.5); };
    std::size_t best = 0;
    for (std::size_t s = 1; s < kSuppliers; ++s)
      if (price(instance, s) / content(s) < price(instance, best) / content(best)) best = s;
    decision[best] = kNeed / content(best);
    return SolveStatus::kSolved;
  }
  double cost(std::span<const double> decision, std::span<const double> truth,
              std::size_t instance) const override {
    return realise(decision, truth, instance).cost;
  }
  Realisation realise(std::span<const double> decision, std::span<const double> truth,
                      std::size_t instance) const override {
    double content = 0, cost = 0;
    for (std::size_t s = 0; s < kSuppliers; ++s) {
      content += decision[s] * truth[s];
      cost += decision[s] * price(instance, s);
    }
    const double factor = std::max(1.0, kNeed / content);
    return {factor * cost + 0.5 * (factor - 1) * cost, {content<kNeed - 1e-9, factor> 1}};
  }
};

enum class Signal {
  kNone,
  kStrong,  // along a direction of more variance than noise
  kSpread,  // along four directions, none of which has more than noise alone could
  kSquare,  // in how far out along a direction a row lies, on either side
};

struct WideData {
  std::size_t columns = 300;
  std::size_t training = 250;
  std::size_t validation = 40;
  std::size_t test = 60;
  Signal signal = Signal::kStrong;
  std::uint64_t seed = 1;
};

inline std::vector<double> unit_direction(std::size_t columns, std::uint64_t seed, std::uint64_t number) {
  std::vector<double> direction(columns);
  RandomStream(seed, Purpose::kTest, 100, number).fill_normal(direction);
  double squares = 0;
  for (const double value : direction) squares += value * value;
  for (double& value : direction) value /= std::sqrt(squares);
  return direction;
}

// Contents 15 .. 35. A feature row is a mean, one of three templates, the signal and noise.
inline Split wide_split(const WideData& data, std::size_t first, std::size_t rows) {
  constexpr double kUnit = 0.01;  // deviation of the noise
  Split split;
  split.rows = rows;
  split.feature_columns = Purchase::kSuppliers * data.columns;
  split.truth_columns = Purchase::kSuppliers;
  std::vector<std::vector<double>> directions, templates;
  for (std::uint64_t k = 0; k < 4; ++k) directions.push_back(unit_direction(data.columns, data.seed, k));
  for (std::uint64_t k = 4; k < 7; ++k) templates.push_back(unit_direction(data.columns, data.seed, k));
  std::vector<double> noise(data.columns);
  for (std::size_t row = first; row < first + rows; ++row) {
    split.instances.push_back(row);
    for (std::size_t s = 0; s < Purchase::kSuppliers; ++s) {
      RandomStream stream(data.seed, Purpose::kTest, 1000 + row, s);
      const double content = 15 + static_cast<double>(stream.below(21));
      split.truth.push_back(content);
      const double t = (content - 25) / 6.06;
      double code[4] = {};
      if (data.signal == Signal::kStrong) code[0] = 4 * std::sin(1.2 * t), code[1] = 2.5 * std::cos(1.2 * t);
      if (data.signal == Signal::kSpread)
        for (int k = 0; k < 4; ++k)
          code[k] = 0.65 * std::sqrt(2.0) * (k % 2 ? std::sin(t * (1 + k / 2)) : std::cos(t * (1 + k / 2)));
      if (data.signal == Signal::kSquare) code[0] = (stream.uniform() < 0.5 ? -1 : 1) * (6 + 3 * t);
      const std::vector<double>& shape = templates[stream.below(3)];
      stream.fill_normal(noise);
      for (std::size_t c = 0; c < data.columns; ++c) {
        double value = noise[c] + 8 * shape[c];
        for (int k = 0; k < 4; ++k) value += code[k] * directions[static_cast<std::size_t>(k)][c];
        split.features.push_back(0.5 * kUnit * static_cast<double>(c % 5) + kUnit * value);
      }
    }
  }
  return split;
}

inline Task wide_task(const WideData& data = {}, std::size_t hidden = 64) {
  Task task;
  task.problem = std::make_unique<Purchase>();
  task.predictor = make_shared_mlp(data.columns, {hidden}, Purchase::kSuppliers);
  task.data.training = wide_split(data, 0, data.training);
  task.data.validation = wide_split(data, data.training, data.validation);
  task.data.test = wide_split(data, data.training + data.validation, data.test);
  return task;
}

}  // namespace polystep
