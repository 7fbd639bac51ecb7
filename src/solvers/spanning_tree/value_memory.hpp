// Values of unit sets that were asked for before, by a hash of the set.
//
// A set's hash is the exclusive or of its units' random words, 128 bits, so moving a unit changes it in one
// operation and two sets never share one in practice. The memory has a fixed size; what does not fit
// replaces what was there, and is computed again if asked for again.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "polystep/random.hpp"

namespace polystep::solvers {

struct SetHash {
  std::uint64_t high = 0, low = 0;

  friend bool operator==(const SetHash&, const SetHash&) = default;
  friend SetHash operator^(SetHash a, SetHash b) { return {a.high ^ b.high, a.low ^ b.low}; }
};

class ValueMemory {
 public:
  ValueMemory(std::size_t units, std::size_t entries) : words_(units), entries_(std::bit_ceil(entries + 2)) {
    RandomStream random(0, Purpose::kDistrictSearch, 1);
    for (SetHash& word : words_) word = {random.bits(), random.bits()};
  }

  SetHash word(std::uint32_t unit) const { return words_[unit]; }

  // Where the set's value is or belongs: `hash` of the entry says which.
  struct Entry {
    SetHash hash;  // of the empty set at first, which nobody asks for
    double value = 0;
  };
  Entry& entry(SetHash hash) {
    const std::size_t at = hash.low & (entries_.size() - 1);
    Entry& first = entries_[at];
    Entry& second = entries_[at ^ 1];
    if (first.hash == hash) return first;
    if (second.hash == hash) return second;
    second = first;  // the one asked for last stays longer
    return first;
  }

 private:
  std::vector<SetHash> words_;  // [units]
  std::vector<Entry> entries_;
};

}  // namespace polystep::solvers
