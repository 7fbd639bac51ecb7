#include "methods/frugal/quick_training.hpp"

#include <algorithm>
#include <cmath>

#include "polystep/aligned.hpp"
#include "polystep/schedule.hpp"
#include "polystep/stop.hpp"

namespace polystep {
namespace {

// Adam with a short memory of squares: a training here has a few dozen steps, and gradients of a convex bound
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

std::vector<double> train_quickly(const Predictor& predictor, const TiledRows& rows,
                                  std::vector<double> start, const QuickTraining& setting,
                                  const RowLoss& loss) {
  std::vector<double> theta = std::move(start), gradient(theta.size());
  const Schedule rate{ScheduleKind::kCosine, setting.rate, setting.rate * setting.final_rate, setting.steps};
  QuickAdam adam(theta.size());
  AlignedDoubles prediction, by_prediction;
  std::vector<double> one, by_one;  // of a single row: what its loss adds lies close together
  for (std::size_t step = 0; step < setting.steps; ++step) {
    stop_if_wanted();
    std::ranges::fill(gradient, 0.0);
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
        const std::size_t place = number * rows.width() + lane;
        loss(step, place, rows.row_numbers()[place], one.data(), by_one.data());
        for (std::size_t o = 0; o < outputs; ++o) by_prediction[o * tile.width + lane] = by_one[o];
      }
      predictor.add_gradient(theta, tile, by_prediction.data(), gradient);
    }
    adam.step(theta, gradient, rate.value(step));
  }
  return theta;
}

}  // namespace polystep
