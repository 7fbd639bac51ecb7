#include "methods/blend.hpp"

#include <algorithm>

namespace polystep {

HeldOutRows::HeldOutRows(Evaluator& evaluator, const Split& training, const Split& validation,
                         std::span<const std::vector<std::size_t>> bags)
    : evaluator_(evaluator),
      outputs_(evaluator.task().predictor->outputs()),
      training_(training),
      validation_(validation) {
  const std::size_t slots = training_.tiles() * kLanes;
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
    rows_ += 1;
    for (std::size_t bag = 0; bag < bags.size(); ++bag) trust_[bag * slots + slot] /= unseen_by;
  }
  rows_ += static_cast<double>(validation.rows);
}

void HeldOutRows::predict_unseen(const BlendPart& part, AlignedDoubles& predictions) {
  const Predictor& predictor = *evaluator_.task().predictor;
  const std::size_t size = outputs_ * kLanes;
  const std::size_t slots = training_.tiles() * kLanes;
  predictions.assign((training_.tiles() + validation_.tiles()) * size, 0.0);
  evaluator_.executor().for_each(training_.tiles(), [&](std::size_t number, std::size_t) {
    AlignedDoubles one(size);
    double* sum = predictions.data() + number * size;
    for (std::size_t bag = 0; bag < part.bags.size(); ++bag) {
      const double* trust = trust_.data() + bag * slots + number * kLanes;
      predictor.predict(part.bags[bag], training_.tile(number).features, one.data());
      for (std::size_t i = 0; i < size; ++i) sum[i] += trust[i % kLanes] * one[i];
    }
  });
  for (std::size_t number = 0; number < validation_.tiles(); ++number)
    predictor.predict(part.together, validation_.tile(number).features,
                      predictions.data() + (training_.tiles() + number) * size);
}

double HeldOutRows::mean_cost(double share) {
  const std::size_t size = outputs_ * kLanes;
  tile_costs_.assign(training_.tiles() + validation_.tiles(), 0.0);
  std::vector<std::uint32_t> failures(tile_costs_.size());
  evaluator_.executor().for_each(tile_costs_.size(), [&](std::size_t number, std::size_t worker) {
    const bool trains = number < training_.tiles();
    const Tile tile = trains ? training_.tile(number) : validation_.tile(number - training_.tiles());
    AlignedDoubles prediction(size);
    for (std::size_t i = 0; i < size; ++i)
      prediction[i] = (1 - share) * start_[number * size + i] + share * trained_[number * size + i];
    TileOutcome outcome;
    evaluator_.solver(worker).solve(tile, prediction.data(), outcome);
    for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
      if (trains && used_[number * kLanes + lane] == 0) continue;
      const bool failed = (outcome.failed >> lane) & 1u;
      failures[number] += failed;
      tile_costs_[number] += failed ? evaluator_.failure_cost() : outcome.cost[lane];
    }
  });
  double sum = 0;
  for (std::size_t number = 0; number < tile_costs_.size(); ++number) {
    sum += tile_costs_[number];
    solves_.failed += failures[number];
  }
  solves_.requested += training_.rows() + validation_.rows();
  solves_.performed += training_.rows() + validation_.rows();
  return sum / rows_;
}

Blend HeldOutRows::choose(const BlendPart& start, const BlendPart& trained, std::span<const double> shares) {
  solves_ = {};
  predict_unseen(start, start_);
  predict_unseen(trained, trained_);
  Blend best{shares.front(), mean_cost(shares.front())};
  for (const double share : shares.subspan(1)) {
    const double cost = mean_cost(share);
    if (cost < best.cost) best = {share, cost};
  }
  return best;
}

}  // namespace polystep
