// A fit of any predictor to given numbers per output, by Adam on the mean squared error: where no closed form
// is at hand.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evaluation/evaluator.hpp"

namespace polystep {

// What rows should be predicted as, one row after the other.
struct FitTargets {
  std::vector<std::size_t> begin = {0};  // [rows + 1]
  std::vector<double> values;

  const double* of(std::size_t row) const { return values.data() + begin[row]; }
};

struct AdamFit {
  std::size_t steps = 400;
  std::size_t batch = 10;  // rows per step
  double rate = 3e-3;      // the first; it falls to 0 along half a cosine wave
};

// Parameters fitted from `start` to the targets of some rows of a split, in their order.
std::vector<double> fit_by_adam(Evaluator& evaluator, const Split& split, std::span<const std::size_t> rows,
                                const FitTargets& targets, const AdamFit& fit, std::uint64_t seed,
                                std::vector<double> start);

// Fitted to the true parameters of some rows of a split, as least squares is where it has a closed form.
std::vector<double> regression_start(Evaluator& evaluator, const Split& split,
                                     std::span<const std::size_t> rows, std::uint64_t seed);

}  // namespace polystep
