#include "solvers/matching/assignment_rows.hpp"

#include <algorithm>
#include <bit>

#if POLYSTEP_HAS_AVX512_VARIANT
#include <immintrin.h>
#endif

namespace polystep::solvers {
namespace {

BestColumn best_plain(const Units* gain, const Units* price, std::size_t stride) {
  BestColumn best{gain[0] - price[0], 0};
  for (std::size_t column = 1; column < stride; ++column) {
    const Units net = gain[column] - price[column];
    if (net > best.net) best = {net, column};
  }
  return best;
}

TwoBestColumns two_best_plain(const Units* gain, const Units* price, std::size_t stride) {
  const BestColumn first = best_plain(gain, price, stride);
  BestColumn second{-kFarUnits, first.column};
  for (std::size_t column = 0; column < stride; ++column) {
    const Units net = gain[column] - price[column];
    if (column != first.column && net > second.net) second = {net, column};
  }
  return {first, second};
}

BestColumn relax_plain(const Units* gain, const Units* price, std::size_t stride, Units base, Units row,
                       const PathSearch& search) {
  BestColumn nearest{2 * (kFarUnits - 1), 0};
  for (std::size_t column = 0; column < stride; ++column) {
    const Units through = base + price[column] - gain[column];
    if (through < search.distance[column]) {
      search.distance[column] = through;
      search.predecessor[column] = row;
    }
    const bool settled = (search.settled >> column) & 1u;
    if (!settled && search.distance[column] < nearest.net) nearest = {search.distance[column], column};
  }
  return nearest;
}

#if POLYSTEP_HAS_AVX512_VARIANT
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // false alarms about g++ 12's own intrinsics

constexpr std::size_t kWidth = 8;
constexpr std::size_t kMostVectors = 8;

// The first column that holds `wanted`, vectors [stride / 8].
POLYSTEP_AVX512 POLYSTEP_INLINE std::size_t first_place(const __m512i* vectors, std::size_t count,
                                                        Units wanted) {
  const __m512i all = _mm512_set1_epi64(wanted);
  std::uint64_t places = 0;
  for (std::size_t v = 0; v < count; ++v)
    places |= static_cast<std::uint64_t>(_mm512_cmpeq_epi64_mask(vectors[v], all)) << (kWidth * v);
  return static_cast<std::size_t>(std::countr_zero(places));
}

POLYSTEP_AVX512 POLYSTEP_INLINE BestColumn largest(const __m512i* vectors, std::size_t count) {
  __m512i top = vectors[0];
  for (std::size_t v = 1; v < count; ++v) top = _mm512_max_epi64(top, vectors[v]);
  const Units net = _mm512_reduce_max_epi64(top);
  return {net, first_place(vectors, count, net)};
}

POLYSTEP_AVX512 POLYSTEP_INLINE std::size_t load_net(const Units* gain, const Units* price,
                                                     std::size_t stride, __m512i* net) {
  const std::size_t count = stride / kWidth;
  for (std::size_t v = 0; v < count; ++v)
    net[v] = _mm512_sub_epi64(_mm512_loadu_si512(gain + kWidth * v), _mm512_loadu_si512(price + kWidth * v));
  return count;
}

POLYSTEP_AVX512 BestColumn best_avx512(const Units* gain, const Units* price, std::size_t stride) {
  __m512i net[kMostVectors];
  const std::size_t count = load_net(gain, price, stride, net);
  return largest(net, count);
}

POLYSTEP_AVX512 TwoBestColumns two_best_avx512(const Units* gain, const Units* price, std::size_t stride) {
  __m512i net[kMostVectors];
  const std::size_t count = load_net(gain, price, stride, net);
  const BestColumn first = largest(net, count);
  const auto lane = static_cast<__mmask8>(1u << (first.column % kWidth));
  __m512i& holder = net[first.column / kWidth];
  holder = _mm512_mask_mov_epi64(holder, lane, _mm512_set1_epi64(-kFarUnits));
  return {first, largest(net, count)};
}

POLYSTEP_AVX512 BestColumn relax_avx512(const Units* gain, const Units* price, std::size_t stride, Units base,
                                        Units row, const PathSearch& search) {
  const __m512i start = _mm512_set1_epi64(base), from = _mm512_set1_epi64(row);
  const __m512i far = _mm512_set1_epi64(2 * (kFarUnits - 1));
  __m512i open[kMostVectors];  // distances of the columns that are not settled
  __m512i top = far;
  const std::size_t count = stride / kWidth;
  for (std::size_t v = 0; v < count; ++v) {
    const std::size_t at = kWidth * v;
    const __m512i through = _mm512_sub_epi64(_mm512_add_epi64(start, _mm512_loadu_si512(price + at)),
                                             _mm512_loadu_si512(gain + at));
    const __m512i before = _mm512_loadu_si512(search.distance + at);
    const __m512i distance = _mm512_min_epi64(through, before);
    _mm512_storeu_si512(search.distance + at, distance);
    _mm512_mask_storeu_epi64(search.predecessor + at, _mm512_cmplt_epi64_mask(through, before), from);
    open[v] = _mm512_mask_mov_epi64(distance, static_cast<__mmask8>(search.settled >> at), far);
    top = _mm512_min_epi64(top, open[v]);
  }
  const Units nearest = _mm512_reduce_min_epi64(top);
  return {nearest, first_place(open, count, nearest)};
}

#pragma GCC diagnostic pop
#endif

}  // namespace

const RowKernels& row_kernels(InstructionSet set) {
  static constexpr RowKernels kPlain{best_plain, two_best_plain, relax_plain};
#if POLYSTEP_HAS_AVX512_VARIANT
  static constexpr RowKernels kAvx512{best_avx512, two_best_avx512, relax_avx512};
  if (set == InstructionSet::kAvx512) return kAvx512;
#endif
  (void)set;
  return kPlain;
}

}  // namespace polystep::solvers
