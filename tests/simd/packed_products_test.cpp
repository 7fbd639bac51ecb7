// Packed products against the same sums written out, bit for bit.
#include "simd/packed_products.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "polystep/random.hpp"
#include "simd/normal_words.hpp"

namespace polystep {
namespace {

std::vector<float> uniforms(std::size_t count, std::uint64_t number) {
  RandomStream random(5, Purpose::kTest, number);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(random.uniform(-1, 1));
  return values;
}

TEST(PackedProducts, AreSumsInOrderWhateverTheSizes) {
  for (const simd::InstructionSet set : {simd::InstructionSet::kBaseline, simd::InstructionSet::kAvx512}) {
    if (!simd::is_supported(set)) continue;
    for (const auto& [rows, inputs] :
         {std::pair<std::size_t, std::size_t>{1, 1}, {5, 128}, {7, 129}, {13, 300}, {24, 64}})
      for (const std::size_t width : {std::size_t{16}, std::size_t{48}, kPanelColumns})
        for (const bool lower : {false, true}) {
          const std::vector<float> values = uniforms(rows * inputs, rows),
                                   columns = uniforms(inputs * width, inputs);
          const AlignedFloats panel(columns.begin(), columns.end());
          PackedRows packed;
          packed.pack(
              rows, inputs, [&](std::size_t r, std::size_t i) { return values[r * inputs + i]; }, lower);
          const std::size_t stride = width + 3;
          AlignedFloats sums(rows * stride, -1.0f);
          multiply_packed(packed, panel.data(), width, sums.data(), stride, set);
          for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t c = 0; c < width; ++c) {
              float sum = 0;
              for (std::size_t i = 0; i < inputs && (!lower || i <= r); ++i)
                sum = std::fma(values[r * inputs + i], panel[i * width + c], sum);
              ASSERT_EQ(sums[r * stride + c], sum) << rows << ' ' << inputs << ' ' << width << ' ' << lower;
            }
            for (std::size_t c = width; c < stride; ++c) ASSERT_EQ(sums[r * stride + c], -1.0f);
          }
        }
  }
}

TEST(NormalWords, AreTheSameForEveryInstructionSet) {
  if (!simd::is_supported(simd::InstructionSet::kAvx512)) GTEST_SKIP() << "no AVX-512";
  RandomStream random(6, Purpose::kTest);
  std::vector<std::uint64_t> words(kNormalWords);
  std::vector<float> plain(2 * kNormalWords), wide(2 * kNormalWords);
  for (int round = 0; round < 200; ++round) {
    for (std::uint64_t& word : words) word = random.bits();
    if (round == 0) words[0] = 0, words[1] = ~std::uint64_t{0};
    normals_from_words(words.data(), plain.data(), simd::InstructionSet::kBaseline);
    normals_from_words(words.data(), wide.data(), simd::InstructionSet::kAvx512);
    ASSERT_EQ(plain, wide);
  }
}

}  // namespace
}  // namespace polystep
