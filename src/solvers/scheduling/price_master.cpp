#include "solvers/scheduling/price_master.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace polystep::solvers {
namespace {

constexpr double kLeastGain = 1e-13;  // a column must gain more than this, relative to the values, to enter
constexpr double kLeastPivot = 1e-9;
constexpr double kLeastLevel = 1e-9;
constexpr int kMostPivots = 120;
constexpr int kSteepestPivots = 60;  // after these the first improving column enters, which cannot cycle

}  // namespace

// The last matching, the first corner and whatever the radius must make up between them.
void PriceMaster::start(std::size_t plane_count) {
  const std::size_t matching = columns_.size() - 1;
  const std::size_t corner = columns_.size() - plane_count - 1;
  level_[2] = level_[3] = 1.0;
  basis_[2] = matching;
  basis_[3] = corner;
  for (auto& row : inverse_) row.fill(0.0);
  inverse_[2][2] = inverse_[3][3] = 1.0;
  for (std::size_t row = 0; row < 2; ++row) {
    const double missing = -columns_[matching].entry[row] - columns_[corner].entry[row];
    const double sign = missing >= 0.0 ? 1.0 : -1.0;
    basis_[row] = 2 * row + (missing >= 0.0 ? 0 : 1);
    level_[row] = std::abs(missing);
    inverse_[row][row] = sign;
    inverse_[row][2] = -sign * columns_[matching].entry[row];
    inverse_[row][3] = -sign * columns_[corner].entry[row];
  }
}

void PriceMaster::find_duals() {
  for (std::size_t row = 0; row < 4; ++row) {
    dual_[row] = 0.0;
    for (std::size_t k = 0; k < 4; ++k) dual_[row] += columns_[basis_[k]].gain * inverse_[k][row];
  }
}

bool PriceMaster::pivot(bool first_improving) {
  find_duals();
  const double tolerance = kLeastGain * (1.0 + std::abs(dual_[2]) + std::abs(dual_[3]));
  std::size_t entering = columns_.size();
  double best = tolerance;
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    const Row& entry = columns_[column].entry;
    const double gain = columns_[column].gain - dual_[0] * entry[0] - dual_[1] * entry[1] -
                        dual_[2] * entry[2] - dual_[3] * entry[3];
    if (gain <= best) continue;
    entering = column;
    best = gain;
    if (first_improving) break;
  }
  if (entering == columns_.size()) return false;

  Row direction;
  for (std::size_t row = 0; row < 4; ++row) {
    direction[row] = 0.0;
    for (std::size_t k = 0; k < 4; ++k) direction[row] += inverse_[row][k] * columns_[entering].entry[k];
  }
  std::size_t leaving = 4;
  double step = 0.0;
  for (std::size_t row = 0; row < 4; ++row) {
    if (direction[row] <= kLeastPivot) continue;
    const double ratio = level_[row] / direction[row];
    if (leaving < 4 && (ratio > step || (ratio == step && basis_[row] > basis_[leaving]))) continue;
    leaving = row;
    step = ratio;
  }
  if (leaving == 4) return false;
  for (std::size_t row = 0; row < 4; ++row) {
    if (row == leaving) continue;
    const double factor = direction[row] / direction[leaving];
    for (std::size_t k = 0; k < 4; ++k) inverse_[row][k] -= factor * inverse_[leaving][k];
    level_[row] = std::max(0.0, level_[row] - factor * level_[leaving]);
  }
  for (double& entry : inverse_[leaving]) entry /= direction[leaving];
  level_[leaving] /= direction[leaving];
  basis_[leaving] = entering;
  return true;
}

void PriceMaster::solve(std::span<const Plane> planes, std::span<const PairCounts> corners, PairPrices centre,
                        double radius) {
  columns_.clear();
  columns_.push_back({{1, 0, 0, 0}, centre.same - radius});
  columns_.push_back({{-1, 0, 0, 0}, -centre.same - radius});
  columns_.push_back({{0, 1, 0, 0}, centre.different - radius});
  columns_.push_back({{0, -1, 0, 0}, -centre.different - radius});
  for (const PairCounts corner : corners) {
    columns_.push_back({{-double(corner.same), -double(corner.different), 0, 1}, 0.0});
  }
  for (const Plane& plane : planes) {
    columns_.push_back({{double(plane.counts.same), double(plane.counts.different), 1, 0}, plane.value});
  }
  start(planes.size());
  int pivots = 0;
  while (pivots < kMostPivots && pivot(pivots >= kSteepestPivots)) ++pivots;
  find_duals();

  share_.assign(planes.size(), 0.0);
  mean_same_ = mean_different_ = 0.0;
  at_radius_ = false;
  for (std::size_t row = 0; row < 4; ++row) {
    const std::size_t column = basis_[row];
    if (column < 4) {
      at_radius_ |= level_[row] > kLeastLevel;
    } else if (column < 4 + corners.size()) {
      mean_same_ += level_[row] * corners[column - 4].same;
      mean_different_ += level_[row] * corners[column - 4].different;
    } else {
      share_[column - 4 - corners.size()] = level_[row];
    }
  }
}

}  // namespace polystep::solvers
