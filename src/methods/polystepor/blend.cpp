#include "methods/polystepor/blend.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "evaluation/tile_batch.hpp"
#include "methods/starts/least_squares.hpp"

namespace polystep {
namespace {

// Standard errors by which a blend must beat the first one. The usual caution, one, also keeps the start
// where there is something to be learned; docs/ablation.md has the figures.
constexpr double kDoubt = 0.5;

// Standard errors by which the last blend beats the first where there is nothing left to mix. Held-out rows
// find the best share only roughly, and where much was learned a little of the start costs more than it
// steadies.
constexpr double kCertainty = 2;

constexpr std::array kShares = {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0};

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// Of the mean difference between two costs of the same rows.
double standard_error(std::span<const double> a, std::span<const double> b) {
  const double mean = mean_of(a) - mean_of(b);
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i] - mean) * (a[i] - b[i] - mean);
  return std::sqrt(sum) / static_cast<double>(a.size());
}

// The means of neighbouring shares differ more by which few decisions happen to change than by what the
// shares are worth; what they are worth is smooth.
std::vector<double> nearest_parabola(std::span<const double> shares, const std::vector<double>& means) {
  if (shares.size() <= 3) return means;
  return fitted_polynomial(shares, means, 2);
}

}  // namespace

std::span<const double> shares_to_try(bool blend) {
  return blend ? std::span<const double>(kShares) : std::span<const double>(kShares).last(1);
}

std::span<const double> start_alone() { return std::span<const double>(kShares).first(1); }

HeldOutRows::HeldOutRows(Evaluator& evaluator, const Split& training, const Split& validation,
                         std::span<const std::vector<std::size_t>> bags)
    : evaluator_(evaluator), training_(training), validation_(validation) {
  lay_out();
  const std::size_t slots = training_.tiles() * training_.width();
  trust_.assign(bags.size() * slots, 0.0);
  used_.assign(slots, 0.0);
  for (std::size_t bag = 0; bag < bags.size(); ++bag) {
    std::fill_n(trust_.begin() + static_cast<std::ptrdiff_t>(bag * slots), training.rows, 1.0);
    for (const std::size_t row : bags[bag]) trust_[bag * slots + row] = 0;
  }
  for (std::size_t slot = 0; slot < slots; ++slot) {
    double unseen_by = 0;
    for (std::size_t bag = 0; bag < bags.size(); ++bag) unseen_by += trust_[bag * slots + slot];
    if (unseen_by == 0) continue;
    used_[slot] = 1;
    for (std::size_t bag = 0; bag < bags.size(); ++bag) trust_[bag * slots + slot] /= unseen_by;
  }
}

Tile HeldOutRows::tile(std::size_t number) const {
  const bool trains = number < training_.tiles();
  return trains ? training_.tile(number) : validation_.tile(number - training_.tiles());
}

void HeldOutRows::lay_out() {
  const Predictor& predictor = *evaluator_.task().predictor;
  begin_.assign(1, 0);
  for (std::size_t number = 0; number < training_.tiles() + validation_.tiles(); ++number)
    begin_.push_back(begin_.back() + predictor.outputs_of(tile(number)) * validation_.width());
}

void HeldOutRows::predict_unseen(const BlendPart& part, AlignedDoubles& predictions) {
  const Predictor& predictor = *evaluator_.task().predictor;
  const std::size_t width = training_.width();
  const std::size_t slots = training_.tiles() * width;
  predictions.assign(begin_.back(), 0.0);
  evaluator_.team().for_each(training_.tiles(), [&](std::size_t number, std::size_t) {
    const std::size_t size = begin_[number + 1] - begin_[number];
    AlignedDoubles one(size);
    double* sum = predictions.data() + begin_[number];
    for (std::size_t bag = 0; bag < part.bags.size(); ++bag) {
      const double* trust = trust_.data() + bag * slots + number * width;
      predictor.predict(part.bags[bag], training_.tile(number), one.data());
      if (width == kLanes)
        for (std::size_t i = 0; i < size; ++i) sum[i] += trust[i % kLanes] * one[i];
      else
        for (std::size_t i = 0; i < size; ++i) sum[i] += trust[0] * one[i];
    }
  });
  for (std::size_t number = 0; number < validation_.tiles(); ++number)
    predictor.predict(part.together, validation_.tile(number),
                      predictions.data() + begin_[training_.tiles() + number]);
}

