// A minimal binary archive for checkpoints and models: values in, bytes out, and back.
//
// Writers and readers agree on the order of fields, nothing else; files add a magic word, a version and a
// checksum around these bytes (see src/runtime). Little-endian, as every platform we support is.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "polystep/error.hpp"

namespace polystep {

class ArchiveWriter {
 public:
  template <class T>
  requires std::is_arithmetic_v<T>
  void put(T value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof(T));
  }
  void put(std::span<const double> values) {
    put<std::uint64_t>(values.size());
    const auto bytes = std::as_bytes(values);
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void put(std::span<const float> values) {
    put<std::uint64_t>(values.size());
    const auto bytes = std::as_bytes(values);
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void put(const std::vector<double>& values) { put(std::span<const double>(values)); }
  void put(const std::string& text) {
    put<std::uint64_t>(text.size());
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

// Reads back what a writer wrote. Throws InputError when the bytes end early; `origin` names them in the
// message. No number in the bytes makes it allocate more than they hold.
class ArchiveReader {
 public:
  ArchiveReader(std::span<const std::byte> bytes, std::string origin)
      : bytes_(bytes), origin_(std::move(origin)) {}

  template <class T>
  requires std::is_arithmetic_v<T> T get() {
    T value;
    std::memcpy(&value, take(sizeof(T)), sizeof(T));
    return value;
  }
  std::vector<double> get_doubles() { return get_vector<double>(); }
  std::vector<float> get_floats() { return get_vector<float>(); }
  // The same where their number is known; `what` says in the message what they are.
  std::vector<double> get_doubles(std::size_t expected, const std::string& what) {
    std::vector<double> values = get_doubles();
    if (values.size() != expected)
      refuse("it holds " + std::to_string(values.size()) + " numbers for " + what + ", expected " +
             std::to_string(expected));
    return values;
  }
  std::string get_text() {
    const auto count = get_count(1);
    const auto* first = reinterpret_cast<const char*>(take(count));
    return std::string(first, count);
  }
  bool exhausted() const { return position_ == bytes_.size(); }
  [[noreturn]] void refuse(const std::string& what) const { throw InputError(origin_ + ": " + what); }

 private:
  template <class T>
  std::vector<T> get_vector() {
    const auto count = get_count(sizeof(T));
    std::vector<T> values(count);
    if (count != 0) std::memcpy(values.data(), take(count * sizeof(T)), count * sizeof(T));
    return values;
  }
  std::size_t get_count(std::size_t element_size) {
    const auto count = get<std::uint64_t>();
    if (count > (bytes_.size() - position_) / element_size) fail();
    return static_cast<std::size_t>(count);
  }
  const std::byte* take(std::size_t count) {
    if (count > bytes_.size() - position_) fail();
    const std::byte* first = bytes_.data() + position_;
    position_ += count;
    return first;
  }
  [[noreturn]] void fail() const {
    throw InputError(origin_ + " ends early: it has " + std::to_string(bytes_.size()) +
                     " bytes, more were expected");
  }

  std::span<const std::byte> bytes_;
  std::size_t position_ = 0;
  std::string origin_;
};

}  // namespace polystep
