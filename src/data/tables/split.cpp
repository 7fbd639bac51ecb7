#include <cmath>
#include <numeric>

#include "data/tables/split_rows.hpp"
#include "polystep/error.hpp"
#include "polystep/random.hpp"

namespace polystep {

void Split::allow_any_shape() {
  if (ragged()) return;
  for (std::size_t row = 0; row <= rows; ++row) {
    feature_begin.push_back(row * feature_columns);
    truth_begin.push_back(row * truth_columns);
  }
  feature_columns = truth_columns = 0;
}

void Split::add_row(std::span<const double> row_features, std::span<const double> row_truth,
                    std::size_t instance) {
  const RowShape added{row_features.size(), row_truth.size()};
  if (rows == 0 && !ragged()) {
    feature_columns = added.features;
    truth_columns = added.truth;
  }
  if (!ragged() && added != RowShape{feature_columns, truth_columns}) allow_any_shape();
  features.insert(features.end(), row_features.begin(), row_features.end());
  truth.insert(truth.end(), row_truth.begin(), row_truth.end());
  instances.push_back(instance);
  ++rows;
  if (!ragged()) return;
  feature_begin.push_back(features.size());
  truth_begin.push_back(truth.size());
}

// Rows of a ragged split stay so, whatever shapes are taken: all its parts go the same ways.
Split take_rows(const Split& all, std::span<const std::size_t> rows) {
  Split split;
  split.feature_columns = all.feature_columns;
  split.truth_columns = all.truth_columns;
  if (all.ragged()) split.allow_any_shape();
  for (const std::size_t row : rows)
    split.add_row(all.feature_row(row), all.truth_row(row), all.instance(row));
  return split;
}

Split join_rows(const Split& first, const Split& second) {
  Split rows = first;
  if (rows.instances.empty()) {
    rows.instances.resize(rows.rows);
    std::iota(rows.instances.begin(), rows.instances.end(), std::size_t{0});
  }
  for (std::size_t row = 0; row < second.rows; ++row)
    rows.add_row(second.feature_row(row), second.truth_row(row), second.instance(row));
  return rows;
}

Dataset split_at_random(const Split& rows, double validation_share, double test_share, std::uint64_t seed) {
  const auto total = static_cast<double>(rows.rows);
  const auto validation = static_cast<std::size_t>(std::lround(validation_share * total));
  const auto test = static_cast<std::size_t>(std::lround(test_share * total));
  if (!(validation_share >= 0) || !(test_share >= 0) || validation == 0 || test == 0 ||
      validation + test >= rows.rows)
    throw InputError("a table of " + std::to_string(rows.rows) + " rows was to be split into " +
                     std::to_string(validation) + " for validation, " + std::to_string(test) +
                     " for test and the rest for training, expected at least one of each");
  std::vector<std::size_t> order(rows.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  RandomStream stream(seed, Purpose::kSplit);
  for (std::size_t i = rows.rows - 1; i > 0; --i) std::swap(order[i], order[stream.below(i + 1)]);
  const std::span<const std::size_t> shuffled(order);
  Dataset data;
  data.validation = take_rows(rows, shuffled.first(validation));
  data.test = take_rows(rows, shuffled.subspan(validation, test));
  data.training = take_rows(rows, shuffled.subspan(validation + test));
  return data;
}

}  // namespace polystep
