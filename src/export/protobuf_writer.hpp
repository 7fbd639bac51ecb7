// Protocol-buffer messages, written field by field: the few wire types that ONNX files need.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace polystep {

class ProtobufWriter {
 public:
  ProtobufWriter& number(std::uint32_t field, std::uint64_t value) {
    varint(field << 3);  // wire type 0
    varint(value);
    return *this;
  }
  ProtobufWriter& text(std::uint32_t field, std::string_view bytes) {
    varint(field << 3 | 2);  // wire type 2: a length and as many bytes
    varint(bytes.size());
    bytes_ += bytes;
    return *this;
  }
  ProtobufWriter& message(std::uint32_t field, const ProtobufWriter& inner) {
    return text(field, inner.bytes_);
  }

  const std::string& bytes() const { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

}  // namespace polystep
