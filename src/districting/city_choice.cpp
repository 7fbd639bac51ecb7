#include "districting/city_choice.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "data/city_files.hpp"
#include "data/city_generator.hpp"
#include "data/data_directory.hpp"
#include "data/geojson_city.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr std::string_view kDrawn = "synthetic:";
constexpr std::size_t kMostDrawn = 100'000;

City drawn_city(const std::string& word) {
  std::size_t units = 0;
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data() + kDrawn.size(), end, units);
  if (error != std::errc() || stop != end || units < 2 || units > kMostDrawn)
    throw InputError(
        fmt::format("city '{}': expected synthetic:N with N from 2 to {} units", word, kMostDrawn));
  return synthetic_city(units);
}

City whole_city(const std::string& word, const std::string& data_directory) {
  if (word.starts_with(kDrawn)) return drawn_city(word);
  std::error_code ignored;
  const std::string ending = std::filesystem::path(word).extension().string();
  if (ending == ".geojson" || ending == ".json" || std::filesystem::is_regular_file(word, ignored))
    return read_geojson_city(word);
  if (holds_districting_data(data_directory)) return published_city(data_directory, word);
  if (word == "Synth2000") return synthetic_city();
  throw InputError(fmt::format(
      "city '{}': expected a GeoJSON file or synthetic:N; published cities need their data, see docs/data.md",
      word));
}

}  // namespace

City choose_city(const std::string& word, std::optional<std::size_t> units,
                 const std::string& data_directory) {
  City city = whole_city(word, data_directory);
  if (!units) return city;
  if (*units < 2 || *units > city.units.size())
    throw InputError(fmt::format("city '{}' has {} units, expected --units from 2 to that, found {}", word,
                                 city.units.size(), *units));
  return city.first(*units);
}

}  // namespace polystep
