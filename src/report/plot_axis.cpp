#include "report/plot_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace polystep {
namespace {

constexpr double kRoom = 0.04;        // share of the range left free at either end
constexpr double kWantedTicks = 6.0;  // about as many numbers as an axis can carry

// The round step (1, 2 or 5 times a power of ten) that comes nearest to the wanted number of ticks from
// below.
double round_step(double range) {
  const double rough = range / kWantedTicks;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough) return factor * power;
  return 10 * power;
}

std::string number_text(double value) {
  const double size = std::abs(value);
  if (size >= 1e6 || (size > 0 && size < 1e-3)) return fmt::format("{:.3g}", value);
  return fmt::format("{:.6g}", value);
}

}  // namespace

PlotAxis::PlotAxis(const std::vector<double>& values, AxisScale scale) : scale_(scale) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values) {
    if (!shows(value)) continue;
    low = std::min(low, on_scale(value));
    high = std::max(high, on_scale(value));
  }
  if (low > high) low = 0, high = 1;  // nothing to show
  if (low == high) {
    const double half = scale_ == AxisScale::kLogarithmic || low == 0 ? 0.5 : 0.1 * std::abs(low);
    low -= half;
    high += half;
  }
  low_ = low - kRoom * (high - low);
  high_ = high + kRoom * (high - low);
  // An axis of amounts starts at 0 rather than just below it.
  if (scale_ == AxisScale::kLinear && low >= 0 && low_ < 0) low_ = 0;
  if (scale_ == AxisScale::kLinear)
    add_linear_ticks();
  else
    add_logarithmic_ticks();
}

bool PlotAxis::shows(double value) const {
  return std::isfinite(value) && (scale_ == AxisScale::kLinear || value > 0);
}

double PlotAxis::on_scale(double value) const {
  return scale_ == AxisScale::kLinear ? value : std::log10(value);
}

double PlotAxis::position(double value) const { return (on_scale(value) - low_) / (high_ - low_); }

void PlotAxis::add_linear_ticks() {
  const double step = round_step(high_ - low_);
  for (double k = std::ceil(low_ / step); k * step <= high_; ++k) {
    const double value = k == 0 ? 0 : k * step;  // never -0
    ticks_.push_back({value, number_text(value)});
  }
}

// Powers of ten; where few of them lie in the range, their multiples by 2 and 5 too.
void PlotAxis::add_logarithmic_ticks() {
  if (high_ - low_ < 0.5) {  // too short for either: round steps of the values themselves
    const double low = std::pow(10.0, low_), high = std::pow(10.0, high_);
    const double step = round_step(high - low);
    for (double k = std::ceil(low / step); k * step <= high; ++k)
      ticks_.push_back({k * step, number_text(k * step)});
    return;
  }
  const bool dense = high_ - low_ < 2.5;
  const double stride = std::max(1.0, std::ceil((high_ - low_) / (kWantedTicks + 2)));
  for (double power = std::floor(low_); power <= high_; ++power)
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (factor > 1 && !dense) continue;
      const double value = factor * std::pow(10.0, power);
      if (on_scale(value) < low_ || on_scale(value) > high_) continue;
      const bool named = dense || std::fmod(power, stride) == 0;
      ticks_.push_back({value, named ? number_text(value) : std::string()});
    }
}

}  // namespace polystep
