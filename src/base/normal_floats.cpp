// Normal numbers in single precision, for bases of hundreds of millions of entries.
#include <algorithm>
#include <array>
#include <cstdint>

#include "polystep/random.hpp"
#include "simd/normal_words.hpp"

namespace polystep {

void RandomStream::fill_normal(std::span<float> out) {
  std::array<std::uint64_t, kNormalWords> words;
  std::array<float, 2 * kNormalWords> normal;
  for (std::size_t at = 0; at < out.size(); at += normal.size()) {
    // What bits() would give, whole blocks of the generator at a time.
    std::size_t filled = 0;
    while (filled < kNormalWords && used_ != 4) words[filled++] = bits();
    for (; filled + 4 <= kNormalWords; filled += 4, ++counter_[0]) {
      const Generator::ctr_type block = Generator{}(counter_, key_);
      for (std::size_t i = 0; i < 4; ++i) words[filled + i] = block[i];
    }
    while (filled < kNormalWords) words[filled++] = bits();
    const std::size_t count = std::min(normal.size(), out.size() - at);
    float* const to = out.data() + at;
    normals_from_words(words.data(), count == normal.size() ? to : normal.data());
    if (count < normal.size()) std::copy_n(normal.begin(), count, to);
  }
}

}  // namespace polystep
