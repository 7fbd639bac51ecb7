#include "methods/inputs/table_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace polystep {
namespace {

constexpr double kAlike = 4;  // times that deviations of alike columns may differ
constexpr std::size_t kRowsPerSlot = 256;

// One unit for all columns whose deviations lie together, from the first to the last decile.
void choose_units(std::vector<double>& deviation) {
  std::vector<double> sorted;
  for (const double value : deviation)
    if (value > 0) sorted.push_back(value);
  if (sorted.empty()) return std::fill(deviation.begin(), deviation.end(), 1.0);
  std::sort(sorted.begin(), sorted.end());
  const bool alike = sorted[sorted.size() * 9 / 10] <= kAlike * sorted[sorted.size() / 10];
  double squares = 0;
  for (const double value : sorted) squares += value * value;
  const double common = std::sqrt(squares / static_cast<double>(sorted.size()));
  for (double& value : deviation)
    if (alike || value == 0) value = alike ? common : 1;
}

}  // namespace

TableRows table_rows(const Split& split, std::size_t row_features, Team& team) {
  TableRows table;
  table.columns = row_features;
  table.rows = split.features.size() / row_features;
  for (std::size_t row = 0; row < split.rows; ++row)
    table.split_row.insert(table.split_row.end(), split.shape(row).features / row_features, row);
  std::vector<double>& mean = table.scaling.mean;
  std::vector<double>& deviation = table.scaling.deviation;
  mean.assign(row_features, 0.0);
  deviation.assign(row_features, 0.0);
  const auto count = static_cast<double>(table.rows);
  for_each_column_slot(row_features, team, [&](std::size_t first, std::size_t columns) {
    for (std::size_t row = 0; row < table.rows; ++row)
      for (std::size_t c = first; c < first + columns; ++c) mean[c] += split.features[row * row_features + c];
    for (std::size_t c = first; c < first + columns; ++c) mean[c] /= count;
    for (std::size_t row = 0; row < table.rows; ++row)
      for (std::size_t c = first; c < first + columns; ++c) {
        const double centred = split.features[row * row_features + c] - mean[c];
        deviation[c] += centred * centred;
      }
    for (std::size_t c = first; c < first + columns; ++c) {
      deviation[c] = std::sqrt(deviation[c] / count);
      if (deviation[c] <= 1e-12 * std::abs(mean[c])) deviation[c] = 0;  // a constant column, but for rounding
    }
  });
  const std::vector<double> plain = deviation;
  choose_units(deviation);
  for (std::size_t c = 0; c < row_features; ++c)
    table.variance += plain[c] * plain[c] / (deviation[c] * deviation[c]);
  table.values.resize(table.rows * row_features);
  team.for_each((table.rows + kRowsPerSlot - 1) / kRowsPerSlot, [&](std::size_t slot, std::size_t) {
    for (std::size_t row = slot * kRowsPerSlot; row < std::min(table.rows, (slot + 1) * kRowsPerSlot); ++row)
      for (std::size_t c = 0; c < row_features; ++c)
        table.values[row * row_features + c] =
            static_cast<float>((split.features[row * row_features + c] - mean[c]) / deviation[c]);
  });
  return table;
}

Split projected(const Split& split, const FeatureScaling& scaling, std::span<const double> directions,
                std::size_t count, Team& team) {
  const std::size_t columns = scaling.mean.size(), rows = split.features.size() / columns;
  std::vector<double> scores(rows * count);
  team.for_each((rows + kRowsPerSlot - 1) / kRowsPerSlot, [&](std::size_t slot, std::size_t) {
    std::vector<double> centred(columns);
    for (std::size_t row = slot * kRowsPerSlot; row < std::min(rows, (slot + 1) * kRowsPerSlot); ++row) {
      for (std::size_t c = 0; c < columns; ++c)
        centred[c] = (split.features[row * columns + c] - scaling.mean[c]) / scaling.deviation[c];
      for (std::size_t k = 0; k < count; ++k) {
        const double* direction = directions.data() + k * columns;
        double sum = 0;
        for (std::size_t c = 0; c < columns; ++c) sum += centred[c] * direction[c];
        scores[row * count + k] = sum;
      }
    }
  });
  return with_scores(split, columns, count, std::move(scores));
}

Split with_scores(const Split& split, std::size_t columns, std::size_t count, std::vector<double> scores) {
  Split reduced;
  reduced.rows = split.rows;
  reduced.feature_columns = split.feature_columns / columns * count;
  reduced.truth_columns = split.truth_columns;
  reduced.features = std::move(scores);
  reduced.truth = split.truth;
  reduced.instances = split.instances;
  reduced.truth_begin = split.truth_begin;
  for (const std::size_t begin : split.feature_begin)
    reduced.feature_begin.push_back(begin / columns * count);
  return reduced;
}

}  // namespace polystep
