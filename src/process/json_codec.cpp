// JSON lines: one object per line, easy to read and write in any language.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/option_value.hpp"
#include "process/frames.hpp"

namespace polystep {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLongestGreeting = 65536;
constexpr std::size_t kBytesPerNumber = 64;  // a number takes 25 at most; the rest is for generous spacing

std::string shown(const Json& json) {
  return in_quotes(json.dump(-1, ' ', true, Json::error_handler_t::replace));
}

void put_numbers(std::string& bytes, std::span<const double> values) {
  bytes += '[';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != 0) bytes += ',';
    fmt::format_to(std::back_inserter(bytes), "{}", values[i]);  // the shortest text with the same bits
  }
  bytes += ']';
}

void put_rows(std::string& bytes, const char* key, std::span<const double> values, std::size_t rows,
              std::span<const std::size_t> begin) {
  fmt::format_to(std::back_inserter(bytes), ",\"{}\":[", key);
  const RowCuts cuts{values.size() / rows, begin};
  for (std::size_t row = 0; row < rows; ++row) {
    if (row != 0) bytes += ',';
    put_numbers(bytes, cuts.row(values, row));
  }
  bytes += ']';
}

std::string size_text(std::size_t size) { return size == kVaries ? "null" : std::to_string(size); }

Json parse_object(std::string_view frame) {
  const Json json = Json::parse(frame, nullptr, false);
  if (!json.is_object())
    throw FrameError(fmt::format(
        "found the line {}, expected a JSON object; a solver's messages belong on its standard error",
        in_quotes(frame.substr(0, frame.find('\n')))));
  return json;
}

// The whole number under `key`; anything else is an error.
std::uint64_t whole_number(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end()) throw FrameError(fmt::format("found no \"{}\", expected a whole number", key));
  if (!found->is_number_unsigned())
    throw FrameError(fmt::format("\"{}\" is {}, expected a whole number", key, shown(*found)));
  return found->get<std::uint64_t>();
}

const Json& list_of(const Json& json, const char* key, std::size_t count) {
  const auto found = json.find(key);
  if (found == json.end()) throw FrameError(fmt::format("found no \"{}\", expected a list", key));
  if (!found->is_array() || found->size() != count)
    throw FrameError(
        fmt::format("\"{}\" is {}, expected a list with one entry for each of {} instances", key,
                    found->is_array() ? fmt::format("a list of {}", found->size()) : shown(*found), count));
  return *found;
}

// False where the entry is null: the solver gave no decision.
bool read_decision(const Json& entry, std::size_t instance, std::span<double> decision) {
  if (entry.is_null()) return false;
  if (!entry.is_array() || entry.size() != decision.size())
    throw FrameError(fmt::format("entry {} of \"decisions\" is {}, expected null or a list of {} numbers",
                                 instance, shown(entry), decision.size()));
  for (std::size_t i = 0; i < decision.size(); ++i) {
    if (!entry[i].is_number())
      throw FrameError(
          fmt::format("component {} of decision {} is {}, expected a number", i, instance, shown(entry[i])));
    decision[i] = entry[i].get<double>();
  }
  return true;
}

class JsonCodec final : public FrameCodec {
 public:
  void write_greeting(const FrameShape& shape, std::string& bytes) const override {
    fmt::format_to(std::back_inserter(bytes),
                   "{{\"polystepor\":{},\"outputs\":{},\"decision_size\":{},\"feature_columns\":{},"
                   "\"truth_columns\":{},\"solver_cost\":{}}}\n",
                   kProtocolVersion, size_text(shape.outputs), size_text(shape.decision_size),
                   size_text(shape.feature_columns), size_text(shape.truth_columns), shape.solver_cost);
  }

  void write_request(const FrameShape&, const SolveRequest& request, std::string& bytes) const override {
    const std::size_t rows = request.instances.size();
    fmt::format_to(std::back_inserter(bytes), "{{\"frame\":{},\"want_cost\":{},\"instances\":[{}]",
                   request.number, request.wants_cost, fmt::join(request.instances, ","));
    put_rows(bytes, "predictions", request.predictions, rows, request.begins.predictions);
    if (!request.features.empty())
      put_rows(bytes, "features", request.features, rows, request.begins.features);
    if (!request.truth.empty()) put_rows(bytes, "truth", request.truth, rows, request.begins.truth);
    bytes += "}\n";
  }

  std::size_t frame_length(std::string_view bytes, std::size_t longest) const override {
    const std::size_t end = bytes.substr(0, longest).find('\n');
    if (end != std::string_view::npos) return end + 1;
    if (bytes.size() >= longest)
      throw FrameError(fmt::format("a line that starts {} is longer than {} bytes, expected its end",
                                   in_quotes(bytes), longest));
    return 0;
  }

  std::size_t longest_greeting() const override { return kLongestGreeting; }

  std::size_t longest_answer(const FrameShape& shape, const SolveRequest& request) const override {
    const std::size_t count = request.instances.size();
    return kLongestGreeting + (cuts_of(shape, request).at(count) + 2 * count) * kBytesPerNumber;
  }

  void read_greeting(std::string_view frame) const override {
    const std::uint64_t version = whole_number(parse_object(frame), "polystepor");
    if (version != kProtocolVersion)
      throw FrameError(fmt::format("the protocol version is {}, expected {}", version, kProtocolVersion));
  }

  void read_answer(const FrameShape& shape, const SolveRequest& request, std::string_view frame,
                   const SolveAnswer& answer) const override {
    const Json json = parse_object(frame);
    const std::uint64_t number = whole_number(json, "frame");
    if (number != request.number)
      throw FrameError(fmt::format("\"frame\" is {}, expected {}", number, request.number));
    const std::size_t count = request.instances.size();
    const Json* decisions = shape.decision_size != 0 ? &list_of(json, "decisions", count) : nullptr;
    const Json* costs = request.wants_cost ? &list_of(json, "costs", count) : nullptr;
    for (std::size_t i = 0; i < count; ++i) {
      const std::span<double> decision = cuts_of(shape, request).row(answer.decisions, i);
      bool solved = decisions == nullptr || read_decision((*decisions)[i], i, decision);
      if (costs != nullptr) solved &= read_cost((*costs)[i], i, answer.costs[i]);
      answer.solved[i] = solved;
      if (!solved) std::fill(decision.begin(), decision.end(), 0.0);
    }
  }

 private:
  static RowCuts cuts_of(const FrameShape& shape, const SolveRequest& request) {
    return {shape.decision_size, request.begins.decisions};
  }

  static bool read_cost(const Json& entry, std::size_t instance, double& cost) {
    cost = 0;
    if (entry.is_null()) return false;
    if (!entry.is_number())
      throw FrameError(
          fmt::format("entry {} of \"costs\" is {}, expected null or a number", instance, shown(entry)));
    cost = entry.get<double>();
    return true;
  }
};

}  // namespace

std::unique_ptr<FrameCodec> make_json_codec() { return std::make_unique<JsonCodec>(); }

}  // namespace polystep
