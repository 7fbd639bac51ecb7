#include <fmt/format.h>

#include <filesystem>

#include "base/console.hpp"
#include "base/files.hpp"
#include "commands.hpp"
#include "data/cities/districting_file.hpp"
#include "polystep/error.hpp"
#include "report/districting_map.hpp"
#include "report/districting_page.hpp"
#include "report/districting_svg.hpp"

namespace polystep {
namespace {

std::vector<std::string> names_between_commas(const std::string& text) {
  std::vector<std::string> names;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    names.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

}  // namespace

int map_command(const MapArguments& arguments) {
  const bool svg = arguments.format == "svg";
  const std::string out = arguments.out.value_or(svg ? "map.svg" : "map.html");
  if (std::filesystem::exists(out) && !arguments.force)
    throw InputError(
        fmt::format("polystepor map: {} exists, expected a new file; give --force to replace it", out));
  std::vector<DistrictingFile> files;
  for (const std::string& place : arguments.places) files.push_back(read_districting(place));
  DistrictingFile file = join_districtings(std::move(files), arguments.places);
  if (arguments.methods)
    keep_methods(file, names_between_commas(*arguments.methods), "polystepor map: --methods");
  const DistrictingMap map = lay_out_map(std::move(file));
  write_file(out, svg ? districting_svg(map, arguments.tours) : districting_page(map, arguments.tours));
  for (const DistrictingPlan& plan : map.file.plans) {
    const auto total = cost_of(plan), base = cost_of(map.file.plans[0]);
    std::string cost = total ? ", " + kilometres(*total) : "";
    if (total && base && *base > 0 && &plan != map.file.plans.data())
      cost += fmt::format(" ({})", difference_percent(*total, *base));
    print_out("{}: {} districts{}\n", plan.method, plan.districts.size(), cost);
  }
  print_out("written to {}\n", out);
  return 0;
}

}  // namespace polystep
