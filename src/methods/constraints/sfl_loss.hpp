// The losses of solver-free learning on the rows of one instance, with their gradients, and how they are
// balanced.
//
// Rows are a . x + b <= 0 as predicted. The distance of x from row m, dist_m = -(a_m . x + b_m) / |a_m|, is
// above 0 inside. True optima should lie inside all rows; cheaper decisions, the negatives, outside of one at
// least.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "polystep/archive.hpp"
#include "polystep/random.hpp"

namespace polystep {

inline constexpr std::size_t kSflLosses = 3;
using SflValues = std::array<double, kSflLosses>;

struct SflShape {
  double temperature = 0.5;     // of the soft minimum that says which row should cut a negative off
  double inside_margin = 0.01;  // by which optima should lie inside
  double outside_margin = 0.01;
};

class SflLoss {
 public:
  SflLoss(std::size_t rows, std::size_t variables, const SflShape& shape);

  // Predicted rows a [rows × variables], b [rows] of the instance that is looked at.
  void begin(std::span<const double> a, std::span<const double> b);

  // Optimum [variables], objective [variables] to be minimised, negatives [any × variables]. Returns
  //   the mean over rows of relu(margin - dist(optimum)),
  //   the mean over negatives of sum over rows of w relu(margin + dist), w the shares of a soft minimum,
  //   the mean over variables of the squared mean of all unit normals, rows' inward and objective's downward.
  // Adds the gradient of their weighted sum; shares w are held constant.
  SflValues differentiate(std::span<const double> optimum, std::span<const double> objective,
                          std::span<const double> negatives, const SflValues& weights);

  std::span<const double> a_gradient() const { return a_gradient_; }
  std::span<const double> b_gradient() const { return b_gradient_; }

 private:
  double distance(std::size_t row, std::span<const double> x) const;
  void add_distance_gradient(std::size_t row, std::span<const double> x, double factor);
  double spread_normals(std::span<const double> objective, double weight);

  std::size_t rows_, variables_;
  SflShape shape_;
  std::span<const double> a_, b_;
  std::vector<double> norm_;               // [rows]
  std::vector<double> distance_, shares_;  // [rows]
  std::vector<double> normals_;            // [variables], the mean
  std::vector<double> a_gradient_, b_gradient_;
};

// Decisions near a true optimum that a solver for the right constraints would not prefer: those that differ
// from it and cost no more. Candidates are, as published, changes of one, three or four entries x to 1 - x,
// also where entries are not binary, optima of other instances, and the optimum put on every predicted row
// and rounded at random.
class NegativeDecisions {
 public:
  NegativeDecisions(std::size_t rows, std::size_t variables) : rows_(rows), variables_(variables) {}

  // `others` [any × variables] are optima of other instances. Returns those used, [any × variables].
  std::span<const double> collect(std::span<const double> a, std::span<const double> b,
                                  std::span<const double> optimum, std::span<const double> objective,
                                  std::span<const double> others, RandomStream& stream);

 private:
  void offer(std::span<const double> candidate);
  void change(std::size_t entries, RandomStream& stream);
  void put_on_row(std::size_t row, RandomStream& stream);

  std::size_t rows_, variables_;
  std::span<const double> a_, b_, optimum_, objective_;
  double cost_ = 0;  // of the optimum
  std::vector<double> candidate_;
  std::vector<double> used_;
};

// Weighs losses by how much they still vary: the deviation of each relative to its running mean.
class LossBalance {
 public:
  SflValues weigh(const SflValues& losses);  // counts them first; the weights sum to 1

  void save(ArchiveWriter& archive) const;
  void load(ArchiveReader& archive);

 private:
  std::uint64_t count_ = 0;
  SflValues mean_{};        // of losses
  SflValues ratio_mean_{};  // of loss / mean
  SflValues ratio_squares_{};
};

}  // namespace polystep
