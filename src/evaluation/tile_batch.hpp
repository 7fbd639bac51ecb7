// Tiles collected for one solver, solved together and settled in the order in which they were added.
#pragma once

#include <cstddef>
#include <vector>

#include "polystep/aligned.hpp"
#include "polystep/tile.hpp"

namespace polystep {

// `Tag` says what a tile was for when its outcome comes back.
template <class Tag>
class TileBatch {
 public:
  // Empties the batch and binds it to a solver; memory is kept. `outputs`: of the largest instance.
  void start(TileSolver& solver, std::size_t outputs, std::size_t width) {
    solver_ = &solver;
    size_ = outputs * width;
    capacity_ = solver.jobs_at_once();
    predictions_.resize(capacity_ * size_);
    outcomes_.resize(capacity_);
    work_.clear();
    tags_.clear();
  }

  bool full() const { return tags_.size() == capacity_; }

  // Takes one more tile where the batch is not full; the caller fills in its prediction [outputs × width].
  double* add(const Tile& tile, const Tag& tag) {
    double* prediction = predictions_.data() + tags_.size() * size_;
    work_.push_back({tile, prediction, &outcomes_[tags_.size()]});
    tags_.push_back(tag);
    return prediction;
  }

  // Solves what was added, calls settle(tag, tile, outcome) for each and empties the batch.
  template <class Settle>
  void solve(const Settle& settle) {
    if (work_.empty()) return;
    solver_->solve_all(work_);
    for (std::size_t i = 0; i < tags_.size(); ++i) settle(tags_[i], work_[i].tile, outcomes_[i]);
    work_.clear();
    tags_.clear();
  }

 private:
  TileSolver* solver_ = nullptr;
  std::size_t size_ = 0;               // of one prediction, outputs × width
  std::size_t capacity_ = 0;           // tiles
  AlignedDoubles predictions_;         // [capacity × outputs × width]
  std::vector<TileOutcome> outcomes_;  // [capacity]
  std::vector<TileJob> work_;          // [added]
  std::vector<Tag> tags_;              // [added]
};

}  // namespace polystep
