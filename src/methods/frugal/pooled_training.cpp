#include "methods/frugal/pooled_training.hpp"

#include <algorithm>
#include <cmath>

#include "methods/frugal/tile_choices.hpp"
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

}  // namespace

std::vector<double> train_on_decisions(const Predictor& predictor, const RememberedDecisions& decisions,
                                       const TiledRows& rows, std::vector<double> start,
                                       const PooledTraining& setting) {
  std::vector<double> theta = std::move(start), gradient(theta.size());
  const Schedule rate{ScheduleKind::kCosine, setting.rate, setting.rate * setting.final_rate, setting.steps};
  const Schedule temperature{ScheduleKind::kCosine, setting.soft_start, setting.soft_end, setting.steps};
  QuickAdam adam(theta.size());
  std::vector<TileChoices> choices;
  for (std::size_t number = 0; number < rows.tiles(); ++number) choices.emplace_back(decisions, rows, number);
  TileChoices::Workspace work;
  AlignedDoubles prediction, by_prediction;
  for (std::size_t step = 0; step < setting.steps; ++step) {
    std::ranges::fill(gradient, 0.0);
    for (std::size_t number = 0; number < rows.tiles(); ++number) {
      const Tile& tile = rows.tile(number);
      const std::size_t size = predictor.outputs_of(tile) * tile.width;
      prediction.resize(size);
      by_prediction.assign(size, 0.0);
      predictor.predict(theta, tile, prediction.data());
      choices[number].add_gradient(prediction.data(), {setting.soft_share, temperature.value(step)},
                                   by_prediction.data(), work);
      predictor.add_gradient(theta, tile, by_prediction.data(), gradient);
    }
    adam.step(theta, gradient, rate.value(step));
  }
  return theta;
}

}  // namespace polystep
