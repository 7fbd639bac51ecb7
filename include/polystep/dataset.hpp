// Recorded history: features, the parameters that turned out to be true, and which rows are for what.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace polystep {

// One split (training, validation or test): rows of features and true parameters.
struct Split {
  std::size_t rows = 0;
  std::size_t feature_columns = 0;
  std::size_t truth_columns = 0;
  std::vector<double> features;  // [rows × feature_columns]
  std::vector<double> truth;     // [rows × truth_columns]
  std::vector<std::size_t>
      instances;  // the instance number each row passes to the problem; empty: the row itself

  std::span<const double> feature_row(std::size_t row) const {
    return std::span(features).subspan(row * feature_columns, feature_columns);
  }
  std::span<const double> truth_row(std::size_t row) const {
    return std::span(truth).subspan(row * truth_columns, truth_columns);
  }
  std::size_t instance(std::size_t row) const { return instances.empty() ? row : instances[row]; }
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
