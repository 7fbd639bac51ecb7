// Any bytes as a districting file. What is accepted must read back to the same file after it is written, and
// can be drawn.
#include <cstdint>
#include <string_view>

#include "accepts_or_refuses.hpp"
#include "data/cities/districting_file.hpp"
#include "report/districting_svg.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace polystep;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  DistrictingFile file;
  if (!accepts_or_refuses([&] { file = parse_districting(text, "input.json"); })) return 0;
  const std::string written = render_districting(file, "input.json");
  const DistrictingFile again = parse_districting(written, "again.json");
  if (render_districting(again, "again.json") != written) std::abort();
  if (!districting_svg(lay_out_map(again), true).ends_with("</svg>\n")) std::abort();
  return 0;
}
