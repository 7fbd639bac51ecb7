#include "evaluation/recourse_figures.hpp"

#include <algorithm>
#include <cmath>

#include "polystep/predicted_rows.hpp"

namespace polystep {
namespace {

// A mean over those who have a value.
class Mean {
 public:
  void add(double value) {
    sum_ += value;
    ++count_;
  }
  void add(const std::optional<double>& value) {
    if (value) add(*value);
  }
  std::optional<double> value() const {
    return count_ == 0 ? std::nullopt : std::optional(sum_ / static_cast<double>(count_));
  }

 private:
  double sum_ = 0;
  std::size_t count_ = 0;
};

double relative_regret(const Evaluation& decided, std::span<const double> optimal, std::size_t row) {
  return (decided.costs[row] - optimal[row]) / std::abs(optimal[row]);
}

}  // namespace

std::optional<double> conditional_regret(const Evaluation& decided, std::span<const double> optimal) {
  Mean mean;
  for (std::size_t row = 0; row < decided.costs.size(); ++row)
    if (!decided.failed[row] && !decided.broken[row] && !std::isnan(optimal[row]) && optimal[row] != 0)
      mean.add(relative_regret(decided, optimal, row));
  return mean.value();
}

BatchFigures batch_figures(const Evaluation& decided, std::span<const double> optimal,
                           std::span<const double> surcharge, std::size_t batch) {
  Mean infeasible, conditional, after_recourse;
  for (std::size_t first = 0; first < decided.costs.size(); first += batch) {
    Mean own_infeasible, own_conditional, own_regret;
    for (std::size_t row = first; row < std::min(decided.costs.size(), first + batch); ++row) {
      if (std::isnan(optimal[row]) || optimal[row] == 0) continue;
      if (decided.failed[row]) {
        own_regret.add(optimal[row] * surcharge[row]);
        continue;
      }
      own_infeasible.add(decided.broken[row] ? 1.0 : 0.0);
      own_regret.add(relative_regret(decided, optimal, row));
      if (!decided.broken[row]) own_conditional.add(relative_regret(decided, optimal, row));
    }
    infeasible.add(own_infeasible.value());
    conditional.add(own_conditional.value());
    after_recourse.add(own_regret.value());
  }
  return {infeasible.value(), conditional.value(), after_recourse.value().value_or(0)};
}

std::vector<double> surcharges_of(const Problem& problem, const TiledRows& rows) {
  std::vector<double> means;
  const PredictedRows* constraints = problem.predicted_rows();
  for (std::size_t row = 0; constraints != nullptr && row < rows.rows(); ++row) {
    const Tile& tile = rows.tile(row / rows.width());
    const std::span<const double> own = constraints->surcharges(tile.instance[row % rows.width()]);
    if (own.empty()) return {};
    double sum = 0;
    for (const double surcharge : own) sum += surcharge;
    means.push_back(sum / static_cast<double>(own.size()));
  }
  return means;
}

}  // namespace polystep
