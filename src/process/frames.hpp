// What the engine and a solver process say to each other, apart from how it is written down.
//
// The engine greets a worker once and then sends requests; the worker answers them one by one, in order.
// docs/solver-protocol.md specifies both forms: JSON lines and binary frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace polystep {

inline constexpr std::uint32_t kProtocolVersion = 1;

enum class FrameFormat { kJson, kBinary };

// In a shape: each instance has a number of its own, which its rows tell.
inline constexpr std::size_t kVaries = static_cast<std::size_t>(-1);

// Fixed for the life of a worker; the greeting tells it. All but solver_cost may vary.
struct FrameShape {
  std::size_t outputs = 0;          // predicted parameters per instance
  std::size_t decision_size = 0;    // components of a decision; 0: decisions are not sent back
  std::size_t feature_columns = 0;  // known data per instance; 0: not sent
  std::size_t truth_columns = 0;    // true parameters per instance; 0: not sent
  bool solver_cost = false;         // the solver says what its decisions really cost
};

// How an array is cut into the rows of instances: all of one width, or as `begin` says.
struct RowCuts {
  std::size_t width = 0;
  std::span<const std::size_t> begin;  // [rows + 1]; empty where all have one width

  // Counted from the first row.
  std::size_t at(std::size_t row) const { return begin.empty() ? row * width : begin[row] - begin.front(); }
  template <class T>
  std::span<T> row(std::span<T> values, std::size_t row) const {
    return values.subspan(at(row), at(row + 1) - at(row));
  }
};

// Where rows begin that vary in length, [instances + 1] each; empty for those that do not.
struct RowBegins {
  std::span<const std::size_t> predictions, features, truth, decisions;
};

struct SolveRequest {
  std::uint64_t number = 0;                  // requests of a worker count up from 0
  std::span<const std::uint64_t> instances;  // [instances]
  std::span<const double> predictions;       // [instances × outputs]
  std::span<const double> features;          // [instances × feature_columns]
  std::span<const double> truth;  // [instances × truth_columns]; empty where only decisions are wanted
  bool wants_cost = false;
  RowBegins begins = {};
};

// Where an answer is written.
struct SolveAnswer {
  std::span<std::uint8_t> solved;  // [instances] 1, or 0 where the solver gave no decision
  std::span<double> decisions;     // [instances × decision_size], or as the request cuts them; zeros where
                                   // not solved
  std::span<double> costs;         // [instances] where the request wants them; zero where not solved
};

// A worker said something that is not an answer; the text says what was found and what was expected.
class FrameError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One way of writing frames down.
class FrameCodec {
 public:
  virtual ~FrameCodec() = default;

  virtual void write_greeting(const FrameShape& shape,
                              std::string& bytes) const = 0;  // appends, like the next
  virtual void write_request(const FrameShape& shape, const SolveRequest& request,
                             std::string& bytes) const = 0;

  // How many of the first bytes make up a frame; 0 where it is not complete yet. Throws FrameError as soon as
  // the bytes cannot begin a frame of at most `longest` bytes.
  virtual std::size_t frame_length(std::string_view bytes, std::size_t longest) const = 0;
  virtual std::size_t longest_greeting() const = 0;
  virtual std::size_t longest_answer(const FrameShape& shape, const SolveRequest& request) const = 0;

  // Read one whole frame; throw FrameError where it is not what was asked for. Numbers in an answer may still
  // be infinite or not a number where the form can say so.
  virtual void read_greeting(std::string_view frame) const = 0;
  virtual void read_answer(const FrameShape& shape, const SolveRequest& request, std::string_view frame,
                           const SolveAnswer& answer) const = 0;
};

std::unique_ptr<FrameCodec> make_json_codec();
std::unique_ptr<FrameCodec> make_binary_codec();  // for instances of one size only
std::unique_ptr<FrameCodec> make_codec(FrameFormat format);

}  // namespace polystep
