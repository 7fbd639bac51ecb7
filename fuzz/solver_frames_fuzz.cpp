// What a solver process may send, read as JSON and as binary frames: any bytes are an answer or a FrameError.
//
// The first byte chooses form and shape. Where an answer is accepted, its numbers must have been written and
// its statuses be 0 or 1.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "process/frames.hpp"

using namespace polystep;

namespace {

struct Asked {
  FrameShape shape;
  std::vector<std::uint64_t> instances;
  SolveRequest request;
  std::vector<std::uint8_t> solved;
  std::vector<double> decisions, costs;

  explicit Asked(std::uint8_t choice) {
    shape.outputs = 2;
    shape.decision_size = choice >> 1 & 3;
    shape.solver_cost = request.wants_cost = choice & 8;
    instances.resize(1 + (choice >> 4 & 3));
    request.instances = instances;
    request.number = choice >> 6;
    solved.assign(instances.size(), 2);
    decisions.resize(instances.size() * shape.decision_size);
    costs.resize(instances.size());
  }
};

void read_frames(const FrameCodec& codec, Asked& asked, std::string_view bytes) {
  const std::size_t longest = codec.longest_answer(asked.shape, asked.request);
  while (const std::size_t length = codec.frame_length(bytes, longest)) {
    if (length > bytes.size()) std::abort();
    codec.read_answer(asked.shape, asked.request, bytes.substr(0, length),
                      {asked.solved, asked.decisions, asked.costs});
    for (const std::uint8_t status : asked.solved)
      if (status > 1) std::abort();
    bytes.remove_prefix(length);
    ++asked.request.number;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static const auto json = make_json_codec(), binary = make_binary_codec();
  const FrameCodec& codec = data[0] & 1 ? *binary : *json;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  Asked asked(data[0]);
  try {
    read_frames(codec, asked, bytes);
  } catch (const FrameError&) {
  }
  try {
    if (const std::size_t length = codec.frame_length(bytes, codec.longest_greeting()))
      codec.read_greeting(bytes.substr(0, length));
  } catch (const FrameError&) {
  }
  return 0;
}
