// Normal numbers in single precision from random words, two of each word.
//
// Box and Muller's transformation of pairs, with the logarithm, sine and cosine written out as polynomials:
// the loops vectorise, and their bits depend neither on the instruction set nor on the machine's mathematical
// library.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/lanes.hpp"

namespace polystep {

inline constexpr std::size_t kNormalWords = 128;  // at a time

// normal [2 × kNormalWords] from words [kNormalWords]; the same for every instruction set.
void normals_from_words(const std::uint64_t* words, float* normal,
                        simd::InstructionSet set = simd::best_instruction_set());

// `count` normal numbers times `deviation`, of a stream of their own for every key: word i is key plus i
// times an odd constant, mixed (SplitMix64). For hundreds of millions of numbers, where words must cost next
// to nothing; keys should come from a generator that tells seeds and purposes apart.
void fill_counted_normals(std::uint64_t key, float deviation, float* normal, std::size_t count,
                          simd::InstructionSet set = simd::best_instruction_set());

}  // namespace polystep
