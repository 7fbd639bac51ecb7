#include "optimizer/weights.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace polystep {

void softmax_weights(std::span<const double> costs, double temperature, std::span<double> weights) {
  const double low = *std::min_element(costs.begin(), costs.end());
  double sum = 0;
  for (std::size_t v = 0; v < costs.size(); ++v) {
    weights[v] = std::exp(-(costs[v] - low) / temperature);
    sum += weights[v];
  }
  for (double& weight : weights) weight /= sum;
}

void greedy_weights(std::span<const double> costs, std::span<double> weights) {
  std::fill(weights.begin(), weights.end(), 0.0);
  weights[static_cast<std::size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin())] = 1;
}

void top_weights(std::span<const double> costs, std::size_t count, std::vector<std::size_t>& order,
                 std::span<double> weights) {
  count = std::min(count, costs.size());
  order.resize(costs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
      [&](std::size_t a, std::size_t b) { return costs[a] != costs[b] ? costs[a] < costs[b] : a < b; });
  std::fill(weights.begin(), weights.end(), 0.0);
  for (std::size_t i = 0; i < count; ++i) weights[order[i]] = 1.0 / static_cast<double>(count);
}

double entropy_share(std::span<const double> weights) {
  if (weights.size() < 2) return 1;
  double entropy = 0;
  for (const double weight : weights)
    if (weight > 0) entropy -= weight * std::log(weight);
  return entropy / std::log(static_cast<double>(weights.size()));
}

}  // namespace polystep
