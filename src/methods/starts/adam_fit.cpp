#include "methods/starts/adam_fit.hpp"

#include <algorithm>
#include <numeric>

#include "methods/gradient/adam.hpp"
#include "methods/probes/tile_gradients.hpp"
#include "polystep/random.hpp"
#include "polystep/schedule.hpp"

namespace polystep {
namespace {

constexpr std::uint64_t kOwnDraws = 1;  // of minibatches, beside those of the training that follows

// Of a regression on true parameters.
constexpr AdamFit kRegression{.steps = 1000, .batch = 32, .rate = 1e-2};

// Every epoch deals the rows afresh; a few that do not fill a minibatch sit out.
void deal(std::size_t rows, std::size_t batch, std::size_t step, std::uint64_t seed,
          std::vector<std::size_t>& dealt) {
  const std::size_t per_epoch = rows / batch;
  dealt.resize(rows);
  std::iota(dealt.begin(), dealt.end(), std::size_t{0});
  RandomStream stream(seed, Purpose::kMinibatch, step / per_epoch, kOwnDraws);
  for (std::size_t i = 0; i + 1 < rows; ++i) std::swap(dealt[i], dealt[i + stream.below(rows - i)]);
  const auto first = dealt.begin() + static_cast<std::ptrdiff_t>(step % per_epoch * batch);
  std::copy_n(first, batch, dealt.begin());
  dealt.resize(batch);
}

}  // namespace

std::vector<double> fit_by_adam(Evaluator& evaluator, const Split& split, std::span<const std::size_t> rows,
                                const FitTargets& targets, const AdamFit& fit, std::uint64_t seed,
                                std::vector<double> start) {
  const Predictor& predictor = *evaluator.task().predictor;
  std::vector<double> theta = std::move(start), gradient;
  const Schedule rate{ScheduleKind::kCosine, fit.rate, 0.0, fit.steps};
  const std::size_t batch = std::min(fit.batch, rows.size());
  Adam adam(theta.size());
  TileGradients gradients(evaluator);
  TiledRows minibatch;
  std::vector<std::size_t> dealt, numbers(batch);
  for (std::size_t step = 0; step < fit.steps; ++step) {
    deal(rows.size(), batch, step, seed, dealt);
    for (std::size_t i = 0; i < batch; ++i) numbers[i] = rows[dealt[i]];
    minibatch.gather(split, numbers);
    gradients.start(minibatch);
    std::size_t outputs = 0;
    for (const std::size_t row : dealt) outputs += targets.begin[row + 1] - targets.begin[row];
    // Half the gradient of the mean squared error: Adam does not mind.
    evaluator.team().for_each(minibatch.tiles(), [&](std::size_t number, std::size_t) {
      const Tile& tile = minibatch.tile(number);
      double* values = gradients.tile(number);
      predictor.predict(theta, tile, values);
      for (std::size_t lane = 0; lane < tile.width; ++lane)
        for (std::size_t o = 0; o < gradients.size(number) / tile.width; ++o) {
          double& value = values[o * tile.width + lane];
          value = lane < tile.lanes ? (value - targets.of(dealt[number * tile.width + lane])[o]) /
                                          static_cast<double>(outputs)
                                    : 0.0;
        }
    });
    gradients.pull_back(theta, minibatch, gradient);
    adam.step(theta, gradient, rate.value(step));
  }
  return theta;
}

std::vector<double> regression_start(Evaluator& evaluator, const Split& split,
                                     std::span<const std::size_t> rows, std::uint64_t seed) {
  FitTargets targets;
  for (const std::size_t row : rows) {
    const std::span<const double> truth = split.truth_row(row);
    targets.values.insert(targets.values.end(), truth.begin(), truth.end());
    targets.begin.push_back(targets.values.size());
  }
  return fit_by_adam(evaluator, split, rows, targets, kRegression, seed,
                     evaluator.task().predictor->initial_parameters(seed));
}

}  // namespace polystep
