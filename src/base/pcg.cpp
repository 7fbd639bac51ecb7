#include "base/pcg.hpp"

#include <array>
#include <bit>
#include <cstddef>

namespace polystep {
namespace {

using Word = std::uint32_t;
constexpr std::size_t kPool = 4;

Word fold(Word value) { return value ^ (value >> 16); }

// Hashes words one after the other; each moves the constant that the next is hashed with.
class Hash {
 public:
  Hash(Word constant, Word factor) : constant_(constant), factor_(factor) {}

  Word operator()(Word value) {
    value ^= constant_;
    constant_ *= factor_;
    return fold(value * constant_);
  }

 private:
  Word constant_;
  Word factor_;
};

// NumPy's SeedSequence(seed).generate_state(4, uint64).
std::array<std::uint64_t, 4> mixed(std::uint64_t seed) {
  Hash hash(0x43b0d7e5, 0x931e8875);
  std::array<Word, kPool> pool{};
  const std::array<Word, 2> entropy = {static_cast<Word>(seed), static_cast<Word>(seed >> 32)};
  for (std::size_t i = 0; i < kPool; ++i) pool[i] = hash(i < entropy.size() ? entropy[i] : 0);
  for (std::size_t source = 0; source < kPool; ++source)
    for (std::size_t target = 0; target < kPool; ++target)
      if (source != target) pool[target] = fold(0xca01f9dd * pool[target] - 0x4973f715 * hash(pool[source]));
  Hash out(0x8b51f9dd, 0x58f38ded);
  std::array<std::uint64_t, 4> state{};
  for (std::size_t i = 0; i < 2 * state.size(); ++i)
    state[i / 2] |= static_cast<std::uint64_t>(out(pool[i % kPool])) << (32 * (i % 2));
  return state;
}

}  // namespace

Pcg::Pcg(std::uint64_t seed) {
  const std::array<std::uint64_t, 4> words = mixed(seed);
  increment_ = (((Wide{words[2]} << 64) | words[3]) << 1) | 1;
  step();
  state_ += (Wide{words[0]} << 64) | words[1];
  step();
}

void Pcg::step() {
  constexpr Wide kFactor = (Wide{0x2360ED051FC65DA4} << 64) | 0x4385DF649FCCF645;
  state_ = state_ * kFactor + increment_;
}

std::uint64_t Pcg::bits() {
  step();
  const auto high = static_cast<std::uint64_t>(state_ >> 64), low = static_cast<std::uint64_t>(state_);
  return std::rotr(high ^ low, static_cast<int>(high >> 58));
}

std::uint32_t Pcg::half() {
  if (has_upper_half_) {
    has_upper_half_ = false;
    return upper_half_;
  }
  const std::uint64_t both = bits();
  upper_half_ = static_cast<std::uint32_t>(both >> 32);
  has_upper_half_ = true;
  return static_cast<std::uint32_t>(both);
}

double Pcg::uniform() { return static_cast<double>(bits() >> 11) / 9007199254740992.0; }

bool Pcg::coin() { return half() >> 31 != 0; }

}  // namespace polystep
