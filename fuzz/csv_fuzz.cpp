// Any bytes as a table. What is accepted must read back to the same numbers after it is written.
#include <cstdint>
#include <string_view>

#include "accepts_or_refuses.hpp"
#include "data/tables/csv.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace polystep;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  CsvTable table;
  if (!accepts_or_refuses([&] { table = parse_csv(text, "input.csv"); })) return 0;
  const CsvTable again = parse_csv(render_csv(table.columns, table.values), "again.csv");
  if (again.values != table.values || again.columns != table.columns) std::abort();
  return 0;
}
