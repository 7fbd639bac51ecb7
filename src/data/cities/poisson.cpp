#include "data/cities/poisson.hpp"

#include <cmath>

namespace polystep {
namespace {

constexpr double kSmallMean = 10;

// Counts how many uniform factors it takes to fall below exp(-mean).
double by_multiplication(RandomStream& stream, double mean) {
  const double limit = std::exp(-mean);
  double product = stream.uniform(), count = 0;
  while (product > limit) {
    product *= stream.uniform();
    ++count;
  }
  return count;
}

// Hörmann's transformed rejection with squeeze (PTRS, 1993), valid for means from 10; its constants.
double by_rejection(RandomStream& stream, double mean) {
  const double b = 0.931 + 2.53 * std::sqrt(mean);
  const double a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  const double sure = 0.9277 - 3.6224 / (b - 2);
  while (true) {
    const double u = stream.uniform() - 0.5;
    const double v = 1.0 - stream.uniform();  // never 0
    const double us = 0.5 - std::abs(u);
    if (us <= 0) continue;
    const double k = std::floor((2 * a / us + b) * u + mean + 0.43);
    if (us >= 0.07 && v <= sure) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (std::log(v) + std::log(inverse_alpha) - std::log(a / (us * us) + b) <=
        k * std::log(mean) - mean - std::lgamma(k + 1))
      return k;
  }
}

}  // namespace

double poisson(RandomStream& stream, double mean) {
  return mean < kSmallMean ? by_multiplication(stream, mean) : by_rejection(stream, mean);
}

}  // namespace polystep
