#include "methods/frugal/unseen_predictions.hpp"

#include <algorithm>
#include <numeric>

#include "polystep/aligned.hpp"

namespace polystep {
namespace {

std::vector<std::size_t> all_of(const Split& rows) {
  std::vector<std::size_t> all(rows.rows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

}  // namespace

UnseenPredictions::UnseenPredictions(const Predictor& predictor, const Split& rows,
                                     std::span<const std::vector<std::size_t>> bags)
    : predictor_(predictor),
      tiles_(rows),
      layout_(predictor, rows, all_of(rows)),
      trust_(rows.rows * bags.size(), 1.0),
      unseen_(rows.rows),
      bags_(bags.size()) {
  for (std::size_t bag = 0; bag < bags_; ++bag)
    for (const std::size_t row : bags[bag]) trust_[row * bags_ + bag] = 0;
  for (std::size_t row = 0; row < rows.rows; ++row) {
    const std::span<double> trust = std::span(trust_).subspan(row * bags_, bags_);
    const double voices = std::accumulate(trust.begin(), trust.end(), 0.0);
    unseen_[row] = voices > 0;
    if (voices == 0) std::ranges::fill(trust, 1.0 / static_cast<double>(bags_));
    if (voices > 0)
      for (double& share : trust) share /= voices;
  }
}

std::vector<double> UnseenPredictions::of(std::span<const std::vector<double>> bags, Team& team) const {
  std::vector<double> predictions(layout_.total(), 0.0);
  team.for_each(tiles_.tiles(), [&](std::size_t number, std::size_t) {
    const Tile& tile = tiles_.tile(number);
    const std::size_t first = number * tiles_.width();
    AlignedDoubles one(predictor_.outputs_of(tile) * tile.width);
    for (std::size_t bag = 0; bag < bags_; ++bag) {
      predictor_.predict(bags[bag], tile, one.data());
      for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
        const double trust = trust_[(first + lane) * bags_ + bag];
        if (trust == 0) continue;
        const std::span<double> row = layout_.row(predictions, first + lane);
        for (std::size_t o = 0; o < row.size(); ++o) row[o] += trust * one[o * tile.width + lane];
      }
    }
  });
  return predictions;
}

}  // namespace polystep
