#include "simd/adam_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace polystep {
namespace {

// std::sqrt may set errno, for which compilers take numbers one by one.
template <class Lanes>
POLYSTEP_INLINE typename Lanes::Real roots(typename Lanes::Real x) {
#if POLYSTEP_HAS_AVX512_VARIANT
  if constexpr (Lanes::kWidth == 8) {
    typename Lanes::Real root;
    asm("vsqrtpd %1, %0" : "=v"(root) : "v"(x));
    return root;
  }
#endif
#if defined(__AVX__)
  if constexpr (Lanes::kWidth == 4) return __builtin_ia32_sqrtpd256(x);
#endif
  for (std::size_t lane = 0; lane < Lanes::kWidth; ++lane) x[lane] = std::sqrt(x[lane]);
  return x;
}

template <class Lanes>
POLYSTEP_INLINE void step_lanes(const AdamStep& is, const double* gradient, double* theta, double* first,
                                double* second) {
  using Real = typename Lanes::Real;
  const Real g = simd::load<Lanes>(gradient) * Lanes::all(is.factor);
  const Real mean =
      Lanes::all(is.first_decay) * simd::load<Lanes>(first) + Lanes::all(1 - is.first_decay) * g;
  const Real squares =
      Lanes::all(is.second_decay) * simd::load<Lanes>(second) + Lanes::all(1 - is.second_decay) * g * g;
  const Real move = Lanes::all(is.rate) * (mean / Lanes::all(is.first_correction)) /
                    (roots<Lanes>(squares / Lanes::all(is.second_correction)) + Lanes::all(is.epsilon));
  simd::store(first, mean);
  simd::store(second, squares);
  simd::store(theta, simd::load<Lanes>(theta) - move);
}

template <class Lanes>
POLYSTEP_INLINE void step_all(const AdamStep& is, const double* gradient, std::size_t count, double* theta,
                              double* first, double* second) {
  std::size_t i = 0;
  for (; i + Lanes::kWidth <= count; i += Lanes::kWidth)
    step_lanes<Lanes>(is, gradient + i, theta + i, first + i, second + i);
  if (i == count) return;
  std::array<double, Lanes::kWidth> own[4] = {};  // the last few, among numbers that nobody looks at
  const double* const from[] = {gradient + i, theta + i, first + i, second + i};
  for (std::size_t k = 0; k < 4; ++k) std::copy_n(from[k], count - i, own[k].data());
  step_lanes<Lanes>(is, own[0].data(), own[1].data(), own[2].data(), own[3].data());
  double* const to[] = {theta + i, first + i, second + i};
  for (std::size_t k = 0; k < 3; ++k) std::copy_n(own[k + 1].data(), count - i, to[k]);
}

void step_baseline(const AdamStep& is, const double* gradient, std::size_t count, double* theta,
                   double* first, double* second) {
  step_all<simd::FourLanes>(is, gradient, count, theta, first, second);
}

#if POLYSTEP_HAS_AVX512_VARIANT
POLYSTEP_AVX512 void step_avx512(const AdamStep& is, const double* gradient, std::size_t count, double* theta,
                                 double* first, double* second) {
  step_all<simd::EightLanes>(is, gradient, count, theta, first, second);
}
#endif

}  // namespace

void step_adam(const AdamStep& is, const double* gradient, std::size_t count, double* theta, double* first,
               double* second, simd::InstructionSet set) {
#if POLYSTEP_HAS_AVX512_VARIANT
  if (set == simd::InstructionSet::kAvx512) return step_avx512(is, gradient, count, theta, first, second);
#endif
  (void)set;
  step_baseline(is, gradient, count, theta, first, second);
}

}  // namespace polystep
