#include "districting/city_choice.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "data/cities/city_files.hpp"
#include "data/cities/city_generator.hpp"
#include "data/cities/geojson_city.hpp"
#include "data/data_directory.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr std::string_view kSynthetic = "synthetic:", kDrawn = "drawn:";
constexpr std::size_t kMostUnits = 100'000;
// Of drawn cities: not among the seeds that people train with.
constexpr std::uint64_t kDrawnSeed = 0x6472'6177'6e00;
constexpr std::size_t kDrawnUnits = 120;

std::size_t number_in(const std::string& word, std::string_view prefix, std::size_t least,
                      const char* expected) {
  std::size_t number = 0;
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data() + prefix.size(), end, number);
  if (error != std::errc() || stop != end || number < least || number > kMostUnits)
    throw InputError(fmt::format("city '{}': expected {} from {} to {}", word, expected, least, kMostUnits));
  return number;
}

City whole_city(const std::string& word, const std::string& data_directory) {
  if (word.starts_with(kSynthetic))
    return synthetic_city(number_in(word, kSynthetic, 2, "synthetic:N with a number of units"));
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
  if (word.starts_with(kDrawn)) {
    const std::size_t number = number_in(word, kDrawn, 1, "drawn:K with the number of a city");
    City city = drawn_city(number - 1, kDrawnSeed, {.units = units.value_or(kDrawnUnits), .target = 3});
    city.name = word;
    return city;
  }
  City city = whole_city(word, data_directory);
  if (!units) return city;
  if (*units < 2 || *units > city.units.size())
    throw InputError(fmt::format("city '{}' has {} units, expected --units from 2 to that, found {}", word,
                                 city.units.size(), *units));
  return city.first(*units);
}

}  // namespace polystep
