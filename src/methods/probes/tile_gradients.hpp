// Gradients with respect to the predictions of tiles, and their way back to the parameters.
//
// Tiles are filled by any thread. They are pulled back in groups, each summed by one thread; the number of
// groups is a constant of the program, so that sums run in the same order for any number of threads.
#pragma once

#include <span>
#include <vector>

#include "evaluation/evaluator.hpp"
#include "polystep/aligned.hpp"

namespace polystep {

class TileGradients {
 public:
  explicit TileGradients(Evaluator& evaluator)
      : TileGradients(*evaluator.task().predictor, evaluator.team()) {}
  TileGradients(const Predictor& predictor, Team& team) : predictor_(predictor), team_(team) {}

  // Room for all tiles, all 0.
  void start(const TiledRows& rows) {
    begin_.assign(1, 0);
    for (std::size_t number = 0; number < rows.tiles(); ++number)
      begin_.push_back(begin_.back() + predictor_.outputs_of(rows.tile(number)) * rows.width());
    gradients_.assign(begin_.back(), 0.0);
  }

  std::size_t size(std::size_t tile) const { return begin_[tile + 1] - begin_[tile]; }  // outputs × width
  double* tile(std::size_t number) { return gradients_.data() + begin_[number]; }       // [outputs × width]
  std::size_t total() const { return gradients_.size(); }

  // Into `gradient`, [parameters], which is overwritten.
  void pull_back(std::span<const double> theta, const TiledRows& rows, std::vector<double>& gradient) {
    gradient.assign(theta.size(), 0.0);
    group_shares_.resize(std::min(kGroups, rows.tiles()));
    team_.for_each(group_shares_.size(), [&](std::size_t group, std::size_t) {
      group_shares_[group].assign(theta.size(), 0.0);
      for (std::size_t number = group; number < rows.tiles(); number += group_shares_.size())
        predictor_.add_gradient(theta, rows.tile(number), tile(number), group_shares_[group]);
    });
    for (const std::vector<double>& share : group_shares_)
      for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += share[i];
  }

 private:
  static constexpr std::size_t kGroups = 8;

  const Predictor& predictor_;
  Team& team_;
  std::vector<std::size_t> begin_;                 // [tiles + 1]
  AlignedDoubles gradients_;                       // [tiles × outputs × width]
  std::vector<std::vector<double>> group_shares_;  // [groups of tiles × parameters]
};

}  // namespace polystep
