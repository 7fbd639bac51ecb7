// What the rows of one tile would choose of the decisions they remember, and the gradient of what that costs.
//
// Rows side by side have many decisions in common: each is looked at once for all of them, lane by lane, and
// lanes that do not have it leave it out. The same bits for every instruction set.
#pragma once

#include <cstdint>
#include <vector>

#include "evaluation/tiled_rows.hpp"
#include "methods/frugal/remembered_decisions.hpp"
#include "polystep/aligned.hpp"
#include "simd/lanes.hpp"

namespace polystep {

// How much of the loss is the soft choice's, at which temperature; the rest is pooled SPO+ (pooled_training.hpp).
struct ChoiceLoss {
  double soft_share = 0.5;
  double temperature = 0.1;  // in units of predictions
};

class TileChoices {
 public:
  // The decisions must outlive this and stay as they are.
  TileChoices(const RememberedDecisions& decisions, const TiledRows& rows, std::size_t tile);

  using Workspace = AlignedDoubles;  // for any number of tiles, one after the other

  // Adds the gradient of the loss by the predictions; both are [outputs × width].
  void add_gradient(const double* prediction, const ChoiceLoss& loss, double* gradient, Workspace& work,
                    simd::InstructionSet set = simd::best_instruction_set()) const;

 private:
  const RememberedDecisions& decisions_;
  std::size_t width_;
  std::vector<std::uint32_t> numbers_;  // of all decisions that some row may choose, rising
  AlignedDoubles costs_;                // [decisions × width], in reality; infinite: not the lane's
  std::vector<std::int64_t> cheapest_;  // [width], the place of a lane's cheapest among the decisions
};

}  // namespace polystep
