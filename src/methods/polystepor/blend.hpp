// How far to trust what was learned: the blend of the initial fit and the trained parameters whose decisions
// cost least on rows that did not train it.
//
// Every training row is predicted by the bags that never saw it, every validation row by all of them.
// Predictions are affine in the parameters, so blending and averaging predictions is blending and averaging
// parameters.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "evaluation/evaluator.hpp"

namespace polystep {

// Parameters of every bag, and those that speak for all of them on validation rows.
struct BlendPart {
  std::span<const std::vector<double>> bags;  // [bags × parameters]
  std::span<const double> together;           // [parameters]
};

struct Blend {
  double share = 1;  // of the trained parameters; the rest is the initial fit's
  double cost = 0;   // mean over held-out rows
};

// All shares from 0 to 1 in tenths where there is a blend, all of what was trained where there is none.
std::span<const double> shares_to_try(bool blend);
std::span<const double> start_alone();  // before anything is trained

// By what every held-out row costs at a share: the last of the given shares, ascending, where it is cheaper
// than the first beyond doubt; else the cheapest; the first if none is clearly cheaper. Shares between are
// asked for only where they matter.
Blend choose_share(std::span<const double> shares,
                   const std::function<std::vector<double>(double share)>& costs_of);

class HeldOutRows {
 public:
  // The evaluator's predictor must be affine; `bags` holds the training rows of each bag.
  HeldOutRows(Evaluator& evaluator, const Split& training, const Split& validation,
              std::span<const std::vector<std::size_t>> bags);

  // See choose_share.
  Blend choose(const BlendPart& start, const BlendPart& trained, std::span<const double> shares);

  // Costs of every held-out row decided by the start, once it was judged; to be handed to a judge of the same
  // rows that goes on from here.
  const std::vector<double>& start_costs() const { return start_costs_; }
  Blend resume(const BlendPart& start, std::vector<double> start_costs);

  // To be called where costs have changed since the last choice: the start's are remembered.
  void forget_start() { start_costs_.clear(); }

  const SolveCounts& solves() const { return solves_; }  // of the last choice

 private:
  Tile tile(std::size_t number) const;  // of the training rows, then of the validation rows
  void lay_out();
  void predict_unseen(const BlendPart& part, AlignedDoubles& predictions);
  void take_start(const BlendPart& start);
  std::vector<double> decide(double share);  // costs of every held-out row

  Evaluator& evaluator_;
  TiledRows training_;
  TiledRows validation_;
  std::vector<double> trust_;  // [bags × training slots]: 1 / number of bags that did not see the row, or 0
  std::vector<double> used_;   // [training slots]: 1 where some bag did not see the row
  std::vector<std::size_t> begin_;   // [training + validation tiles + 1], of a tile's predictions
  AlignedDoubles start_;             // [(training + validation tiles) × outputs × width]
  AlignedDoubles trained_;           // the same
  std::vector<double> start_costs_;  // of every held-out row, decided by start_; empty: not known
  SolveCounts solves_;
};

}  // namespace polystep
