// Sorts sixteen vectors lane by lane, largest first, by Batcher's odd-even merge network: 63 comparators, no
// branches.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "simd/lanes.hpp"

namespace polystep::simd {

inline constexpr std::size_t kSorted = 16;

struct Comparator {
  std::size_t upper;
  std::size_t lower;
};

constexpr auto kComparators = [] {
  std::array<Comparator, 63> network{};
  std::size_t count = 0;
  for (std::size_t run = 1; run < kSorted; run *= 2) {  // merges sorted runs of this length
    for (std::size_t gap = run; gap >= 1; gap /= 2) {
      for (std::size_t start = gap % run; start + gap < kSorted; start += 2 * gap) {
        for (std::size_t at = start; at < start + gap && at + gap < kSorted; ++at) {
          if (at / (2 * run) == (at + gap) / (2 * run)) network[count++] = {at, at + gap};
        }
      }
    }
  }
  return network;
}();

template <class Lanes>
POLYSTEP_INLINE void compare(typename Lanes::Real& upper, typename Lanes::Real& lower) {
  const auto larger = Lanes::larger(upper, lower);
  lower = Lanes::smaller(upper, lower);
  upper = larger;
}

// Unrolled by the template, so that all sixteen stay in registers.
template <class Lanes, std::size_t... At>
POLYSTEP_INLINE void sort_descending(typename Lanes::Real (&column)[kSorted], std::index_sequence<At...>) {
  (compare<Lanes>(column[kComparators[At].upper], column[kComparators[At].lower]), ...);
}

template <class Lanes>
POLYSTEP_INLINE void sort_descending(typename Lanes::Real (&column)[kSorted]) {
  sort_descending<Lanes>(column, std::make_index_sequence<kComparators.size()>());
}

}  // namespace polystep::simd
