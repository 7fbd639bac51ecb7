// Vectors whose first element starts a cache line, so that no row of a tile lies across two.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace polystep {

template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};

  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}

  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kAlignment)); }
  void deallocate(T* pointer, std::size_t) { ::operator delete(pointer, kAlignment); }

  friend bool operator==(const CacheLineAllocator&, const CacheLineAllocator&) { return true; }
};

using AlignedDoubles = std::vector<double, CacheLineAllocator<double>>;
using AlignedFloats = std::vector<float, CacheLineAllocator<float>>;

}  // namespace polystep
