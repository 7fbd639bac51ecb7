// The random numbers of the released runs: a Mersenne twister, read the way the tensor library under them
// reads it.
//
// Released runs have one such generator for every purpose and ask it for the same number of words at every
// step. A position in the sequence is therefore a function of the step, and a resumed run seeks it: like a
// RandomStream, a Twister has no state worth saving.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>

namespace polystep {

class Twister {
 public:
  explicit Twister(std::uint64_t seed);

  void seek(std::uint64_t position);  // in words from the seed on
  std::uint32_t word();
  float uniform();  // in [0, 1), 24 random bits

  // Puts a permutation of the rows in their place. Takes `rows - 1` words.
  void permute(std::span<std::size_t> rows);

  // Standard normal numbers in single precision, made sixteen at a time; the last sixteen are drawn anew
  // where sixteen does not divide their number. Takes normal_words(count) words.
  void fill_normal(std::span<double> out);
  static std::uint64_t normal_words(std::size_t count);

 private:
  std::uint32_t seed_;
  std::mt19937 words_;
  std::uint64_t position_ = 0;
};

}  // namespace polystep