std::vector<double> HeldOutRows::decide(double share) {
  if (share == 0 && !start_costs_.empty()) return start_costs_;
  const std::size_t width = validation_.width();
  const std::size_t tiles = training_.tiles() + validation_.tiles();
  std::vector<double> slot_costs(tiles * width);
  std::vector<std::uint32_t> failures(tiles);
  const auto work = [&](std::size_t first, std::size_t last, std::size_t worker) {
    TileBatch<std::size_t> batch;
    batch.start(evaluator_.solver(worker), evaluator_.task().problem->outputs(), width);
    for (std::size_t number = first; number < last; ++number) {
      double* prediction = batch.add(tile(number), number);
      for (std::size_t i = begin_[number]; i < begin_[number + 1]; ++i)
        *prediction++ = (1 - share) * start_[i] + share * trained_[i];
    }
    batch.solve([&](std::size_t number, const Tile& tile, const TileOutcome& outcome) {
      for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
        const bool failed = (outcome.failed >> lane) & 1u;
        failures[number] += failed;
        slot_costs[number * width + lane] =
            failed ? evaluator_.failure_cost(tile.instance[lane]) : outcome.cost[lane];
      }
    });
  };
  evaluator_.fill_groups(tiles, {slots_of(slot_costs, width), slots_of(failures)}, work);
  std::vector<double> costs;
  for (std::size_t row = 0; row < training_.rows(); ++row)
    if (used_[row] != 0) costs.push_back(slot_costs[row]);
  const auto first = slot_costs.begin() + static_cast<std::ptrdiff_t>(training_.tiles() * width);
  costs.insert(costs.end(), first, first + static_cast<std::ptrdiff_t>(validation_.rows()));
  for (const std::uint32_t failed : failures) solves_.failed += failed;
  solves_.requested += training_.rows() + validation_.rows();
  solves_.performed += training_.rows() + validation_.rows();
  if (share == 0) start_costs_ = costs;
  return costs;
}

void HeldOutRows::take_start(const BlendPart& start) {
  AlignedDoubles predictions;
  predict_unseen(start, predictions);
  if (predictions == start_) return;
  start_ = std::move(predictions);
  start_costs_.clear();
}

Blend HeldOutRows::resume(const BlendPart& start, std::vector<double> start_costs) {
  take_start(start);
  start_costs_ = std::move(start_costs);
  return {0, mean_of(start_costs_)};
}

Blend HeldOutRows::choose(const BlendPart& start, const BlendPart& trained, std::span<const double> shares) {
  solves_ = {};
  take_start(start);
  predict_unseen(trained, trained_);
  return choose_share(shares, [&](double share) { return decide(share); });
}

Blend choose_share(std::span<const double> shares,
                   const std::function<std::vector<double>(double share)>& costs_of) {
  const std::size_t last = shares.size() - 1;
  std::vector<std::vector<double>> costs(shares.size());
  costs[0] = costs_of(shares[0]);
  if (last == 0) return {shares[0], mean_of(costs[0])};
  costs[last] = costs_of(shares[last]);
  const double gain = mean_of(costs[0]) - mean_of(costs[last]);
  const double error = standard_error(costs[last], costs[0]);
  if (error > 0 && gain > kCertainty * error) return {shares[last], mean_of(costs[last])};
  std::vector<double> means;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (i != 0 && i != last) costs[i] = costs_of(shares[i]);
    means.push_back(mean_of(costs[i]));
  }
  const std::vector<double> curve = nearest_parabola(shares, means);
  const auto best = static_cast<std::size_t>(std::min_element(curve.begin(), curve.end()) - curve.begin());
  const bool clearly = curve[0] - curve[best] > kDoubt * standard_error(costs[best], costs[0]);
  const std::size_t chosen = clearly ? best : 0;
  return {shares[chosen], means[chosen]};
}

}  // namespace polystep
