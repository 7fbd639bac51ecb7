// One direction of a tuning design: which options it sets, and from which values.
//
//   rate=log:0.0001..0.1                      evenly spread in the logarithm
//   alpha=linear:0.2..0.8                     evenly spread
//   dimension=8,32,128                        one of these
//   temperature-start+temperature-end=linear:0.1..1    several options, all with the same value
//   momentum-start+momentum-end=0,0.5+0.9     or each with its own
//   step-end=step-start*linear:0.05..0.5      a multiple of another option
//
// Methods and presets state the axes worth searching in these words, and users give theirs in the same.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "polystep/options.hpp"

namespace polystep {

struct TuningAxis {
  enum class Kind { kLinear, kLogarithmic, kChoices };

  std::string text;                  // as it was given
  std::string where;                 // by whom: "--axis", "method mse"
  std::vector<std::string> options;  // that it sets
  std::string multiple_of;           // the option whose value is multiplied; empty: none
  Kind kind = Kind::kLinear;
  double low = 0, high = 0;  // of ranges
  // [choices × options, or 1 for all options alike]
  std::vector<std::vector<std::string>> choices = {};

  bool is_range() const { return kind != Kind::kChoices; }

  // The value at a coordinate in [0, 1). Ranges: rounded to four decimals, or to as many as the low end
  // needs for three digits, so that a value that is printed is the value that was tried.
  double number(double coordinate) const;
  std::size_t choice(double coordinate) const;  // its index
};

// What cannot be read is an InputError that starts with `where`.
TuningAxis parse_axis(std::string_view text, const std::string& where);

}  // namespace polystep
