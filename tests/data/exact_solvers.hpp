// Small exact solvers for the tests of the data: slow, obvious, and independent of the engine's own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "polystep/dataset.hpp"

namespace polystep::testing {

// Edge choice (1 or 0) of the shortest path over a square grid, from the first node to the last.
inline std::vector<double> shortest_path(std::span<const double> costs, std::size_t side) {
  struct Arrival {
    double cost = 1e300;
    std::size_t from = 0, edge = 0;
  };
  std::vector<Arrival> best(side * side);
  best[0].cost = 0;
  std::size_t edge = 0;
  for (std::size_t node = 0; node < side * side; ++node) {
    const auto reach = [&](std::size_t next) {
      const double cost = best[node].cost + costs[edge];
      if (cost < best[next].cost) best[next] = {cost, node, edge};
      ++edge;
    };
    if (node % side + 1 < side) reach(node + 1);
    if (node + side < side * side) reach(node + side);
  }
  std::vector<double> chosen(costs.size(), 0.0);
  for (std::size_t node = side * side - 1; node != 0; node = best[node].from) chosen[best[node].edge] = 1;
  return chosen;
}

// Item choice (1 or 0) of the knapsack with the largest value; items of negative value stay out.
inline std::vector<double> best_knapsack(std::span<const double> values, std::span<const int> weights,
                                         std::size_t capacity) {
  const std::size_t items = values.size();
  std::vector<std::vector<double>> best(items + 1,
                                        std::vector<double>(capacity + 1, 0.0));  // first i items, room
  for (std::size_t i = 0; i < items; ++i) {
    const auto weight = static_cast<std::size_t>(weights[i]);
    for (std::size_t room = 0; room <= capacity; ++room) {
      best[i + 1][room] = best[i][room];
      if (room >= weight) best[i + 1][room] = std::max(best[i][room], best[i][room - weight] + values[i]);
    }
  }
  std::vector<double> chosen(items, 0.0);
  std::size_t room = capacity;
  for (std::size_t i = items; i-- > 0;) {
    if (best[i + 1][room] == best[i][room]) continue;
    chosen[i] = 1;
    room -= static_cast<std::size_t>(weights[i]);
  }
  return chosen;
}

inline double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

// Predictions of theta = weights then biases, for `outputs` outputs that each have weights of their own.
inline std::vector<double> predict_linear(std::span<const double> theta, std::span<const double> features,
                                          std::size_t outputs) {
  std::vector<double> prediction(outputs);
  for (std::size_t out = 0; out < outputs; ++out) {
    prediction[out] = theta[outputs * features.size() + out] +
                      dot(theta.subspan(out * features.size(), features.size()), features);
  }
  return prediction;
}

// The same for one weight vector shared by all slots.
inline std::vector<double> predict_shared(std::span<const double> theta, std::span<const double> features,
                                          std::size_t slots) {
  const std::size_t inputs = theta.size() - 1;
  std::vector<double> prediction(slots);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    prediction[slot] = theta[inputs] + dot(theta.first(inputs), features.subspan(slot * inputs, inputs));
  }
  return prediction;
}

// Mean relative regret of the knapsacks chosen for a shared linear predictor.
inline double knapsack_regret(const Split& split, std::span<const double> theta, std::span<const int> weights,
                              std::size_t capacity) {
  double sum = 0;
  for (std::size_t row = 0; row < split.rows; ++row) {
    const auto truth = split.truth_row(row);
    const auto predicted = predict_shared(theta, split.feature_row(row), split.truth_columns);
    const double best = dot(best_knapsack(truth, weights, capacity), truth);
    sum += (best - dot(best_knapsack(predicted, weights, capacity), truth)) / best;
  }
  return sum / static_cast<double>(split.rows);
}

// Mean relative regret of the paths chosen for a linear predictor.
inline double shortest_path_regret(const Split& split, std::span<const double> theta, std::size_t side) {
  double sum = 0;
  for (std::size_t row = 0; row < split.rows; ++row) {
    const auto truth = split.truth_row(row);
    const auto predicted = predict_linear(theta, split.feature_row(row), split.truth_columns);
    const double best = dot(shortest_path(truth, side), truth);
    sum += (dot(shortest_path(predicted, side), truth) - best) / best;
  }
  return sum / static_cast<double>(split.rows);
}

}  // namespace polystep::testing
