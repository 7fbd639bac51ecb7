#include "methods/frugal/training_shares.hpp"

#include <cmath>
#include <numeric>

namespace polystep {
namespace {

// How fast a training counts for less, by standard errors that it is dearer.
constexpr double kDecay = 2;

double mean_of(const std::vector<double>& values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// By how many of its own standard errors the first is dearer on average; infinite where every row agrees.
double standard_errors_above(const std::vector<double>& costs, const std::vector<double>& cheapest) {
  const double difference = mean_of(costs) - mean_of(cheapest);
  if (!(difference > 0)) return 0;
  double sum = 0;
  for (std::size_t row = 0; row < costs.size(); ++row) {
    const double apart = costs[row] - cheapest[row] - difference;
    sum += apart * apart;
  }
  return difference * static_cast<double>(costs.size()) / std::sqrt(sum);
}

}  // namespace

TrainingShares shares_by_costs(std::span<const std::vector<double>> costs) {
  TrainingShares found;
  for (std::size_t training = 1; training < costs.size(); ++training)
    if (mean_of(costs[training]) < mean_of(costs[found.cheapest])) found.cheapest = training;
  double total = 0;
  for (const std::vector<double>& training : costs) {
    found.shares.push_back(std::exp(-kDecay * standard_errors_above(training, costs[found.cheapest])));
    total += found.shares.back();
  }
  for (double& share : found.shares) share /= total;
  return found;
}

}  // namespace polystep
