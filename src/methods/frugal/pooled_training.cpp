#include "methods/frugal/pooled_training.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "polystep/aligned.hpp"
#include "polystep/schedule.hpp"

namespace polystep {
namespace {

// Adam with a short memory of squares: a training here has a hundred steps, and gradients of a convex bound
// fade within them.
class QuickAdam {
 public:
  explicit QuickAdam(std::size_t parameters) : first_(parameters), second_(parameters) {}

  void step(std::span<double> theta, std::span<const double> gradient, double rate) {
    first_power_ *= kFirstDecay;
    second_power_ *= kSecondDecay;
    for (std::size_t i = 0; i < theta.size(); ++i) {
      first_[i] = kFirstDecay * first_[i] + (1 - kFirstDecay) * gradient[i];
      second_[i] = kSecondDecay * second_[i] + (1 - kSecondDecay) * gradient[i] * gradient[i];
      theta[i] -=
          rate * (first_[i] / (1 - first_power_)) / (std::sqrt(second_[i] / (1 - second_power_)) + 1e-8);
    }
  }

 private:
  static constexpr double kFirstDecay = 0.9, kSecondDecay = 0.99;

  double first_power_ = 1, second_power_ = 1;  // of the decays, to the number of steps
  std::vector<double> first_;                  // decayed mean of gradients
  std::vector<double> second_;                 // decayed mean of squared gradients
};

// Members whose logarithm of probability is this far below that of the likeliest are left out: most are.
constexpr double kUnlikely = -16;

using Members = std::span<const RememberedDecisions::Member>;

// One row at a time: what its members are worth by a prediction, and the gradient by that prediction.
class RowLoss {
 public:
  explicit RowLoss(const RememberedDecisions& decisions) : decisions_(decisions) {}

  // Adds to gradient [outputs].
  void add(std::size_t row, const double* prediction, double soft_share, double temperature,
           double* gradient) {
    const Members members = decisions_.members(row);
    if (members.size() < 2) return;  // nothing to choose
    values_.resize(members.size());
    for (std::size_t m = 0; m < members.size(); ++m)
      values_[m] = decisions_.value(members[m].decision, prediction);
    if (soft_share < 1) add_spo_plus(row, members, 1 - soft_share, gradient);
    if (soft_share > 0) add_soft(members, soft_share, temperature, gradient);
  }

 private:
  void add_spo_plus(std::size_t row, Members members, double share, double* gradient) {
    const std::size_t wanted = decisions_.cheapest(row);
    double lowest = std::numeric_limits<double>::infinity();
    std::size_t tempting = wanted;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const double value = 2 * values_[m] - members[m].cost;
      if (!(value < lowest)) continue;
      lowest = value;
      tempting = m;
    }
    if (tempting == wanted) return;
    add_decision(members[wanted].decision, share, gradient);
    add_decision(members[tempting].decision, -share, gradient);
  }

  // Of the expected cost where members are chosen with probability ∝ exp(-value / temperature).
  void add_soft(Members members, double share, double temperature, double* gradient) {
    const double lowest = *std::ranges::min_element(values_);
    double total = 0, mean = 0;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const double exponent = (lowest - values_[m]) / temperature;
      values_[m] = exponent > kUnlikely ? std::exp(exponent) : 0.0;
      total += values_[m];
      mean += values_[m] * members[m].cost;
    }
    mean /= total;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const double weight = values_[m] / total * (members[m].cost - mean) / temperature;
      if (weight != 0) add_decision(members[m].decision, -share * weight, gradient);
    }
  }

  void add_decision(std::uint32_t number, double factor, double* gradient) const {
    const RememberedDecisions::Decision decision = decisions_.decision(number);
    factor *= decisions_.sense();
    for (std::size_t k = 0; k < decision.index.size(); ++k)
      gradient[decision.index[k]] += factor * decision.value[k];
  }

  const RememberedDecisions& decisions_;
  std::vector<double> values_;  // [members]
};

}  // namespace

std::vector<double> train_on_decisions(const Predictor& predictor, const RememberedDecisions& decisions,
                                       const TiledRows& rows, std::vector<double> start,
                                       const PooledTraining& setting) {
  std::vector<double> theta = std::move(start), gradient(theta.size());
  const Schedule rate{ScheduleKind::kCosine, setting.rate, setting.rate * setting.final_rate, setting.steps};
  const Schedule temperature{ScheduleKind::kCosine, setting.soft_start, setting.soft_end, setting.steps};
  QuickAdam adam(theta.size());
  RowLoss loss(decisions);
  AlignedDoubles prediction, by_prediction;
  std::vector<double> one, by_one;  // of a single row: what its many members add lies close together
  for (std::size_t step = 0; step < setting.steps; ++step) {
    std::ranges::fill(gradient, 0.0);
    const double softness = temperature.value(step);
    for (std::size_t number = 0; number < rows.tiles(); ++number) {
      const Tile& tile = rows.tile(number);
      const std::size_t outputs = predictor.outputs_of(tile);
      prediction.resize(outputs * tile.width);
      by_prediction.assign(outputs * tile.width, 0.0);
      one.resize(outputs);
      by_one.resize(outputs);
      predictor.predict(theta, tile, prediction.data());
      for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
        for (std::size_t o = 0; o < outputs; ++o) one[o] = prediction[o * tile.width + lane];
        std::ranges::fill(by_one, 0.0);
        loss.add(rows.row_numbers()[number * rows.width() + lane], one.data(), setting.soft_share, softness,
                 by_one.data());
        for (std::size_t o = 0; o < outputs; ++o) by_prediction[o * tile.width + lane] = by_one[o];
      }
      predictor.add_gradient(theta, tile, by_prediction.data(), gradient);
    }
    adam.step(theta, gradient, rate.value(step));
  }
  return theta;
}

}  // namespace polystep
