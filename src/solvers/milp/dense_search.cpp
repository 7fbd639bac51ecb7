#include "solvers/milp/dense_search.hpp"

#include <algorithm>
#include <cmath>

namespace polystep::solvers {
namespace {

constexpr double kGap = 1e-9;    // what counts as equally good, relative to the objective
constexpr double kWhole = 1e-7;  // how far from a whole number counts as one; a candidate is then made exact
constexpr double kExact = 1e-9;  // a candidate closer to whole numbers than this is just rounded
constexpr double kOutside = 1e-8;  // how far a solution may be outside of bounds
constexpr std::size_t kDeepest = 1000;

double away_from_whole(double value) { return std::abs(value - std::round(value)); }

}  // namespace

DenseSearch::End DenseSearch::run(const DenseProgramme& programme, DenseSimplex& relaxed,
                                  const DenseSearchLimits& limits, std::span<double> solution) {
  programme_ = &programme;
  limits_ = limits;
  nodes_ = 0;
  work_ = 0;
  depth_ = 0;
  best_ = cutoff_ = kUnbounded;
  const double largest = programme.largest_cost();
  unit_ = largest > 0 ? std::min(1.0, largest) : 1.0;
  best_solution_.assign(programme.stride, 0.0);
  candidate_.assign(programme.stride, 0.0);
  prices_.resize(programme.rows);
  multipliers_.resize(programme.rows);
  reduced_.resize(programme.stride);

  DenseSimplex& node = relaxed;
  node.sum_objective(programme);
  Part part = Part::kOpen;
  while (part != Part::kUnsure) {
    if (part == Part::kOpen) {
      if (++nodes_ > limits_.nodes || work_ > limits_.work || depth_ > kDeepest) return End::kUnsure;
      const double bound = bound_of(node);
      if (bound >= cutoff_) {
        part = Part::kClosed;
        continue;
      }
      fix_columns(node, bound);
      const Branch branch = choose(node, bound);
      if (branch.row == DenseSimplex::kNone) {
        if (!take(node)) return End::kUnsure;
        if (!(bound >= cutoff_))
          return End::kUnsure;  // the relaxation promised more than could be proved or found
        part = Part::kClosed;
        continue;
      }
      if (!closes_other_side(node, branch)) {
        if (waiting_.size() == depth_) waiting_.emplace_back();
        Waiting& other = waiting_[depth_++];
        other.relaxed = node;
        other.column = branch.column;
        other.floor = branch.floor;
        other.up = !branch.up;
      }
      part = descend(node, branch.column, branch.floor, branch.up);
      continue;
    }
    if (depth_ == 0) break;
    Waiting& other = waiting_[--depth_];
    std::swap(node, other.relaxed);
    part = descend(node, other.column, other.floor, other.up);
  }
  if (part == Part::kUnsure) return End::kUnsure;
  if (best_ == kUnbounded) return End::kInfeasible;
  std::copy_n(best_solution_.begin(), programme.columns, solution.begin());
  return End::kOptimal;
}

// What no solution of this part is below. Leaves prices_ and reduced_ behind, those it is proved by.
double DenseSearch::bound_of(const DenseSimplex& node) {
  node.read_prices(prices_);
  return dual_bound(*programme_, node.bounds(), prices_, true, node.dual_tolerance(), reduced_);
}

// Columns that cannot leave their bound by a whole unit without costing more than the best solution. `bound`
// and reduced_ belong to the node.
void DenseSearch::fix_columns(DenseSimplex& node, double bound) {
  if (!(cutoff_ < kUnbounded) || !(bound > -kUnbounded)) return;
  const double room = cutoff_ - bound;
  node.tighten_nonbasic([&](std::size_t variable, double value, double& lower, double& upper) {
    if (variable >= programme_->columns || !programme_->integer[variable]) return;
    const double cost = reduced_[variable];
    if (std::abs(cost) < room) return;
    if (cost > 0 && value == lower && lower > -kUnbounded) upper = lower;
    if (cost < 0 && value == upper && upper < kUnbounded) lower = upper;
  });
}

DenseSearch::Branch DenseSearch::choose(const DenseSimplex& node, double bound) const {
  Branch best;
  double best_score = -1;
  const double room = cutoff_ - bound, least = 1e-6 * unit_;
  for (std::size_t row = 0; row < node.rows(); ++row) {
    const std::size_t column = node.basic(row);
    if (column >= programme_->columns || !programme_->integer[column]) continue;
    const double value = node.value(column);
    if (away_from_whole(value) <= kWhole) continue;
    const double floor = std::floor(value);
    const DenseSimplex::Slopes slopes = node.slopes(row);
    const double up = slopes.rise * (floor + 1 - value), down = slopes.fall * (value - floor);
    // Where a side is closed at once the other one is no branch at all.
    const double score =
        up >= room || down >= room ? kUnbounded : std::max(up, least) * std::max(down, least);
    if (!(score > best_score)) continue;
    best_score = score;
    best.row = row;
    best.column = column;
    best.floor = floor;
    best.up = up < down || (up == down && value - floor > 0.5);
    best.growth_other = std::max(up, down);
    best.slope_other = best.up ? slopes.fall : slopes.rise;
    if (score == kUnbounded) break;
  }
  return best;
}

// Whether the side that would have to wait can be closed without solving it, by the prices after its first
// pivot. prices_ belong to the node.
bool DenseSearch::closes_other_side(DenseSimplex& node, const Branch& branch) {
  const bool infeasible = branch.slope_other == kUnbounded;
  if (!infeasible && !(node.objective() + branch.growth_other >= cutoff_)) return false;
  node.read_multipliers(branch.row, multipliers_);
  const double sign = branch.up ? -1 : 1;  // the other side falls, or rises
  const double slope = infeasible ? 1.0 : branch.slope_other;
  for (std::size_t row = 0; row < multipliers_.size(); ++row)
    multipliers_[row] = (infeasible ? 0.0 : prices_[row]) + sign * slope * multipliers_[row];
  const double lower = node.lower(branch.column), upper = node.upper(branch.column);
  node.set_bounds(branch.column, branch.up ? lower : branch.floor + 1, branch.up ? branch.floor : upper);
  const double bound =
      dual_bound(*programme_, node.bounds(), multipliers_, !infeasible, node.dual_tolerance(), reduced_);
  node.set_bounds(branch.column, lower, upper);
  return infeasible ? bound > kClearlyApart : bound >= cutoff_;
}

DenseSearch::Part DenseSearch::descend(DenseSimplex& node, std::size_t column, double floor, bool up) {
  const double lower = up ? floor + 1 : node.lower(column), upper = up ? node.upper(column) : floor;
  if (lower > upper) return Part::kClosed;
  node.set_bounds(column, lower, upper);
  const Part part = solve_part(node);
  work_ += node.take_work() + node.rows() * programme_->stride;
  return part;
}

DenseSearch::Part DenseSearch::solve_part(DenseSimplex& node) {
  SimplexEnd end = node.run_dual(cutoff_);
  if (end == SimplexEnd::kBeyond) {
    if (bound_of(node) >= cutoff_) return Part::kClosed;
    end = node.run_dual();
  }
  switch (end) {
    case SimplexEnd::kOptimal:
      return Part::kOpen;
    case SimplexEnd::kNoSolution:
      return proves_no_solution(*programme_, node, multipliers_, reduced_) ? Part::kClosed : Part::kUnsure;
    default:
      return Part::kUnsure;
  }
}

// A relaxation whose integer columns are whole: the best solution of this part, if it can be made exact.
bool DenseSearch::take(DenseSimplex& node) {
  const DenseProgramme& programme = *programme_;
  double moved = 0;
  bool mixed = false;
  for (std::size_t column = 0; column < programme.columns; ++column) {
    const double value = node.value(column);
    candidate_[column] = programme.integer[column]
                             ? std::round(value) + 0.0
                             : std::clamp(value, programme.lower[column], programme.upper[column]);
    if (programme.integer[column])
      moved = std::max(moved, std::abs(value - candidate_[column]));
    else
      mixed = true;
  }
  if (moved > kExact && mixed) {  // the other columns are chosen anew
    repair_ = node;
    for (std::size_t column = 0; column < programme.columns; ++column)
      if (programme.integer[column]) repair_.set_bounds(column, candidate_[column], candidate_[column]);
    if (!repair_.place_for_prices() || repair_.run_dual() != SimplexEnd::kOptimal) return false;
    for (std::size_t column = 0; column < programme.columns; ++column)
      if (!programme.integer[column])
        candidate_[column] =
            std::clamp(repair_.value(column), programme.lower[column], programme.upper[column]);
  }
  if (programme.violation_of(candidate_) > kOutside) return false;
  accept(programme.objective_of(candidate_));
  return true;
}

void DenseSearch::accept(double objective) {
  if (!(objective < best_)) return;
  best_ = objective;
  std::swap(best_solution_, candidate_);
  const double size = std::abs(objective);
  // Parts within the gap of the best solution are closed; measured by the bound, as CBC does.
  const double gap = limits_.relative_gap / (1 + limits_.relative_gap) * size;
  cutoff_ = objective - std::max(kGap * std::max(unit_, size), gap);
}

}  // namespace polystep::solvers
