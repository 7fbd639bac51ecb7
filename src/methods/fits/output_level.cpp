#include "methods/fits/output_level.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/constraints/infeasibility_limit.hpp"

namespace polystep {
namespace {

constexpr int kShiftsPerUnit = 24, kShiftHalf = 2 * kShiftsPerUnit;  // shifts on the grid to either side
constexpr double kSlopeStep = 0.05;
constexpr int kLeastSlope = -4, kMostSlope = 6;  // steps from 1
constexpr int kAround = 10;  // shifts to either side of the best one that other slopes are tried with

double slope_at(int slope) { return 1 + kSlopeStep * slope; }
double shift_at(int shift) { return static_cast<double>(shift) / kShiftsPerUnit; }

}  // namespace

OutputLevel::OutputLevel(Evaluator& evaluator, const TiledRows& rows, std::span<const double> predictions,
                         std::vector<double> unit)
    : evaluator_(evaluator),
      rows_(rows),
      predictions_(predictions),
      unit_(std::move(unit)),
      centre_(unit_.size(), 0.0),
      grid_(kMostSlope - kLeastSlope + 1,
            std::vector<Figures>(2 * kShiftHalf + 1, {std::numeric_limits<double>::quiet_NaN(), 0})),
      moved_(predictions.size()) {
  const double share = static_cast<double>(unit_.size()) / static_cast<double>(predictions.size());
  for (std::size_t i = 0; i < predictions.size(); ++i) centre_[unit_of(i)] += predictions[i] * share;
  for (std::size_t i = 0; i < predictions.size(); ++i)
    constant_ &= std::abs(predictions[i] - centre_[unit_of(i)]) <= 1e-9 * unit_[unit_of(i)];
  // Of the fit as it is; a row that costs nothing, or all rows where regret is absolute, count in a common
  // unit.
  Evaluation plain = evaluator.decide(predictions, rows);
  solves_ += plain.solves;
  double common = 0;
  for (double& cost : plain.costs) cost = std::abs(cost), common += cost / static_cast<double>(rows.rows());
  if (!(common > 0)) common = 1;
  row_costs_ = std::move(plain.costs);
  const bool absolute = evaluator.task().metric == RegretMetric::kAbsolute;
  for (double& cost : row_costs_)
    if (absolute || !(cost > 0)) cost = common;
}

// A predictor has one unit for all outputs, or one per output of every row.
std::size_t OutputLevel::unit_of(std::size_t entry) const {
  return unit_.size() == 1 ? 0 : entry % unit_.size();
}

OutputLevel::Figures OutputLevel::measure(double slope, double shift) {
  for (std::size_t i = 0; i < moved_.size(); ++i) {
    const std::size_t u = unit_of(i);
    moved_[i] = centre_[u] + slope * (predictions_[i] - centre_[u]) + shift * unit_[u];
  }
  const Evaluation evaluation = evaluator_.decide(moved_, rows_);
  solves_ += evaluation.solves;
  double sum = 0;
  for (std::size_t row = 0; row < row_costs_.size(); ++row) sum += evaluation.costs[row] / row_costs_[row];
  return {sum / static_cast<double>(rows_.rows()), evaluation.infeasible};
}

const OutputLevel::Figures& OutputLevel::at(int slope, int shift) {
  Figures& figures =
      grid_[static_cast<std::size_t>(slope - kLeastSlope)][static_cast<std::size_t>(shift + kShiftHalf)];
  if (std::isnan(figures.cost)) figures = measure(slope_at(slope), shift_at(shift));
  return figures;
}

double OutputLevel::smoothed(int slope, int shift) {
  return (at(slope, shift - 1).cost + 2 * at(slope, shift).cost + at(slope, shift + 1).cost) / 4;
}

LevelChoice OutputLevel::choose(double limit, double margin) {
  int best_slope = 0, best_shift = 0;
  double lowest = smoothed(0, 0);
  const auto try_point = [&](int slope, int shift) {
    if (const double cost = smoothed(slope, shift); cost < lowest) {
      lowest = cost;
      best_slope = slope;
      best_shift = shift;
    }
  };
  for (int distance = 1; distance < kShiftHalf; ++distance)
    for (const int side : {-1, 1}) try_point(0, side * distance);
  if (!constant_) {
    const int middle = best_shift;
    for (int slope = kLeastSlope; slope <= kMostSlope; ++slope)
      for (int shift = std::max(1 - kShiftHalf, middle - kAround);
           slope != 0 && shift <= std::min(kShiftHalf - 1, middle + kAround); ++shift)
        try_point(slope, shift);
  }
  LevelChoice choice;
  choice.slope = slope_at(best_slope);
  choice.shift = shift_at(best_shift);
  const Figures figures = at(best_slope, best_shift);
  choice.cost = figures.cost;
  choice.infeasible = static_cast<double>(figures.infeasible) / static_cast<double>(rows_.rows());
  if (!MarginFigures{figures.cost, figures.infeasible, rows_.rows()}.within(limit)) {
    const MarginChoice safe = choose_margin(
        [&](double deviations) {
          const Figures found = measure(choice.slope, choice.shift + deviations * margin);
          return MarginFigures{found.cost, found.infeasible, rows_.rows()};
        },
        limit);
    choice.shift += safe.margin * margin;
    choice.cost = safe.figures.cost;
    choice.infeasible = safe.figures.share();
  }
  choice.solves = solves_;
  return choice;
}

OutputMap OutputLevel::map(const LevelChoice& choice) const {
  OutputMap map;
  for (std::size_t u = 0; u < unit_.size(); ++u) {
    map.slope.push_back(choice.slope);
    map.shift.push_back((1 - choice.slope) * centre_[u] + choice.shift * unit_[u]);
  }
  return map;
}

}  // namespace polystep
