// A signature of a decision, by which probes that changed it are counted.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace polystep {

// FNV-1a over the decision's bits; -0 and 0 are one component. Two different decisions share a 64-bit hash
// with probability 2^-64.
inline std::uint64_t hash_decision(std::span<const double> decision) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const double component : decision) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(component + 0.0)) * 0x100000001b3u;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace polystep
