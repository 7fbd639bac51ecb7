// A binary frame as a solver process reads it, written apart from the engine's own reader and writer.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace polystep {

struct Frame {
  std::vector<char> bytes;  // from the length on

  bool read() {
    std::uint32_t length = 0;
    if (std::fread(&length, 4, 1, stdin) != 1) return false;
    bytes.resize(4 + length);
    return std::fread(bytes.data() + 4, 1, length, stdin) == length;
  }
  template <class Number>
  Number at(std::size_t offset) const {
    Number value;
    std::memcpy(&value, bytes.data() + offset, sizeof(value));
    return value;
  }
};

}  // namespace polystep
