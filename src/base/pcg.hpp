// The draws of NumPy's default generator, numpy.random.default_rng(seed), without NumPy: a permuted
// congruential generator of 128 bits, seeded by NumPy's own mixing of the seed.
#pragma once

#include <cstdint>

namespace polystep {

class Pcg {
 public:
  explicit Pcg(std::uint64_t seed);

  std::uint64_t bits();
  std::uint32_t half();  // of 64 bits: first the lower half, then the upper one
  double uniform();      // in [0, 1), 53 bits
  bool coin();           // as integers(2)

 private:
  using Wide = unsigned __int128;

  void step();

  Wide state_ = 0;
  Wide increment_ = 0;
  std::uint32_t upper_half_ = 0;
  bool has_upper_half_ = false;
};

}  // namespace polystep
