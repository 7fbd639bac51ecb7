// Solver calls, counted by what happened to them.
#pragma once

#include <cstdint>

#include "polystep/archive.hpp"

namespace polystep {

struct SolveCounts {
  std::uint64_t requested = 0;  // decisions asked for
  std::uint64_t performed = 0;  // solver really called
  std::uint64_t certified = 0;  // not called: proven to repeat a known decision
  std::uint64_t failed = 0;     // called, gave no decision; charged the failure cost

  SolveCounts& operator+=(const SolveCounts& other) {
    requested += other.requested;
    performed += other.performed;
    certified += other.certified;
    failed += other.failed;
    return *this;
  }
};

inline void put(ArchiveWriter& archive, const SolveCounts& counts) {
  for (const std::uint64_t count : {counts.requested, counts.performed, counts.certified, counts.failed})
    archive.put(count);
}

inline void get(ArchiveReader& archive, SolveCounts& counts) {
  for (std::uint64_t* count : {&counts.requested, &counts.performed, &counts.certified, &counts.failed})
    *count = archive.get<std::uint64_t>();
}

}  // namespace polystep
