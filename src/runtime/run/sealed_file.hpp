// Binary files that notice damage: checkpoints and models.
//
//   8 bytes magic | 4 bytes format version | 8 bytes payload length | payload | 8 bytes checksum of all
//   before
//
// Integers are little-endian. Reading tells apart, each in its own sentence, a file that is missing, a
// directory, foreign, newer or older than this program, cut short, followed by extra bytes, or altered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "base/checksum.hpp"

namespace polystep {

inline constexpr std::size_t kMagicSize = 8;

// Writes atomically (see write_file). `magic` has kMagicSize characters and names the kind of file.
void write_sealed(const std::filesystem::path& path, std::string_view magic, std::uint32_t version,
                  std::span<const std::byte> payload);

// The payload of an intact file of this kind and version; `what` ("a checkpoint") names the kind in messages.
std::vector<std::byte> read_sealed(const std::filesystem::path& path, std::string_view magic,
                                   std::uint32_t version, std::string_view what);

}  // namespace polystep
