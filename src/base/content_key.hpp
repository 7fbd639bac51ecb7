// Names for things by what they are made of: equal contents have equal keys, on any day and machine.
#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace polystep {

// 128 bits: among a billion contents two share a key with probability 2^-69.
struct ContentKey {
  std::uint64_t first = 0;
  std::uint64_t second = 0;

  friend auto operator<=>(const ContentKey&, const ContentKey&) = default;
};

struct ContentKeyHash {
  std::size_t operator()(const ContentKey& key) const { return static_cast<std::size_t>(key.first); }
};

// Takes the contents word by word, in order.
class ContentHash {
 public:
  void add(std::uint64_t word) {
    key_.first = mixed(key_.first ^ word) + 0x9e3779b97f4a7c15u;
    key_.second = mixed(std::rotl(key_.second, 23) + word) ^ 0xc2b2ae3d27d4eb4fu;
  }
  void add(const ContentKey& key) {
    add(key.first);
    add(key.second);
  }
  ContentKey key() const { return {mixed(key_.first), mixed(key_.second)}; }

 private:
  // The output function of splitmix64; invertible.
  static std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  ContentKey key_{0x243f6a8885a308d3u, 0x13198a2e03707344u};
};

}  // namespace polystep
