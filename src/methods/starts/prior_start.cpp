#include "methods/starts/prior_start.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "methods/gradient/adam.hpp"
#include "methods/probes/tile_gradients.hpp"
#include "polystep/error.hpp"
#include "polystep/random.hpp"
#include "polystep/schedule.hpp"

namespace polystep {
namespace {

constexpr std::uint64_t kOwnDraws = 1;  // of minibatches, beside those of the training that follows

// The standardised priors of rows of a split, one after the other.
struct Targets {
  std::vector<std::size_t> begin = {0};  // [rows + 1]
  std::vector<double> values;

  Targets(const Task& task, const Split& training, std::span<const std::size_t> rows, double size) {
    for (const std::size_t row : rows) {
      const std::size_t instance = training.instance(row);
      values.resize(begin.back() + task.problem->outputs(instance));
      task.problem->prior(instance, std::span(values).subspan(begin.back()));
      begin.push_back(values.size());
    }
    const auto count = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0;
    for (double& value : values) value -= mean, squares += value * value;
    const double deviation = std::sqrt(squares / count);
    if (deviation > 0)
      for (double& value : values) value *= size / deviation;
  }

  const double* of(std::size_t row) const { return values.data() + begin[row]; }
};

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

void add_prior_options(OptionTable& table) {
  const PriorFit usual;
  table
      .integer("prior-steps", static_cast<std::int64_t>(usual.steps), 1, 1000000000,
               "steps of the fit to the problem's own prediction (prior)")
      .integer("prior-batch", static_cast<std::int64_t>(usual.batch), 1, 1000000000,
               "training rows per step of that fit")
      .number("prior-rate", usual.rate, 1e-12, 1e3, "Adam's first rate in that fit; it ends at 0")
      .number("prior-size", usual.size, 1e-12, 1e12, "deviation of the predictions that are fitted");
}

PriorFit prior_fit(const Options& options) {
  return {.steps = static_cast<std::size_t>(options.integer("prior-steps")),
          .batch = static_cast<std::size_t>(options.integer("prior-batch")),
          .rate = options.number("prior-rate"),
          .size = options.number("prior-size")};
}

void check_prior(const Task& task, const std::string& option) {
  if (!task.problem->facts().has_prior)
    throw InputError(
        option + " is prior, but the problem states no prediction of its own, expected another " + option);
}

std::vector<double> prior_start(Evaluator& evaluator, const Split& training,
                                std::span<const std::size_t> rows, const PriorFit& fit, std::uint64_t seed,
                                InitialDraw generator) {
  const Predictor& predictor = *evaluator.task().predictor;
  const Targets targets(evaluator.task(), training, rows, fit.size);
  std::vector<double> theta = predictor.initial_parameters(seed, generator), gradient;
  const Schedule rate{ScheduleKind::kCosine, fit.rate, 0.0, fit.steps};
  const std::size_t batch = std::min(fit.batch, rows.size());
  Adam adam(theta.size());
  TileGradients gradients(evaluator);
  TiledRows minibatch;
  std::vector<std::size_t> dealt, numbers(batch);
  for (std::size_t step = 0; step < fit.steps; ++step) {
    deal(rows.size(), batch, step, seed, dealt);
    for (std::size_t i = 0; i < batch; ++i) numbers[i] = rows[dealt[i]];
    minibatch.gather(training, numbers);
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

}  // namespace polystep
