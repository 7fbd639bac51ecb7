// The constraints of a decision problem as linear rows, for methods that learn by moving constraints.
//
// For a prediction, decisions are whole numbers x in a box with a_c . x + b_c <= 0 for every row c; the
// objective is known. Coefficients a, right-hand sides b or both come from the prediction; the others are
// known and may differ from instance to instance.
#pragma once

#include <cstddef>
#include <span>

namespace polystep {

class PredictedRows {
 public:
  virtual ~PredictedRows() = default;

  virtual std::size_t rows() const = 0;
  virtual std::size_t variables() const = 0;
  virtual bool binary() const = 0;  // variables are 0 or 1; else any whole number from 0

  // Writes a [rows × variables] and b [rows].
  virtual void write_rows(std::span<const double> prediction, std::size_t instance, std::span<double> a,
                          std::span<double> b) const = 0;

  // The known objective [variables], to be minimised, and the share of its price by which a unit costs more
  // once the truth is known; empty where the problem does not say.
  virtual std::span<const double> objective(std::size_t instance) const {
    (void)instance;
    return {};
  }
  virtual std::span<const double> surcharges(std::size_t instance) const {
    (void)instance;
    return {};
  }

  // Adds what gradients of a and b mean for the prediction.
  virtual void add_gradient(std::span<const double> a_gradient, std::span<const double> b_gradient,
                            std::span<double> prediction_gradient) const = 0;

  // The best x with 0 <= x <= upper for the prediction as it is, not rounded; false where there is none.
  virtual bool solve_rows(std::span<const double> prediction, std::size_t instance,
                          std::span<const double> upper, std::span<double> x) const = 0;
};

}  // namespace polystep
