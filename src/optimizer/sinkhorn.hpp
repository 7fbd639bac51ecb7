// Weights for all blocks together, by entropic optimal transport in the log domain.
//
// Each row keeps a fixed mass; Sinkhorn also fixes the mass of each vertex index over all rows, and
// KL-softmax charges for deviating from it. The column potential carries over to the next step as a warm
// start.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "polystep/archive.hpp"
#include "polystep/optimizer_options.hpp"

namespace polystep {

class SinkhornWeights {
 public:
  explicit SinkhornWeights(SinkhornLimits limits) : limits_(limits) {}

  // Sinkhorn: rows of `costs` [rows × columns] to weights of the same shape, each row summing to 1.
  void balanced(std::span<const double> costs, std::size_t columns, double temperature,
                std::span<double> weights);

  // KL-softmax with the given penalty on uneven columns.
  void penalised(std::span<const double> costs, std::size_t columns, double temperature, double penalty,
                 std::span<double> weights);

  std::size_t iterations() const { return iterations_; }  // of the last call
  void save(ArchiveWriter& archive) const;
  void load(ArchiveReader& archive);

 private:
  void solve(std::span<const double> costs, std::size_t columns, double temperature, double column_share,
             std::span<double> weights);
  void warm_start(std::size_t columns, double temperature, bool recentre, double largest_cost);
  void update_rows(std::span<const double> costs, double temperature);
  void update_columns(std::span<const double> costs, double temperature, double column_share);
  double plan(std::span<const double> costs, double temperature, std::span<double> weights) const;

  SinkhornLimits limits_;
  std::size_t iterations_ = 0;
  double last_temperature_ = 0;  // 0: no warm start yet
  std::vector<double> row_;      // potentials divided by the temperature, [rows]
  std::vector<double> column_;   // [columns]
  std::vector<double> highest_;  // scratch: the largest exponent of each column
  std::vector<double> sum_;      // scratch: the sum of each column
};

}  // namespace polystep
