// Binary frames: little-endian, every number at a multiple of its size from the start of its frame, so that a
// solver in C can read a frame in place. The layout is specified in docs/solver-protocol.md.
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "process/frames.hpp"

namespace polystep {
namespace {

static_assert(std::endian::native == std::endian::little, "frames are copied as they lie in memory");

constexpr std::uint32_t kGreeting = 1, kRequest = 2, kAnswer = 3;         // kinds
constexpr std::uint32_t kHasFeatures = 1, kHasTruth = 2, kWantsCost = 4;  // flags

constexpr std::size_t kLengthBytes = 4;
constexpr std::size_t kAnswerHeader = 24;  // length, kind, number, count, zero
constexpr std::size_t kGreetingBytes = 12;

std::size_t padded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

template <class Number>
void put(std::string& bytes, Number value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

template <class Number>
void put_all(std::string& bytes, std::span<const Number> values) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

template <class Number>
Number get(std::string_view bytes, std::size_t offset) {
  Number value;
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  return value;
}

// A frame's length is known only when its end is, so it is filled in last.
void put_length(std::string& bytes, std::size_t frame_begin) {
  const auto length = static_cast<std::uint32_t>(bytes.size() - frame_begin - kLengthBytes);
  std::memcpy(bytes.data() + frame_begin, &length, sizeof(length));
}

void expect(const char* what, std::uint64_t found, std::uint64_t expected) {
  if (found != expected) throw FrameError(fmt::format("{} is {}, expected {}", what, found, expected));
}

class BinaryCodec final : public FrameCodec {
 public:
  void write_greeting(const FrameShape& shape, std::string& bytes) const override {
    const std::size_t begin = bytes.size();
    put(bytes, std::uint32_t{0});
    put(bytes, std::uint32_t{kGreeting});
    put(bytes, kProtocolVersion);
    for (const std::size_t size :
         {shape.outputs, shape.decision_size, shape.feature_columns, shape.truth_columns})
      put(bytes, static_cast<std::uint32_t>(size));
    put(bytes, static_cast<std::uint32_t>(shape.solver_cost ? kWantsCost : 0));
    put_length(bytes, begin);
  }

  void write_request(const FrameShape&, const SolveRequest& request, std::string& bytes) const override {
    const std::size_t begin = bytes.size();
    put(bytes, std::uint32_t{0});
    put(bytes, std::uint32_t{kRequest});
    put(bytes, request.number);
    put(bytes, static_cast<std::uint32_t>(request.instances.size()));
    put(bytes, static_cast<std::uint32_t>((request.features.empty() ? 0 : kHasFeatures) |
                                          (request.truth.empty() ? 0 : kHasTruth) |
                                          (request.wants_cost ? kWantsCost : 0)));
    put_all(bytes, request.instances);
    put_all(bytes, request.predictions);
    put_all(bytes, request.features);
    put_all(bytes, request.truth);
    put_length(bytes, begin);
  }

  std::size_t frame_length(std::string_view bytes, std::size_t longest) const override {
    if (bytes.size() < kLengthBytes) return 0;
    // Every frame a worker may send has one possible length, so a wrong one is known before the rest is read.
    const std::size_t length = kLengthBytes + std::size_t{get<std::uint32_t>(bytes, 0)};
    expect("the length of a frame in bytes", length - kLengthBytes, longest - kLengthBytes);
    return bytes.size() < length ? 0 : length;
  }

  std::size_t longest_greeting() const override { return kGreetingBytes; }

  std::size_t longest_answer(const FrameShape& shape, const SolveRequest& request) const override {
    const std::size_t count = request.instances.size();
    return kAnswerHeader + padded(count) + 8 * count * shape.decision_size +
           (request.wants_cost ? 8 * count : 0);
  }

  void read_greeting(std::string_view frame) const override {
    expect("the length of the greeting in bytes", frame.size(), kGreetingBytes);
    expect("the kind of the first frame", get<std::uint32_t>(frame, 4), kGreeting);
    expect("the protocol version", get<std::uint32_t>(frame, 8), kProtocolVersion);
  }

  void read_answer(const FrameShape& shape, const SolveRequest& request, std::string_view frame,
                   const SolveAnswer& answer) const override {
    const std::size_t count = request.instances.size();
    expect("the length of an answer in bytes", frame.size(), longest_answer(shape, request));
    expect("the kind of an answer", get<std::uint32_t>(frame, 4), kAnswer);
    expect("the number of an answer", get<std::uint64_t>(frame, 8), request.number);
    expect("the number of instances in an answer", get<std::uint32_t>(frame, 16), count);
    expect("the unused word of an answer", get<std::uint32_t>(frame, 20), 0);
    const char* statuses = frame.data() + kAnswerHeader;
    for (std::size_t i = 0; i < count; ++i) {
      const auto status = static_cast<std::uint8_t>(statuses[i]);
      if (status > 1)
        throw FrameError(fmt::format("a status is {}, expected 1 (solved) or 0 (no decision)", status));
      answer.solved[i] = status;
    }
    const char* numbers = statuses + padded(count);
    const std::size_t decision_bytes = 8 * shape.decision_size;
    if (decision_bytes != 0) std::memcpy(answer.decisions.data(), numbers, count * decision_bytes);
    if (request.wants_cost) std::memcpy(answer.costs.data(), numbers + count * decision_bytes, 8 * count);
    for (std::size_t i = 0; i < count; ++i)
      if (!answer.solved[i]) clear(shape, request, answer, i);
  }

 private:
  static void clear(const FrameShape& shape, const SolveRequest& request, const SolveAnswer& answer,
                    std::size_t i) {
    for (double& component : answer.decisions.subspan(i * shape.decision_size, shape.decision_size))
      component = 0;
    if (request.wants_cost) answer.costs[i] = 0;
  }
};

}  // namespace

std::unique_ptr<FrameCodec> make_binary_codec() { return std::make_unique<BinaryCodec>(); }

std::unique_ptr<FrameCodec> make_codec(FrameFormat format) {
  return format == FrameFormat::kJson ? make_json_codec() : make_binary_codec();
}

}  // namespace polystep
