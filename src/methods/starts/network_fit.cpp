#include "methods/starts/network_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "evaluation/tiled_rows.hpp"
#include "methods/fits/output_layer.hpp"
#include "methods/gradient/adam.hpp"
#include "methods/starts/initial_fit.hpp"
#include "polystep/random.hpp"
#include "polystep/schedule.hpp"
#include "polystep/stop.hpp"

namespace polystep {
namespace {

constexpr std::size_t kUpdates = 2000;
constexpr std::size_t kBatch = 32;
constexpr std::size_t kChecks = 40;     // of the held-out rows
constexpr double kRate = 5e-3;          // the first
constexpr double kHeldOut = 0.2;        // of the rows
constexpr std::size_t kFewRows = 20;    // below, none is held out
constexpr std::uint64_t kOwnDraws = 2;  // of minibatches, beside those of the training that follows

double usable(double deviation) { return deviation > 0 && std::isfinite(deviation) ? deviation : 1; }

// Mean and deviation of the truth: of each output, or of all where they share their weights.
OutputScaling truth_units(const Predictor& predictor, const Split& split, std::span<const std::size_t> rows) {
  const bool shared = predictor.facts().entry == FeatureEntry::kPerOutput;
  const std::size_t units = shared ? 1 : predictor.outputs();
  OutputScaling scaling{std::vector<double>(units), std::vector<double>(units)};
  std::vector<double> counts(units);
  const auto each = [&](const auto& take) {
    for (const std::size_t row : rows) {
      const std::span<const double> truth = split.truth_row(row);
      for (std::size_t o = 0; o < truth.size(); ++o) take(shared ? 0 : o, truth[o]);
    }
  };
  each([&](std::size_t o, double value) { scaling.mean[o] += value, counts[o] += 1; });
  for (std::size_t o = 0; o < units; ++o) scaling.mean[o] /= std::max(1.0, counts[o]);
  each([&](std::size_t o, double value) {
    scaling.deviation[o] += (value - scaling.mean[o]) * (value - scaling.mean[o]);
  });
  for (std::size_t o = 0; o < units; ++o)
    scaling.deviation[o] = usable(std::sqrt(scaling.deviation[o] / std::max(1.0, counts[o])));
  return scaling;
}

class Fit {
 public:
  Fit(const Predictor& predictor, const Split& split) : predictor_(predictor), split_(split) {}

  // Mean squared error in units of the spread; adds half its gradient where there is one to add to.
  double error(std::span<const double> theta, std::span<const std::size_t> rows, std::span<double> gradient) {
    tiles_.gather(split_, rows);
    const OutputScaling& units = *predictor_.output_scaling();
    double sum = 0, entries = 0;
    for (std::size_t number = 0; number < tiles_.tiles(); ++number)
      entries += static_cast<double>(predictor_.outputs_of(tiles_.tile(number)) * tiles_.tile(number).lanes);
    for (std::size_t number = 0; number < tiles_.tiles(); ++number) {
      const Tile& tile = tiles_.tile(number);
      const std::size_t outputs = predictor_.outputs_of(tile);
      residuals_.assign(outputs * tile.width, 0.0);
      predictor_.predict(theta, tile, residuals_.data());
      for (std::size_t o = 0; o < outputs; ++o)
        for (std::size_t lane = 0; lane < tile.width; ++lane) {
          double& residual = residuals_[o * tile.width + lane];
          if (lane >= tile.lanes) {
            residual = 0;
            continue;
          }
          const double deviation = units.deviation_of(o);
          residual = (residual - tile.truth[o * tile.width + lane]) / deviation;
          sum += residual * residual;
          residual /= deviation * entries;
        }
      if (!gradient.empty()) predictor_.add_gradient(theta, tile, residuals_.data(), gradient);
    }
    return sum / entries;
  }

 private:
  const Predictor& predictor_;
  const Split& split_;
  TiledRows tiles_;
  AlignedDoubles residuals_;
};

}  // namespace

bool has_network_fit(const Predictor& predictor, const Split& split) {
  const PredictorFacts facts = predictor.facts();
  const bool table = facts.entry == FeatureEntry::kWhole || facts.entry == FeatureEntry::kPerOutput;
  return table && !facts.hidden.empty() && !facts.logistic && !facts.curved && split.rows > 0 &&
         predictor.member_deviations().empty() && has_truth_per_output(predictor, split);
}

std::vector<double> network_fit(const Predictor& predictor, const Split& split,
                                std::span<const std::size_t> rows, std::uint64_t seed,
                                InitialDraw generator) {
  // What is fitted has outputs in units; one that has none gets them for the while.
  const bool own_units = predictor.output_scaling() != nullptr;
  const OutputScaling units = own_units ? *predictor.output_scaling() : truth_units(predictor, split, rows);
  const std::unique_ptr<Predictor> fitted =
      own_units ? predictor.clone() : make_scaled(predictor.clone(), units);

  std::vector<std::size_t> order(rows.begin(), rows.end());
  RandomStream dealt(seed, Purpose::kMinibatch, 0, kOwnDraws);
  for (std::size_t i = 0; i + 1 < order.size(); ++i)
    std::swap(order[i], order[i + dealt.below(order.size() - i)]);
  const std::size_t held =
      order.size() < kFewRows ? 0 : static_cast<std::size_t>(kHeldOut * static_cast<double>(order.size()));
  const std::span<const std::size_t> judging = std::span(order).first(held);
  std::vector<std::size_t> training(order.begin() + static_cast<std::ptrdiff_t>(held), order.end());

  Fit fit(*fitted, split);
  std::vector<double> theta = predictor.initial_parameters(seed, generator), best = theta;
  std::vector<double> gradient(theta.size());
  double lowest = std::numeric_limits<double>::infinity();
  Adam adam(theta.size());
  const Schedule rate{ScheduleKind::kCosine, kRate, 0.0, kUpdates};
  const std::size_t batch = std::min(kBatch, training.size()), per_epoch = training.size() / batch;
  for (std::size_t update = 0; update < kUpdates; ++update) {
    stop_if_wanted();
    if (update % per_epoch == 0) {  // every epoch deals the rows afresh
      RandomStream stream(seed, Purpose::kMinibatch, 1 + update / per_epoch, kOwnDraws);
      for (std::size_t i = 0; i + 1 < training.size(); ++i)
        std::swap(training[i], training[i + stream.below(training.size() - i)]);
    }
    std::fill(gradient.begin(), gradient.end(), 0.0);
    fit.error(theta, std::span(training).subspan(update % per_epoch * batch, batch), gradient);
    adam.step(theta, gradient, rate.value(update));
    const bool last = update + 1 == kUpdates;
    if (!last && (update + 1) % (kUpdates / kChecks) != 0) continue;
    const double error = held == 0 ? (last ? -1.0 : lowest) : fit.error(theta, judging, {});
    if (!(error < lowest)) continue;
    lowest = error;
    best = theta;
  }
  return own_units ? best : with_output_map(predictor, best, {units.deviation, units.mean});
}

}  // namespace polystep
