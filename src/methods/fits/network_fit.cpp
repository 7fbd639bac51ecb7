#include "methods/fits/network_fit.hpp"

#include <algorithm>
#include <numeric>

#include "evaluation/tile_predictions.hpp"
#include "methods/fits/output_layer.hpp"
#include "polystep/random.hpp"
#include "polystep/schedule.hpp"

namespace polystep {
namespace {

constexpr std::uint64_t kOwnDraws = 2;  // of minibatches, beside those of the training that follows

// Adam's steps are absolute, so how large outputs are says how quickly they are reached. Rates between 1e-4
// and 1e-2 are what they are with a spread of this many units.
constexpr double kTruthDeviation = 6;

std::unique_ptr<Predictor> in_units_of(const Predictor& predictor, OutputScaling units) {
  if (predictor.output_scaling() != nullptr || !ends_in_affine_layer(predictor)) return predictor.clone();
  for (double& deviation : units.deviation) deviation /= kTruthDeviation;
  return make_scaled(predictor.clone(), std::move(units));
}

}  // namespace

NetworkFit::NetworkFit(const Predictor& predictor, const Split& training, const Split& validation, Team& team,
                       const NetworkFitSettings& settings)
    : predictor_(predictor),
      training_(training),
      team_(team),
      settings_(settings),
      truth_(truth_units(predictor, training)),
      scaled_(in_units_of(predictor, truth_)),
      validation_(validation),
      theta_(predictor.initial_parameters(settings.seed)),
      gradient_(theta_.size()),
      adam_(theta_.size()),
      gradients_(*scaled_, team),
      pass_(make_batch_pass(*scaled_, threads_of(team))) {}

std::size_t NetworkFit::updates_per_epoch() const {
  return (training_.rows + settings_.batch - 1) / settings_.batch;
}

void NetworkFit::take_rows() {
  const std::uint64_t epoch = update_ / updates_per_epoch();
  if (dealt_epoch_ != epoch) {
    order_.resize(training_.rows);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    RandomStream stream(settings_.seed, Purpose::kMinibatch, epoch, kOwnDraws);
    for (std::size_t i = 0; i + 1 < order_.size(); ++i)
      std::swap(order_[i], order_[i + stream.below(order_.size() - i)]);
    dealt_epoch_ = epoch;
  }
  const std::size_t first = update_ % updates_per_epoch() * settings_.batch;
  minibatch_.gather(training_,
                    std::span(order_).subspan(first, std::min(settings_.batch, order_.size() - first)));
}

void NetworkFit::update() {
  take_rows();
  gradients_.start(minibatch_);
  std::size_t entries = 0;
  for (std::size_t number = 0; number < minibatch_.tiles(); ++number)
    entries += gradients_.size(number) / minibatch_.width() * minibatch_.tile(number).lanes;
  const std::span<const Tile> all = minibatch_.tiles(0, minibatch_.tiles());
  if (pass_) pass_->predict(theta_, all, gradients_.tile(0));
  team_.for_each(minibatch_.tiles(), [&](std::size_t number, std::size_t) {
    const Tile& tile = minibatch_.tile(number);
    double* values = gradients_.tile(number);
    if (!pass_) scaled_->predict(theta_, tile, values);
    for (std::size_t i = 0; i < gradients_.size(number); ++i) {
      const double deviation = truth_.deviation_of(last_unit(truth_.deviation.size(), i / tile.width));
      values[i] = i % tile.width < tile.lanes ? 2 * (values[i] - tile.truth[i]) /
                                                    (deviation * deviation * static_cast<double>(entries))
                                              : 0.0;  // unused lanes have no gradient
    }
  });
  if (pass_)
    pass_->pull_back(theta_, all, gradients_.tile(0), gradient_);
  else
    gradients_.pull_back(theta_, minibatch_, gradient_);
  const std::size_t per_epoch = updates_per_epoch();
  const Schedule rate{settings_.falls ? ScheduleKind::kCosine : ScheduleKind::kConstant, settings_.rate, 0.0,
                      settings_.epochs * per_epoch};
  adam_.step(theta_, gradient_, rate.value(update_));
  if (++update_ % per_epoch == 0) judge();
}

void NetworkFit::judge() {
  error_ = unexplained_share(*scaled_, theta_, validation_, truth_.deviation, team_);
  if (best_.empty() || error_ < best_error_) {
    best_error_ = error_;
    best_ = theta_;
    stalled_ = 0;
  } else {
    ++stalled_;
  }
  finished_ = update_ >= settings_.epochs * updates_per_epoch() ||
              (settings_.patience != 0 && stalled_ >= settings_.patience);
}

void NetworkFit::run() {
  while (!finished_) update();
}

std::vector<double> NetworkFit::unscaled(std::span<const double> theta) const {
  const OutputScaling* units = scaled_->output_scaling();
  if (units == nullptr || predictor_.output_scaling() != nullptr) return {theta.begin(), theta.end()};
  return with_output_map(predictor_, theta, {units->deviation, units->mean});
}

void NetworkFit::save(ArchiveWriter& archive) const {
  archive.put<std::uint64_t>(update_);
  archive.put<std::uint64_t>(stalled_);
  archive.put<std::uint8_t>(finished_);
  archive.put(error_);
  archive.put(best_error_);
  archive.put(theta_);
  archive.put(best_);
  adam_.save(archive);
}

void NetworkFit::load(ArchiveReader& archive) {
  update_ = archive.get<std::uint64_t>();
  stalled_ = archive.get<std::uint64_t>();
  finished_ = archive.get<std::uint8_t>() != 0;
  error_ = archive.get<double>();
  best_error_ = archive.get<double>();
  theta_ = archive.get_doubles(theta_.size(), "the parameters of the predictor");
  best_ = archive.get_doubles();
  if (!best_.empty() && best_.size() != theta_.size())
    archive.refuse("it holds " + std::to_string(best_.size()) + " best parameters, expected " +
                   std::to_string(theta_.size()));
  adam_.load(archive);
  dealt_epoch_ = ~0ull;
}

double unexplained_share(const Predictor& predictor, std::span<const double> theta, const TiledRows& rows,
                         std::span<const double> deviation, Team& team) {
  std::vector<double> sums(rows.tiles());
  std::vector<std::size_t> entries(rows.tiles());
  const TilePredictions predictions(predictor, theta, rows, threads_of(team));
  team.for_each(rows.tiles(), [&](std::size_t number, std::size_t) {
    const Tile& tile = rows.tile(number);
    const double* prediction = predictions.tile(number);
    for (std::size_t i = 0; i < predictions.size(number); ++i) {
      if (i % tile.width >= tile.lanes) continue;
      const double residual =
          (prediction[i] - tile.truth[i]) / deviation[last_unit(deviation.size(), i / tile.width)];
      sums[number] += residual * residual;
      ++entries[number];
    }
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0) /
         static_cast<double>(std::accumulate(entries.begin(), entries.end(), std::size_t{0}));
}

std::vector<double> predictions_of(const Predictor& predictor, std::span<const double> theta,
                                   const TiledRows& rows, Team& team) {
  std::vector<std::size_t> begin(1, 0);  // of each row
  for (std::size_t row = 0; row < rows.rows(); ++row)
    begin.push_back(begin.back() + predictor.outputs_of(rows.tile(row / rows.width())));
  std::vector<double> predictions(begin.back());
  const TilePredictions by_tile(predictor, theta, rows, threads_of(team));
  team.for_each(rows.tiles(), [&](std::size_t number, std::size_t) {
    const Tile& tile = rows.tile(number);
    const std::size_t outputs = predictor.outputs_of(tile);
    const double* prediction = by_tile.tile(number);
    for (std::size_t lane = 0; lane < tile.lanes; ++lane)
      for (std::size_t o = 0; o < outputs; ++o)
        predictions[begin[number * tile.width + lane] + o] = prediction[o * tile.width + lane];
  });
  return predictions;
}

}  // namespace polystep
