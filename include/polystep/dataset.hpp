// Recorded history: features, the parameters that turned out to be true, and which rows are for what.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "polystep/tile.hpp"

namespace polystep {

// One split (training, validation or test): rows of features and true parameters, row after row.
//
// Where all rows have one shape, the two column counts say it and no offsets are kept. Where they differ,
// rows begin where feature_begin and truth_begin say and both column counts are 0, so that code which takes
// them for a rectangle fails at once.
struct Split {
  std::size_t rows = 0;
  std::size_t feature_columns = 0;  // of every row; 0 where rows differ
  std::size_t truth_columns = 0;    // likewise
  std::vector<double> features;     // [rows × feature_columns], or as feature_begin says
  std::vector<double> truth;        // [rows × truth_columns], or as truth_begin says
  std::vector<std::size_t>
      instances;  // the instance number each row passes to the problem; empty: the row itself
  std::vector<std::size_t> feature_begin = {};  // [rows + 1], of rows of several shapes; else empty
  std::vector<std::size_t> truth_begin = {};    // likewise

  bool ragged() const { return !feature_begin.empty(); }
  RowShape shape(std::size_t row) const {
    return {ragged() ? feature_begin[row + 1] - feature_begin[row] : feature_columns,
            ragged() ? truth_begin[row + 1] - truth_begin[row] : truth_columns};
  }
  std::span<const double> feature_row(std::size_t row) const {
    return std::span(features).subspan(ragged() ? feature_begin[row] : row * feature_columns,
                                       shape(row).features);
  }
  std::span<const double> truth_row(std::size_t row) const {
    return std::span(truth).subspan(ragged() ? truth_begin[row] : row * truth_columns, shape(row).truth);
  }
  std::span<double> truth_row(std::size_t row) {
    return std::span(truth).subspan(ragged() ? truth_begin[row] : row * truth_columns, shape(row).truth);
  }
  std::size_t instance(std::size_t row) const { return instances.empty() ? row : instances[row]; }

  // Appends a row of any shape to rows that keep the numbers of their instances.
  void add_row(std::span<const double> row_features, std::span<const double> row_truth, std::size_t instance);

  // Keeps offsets even where all rows happen to have one shape: what is predicted for them may not.
  void allow_any_shape();
};

// How raw feature columns become the numbers a predictor sees: (raw - mean) / deviation. Saved with the
// model, so that new rows can be given in raw units. Both empty: features are used as they are.
struct FeatureScaling {
  std::vector<double> mean;       // one per named feature
  std::vector<double> deviation;  // one per named feature, never 0
};

struct Dataset {
  Split training;
  Split validation;
  Split test;
  std::vector<std::string>
      feature_names;       // of one table row; a predictor shared by slots sees one row per slot
  FeatureScaling scaling;  // already applied to the splits
};

// Deals the rows of a table into training, validation and test at random; shares are of all rows.
Dataset split_at_random(const Split& rows, double validation_share, double test_share, std::uint64_t seed);

}  // namespace polystep
