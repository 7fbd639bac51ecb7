// What the bags say of rows that they did not train on.
//
// Every row is predicted by the mean of the bags that never saw it, or by all of them where each did. The
// same serves wherever bags must not speak of some rows.
#pragma once

#include <span>
#include <vector>

#include "evaluation/row_layout.hpp"
#include "evaluation/tiled_rows.hpp"
#include "polystep/predictor.hpp"
#include "polystep/team.hpp"

namespace polystep {

class UnseenPredictions {
 public:
  // `bags` holds the rows that each bag must not speak of: those it trained on. The predictor must outlive
  // this.
  UnseenPredictions(const Predictor& predictor, const Split& rows,
                    std::span<const std::vector<std::size_t>> bags);

  const RowLayout& layout() const { return layout_; }
  bool unseen(std::size_t row) const { return unseen_[row] != 0; }  // by some bag

  // By parameters of every bag, [bags × parameters]; rows lie as the layout says.
  std::vector<double> of(std::span<const std::vector<double>> bags, Team& team) const;

 private:
  const Predictor& predictor_;
  TiledRows tiles_;
  RowLayout layout_;
  std::vector<double> trust_;         // [rows × bags], adding up to 1 for every row
  std::vector<std::uint8_t> unseen_;  // [rows]
  std::size_t bags_;
};

}  // namespace polystep
