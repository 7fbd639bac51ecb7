#include "optimizer/sinkhorn.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polystep {
namespace {

constexpr double kSmallestRowSum = 1e-12;
constexpr double kWarmStartLimit = 10;  // times the largest cost

}  // namespace

void SinkhornWeights::balanced(std::span<const double> costs, std::size_t columns, double temperature,
                               std::span<double> weights) {
  solve(costs, columns, temperature, 1.0, weights);
}

void SinkhornWeights::penalised(std::span<const double> costs, std::size_t columns, double temperature,
                                double penalty, std::span<double> weights) {
  solve(costs, columns, temperature, penalty / (penalty + temperature), weights);
}

// Iterates row_j = log(1/rows) - LSE_v(column_v - cost_jv / temperature) and the same for columns, the latter
// multiplied by `column_share`. After a column update the columns are exact, so the row sums alone measure
// the error.
void SinkhornWeights::solve(std::span<const double> costs, std::size_t columns, double temperature,
                            double column_share, std::span<double> weights) {
  const std::size_t rows = costs.size() / columns;
  row_.assign(rows, 0.0);
  warm_start(columns, temperature, column_share == 1.0, *std::max_element(costs.begin(), costs.end()));
  for (iterations_ = 0; iterations_ < limits_.max_iterations;) {
    update_rows(costs, temperature);
    update_columns(costs, temperature, column_share);
    ++iterations_;
    if (limits_.tolerance <= 0 || iterations_ % limits_.check_every != 0) continue;
    if (plan(costs, temperature, weights) < limits_.tolerance) break;
  }
  plan(costs, temperature, weights);
  for (std::size_t j = 0; j < rows; ++j) {
    const auto row = weights.subspan(j * columns, columns);
    double sum = 0;
    for (const double weight : row) sum += weight;
    for (double& weight : row) weight /= std::max(sum, kSmallestRowSum);
  }
  last_temperature_ = temperature;
}

// Potentials in cost units scale with the temperature, so the divided ones carry over as they are. The row
// potentials are recomputed from the column potentials at once and need no warm start; a common constant in
// the latter would only be handed back by the former, so it is removed.
void SinkhornWeights::warm_start(std::size_t columns, double temperature, bool recentre,
                                 double largest_cost) {
  if (last_temperature_ == 0 || column_.size() != columns) {
    column_.assign(columns, 0.0);
    return;
  }
  const double limit = kWarmStartLimit * largest_cost / temperature;
  double mean = 0;
  for (double& potential : column_) {
    potential = std::isfinite(potential) ? std::clamp(potential, -limit, limit) : 0.0;
    mean += potential / static_cast<double>(columns);
  }
  if (recentre)
    for (double& potential : column_) potential -= mean;
}

void SinkhornWeights::update_rows(std::span<const double> costs, double temperature) {
  const std::size_t columns = column_.size();
  const double log_mass = -std::log(static_cast<double>(row_.size()));
  for (std::size_t j = 0; j < row_.size(); ++j) {
    const double* cost = costs.data() + j * columns;
    double highest = -std::numeric_limits<double>::infinity();
    for (std::size_t v = 0; v < columns; ++v) highest = std::max(highest, column_[v] - cost[v] / temperature);
    double sum = 0;
    for (std::size_t v = 0; v < columns; ++v) sum += std::exp(column_[v] - cost[v] / temperature - highest);
    row_[j] = log_mass - highest - std::log(sum);
  }
}

void SinkhornWeights::update_columns(std::span<const double> costs, double temperature, double column_share) {
  const std::size_t columns = column_.size();
  const double log_mass = -std::log(static_cast<double>(columns));
  highest_.assign(columns, -std::numeric_limits<double>::infinity());
  sum_.assign(columns, 0.0);
  for (std::size_t j = 0; j < row_.size(); ++j)
    for (std::size_t v = 0; v < columns; ++v)
      highest_[v] = std::max(highest_[v], row_[j] - costs[j * columns + v] / temperature);
  for (std::size_t j = 0; j < row_.size(); ++j)
    for (std::size_t v = 0; v < columns; ++v)
      sum_[v] += std::exp(row_[j] - costs[j * columns + v] / temperature - highest_[v]);
  for (std::size_t v = 0; v < columns; ++v)
    column_[v] = column_share * (log_mass - highest_[v] - std::log(sum_[v]));
}

// Writes the transport plan and returns the largest error of its row sums.
double SinkhornWeights::plan(std::span<const double> costs, double temperature,
                             std::span<double> weights) const {
  const std::size_t columns = column_.size();
  const double mass = 1.0 / static_cast<double>(row_.size());
  double error = 0;
  for (std::size_t j = 0; j < row_.size(); ++j) {
    double sum = 0;
    for (std::size_t v = 0; v < columns; ++v) {
      const std::size_t i = j * columns + v;
      weights[i] = std::exp(row_[j] + column_[v] - costs[i] / temperature);
      sum += weights[i];
    }
    error = std::max(error, std::abs(sum - mass));
  }
  return error;
}

void SinkhornWeights::save(ArchiveWriter& archive) const {
  archive.put<double>(last_temperature_);
  archive.put(column_);
}

void SinkhornWeights::load(ArchiveReader& archive) {
  last_temperature_ = archive.get<double>();
  column_ = archive.get_doubles();
}

}  // namespace polystep
