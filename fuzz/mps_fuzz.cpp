// Any bytes as a model in MPS form.
#include <cstdint>
#include <string_view>

#include "accepts_or_refuses.hpp"
#include "data/models/linear_model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  polystep::accepts_or_refuses([&] { polystep::parse_mps(text, "input.mps"); });
  polystep::accepts_or_refuses([&] { polystep::parse_mps(text, "input.mps", polystep::MpsFields::kFixed); });
  return 0;
}
