// From the costs of single probes to one scaled cost row per block.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "optimizer/vertex_rows.hpp"
#include "polystep/optimizer_options.hpp"

namespace polystep {

class CostRows {
 public:
  explicit CostRows(VertexRows shape);

  // Averages each vertex's costs [blocks × vertices × radii] over its radii, replaces what is not finite, and
  // scales.
  void assign(std::span<const double> costs, std::size_t radii, CostScale scale, double fixed_scale);

  const VertexRows& shape() const { return shape_; }
  std::span<const double> raw() const { return raw_; }        // [blocks × vertices], finite
  std::span<const double> scaled() const { return scaled_; }  // [blocks × vertices], each row's minimum is 0
  bool flat(std::size_t row) const { return flat_[row] != 0; }

  double mean() const { return mean_; }        // of raw costs
  double lowest() const { return lowest_; }    // of raw costs
  double divisor() const { return divisor_; }  // mean over rows
  std::size_t flat_rows() const { return flat_rows_; }
  std::size_t replaced() const { return replaced_; }

 private:
  void average(std::span<const double> costs, std::size_t radii);
  void replace_non_finite();
  void shift_rows();
  double matrix_divisor(CostScale scale, double fixed_scale) const;
  void divide(CostScale scale, double fixed_scale);

  VertexRows shape_;
  std::vector<double> raw_;
  std::vector<double> scaled_;
  std::vector<char> flat_;  // per row: all vertices cost exactly the same
  double mean_ = 0;
  double mean_magnitude_ = 0;  // of raw costs
  double lowest_ = 0;
  double divisor_ = 1;
  std::size_t flat_rows_ = 0;
  std::size_t replaced_ = 0;
};

}  // namespace polystep
