#include "data/tables/word_file.hpp"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <utility>

#include "base/files.hpp"
#include "polystep/error.hpp"

namespace polystep {

WordFile::WordFile(std::string path) : path_(std::move(path)), bytes_(read_file(path_)) {}

void WordFile::fail(std::string_view what) const {
  throw InputError(fmt::format("{} line {}: {}", path_, line_, what));
}

void WordFile::expect_line() {
  ++line_;
  const std::string_view rest = std::string_view(bytes_).substr(position_);
  if (rest.empty()) fail("found the end of the file, expected another line");
  std::string_view line = rest.substr(0, rest.find('\n'));
  position_ += line.size() + (line.size() < rest.size() ? 1 : 0);
  fields_.clear();
  for (std::size_t blank = line.find(' '); blank != std::string_view::npos; blank = line.find(' ')) {
    fields_.push_back(line.substr(0, blank));
    line.remove_prefix(blank + 1);
  }
  fields_.push_back(line);
}

bool WordFile::next_line() {
  do {
    if (position_ == bytes_.size()) return false;
    expect_line();
  } while (fields_[0].starts_with('#'));
  return true;
}

void WordFile::expect_fields(std::size_t count) const {
  if (fields_.size() != count) fail(fmt::format("found {} fields, expected {}", fields_.size(), count));
}

void WordFile::expect_end() const {
  if (position_ == bytes_.size()) return;
  throw InputError(
      fmt::format("{} line {}: found another line, expected the end of the file", path_, line_ + 1));
}

std::uint64_t WordFile::whole(std::size_t field, std::string_view name, std::uint64_t below) const {
  const std::string_view text = fields_[field];
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value >= below) {
    fail(fmt::format("found '{}' as {}, expected a whole number from 0 to {}", text.substr(0, 40), name,
                     below - 1));
  }
  return value;
}

double WordFile::number(std::size_t field, std::string_view name) const {
  const std::string_view text = fields_[field];
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    fail(fmt::format("found '{}' as {}, expected a finite number", text.substr(0, 40), name));
  }
  return value;
}

}  // namespace polystep
