// Rows sorted into classes by what is to be predicted for them, and whether a score knows them apart.
//
// Class means ask nothing about the form of a dependence: whatever is predictable by means shows in them.
// Where there are few different values each is a class; else classes are bins of about equally many rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace polystep {

struct TargetClasses {
  std::size_t count = 0;
  std::vector<std::uint16_t> of;   // [rows]
  std::vector<std::size_t> sizes;  // [count], none 0
};

TargetClasses classes_of(std::span<const double> targets);

// One-way analysis of variance: how many times the variance within classes the means of classes vary. About 1
// for a score that knows nothing of them.
double variance_ratio(std::span<const double> scores, const TargetClasses& classes);

// What that ratio exceeds by chance once in 200,000 times: 3.07 for 21 classes.
double chance_ratio(const TargetClasses& classes);

}  // namespace polystep
