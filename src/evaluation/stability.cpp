#include "evaluation/stability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "simd/lanes.hpp"

namespace polystep {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Question {
  const double* margin;  // [outputs × kLanes]
  const double* gap;     // [kLanes]
  const double* scale;   // [kLanes]
  const double* change;  // [touched × kLanes]
  const std::uint32_t* touched;
  std::size_t touched_count;
  double radius;
};

using Verdict = TileStability::Verdict;

// Whether all lanes are above 0. Cuts them to [0, 1] and multiplies: that takes a few instructions where
// picking lanes out one by one takes many, carries a NaN through to the answer "no", and errs on that side if
// the product vanishes.
template <class Lanes>
POLYSTEP_INLINE bool all_positive(typename Lanes::Real lanes) {
  lanes = Lanes::larger(Lanes::all(0.0), Lanes::smaller(Lanes::all(1.0), lanes));
  if constexpr (Lanes::kWidth == 8) lanes *= __builtin_shufflevector(lanes, lanes, 4, 5, 6, 7, 0, 1, 2, 3);
  if constexpr (Lanes::kWidth == 8)
    lanes *= __builtin_shufflevector(lanes, lanes, 2, 3, 0, 1, 6, 7, 4, 5);
  else
    lanes *= __builtin_shufflevector(lanes, lanes, 2, 3, 0, 1);
  return lanes[0] * lanes[1] > 0;
}

// The question for as many lanes as one vector has, from lane `first` on.
template <class Lanes>
POLYSTEP_INLINE Verdict lanes_unchanged(const Question& question, std::size_t first) {
  using simd::load;
  using Real = typename Lanes::Real;
  const Real zero = Lanes::all(0.0);
  const Real radius = Lanes::all(question.radius);
  Real total = zero;
  Real sum_forward = zero, sum_backward = zero;  // adverse changes
  Real tight_forward = Lanes::all(kInfinity), tight_backward = tight_forward;
  for (std::size_t slot = 0; slot < question.touched_count; ++slot) {
    const Real delta = radius * load<Lanes>(question.change + slot * kLanes + first);
    const Real margin = load<Lanes>(question.margin + question.touched[slot] * kLanes + first);
    const Real side = margin * delta;  // above 0: adverse forward; below 0: adverse backward
    const Real size = Lanes::larger(delta, zero - delta);
    const Real width = Lanes::larger(margin, zero - margin);
    total += size;
    sum_forward += side > zero ? size : zero;
    sum_backward += side < zero ? size : zero;
    tight_forward = Lanes::smaller(tight_forward, side > zero ? width : tight_forward);
    tight_backward = Lanes::smaller(tight_backward, side < zero ? width : tight_backward);
  }
  const Real slack = Lanes::all(kStabilitySlack) * (load<Lanes>(question.scale + first) + total);
  const Real gap = load<Lanes>(question.gap + first);
  return {all_positive<Lanes>(Lanes::smaller(tight_forward - sum_forward, gap) - slack),
          all_positive<Lanes>(Lanes::smaller(tight_backward - sum_backward, gap) - slack)};
}

Verdict unchanged_baseline(const Question& question) {
  const Verdict low = lanes_unchanged<simd::FourLanes>(question, 0);
  const Verdict high = lanes_unchanged<simd::FourLanes>(question, 4);
  return {low.forward && high.forward, low.backward && high.backward};
}

#if POLYSTEP_HAS_AVX512_VARIANT
POLYSTEP_AVX512 Verdict unchanged_avx512(const Question& question) {
  return lanes_unchanged<simd::EightLanes>(question, 0);
}
#endif

using Answer = Verdict (*)(const Question&);

Answer best_variant() {
#if POLYSTEP_HAS_AVX512_VARIANT
  if (simd::best_instruction_set() == simd::InstructionSet::kAvx512) return unchanged_avx512;
#endif
  return unchanged_baseline;
}

const Answer answer = best_variant();

}  // namespace

void TileStability::reset(const double* margin, const double* prediction, std::size_t outputs) {
  margin_ = margin;
  gap_.fill(kInfinity);
  scale_.fill(0);
  for (std::size_t o = 0; o < outputs; ++o) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      gap_[lane] = std::min(gap_[lane], std::abs(margin[o * kLanes + lane]));
      scale_[lane] += std::abs(prediction[o * kLanes + lane]);
    }
  }
}

Verdict TileStability::unchanged(double radius, const double* change,
                                 std::span<const std::uint32_t> touched) const {
  return answer({margin_, gap_.data(), scale_.data(), change, touched.data(), touched.size(), radius});
}

}  // namespace polystep
