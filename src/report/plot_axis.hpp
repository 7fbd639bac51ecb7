// One axis of a plot: its range, its round ticks and where a value lies on it.
#pragma once

#include <string>
#include <vector>

namespace polystep {

enum class AxisScale { kLinear, kLogarithmic };

struct PlotTick {
  double value = 0;
  std::string text;  // empty: a mark without a number
};

class PlotAxis {
 public:
  // Covers the given values with a little room at both ends. Values that the scale cannot show, those that
  // are not finite and, where it is logarithmic, those not above 0, are left out of account.
  PlotAxis(const std::vector<double>& values, AxisScale scale);

  bool shows(double value) const;
  double position(double value) const;  // 0 at the low end, 1 at the high end
  const std::vector<PlotTick>& ticks() const { return ticks_; }

 private:
  double on_scale(double value) const;
  void add_linear_ticks();
  void add_logarithmic_ticks();

  AxisScale scale_;
  double low_ = 0, high_ = 1;  // on the scale: logarithms where it is logarithmic
  std::vector<PlotTick> ticks_;
};

}  // namespace polystep
