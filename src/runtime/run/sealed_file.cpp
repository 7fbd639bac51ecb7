#include "runtime/run/sealed_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string>

#include "base/files.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

static_assert(std::endian::native == std::endian::little,
              "sealed files are written in the machine's byte order");

constexpr std::size_t kVersionAt = kMagicSize;
constexpr std::size_t kLengthAt = kVersionAt + sizeof(std::uint32_t);
constexpr std::size_t kPayloadAt = kLengthAt + sizeof(std::uint64_t);
constexpr std::size_t kChecksumSize = sizeof(std::uint64_t);

template <class T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

template <class T>
T get(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

void require_magic_size(std::string_view magic) {
  if (magic.size() != kMagicSize) throw std::logic_error("the magic word of a sealed file has 8 characters");
}

void check_kind(const std::string& bytes, const std::string& path, std::string_view magic,
                std::string_view what) {
  // A short file that starts like ours was cut; one that starts differently is something else.
  const std::size_t present = std::min(bytes.size(), kMagicSize);
  if (bytes.empty()) throw InputError(fmt::format("{} is empty, expected {}", path, what));
  if (std::string_view(bytes).substr(0, present) != magic.substr(0, present)) {
    throw InputError(fmt::format("{} is not {}: it starts with foreign bytes", path, what));
  }
}

void check_version(std::uint32_t found, std::uint32_t expected, const std::string& path,
                   std::string_view what) {
  if (found == expected) return;
  const char* remedy =
      found > expected ? "it was written by a newer program" : "it was written by an older program";
  throw InputError(fmt::format("{} is {} of format version {}, expected version {}: {}", path, what, found,
                               expected, remedy));
}

[[noreturn]] void throw_cut_short(const std::string& path, std::string_view what, std::size_t size) {
  throw InputError(
      fmt::format("{} is cut short: it ends after {} bytes, expected the rest of {}", path, size, what));
}

}  // namespace

void write_sealed(const std::filesystem::path& path, std::string_view magic, std::uint32_t version,
                  std::span<const std::byte> payload) {
  require_magic_size(magic);
  std::string bytes(magic);
  bytes.reserve(kPayloadAt + payload.size() + kChecksumSize);
  put(bytes, version);
  put(bytes, static_cast<std::uint64_t>(payload.size()));
  bytes.append(reinterpret_cast<const char*>(payload.data()), payload.size());
  put(bytes, checksum(bytes));
  write_file(path, bytes);
}

std::vector<std::byte> read_sealed(const std::filesystem::path& path, std::string_view magic,
                                   std::uint32_t version, std::string_view what) {
  require_magic_size(magic);
  const std::string name = path.string();
  const std::string bytes = read_file(path);
  check_kind(bytes, name, magic, what);
  if (bytes.size() < kPayloadAt + kChecksumSize) throw_cut_short(name, what, bytes.size());
  check_version(get<std::uint32_t>(bytes, kVersionAt), version, name, what);

  const std::uint64_t room = bytes.size() - kPayloadAt - kChecksumSize;
  const auto length = get<std::uint64_t>(bytes, kLengthAt);
  if (length > room) throw_cut_short(name, what, bytes.size());
  if (length < room) {
    throw InputError(
        fmt::format("{} has {} bytes after the end of {}, expected none", name, room - length, what));
  }
  const std::size_t sealed = bytes.size() - kChecksumSize;
  if (checksum(std::string_view(bytes).substr(0, sealed)) != get<std::uint64_t>(bytes, sealed)) {
    throw InputError(fmt::format("{} is damaged: its checksum does not match its contents", name));
  }
  const auto* first = reinterpret_cast<const std::byte*>(bytes.data()) + kPayloadAt;
  return std::vector<std::byte>(first, first + length);
}

}  // namespace polystep
