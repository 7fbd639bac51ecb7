// What recourse came to, remembered by instance and chosen set: it depends on nothing else, and neighbouring
// probes often choose alike. One per thread.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "polystep/tile.hpp"
#include "problems/recourse.hpp"

namespace polystep {

// Prepared is what an instance's true parameters are turned into once, for all sets.
template <class Prepared>
class RecourseMemory {
 public:
  explicit RecourseMemory(std::size_t parameters) : parameters_(parameters) {}

  // truth [parameters × kLanes], of one lane. prepare(true parameters, prepared) and realise(prepared,
  // chosen) are called where the answer is not known yet.
  template <class Prepare, class Realise>
  const Realisation& find(std::size_t instance, const double* truth, std::uint64_t chosen,
                          const Prepare& prepare, const Realise& realise) {
    Entry& entry = entries_[instance];
    bool same = entry.truth.size() == parameters_;
    for (std::size_t k = 0; same && k < parameters_; ++k) same = entry.truth[k] == truth[k * kLanes];
    if (!same) {
      entry.truth.resize(parameters_);
      for (std::size_t k = 0; k < parameters_; ++k) entry.truth[k] = truth[k * kLanes];
      prepare(std::span<const double>(entry.truth), entry.prepared);
      entry.slots.assign(std::size_t{1} << kSlotBits, {});
    }
    Slot& slot = entry.slots[(chosen * 0x9e3779b97f4a7c15u) >> (64 - kSlotBits)];
    if (!slot.used || slot.chosen != chosen) slot = {chosen, true, realise(entry.prepared, chosen)};
    return slot.result;
  }

 private:
  static constexpr unsigned kSlotBits = 6;
  struct Slot {
    std::uint64_t chosen = 0;
    bool used = false;
    Realisation result;
  };
  struct Entry {
    std::vector<double> truth;  // [parameters]
    Prepared prepared;
    std::vector<Slot> slots;
  };

  std::size_t parameters_;
  std::unordered_map<std::size_t, Entry> entries_;  // by instance
};

}  // namespace polystep
