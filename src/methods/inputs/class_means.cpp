#include "methods/inputs/class_means.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "polystep/random.hpp"

namespace polystep {
namespace {

constexpr std::size_t kFolds = 10;
constexpr std::size_t kShuffles = 10;
constexpr double kAboveShuffled = 1.02, kDeviationsAbove = 4;  // of the shuffled strengths
constexpr std::size_t kMostDirections = 32;

Eigen::Index eigen_index(std::size_t size) { return static_cast<Eigen::Index>(size); }

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Sums of the table's rows by class, [groups × classes] of them one after the other.
Rows class_sums(const TableRows& table, std::span<const std::uint16_t> classes, std::size_t count,
                std::size_t groups, Team& team) {
  Rows sums = Rows::Zero(eigen_index(groups * count), eigen_index(table.columns));
  for_each_column_slot(table.columns, team, [&](std::size_t first, std::size_t columns) {
    for (std::size_t row = 0; row < table.rows; ++row) {
      const std::size_t group = groups == 1 ? 0 : table.split_row[row] % groups;
      double* sum = sums.data() + (group * count + classes[row]) * table.columns + first;
      const float* values = table.row(row) + first;
      for (std::size_t c = 0; c < columns; ++c) sum[c] += values[c];
    }
  });
  return sums;
}

// The metric: noise has variance 1 in every direction but along the spikes, where it is what varies within
// classes.
struct Metric {
  Rows spikes;                // [spikes × columns]
  Eigen::VectorXd taken_off;  // [spikes], of the square of a component

