// Tiles collected for a solver that likes many at once, handed back one by one in the order they came.
#pragma once

#include <algorithm>
#include <vector>

#include "polystep/aligned.hpp"
#include "polystep/tile.hpp"

namespace polystep {

class TileQueue {
 public:
  struct Label {
    std::size_t tile;   // its number among the rows
    std::size_t probe;  // whose predictions these are
  };

  void reset(std::size_t capacity, std::size_t outputs) {
    jobs_.clear();
    labels_.clear();
    size_ = outputs * kLanes;
    predictions_.resize(capacity * size_);
    outcomes_.resize(capacity);
  }

  bool full() const { return jobs_.size() == outcomes_.size(); }

  void add(const Tile& tile, Label label, const double* prediction) {
    const std::size_t place = jobs_.size();
    double* kept = predictions_.data() + place * size_;
    std::copy_n(prediction, size_, kept);
    jobs_.push_back({tile, kept, &outcomes_[place]});
    labels_.push_back(label);
  }

  // Solves all and calls take(tile, label, outcome) for each.
  template <class Take>
  void solve(TileSolver& solver, const Take& take) {
    if (jobs_.empty()) return;
    solver.solve_all(jobs_);
    for (std::size_t i = 0; i < jobs_.size(); ++i) take(jobs_[i].tile, labels_[i], outcomes_[i]);
    jobs_.clear();
    labels_.clear();
  }

 private:
  std::size_t size_ = 0;  // numbers in a tile's predictions
  std::vector<TileJob> jobs_;
  std::vector<Label> labels_;
  std::vector<TileOutcome> outcomes_;  // [capacity]
  AlignedDoubles predictions_;         // [capacity × outputs × kLanes]
};

}  // namespace polystep
