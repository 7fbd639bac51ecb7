// The two losses of ODECE on the rows of one instance, with their gradients.
//
// Rows are a . x + b <= 0 as predicted; the excess of x in row m is d_m = a_m . x + b_m, above 0 where it is
// violated. Losses look at excesses through a softplus of slope 5, with a margin.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace polystep {

// log(1 + exp(5 z)) / 5, and z itself once 5 z is above 20; its slope.
double sharp_softplus(double z);
double sharp_softplus_slope(double z);

class OdeceLoss {
 public:
  OdeceLoss(std::size_t rows, std::size_t variables, double margin);

  // Predicted rows of the instance that the calls below are about: a [rows × variables], b [rows].
  void begin(std::span<const double> a, std::span<const double> b);

  // What keeps the true optimum feasible: the mean over rows of softplus(excess + margin). Adds `weight`
  // times its gradient.
  double keep_feasible(std::span<const double> optimum, double weight);

  // What makes a decision infeasible that in truth is: the mean over rows that it violates in truth of
  // softplus(-excess + margin); 0 where it violates none. Adds `weight` times its gradient.
  double make_infeasible(std::span<const double> decision, std::span<const std::uint8_t> violated,
                         double weight);

  std::span<const double> a_gradient() const { return a_gradient_; }
  std::span<const double> b_gradient() const { return b_gradient_; }

 private:
  double excess(std::size_t row, std::span<const double> x) const;
  void add_slope(std::size_t row, std::span<const double> x, double slope);

  std::size_t rows_, variables_;
  double margin_;
  std::span<const double> a_, b_;
  std::vector<double> a_gradient_;  // [rows × variables]
  std::vector<double> b_gradient_;  // [rows]
};

// 1 for every row a . x + b <= 0 that x violates.
void mark_violated(std::span<const double> a, std::span<const double> b, std::span<const double> x,
                   std::span<std::uint8_t> violated);

// Over which decisions the losses of infeasible ones are averaged.
enum class OdeceAverage {
  kSolved,      // all that there are, as published for alloys, where a slip in shapes had this effect
  kInfeasible,  // those that are infeasible in truth, as the paper writes
};

// How one batch weighs its instances.
struct OdeceWeights {
  double optimum = 0;     // of keep_feasible of every row that has a reference
  double infeasible = 0;  // of make_infeasible of every solved one
};

// `alpha` is the share of infeasibility. Where nothing was solved, a published run swapped the shares.
OdeceWeights odece_weights(double alpha, OdeceAverage average, std::size_t references, std::size_t solved,
                           std::size_t infeasible);

}  // namespace polystep