  // rows times the metric, [rows × columns]
  Rows times(const Rows& rows) const {
    Rows result = rows;
    if (spikes.rows() == 0) return result;
    for (Eigen::Index r = 0; r < rows.rows(); ++r)
      for (Eigen::Index k = 0; k < spikes.rows(); ++k)
        result.row(r) -= rows.row(r).dot(spikes.row(k)) * taken_off[k] * spikes.row(k);
    return result;
  }
};

double variance_within(std::span<const double> scores, const TargetClasses& classes) {
  std::vector<double> mean(classes.count, 0.0);
  for (std::size_t row = 0; row < scores.size(); ++row) mean[classes.of[row]] += scores[row];
  for (std::size_t c = 0; c < classes.count; ++c) mean[c] /= static_cast<double>(classes.sizes[c]);
  double squares = 0;
  for (std::size_t row = 0; row < scores.size(); ++row) {
    const double residual = scores[row] - mean[classes.of[row]];
    squares += residual * residual;
  }
  return squares / static_cast<double>(scores.size() - classes.count);
}

Metric metric_of(const TableRows& table, const TargetClasses& classes, const PrincipalInputs& spikes) {
  Metric metric{
      Eigen::Map<const Rows>(spikes.directions.data(), eigen_index(spikes.count), eigen_index(table.columns)),
      Eigen::VectorXd(eigen_index(spikes.count))};
  for (std::size_t k = 0; k < spikes.count; ++k) {
    const double within =
        variance_within(std::span(spikes.scores).subspan(k * table.rows, table.rows), classes) / spikes.noise;
    metric.taken_off[eigen_index(k)] = within > 1 ? 1 - 1 / within : 0;
  }
  return metric;
}

// Square roots of class sizes times class means, so that every class counts by its rows.
Rows weighted_means(const Rows& sums, const TargetClasses& classes, double noise) {
  const Eigen::RowVectorXd mean = sums.colwise().sum() / static_cast<double>(classes.of.size());
  Rows means = sums;
  for (std::size_t c = 0; c < classes.count; ++c) {
    const double size = static_cast<double>(classes.sizes[c]);
    means.row(eigen_index(c)) = (sums.row(eigen_index(c)) - size * mean) / std::sqrt(size * noise);
  }
  return means;
}

using Strengths = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;

// Entry by entry, since Eigen cuts the sums of products by the caches of the processor.
Strengths strengths_of(const Rows& means, const Metric& metric) {
  const Rows measured = metric.times(means);
  Eigen::MatrixXd gram(means.rows(), means.rows());
  for (Eigen::Index a = 0; a < means.rows(); ++a)
    for (Eigen::Index b = 0; b <= a; ++b) gram(a, b) = gram(b, a) = means.row(a).dot(measured.row(b));
  return Strengths(gram);
}

// The strongest direction that shuffled targets show, as a level that chance does not reach.
double chance_strength(const TableRows& table, const TargetClasses& classes, const Metric& metric,
                       double noise, Team& team) {
  std::vector<double> strongest;
  std::vector<std::uint16_t> shuffled = classes.of;
  for (std::size_t draw = 0; draw < kShuffles; ++draw) {
    RandomStream stream(0, Purpose::kSplit, draw);
    for (std::size_t i = 0; i + 1 < shuffled.size(); ++i)
      std::swap(shuffled[i], shuffled[i + stream.below(shuffled.size() - i)]);
    const Rows sums = class_sums(table, shuffled, classes.count, 1, team);
    strongest.push_back(strengths_of(weighted_means(sums, classes, noise), metric).eigenvalues().maxCoeff());
  }
  const double mean = std::accumulate(strongest.begin(), strongest.end(), 0.0) / kShuffles;
  double squares = 0;
  for (const double strength : strongest) squares += (strength - mean) * (strength - mean);
  return kAboveShuffled * *std::max_element(strongest.begin(), strongest.end()) +
         kDeviationsAbove * std::sqrt(squares / (kShuffles - 1));
}

}  // namespace

ClassMeanInputs find_class_means(const TableRows& table, const TargetClasses& classes,
                                 const PrincipalInputs& spikes, Team& team) {
  ClassMeanInputs found;
  if (classes.count < 2 || table.rows <= 2 * classes.count) return found;
  const Metric metric = metric_of(table, classes, spikes);
  const Rows by_fold = class_sums(table, classes.of, classes.count, kFolds, team);
  Rows sums = Rows::Zero(eigen_index(classes.count), eigen_index(table.columns));
  for (std::size_t fold = 0; fold < kFolds; ++fold)
    sums += by_fold.middleRows(eigen_index(fold * classes.count), eigen_index(classes.count));
  const Strengths strengths = strengths_of(weighted_means(sums, classes, spikes.noise), metric);
  for (std::size_t k = 0; k < classes.count; ++k)
    found.strength.push_back(strengths.eigenvalues()[eigen_index(classes.count - 1 - k)]);
  found.chance = chance_strength(table, classes, metric, spikes.noise, team);
  while (found.count < std::min(kMostDirections, classes.count - 1) &&
         found.strength[found.count] > found.chance)
    ++found.count;
  if (found.count == 0) return found;

  // A direction is the sum of rows weighed by a number for their class.
  Eigen::MatrixXd weights(eigen_index(found.count), eigen_index(classes.count));
  for (std::size_t k = 0; k < found.count; ++k)
    for (std::size_t c = 0; c < classes.count; ++c)
      weights(eigen_index(k), eigen_index(c)) =
          strengths.eigenvectors()(eigen_index(c), eigen_index(classes.count - 1 - k)) /
          std::sqrt(static_cast<double>(classes.sizes[c]));
  // Their mean over the rows that take part is taken off, or a direction would follow the rows' own mean.
  std::vector<double> fold_sizes(kFolds * classes.count, 0.0);
  for (std::size_t row = 0; row < table.rows; ++row)
    fold_sizes[table.split_row[row] % kFolds * classes.count + classes.of[row]] += 1;
  const auto directions_without = [&](std::size_t fold) {  // kFolds: with all
    Rows part = sums;
    Eigen::VectorXd sizes(eigen_index(classes.count));
    for (std::size_t c = 0; c < classes.count; ++c) {
      sizes[eigen_index(c)] = static_cast<double>(classes.sizes[c]);
      if (fold < kFolds) sizes[eigen_index(c)] -= fold_sizes[fold * classes.count + c];
    }
    if (fold < kFolds)
      part -= by_fold.middleRows(eigen_index(fold * classes.count), eigen_index(classes.count));
    Rows directions(eigen_index(found.count), eigen_index(table.columns));
    for (Eigen::Index k = 0; k < directions.rows(); ++k) {
      const double mean = weights.row(k).dot(sizes) / sizes.sum();
      double squares = 0;
      directions.row(k).setZero();
      for (Eigen::Index c = 0; c < sizes.size(); ++c) {
        directions.row(k) += (weights(k, c) - mean) * part.row(c);
        squares += sizes[c] * (weights(k, c) - mean) * (weights(k, c) - mean);
      }
      directions.row(k) /= squares;
    }
    return metric.times(directions);
  };
  const Rows whole = directions_without(kFolds);
  found.directions.assign(whole.data(), whole.data() + whole.size());
  found.scores.resize(found.count * table.rows);
  team.for_each(kFolds, [&](std::size_t fold, std::size_t) {
    const Rows own = directions_without(fold);
    for (std::size_t row = 0; row < table.rows; ++row) {
      if (table.split_row[row] % kFolds != fold) continue;
      const float* values = table.row(row);
      for (std::size_t k = 0; k < found.count; ++k) {
        const double* direction = own.data() + k * table.columns;
        double sum = 0;
        for (std::size_t c = 0; c < table.columns; ++c) sum += values[c] * direction[c];
        found.scores[k * table.rows + row] = sum;
      }
    }
  });
  return found;
}

}  // namespace polystep
