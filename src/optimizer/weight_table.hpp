// Applies the chosen weight rule to all cost rows of a step.
#pragma once

#include <span>
#include <vector>

#include "optimizer/cost_rows.hpp"
#include "optimizer/sinkhorn.hpp"
#include "polystep/archive.hpp"
#include "polystep/optimizer_options.hpp"

namespace polystep {

class WeightTable {
 public:
  // Throws InputError if the rule cannot work with this shape.
  WeightTable(const PolyStepOptions& options, VertexRows shape);

  void assign(const CostRows& costs, double temperature);

  std::span<const double> row(std::size_t block) const {
    return shape_.row(std::span<const double>(weight_), block);
  }
  // True where a block must not move: its costs say nothing. With rules that couple the blocks, a flat row
  // may still be pushed by the others, so only a plateau in all rows counts.
  bool still(std::size_t block) const { return coupled() ? all_flat_ : still_[block] != 0; }
  double mean_entropy() const;  // mean over blocks of the entropy share
  std::size_t iterations() const { return coupled() ? sinkhorn_.iterations() : 0; }

  void save(ArchiveWriter& archive) const { sinkhorn_.save(archive); }
  void load(ArchiveReader& archive) { sinkhorn_.load(archive); }

 private:
  bool coupled() const { return rule_ == WeightRule::kSinkhorn || rule_ == WeightRule::kKlSoftmax; }
  void assign_row(std::span<const double> costs, double temperature, std::span<double> weights);

  WeightRule rule_;
  double fixed_temperature_;
  double column_penalty_;
  std::size_t top_count_;
  VertexRows shape_;
  SinkhornWeights sinkhorn_;
  std::vector<double> weight_;  // [blocks × vertices]
  std::vector<char> still_;     // per block: the row is flat
  bool all_flat_ = false;
  std::vector<std::size_t> order_;  // scratch of top_weights
};

}  // namespace polystep
