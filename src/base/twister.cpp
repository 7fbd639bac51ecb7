#include "base/twister.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace polystep {
namespace {

constexpr std::size_t kGroup = 16;  // normal numbers made from as many uniform ones

// Box-Muller, entry j with entry j + 8.
void make_normal(std::span<double, kGroup> group) {
  for (std::size_t j = 0; j < kGroup / 2; ++j) {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - group[j]));
    const double angle = 2.0 * std::numbers::pi * group[j + kGroup / 2];
    group[j] = static_cast<float>(radius * std::cos(angle));
    group[j + kGroup / 2] = static_cast<float>(radius * std::sin(angle));
  }
}

}  // namespace

// A seeded std::mt19937 is in the very state that the library's generator has; it takes the low 32 bits too.
Twister::Twister(std::uint64_t seed) : seed_(static_cast<std::uint32_t>(seed)), words_(seed_) {}

void Twister::seek(std::uint64_t position) {
  if (position < position_) {
    words_.seed(seed_);
    position_ = 0;
  }
  words_.discard(position - position_);
  position_ = position;
}

std::uint32_t Twister::word() {
  ++position_;
  return static_cast<std::uint32_t>(words_());
}

float Twister::uniform() { return static_cast<float>(word() & 0xffffffu) * 0x1.0p-24f; }

void Twister::permute(std::span<std::size_t> rows) {
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) std::swap(rows[i], rows[i + word() % (rows.size() - i)]);
}

std::uint64_t Twister::normal_words(std::size_t count) {
  if (count < kGroup) return kGroup;
  return count % kGroup == 0 ? count : count + kGroup;
}

void Twister::fill_normal(std::span<double> out) {
  if (out.size() < kGroup) {  // no released run asks for so few: the first of sixteen will do
    std::array<double, kGroup> all;
    fill_normal(all);
    std::copy_n(all.begin(), out.size(), out.begin());
    return;
  }
  std::ranges::generate(out, [&] { return uniform(); });
  for (std::size_t first = 0; first + kGroup <= out.size(); first += kGroup)
    make_normal(out.subspan(first).first<kGroup>());
  if (out.size() % kGroup == 0) return;
  const auto last = out.last<kGroup>();
  std::ranges::generate(last, [&] { return uniform(); });
  make_normal(last);
}

}  // namespace polystep
