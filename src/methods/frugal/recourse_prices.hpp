// What it costs beyond the known objective when reality asks for more, or for less, than was predicted: a
// price per unit of excess over every row, and one per unit of room that was left, read off answers of the
// solver.
//
// A remembered answer says what its decision cost in reality and what it was known to cost; the difference is
// the recourse. It is explained, with prices of 0 and more, by
//
//   sum over rows m of   (over_m  + over'_m  price_m) * excess_m, where the true row is exceeded,
//                      - (under_m + under'_m price_m) * room_m,   where it leaves room,
//
// price_m being what a unit of the row is worth to the instance under its true parameters. Penalties have
// prices of their own, whatever the instance (over); where recourse decides anew, a unit costs a multiple of
// what it is worth (over'). Least squares over all answers in units of their instances tell which.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace polystep {

class RecoursePrices {
 public:
  explicit RecoursePrices(std::size_t rows);

  // One answer: how far its decision exceeds the true rows (below 0: room), the instance's prices of the rows
  // [rows], what recourse cost, and the unit in which the instance's costs are counted.
  void add(std::span<const double> excess, std::span<const double> worth, double recourse, double unit);
  void fit();     // to all that were added
  void forget();  // them, not the prices

  double over(std::size_t row, double worth) const {
    return coefficient(4 * row) + coefficient(4 * row + 1) * worth;
  }
  double under(std::size_t row, double worth) const {
    return coefficient(4 * row + 2) + coefficient(4 * row + 3) * worth;
  }
  // What recourse costs for an excess; its slope is over() or under().
  double cost(std::size_t row, double worth, double excess) const {
    return excess * (excess > 0 ? over(row, worth) : under(row, worth));
  }

 private:
  double coefficient(std::size_t k) const { return coefficients_[k]; }

  std::vector<double> coefficients_;  // [rows × 4]: over, over', under, under'
  std::vector<double> products_;      // [(rows × 4)²], sums over answers
  std::vector<double> right_;         // [rows × 4]
  std::vector<double> terms_;         // [rows × 4], of one answer
};

}  // namespace polystep
