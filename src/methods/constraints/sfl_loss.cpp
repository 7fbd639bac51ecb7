#include "methods/constraints/sfl_loss.hpp"

#include <algorithm>
#include <cmath>

namespace polystep {
namespace {

constexpr double kShortestNormal = 1e-12;
constexpr double kCountFloor = 1.2e-7;  // added to the number of negatives
constexpr double kBalanceFloor = 1e-6;
constexpr std::size_t kSamples = 10;  // of changes of three entries, and of four

double dot(std::span<const double> left, std::span<const double> right) {
  double sum = 0;
  for (std::size_t j = 0; j < left.size(); ++j) sum += left[j] * right[j];
  return sum;
}

double length(std::span<const double> vector) {
  return std::max(kShortestNormal, std::sqrt(dot(vector, vector)));
}

}  // namespace

SflLoss::SflLoss(std::size_t rows, std::size_t variables, const SflShape& shape)
    : rows_(rows),
      variables_(variables),
      shape_(shape),
      norm_(rows),
      distance_(rows),
      shares_(rows),
      normals_(variables),
      a_gradient_(rows * variables),
      b_gradient_(rows) {}

void SflLoss::begin(std::span<const double> a, std::span<const double> b) {
  a_ = a;
  b_ = b;
  for (std::size_t row = 0; row < rows_; ++row) norm_[row] = length(a.subspan(row * variables_, variables_));
  std::fill(a_gradient_.begin(), a_gradient_.end(), 0.0);
  std::fill(b_gradient_.begin(), b_gradient_.end(), 0.0);
}

double SflLoss::distance(std::size_t row, std::span<const double> x) const {
  return -(dot(a_.subspan(row * variables_, variables_), x) + b_[row]) / norm_[row];
}

void SflLoss::add_distance_gradient(std::size_t row, std::span<const double> x, double factor) {
  const double shrink = distance(row, x) / (norm_[row] * norm_[row]);
  for (std::size_t j = 0; j < variables_; ++j)
    a_gradient_[row * variables_ + j] += factor * (-x[j] / norm_[row] - shrink * a_[row * variables_ + j]);
  b_gradient_[row] -= factor / norm_[row];
}

SflValues SflLoss::differentiate(std::span<const double> optimum, std::span<const double> objective,
                                 std::span<const double> negatives, const SflValues& weights) {
  SflValues losses{};
  const auto rows = static_cast<double>(rows_);
  for (std::size_t row = 0; row < rows_; ++row) {
    const double short_by = shape_.inside_margin - distance(row, optimum);
    if (!(short_by > 0)) continue;
    losses[0] += short_by / rows;
    add_distance_gradient(row, optimum, -weights[0] / rows);
  }
  const std::size_t count = negatives.size() / variables_;
  const double share = 1 / (static_cast<double>(count) + kCountFloor);
  for (std::size_t k = 0; k < count; ++k) {
    const std::span<const double> negative = negatives.subspan(k * variables_, variables_);
    for (std::size_t row = 0; row < rows_; ++row) distance_[row] = distance(row, negative);
    const double least = *std::min_element(distance_.begin(), distance_.end());
    double total = 0;
    for (std::size_t row = 0; row < rows_; ++row)
      total += shares_[row] = std::exp((least - distance_[row]) / shape_.temperature);
    for (std::size_t row = 0; row < rows_; ++row) {
      const double inside_by = shape_.outside_margin + distance_[row];
      if (!(inside_by > 0)) continue;
      losses[1] += shares_[row] / total * inside_by * share;
      add_distance_gradient(row, negative, weights[1] * shares_[row] / total * share);
    }
  }
  losses[2] = spread_normals(objective, weights[2]);
  return losses;
}

double SflLoss::spread_normals(std::span<const double> objective, double weight) {
  const double count = static_cast<double>(rows_ + 1), variables = static_cast<double>(variables_);
  const double objective_norm = length(objective);
  for (std::size_t j = 0; j < variables_; ++j) {
    normals_[j] = -objective[j] / objective_norm / count;
    for (std::size_t row = 0; row < rows_; ++row)
      normals_[j] -= a_[row * variables_ + j] / norm_[row] / count;
  }
  const double factor = -2 * weight / (count * variables);
  for (std::size_t row = 0; row < rows_; ++row) {
    const std::span<const double> a = a_.subspan(row * variables_, variables_);
    const double along = dot(normals_, a) / (norm_[row] * norm_[row]);
    for (std::size_t j = 0; j < variables_; ++j)
      a_gradient_[row * variables_ + j] += factor * (normals_[j] - along * a[j]) / norm_[row];
  }
  return dot(normals_, normals_) / variables;
}

void NegativeDecisions::offer(std::span<const double> candidate) {
  if (std::equal(candidate.begin(), candidate.end(), optimum_.begin())) return;
  if (dot(objective_, candidate) <= cost_) used_.insert(used_.end(), candidate.begin(), candidate.end());
}

// Indices are drawn with replacement; an entry drawn twice is changed once.
void NegativeDecisions::change(std::size_t entries, RandomStream& stream) {
  candidate_.assign(optimum_.begin(), optimum_.end());
  for (std::size_t k = 0; k < entries; ++k) {
    const std::size_t j = stream.below(variables_);
    candidate_[j] = 1 - optimum_[j];
  }
  offer(candidate_);
}

void NegativeDecisions::put_on_row(std::size_t row, RandomStream& stream) {
  const std::span<const double> a = a_.subspan(row * variables_, variables_);
  const double norm = length(a), excess = dot(a, optimum_) + b_[row];
  candidate_.assign(variables_, 0.0);
  double farthest = -1;
  std::size_t moved = 0;
  double side = 0;
  for (std::size_t j = 0; j < variables_; ++j) {
    const double on_row = optimum_[j] - excess * a[j] / (norm * norm);
    const double floor = std::floor(on_row);
    candidate_[j] = floor + (stream.uniform() < on_row - floor ? 1 : 0);
    if (const double difference = std::abs(on_row - candidate_[j]); difference > farthest) {
      farthest = difference;
      moved = j;
      side = on_row > candidate_[j] ? 1 : -1;
    }
  }
  if (std::equal(candidate_.begin(), candidate_.end(), optimum_.begin())) candidate_[moved] += side;
  offer(candidate_);
}

std::span<const double> NegativeDecisions::collect(std::span<const double> a, std::span<const double> b,
                                                   std::span<const double> optimum,
                                                   std::span<const double> objective,
                                                   std::span<const double> others, RandomStream& stream) {
  a_ = a;
  b_ = b;
  optimum_ = optimum;
  objective_ = objective;
  cost_ = dot(objective, optimum);
  used_.clear();
  for (std::size_t j = 0; j < variables_; ++j) {
    candidate_.assign(optimum.begin(), optimum.end());
    candidate_[j] = 1 - candidate_[j];
    offer(candidate_);
  }
  for (const std::size_t entries : {3u, 4u})
    for (std::size_t k = 0; k < kSamples; ++k) change(entries, stream);
  for (std::size_t k = 0; k < others.size() / variables_; ++k)
    offer(others.subspan(k * variables_, variables_));
  for (std::size_t row = 0; row < rows_; ++row) put_on_row(row, stream);
  return used_;
}

SflValues LossBalance::weigh(const SflValues& losses) {
  ++count_;
  const auto count = static_cast<double>(count_);
  SflValues weights{};
  double total = 0;
  for (std::size_t k = 0; k < kSflLosses; ++k) {
    mean_[k] += (losses[k] - mean_[k]) / count;
    const double ratio = (losses[k] + kBalanceFloor) / (mean_[k] + kBalanceFloor);
    const double before = ratio_mean_[k];
    ratio_mean_[k] += (ratio - before) / count;
    ratio_squares_[k] += (ratio - before) * (ratio - ratio_mean_[k]);
    weights[k] = std::sqrt(ratio_squares_[k] / count + kBalanceFloor) / ratio_mean_[k];
    total += weights[k];
  }
  for (double& weight : weights) weight /= total;
  return weights;
}

void LossBalance::save(ArchiveWriter& archive) const {
  archive.put<std::uint64_t>(count_);
  for (const SflValues* values : {&mean_, &ratio_mean_, &ratio_squares_})
    for (const double value : *values) archive.put(value);
}

void LossBalance::load(ArchiveReader& archive) {
  count_ = archive.get<std::uint64_t>();
  for (SflValues* values : {&mean_, &ratio_mean_, &ratio_squares_})
    for (double& value : *values) value = archive.get<double>();
}

}  // namespace polystep
