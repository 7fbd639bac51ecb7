// A direction in parameter space: a few entries with their indices, or the values of a contiguous range.
//
// A basis over millions of parameters moves all of them at once; its directions are dense and need no index
// per value. Where a direction touches few parameters it is sparse. for_each() serves both alike.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace polystep {

class Direction {
 public:
  Direction() = default;  // no entries

  // Sparse; indices ascend, one per value.
  Direction(std::vector<std::uint32_t> index, std::vector<double> value)
      : index_(std::move(index)), value_(std::move(value)) {
    if (index_.size() != value_.size()) throw std::logic_error("a direction has one index per value");
  }

  bool dense() const { return dense_; }
  bool empty() const { return value_.empty(); }
  std::size_t size() const { return value_.size(); }  // entries
  std::span<const double> value() const { return value_; }
  std::span<const std::uint32_t> index() const { return index_; }  // of each value; none where dense
  std::size_t first() const { return first_; }  // where dense: the parameter of the first value

  // Calls visit(parameter, value) for every entry; parameters ascend.
  template <class Visit>
  void for_each(const Visit& visit) const {
    if (dense_)
      for (std::size_t n = 0; n < value_.size(); ++n) visit(first_ + n, value_[n]);
    else
      for (std::size_t n = 0; n < value_.size(); ++n) visit(std::size_t{index_[n]}, value_[n]);
  }

  // theta += step * direction.
  void add_to(double step, std::span<double> theta) const {
    for_each([&](std::size_t parameter, double value) { theta[parameter] += step * value; });
  }

  // The parameters that have an entry, ascending.
  std::vector<std::uint32_t> parameters() const {
    std::vector<std::uint32_t> all;
    all.reserve(value_.size());
    for_each([&](std::size_t parameter, double) { all.push_back(static_cast<std::uint32_t>(parameter)); });
    return all;
  }

  // All functions below keep the capacity, so that one direction serves many calls.
  void clear() {
    dense_ = false;
    first_ = 0;
    index_.clear();
    value_.clear();
  }

  // One more entry of a sparse direction. Indices are kept ascending; they nearly always come so.
  void add(std::uint32_t parameter, double value) {
    if (index_.empty() || index_.back() < parameter) {
      index_.push_back(parameter);
      value_.push_back(value);
      return;
    }
    const auto at = std::upper_bound(index_.begin(), index_.end(), parameter);
    value_.insert(value_.begin() + (at - index_.begin()), value);
    index_.insert(at, parameter);
  }

  // A whole range beyond the last entry of a sparse direction: zeros, to be filled in by the caller.
  std::span<double> add_range(std::size_t first, std::size_t count) {
    const std::size_t old_size = value_.size();
    index_.resize(old_size + count);
    for (std::size_t i = 0; i < count; ++i) index_[old_size + i] = static_cast<std::uint32_t>(first + i);
    value_.resize(old_size + count, 0.0);
    return std::span(value_).subspan(old_size);
  }

  // Becomes dense over parameters first .. first+count-1. The caller writes all values; they are left as they
  // were.
  std::span<double> make_dense(std::size_t first, std::size_t count) {
    dense_ = true;
    first_ = first;
    index_.clear();
    value_.resize(count);
    return value_;
  }

 private:
  bool dense_ = false;
  std::size_t first_ = 0;
  std::vector<std::uint32_t> index_;
  std::vector<double> value_;
};

}  // namespace polystep
