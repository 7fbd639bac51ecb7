// A checksum of bytes, by which a file is known to be intact or unchanged.
#pragma once

#include <cstdint>
#include <string_view>

namespace polystep {

// FNV-1a, 64 bits. Every step is invertible, so any single altered byte changes the result. Pass the checksum
// of what came before to go on with it.
constexpr std::uint64_t kEmptyChecksum = 0xcbf29ce484222325U;
constexpr std::uint64_t checksum(std::string_view bytes, std::uint64_t state = kEmptyChecksum) {
  for (const char byte : bytes) {
    state ^= static_cast<unsigned char>(byte);
    state *= 0x100000001b3U;
  }
  return state;
}

}  // namespace polystep
