#include "polystep/random.hpp"

#include <cmath>
#include <numbers>

namespace polystep {

RandomStream::RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t index, std::uint64_t sub_index)
    : key_{{seed, static_cast<std::uint64_t>(purpose)}}, counter_{{0, 0, index, sub_index}}, block_{} {}

std::uint64_t RandomStream::bits() {
  if (used_ == 4) {
    block_ = Generator{}(counter_, key_);
    ++counter_[0];
    used_ = 0;
  }
  return block_[used_++];
}

double RandomStream::uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

double RandomStream::uniform(double low, double high) { return low + (high - low) * uniform(); }

double RandomStream::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_normal_;
  }
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));  // 1 - u is never 0
  const double angle = 2.0 * std::numbers::pi * uniform();
  spare_normal_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

double RandomStream::gumbel() { return -std::log(-std::log(1.0 - uniform() * (1.0 - 0x1.0p-53))); }

// Marsaglia and Tsang's rejection method; shapes below 1 go through shape + 1.
double RandomStream::gamma(double shape) {
  if (shape < 1) {
    const double larger = gamma(shape + 1);
    return larger * std::pow(1.0 - uniform(), 1 / shape);
  }
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = normal();
    const double v = std::pow(1 + c * x, 3);
    if (v > 0 && std::log(1.0 - uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  const std::uint64_t unbiased =
      bound * (~std::uint64_t{0} / bound);  // the largest multiple of bound that fits
  std::uint64_t draw = bits();
  while (draw >= unbiased) draw = bits();
  return draw % bound;
}

void RandomStream::fill_normal(std::span<double> out) {
  for (double& value : out) value = normal();
}

}  // namespace polystep
