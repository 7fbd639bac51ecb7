// Where the numbers of each row lie in a flat array: predictions, gradients or decisions, row after row.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "polystep/dataset.hpp"
#include "polystep/predictor.hpp"
#include "polystep/problem.hpp"

namespace polystep {

class RowLayout {
 public:
  RowLayout() = default;
  RowLayout(std::size_t rows, std::size_t size) : rows_(rows), size_(size) {}

  // One number per output that the predictor has for the given rows of a split.
  RowLayout(const Predictor& predictor, const Split& split, std::span<const std::size_t> rows)
      : rows_(rows.size()) {
    if (!split.ragged()) {
      size_ = predictor.outputs_of({split.feature_columns, split.truth_columns}, 0);
      return;
    }
    begin_.push_back(0);
    for (const std::size_t row : rows)
      begin_.push_back(begin_.back() + predictor.outputs_of(split.shape(row), split.instance(row)));
  }

  // One number per component of the decisions of the given rows of a split.
  RowLayout(const Problem& problem, const Split& split, std::span<const std::size_t> rows)
      : rows_(rows.size()) {
    if (problem.instances()->alike()) {
      size_ = problem.decision_size();
      return;
    }
    begin_.push_back(0);
    for (const std::size_t row : rows)
      begin_.push_back(begin_.back() + problem.decision_size(split.instance(row)));
  }

  std::size_t rows() const { return rows_; }
  std::size_t begin(std::size_t row) const { return begin_.empty() ? row * size_ : begin_[row]; }
  std::size_t size(std::size_t row) const { return begin(row + 1) - begin(row); }
  std::size_t total() const { return begin(rows_); }

  template <class T>
  std::span<T> row(std::span<T> all, std::size_t row) const {
    return all.subspan(begin(row), size(row));
  }
  std::span<const double> row(const std::vector<double>& all, std::size_t row) const {
    return std::span(all).subspan(begin(row), size(row));
  }
  std::span<double> row(std::vector<double>& all, std::size_t row) const {
    return std::span(all).subspan(begin(row), size(row));
  }

 private:
  std::size_t rows_ = 0;
  std::size_t size_ = 0;            // of every row, where they agree
  std::vector<std::size_t> begin_;  // [rows + 1], where they do not
};

}  // namespace polystep
