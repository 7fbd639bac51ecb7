#include "simd/move_rows.hpp"

#include "polystep/tile.hpp"

namespace polystep::simd {
namespace {

template <class Lanes>
POLYSTEP_INLINE void move_rows(const double* base, std::span<const std::uint32_t> rows, const double* change,
                               double step, double* predicted) {
  const typename Lanes::Real steps = Lanes::all(step);
  for (const std::uint32_t row : rows) {
    for (std::size_t lane = 0; lane < kLanes; lane += Lanes::kWidth) {
      const std::size_t at = row * kLanes + lane;
      store(predicted + at, load<Lanes>(base + at) + steps * load<Lanes>(change + lane));
    }
    change += kLanes;
  }
}

void move_rows_baseline(const double* base, std::span<const std::uint32_t> rows, const double* change,
                        double step, double* predicted) {
  move_rows<FourLanes>(base, rows, change, step, predicted);
}

POLYSTEP_AVX512 void move_rows_avx512(const double* base, std::span<const std::uint32_t> rows,
                                      const double* change, double step, double* predicted) {
  move_rows<EightLanes>(base, rows, change, step, predicted);
}

}  // namespace

MoveRows move_rows_variant(InstructionSet set) {
  require_supported(set, "tile rows");
  return set == InstructionSet::kAvx512 ? move_rows_avx512 : move_rows_baseline;
}

}  // namespace polystep::simd
