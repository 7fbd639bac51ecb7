#include "solvers/matching/assignment.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "polystep/error.hpp"

namespace polystep::solvers {
namespace {

constexpr std::size_t kVector = 8;

}  // namespace

Assignment::Assignment(std::size_t rows, std::size_t columns, InstructionSet set)
    : kernels_(row_kernels(set)),
      rows_(rows),
      columns_(columns),
      size_(std::max(rows, columns)),
      stride_((size_ + kVector - 1) / kVector * kVector) {
  if (rows == 0 || columns == 0 || size_ > kLargestSide) {
    throw InputError(fmt::format("assignment: the table has {} rows and {} columns, expected 1 to {} of each",
                                 rows, columns, kLargestSide));
  }
  gains_.assign(size_ * stride_, 0);
  for (std::size_t row = 0; row < size_; ++row) {
    std::fill(gains_.begin() + static_cast<std::ptrdiff_t>(row * stride_ + size_),
              gains_.begin() + static_cast<std::ptrdiff_t>((row + 1) * stride_), -kFarUnits);
  }
  price_.assign(stride_, 0);
  profit_.assign(size_, 0);
  column_of_row_.assign(size_, -1);
  row_of_column_.assign(stride_, -1);
  distance_.assign(stride_, 0);
  predecessor_.assign(stride_, 0);
}

void Assignment::forget() { std::fill(price_.begin(), price_.end(), 0); }

Units Assignment::solve(std::span<const Units> weights, std::span<int> column_of_row) {
  for (std::size_t row = 0; row < rows_; ++row) {
    for (std::size_t column = 0; column < columns_; ++column) {
      const Units weight = weights[row * columns_ + column];
      if (weight > kLargestWeight) {
        throw InputError(
            fmt::format("assignment: the weight of row {} and column {} is {}, expected at most {}", row,
                        column, weight, kLargestWeight));
      }
      gains_[row * stride_ + column] = std::max<Units>(weight, 0);
    }
  }
  const Units value = solve_gains();
  for (std::size_t row = 0; row < rows_; ++row) column_of_row[row] = is_paired(row) ? partner(row) : -1;
  return value;
}

Units Assignment::solve_gains() {
  match_rows_greedily();
  for (int pass = 0; pass < 2 && !free_rows_.empty(); ++pass) reassign_free_rows();
  for (const std::size_t row : free_rows_) augment(row);
  Units value = 0;
  for (std::size_t row = 0; row < size_; ++row) {
    value += gains_[row * stride_ + static_cast<std::size_t>(column_of_row_[row])];
  }
  return value;
}

void Assignment::pair(std::size_t row, std::size_t column) {
  column_of_row_[row] = static_cast<int>(column);
  row_of_column_[column] = static_cast<int>(row);
}

// Pairs every row with the column of largest gain net of price, where that column is still free.
void Assignment::match_rows_greedily() {
  // Prices only ever rise, and only their differences matter: without a common zero they would grow for ever.
  const Units lowest = *std::min_element(price_.begin(), price_.begin() + static_cast<std::ptrdiff_t>(size_));
  for (std::size_t column = 0; column < size_; ++column) price_[column] -= lowest;
  std::fill(row_of_column_.begin(), row_of_column_.end(), -1);
  free_rows_.clear();
  for (std::size_t row = 0; row < size_; ++row) {
    const auto [profit, column] = kernels_.best(&gains_[row * stride_], price_.data(), stride_);
    profit_[row] = profit;
    if (row_of_column_[column] < 0) {
      pair(row, column);
    } else {
      free_rows_.push_back(row);
    }
  }
}

// Lets every free row take its best column at the highest price that keeps the column best; the row that
// loses its column is next. A row whose two best columns tie waits for the next pass or for its augmenting
// path.
void Assignment::reassign_free_rows() {
  std::size_t waiting = 0;
  std::size_t next = 0;
  // Rows may outbid each other many times for tiny differences; augmenting paths then end the matter sooner.
  std::size_t bids_left = size_;
  while (next < free_rows_.size()) {
    const std::size_t row = free_rows_[next++];
    if (bids_left == 0) {
      free_rows_[waiting++] = row;
      continue;
    }
    --bids_left;
    const auto [best, runner_up] = kernels_.two_best(&gains_[row * stride_], price_.data(), stride_);
    const Units second = size_ > 1 ? runner_up.net : best.net;  // or there is no second column to outbid
    std::size_t column = best.column;
    int loser = row_of_column_[column];
    if (best.net > second) {
      price_[column] += best.net - second;
    } else if (loser >= 0 && size_ > 1) {
      column = runner_up.column;
      loser = row_of_column_[column];
    }
    pair(row, column);
    profit_[row] = second;
    if (loser < 0) continue;
    if (best.net > second) {
      free_rows_[--next] = static_cast<std::size_t>(loser);
    } else {
      free_rows_[waiting++] = static_cast<std::size_t>(loser);
    }
  }
  free_rows_.resize(waiting);
}

// Dijkstra's search from a free row over reduced costs profit + price - gain to the nearest free column; then
// the pairs along the path change sides and the prices of settled columns follow.
void Assignment::augment(std::size_t free_row) {
  std::fill(distance_.begin(), distance_.end(), kFarUnits);
  settled_.clear();
  settled_distance_.clear();
  profit_[free_row] = kernels_.best(&gains_[free_row * stride_], price_.data(), stride_).net;
  PathSearch search{distance_.data(), predecessor_.data()};
  std::size_t row = free_row;
  Units reached = 0;
  std::size_t column = 0;
  while (true) {
    const BestColumn nearest = kernels_.relax(&gains_[row * stride_], price_.data(), stride_,
                                              reached + profit_[row], static_cast<Units>(row), search);
    reached = nearest.net;
    column = nearest.column;
    if (row_of_column_[column] < 0) break;
    settled_.push_back(column);
    settled_distance_.push_back(reached);
    search.settled |= std::uint64_t{1} << column;
    row = static_cast<std::size_t>(row_of_column_[column]);
  }
  profit_[free_row] -= reached;
  for (std::size_t k = 0; k < settled_.size(); ++k) {
    price_[settled_[k]] += reached - settled_distance_[k];
    profit_[static_cast<std::size_t>(row_of_column_[settled_[k]])] -= reached - settled_distance_[k];
  }
  while (true) {
    const auto from = static_cast<std::size_t>(predecessor_[column]);
    const int before = column_of_row_[from];
    pair(from, column);
    if (from == free_row) break;
    column = static_cast<std::size_t>(before);
  }
}

}  // namespace polystep::solvers
