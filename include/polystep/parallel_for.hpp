// How a part of the program that knows nothing of threads is lent some.
//
// Work is cut into slots whose number and content never depend on the threads, and each slot writes only what
// is its own: results then have the same bits however the slots are shared out.
#pragma once

#include <cstddef>
#include <functional>

namespace polystep {

// Calls work(slot) for every slot in 0..slots-1, in any order and on any threads, and returns when all are
// done.
using ParallelFor = std::function<void(std::size_t slots, const std::function<void(std::size_t slot)>& work)>;

// One slot after the other where no threads are lent.
inline void for_each_slot(const ParallelFor& parallel, std::size_t slots,
                          const std::function<void(std::size_t slot)>& work) {
  if (parallel && slots > 1) return parallel(slots, work);
  for (std::size_t slot = 0; slot < slots; ++slot) work(slot);
}

}  // namespace polystep
