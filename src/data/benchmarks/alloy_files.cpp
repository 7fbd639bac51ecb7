// Reader of the published alloy files: plain text, numbers separated by blanks, a value or the features of
// one content per line.
#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <filesystem>

#include "base/files.hpp"
#include "data/benchmarks/alloy_data.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr const char* kPublishedParts[] = {"train", "val", "test"};

// Numbers of a file, line by line.
struct NumberLines {
  std::size_t lines = 0;
  std::size_t columns = 0;  // of every line
  std::vector<double> numbers;
};

NumberLines read_number_lines(const std::string& path) {
  const std::string bytes = read_file(path);
  NumberLines read;
  std::size_t line = 1, columns = 0;
  const auto end_line = [&] {
    if (columns == 0) return;  // blank lines say nothing
    if (read.columns == 0) read.columns = columns;
    if (columns != read.columns)
      throw InputError(fmt::format("{} line {}: found {} numbers, expected {} as in the lines before it",
                                   path, line, columns, read.columns));
    ++read.lines;
    columns = 0;
  };
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  while (at != end) {
    if (*at == '\n') {
      end_line();
      ++line;
      ++at;
    } else if (*at == ' ' || *at == '\t' || *at == '\r') {
      ++at;
    } else {
      double value = 0;
      const auto [stop, error] = std::from_chars(*at == '+' ? at + 1 : at, end, value);
      const bool ended = stop == end || *stop == ' ' || *stop == '\t' || *stop == '\r' || *stop == '\n';
      if (error != std::errc() || !ended || !std::isfinite(value)) {
        std::string_view word(at, static_cast<std::size_t>(end - at));
        word = word.substr(0, std::min<std::size_t>(word.find_first_of(" \t\r\n"), 40));
        throw InputError(fmt::format("{} line {}: found '{}', expected a finite number", path, line, word));
      }
      read.numbers.push_back(value);
      ++columns;
      at = stop;
    }
  }
  end_line();
  return read;
}

// The numbers of a file with one per line, or all in one.
std::vector<double> read_alloy_values(const std::string& path, std::size_t expected) {
  NumberLines read = read_number_lines(path);
  if (read.numbers.size() != expected)
    throw InputError(fmt::format("{}: found {} numbers, expected {}", path, read.numbers.size(), expected));
  return std::move(read.numbers);
}

std::string alloy_root(const std::string& data_directory) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  for (const char* below : {"alloy/brass", "brass", "alloy"})
    if (const fs::path root = fs::path(data_directory) / below;
        fs::is_directory(root / "train_features", ignored))
      return root.string();
  return data_directory;
}

std::string alloy_file(const std::string& root, const std::string& part, const std::string& folder,
                       const std::string& name) {
  return fmt::format("{}/{}_{}/{}_{}(0){}.txt", root, part, folder, part, name, part == "test" ? "_n" : "");
}

}  // namespace

bool holds_alloy_data(const std::string& data_directory) {
  std::error_code ignored;
  return !data_directory.empty() &&
         std::filesystem::exists(alloy_file(alloy_root(data_directory), "train", "features", "features"),
                                 ignored);
}

AlloyData published_alloy(const std::string& data_directory, const std::string& penalty) {
  const std::string root = alloy_root(data_directory);
  AlloyData read;
  std::size_t instances = 0, features = 0;
  Split* const splits[] = {&read.data.training, &read.data.validation, &read.data.test};
  for (std::size_t p = 0; p < std::size(kPublishedParts); ++p) {
    const std::string part = kPublishedParts[p];
    const std::string path = alloy_file(root, part, "features", "features");
    NumberLines lines = read_number_lines(path);
    if (lines.lines == 0 || lines.lines % kAlloyContents != 0)
      throw InputError(fmt::format("{}: found {} lines, expected {} for each instance", path, lines.lines,
                                   kAlloyContents));
    if (features == 0) features = lines.columns;
    if (lines.columns != features)
      throw InputError(fmt::format("{}: found {} features a line, expected {} as for training", path,
                                   lines.columns, features));
    Split& split = *splits[p];
    split.rows = lines.lines / kAlloyContents;
    split.feature_columns = kAlloyContents * features;
    split.truth_columns = kAlloyContents;
    split.features = std::move(lines.numbers);
    for (double& number : split.features) number = static_cast<float>(number);  // as the published runs
    split.truth = read_alloy_values(alloy_file(root, part, "weights", "weights"), lines.lines);
    const std::size_t known = split.rows * kAlloySuppliers;
    const std::vector<double> prices = read_alloy_values(alloy_file(root, part, "prices", "prices"), known);
    const std::string penalties_path = alloy_file(root, part, "penalty" + penalty, "penalty");
    const std::vector<double> penalties = read_alloy_values(penalties_path, known);
    for (const double price : prices)
      if (!(price > 0))
        throw InputError(fmt::format("{}: found price {}, expected prices above 0",
                                     alloy_file(root, part, "prices", "prices"), price));
    for (const double surcharge : penalties)
      if (!(surcharge >= 0))
        throw InputError(
            fmt::format("{}: found penalty {}, expected none below 0", penalties_path, surcharge));
    read.prices.insert(read.prices.end(), prices.begin(), prices.end());
    read.penalties.insert(read.penalties.end(), penalties.begin(), penalties.end());
    for (std::size_t row = 0; row < split.rows; ++row) split.instances.push_back(instances++);
  }
  for (std::size_t f = 0; f < features; ++f) read.data.feature_names.push_back(fmt::format("z{}", f + 1));
  return read;
}

}  // namespace polystep
