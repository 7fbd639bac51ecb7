#include "data/tables/comma_file.hpp"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <utility>

#include "base/files.hpp"
#include "polystep/error.hpp"

namespace polystep {

CommaFile::CommaFile(std::string path) : path_(std::move(path)), bytes_(read_file(path_)) {}

void CommaFile::fail(std::string_view what) const {
  throw InputError(fmt::format("{} line {}: {}", path_, line_, what));
}

std::string_view CommaFile::next_line() {
  ++line_;
  const std::string_view rest = std::string_view(bytes_.data(), bytes_.size()).substr(position_);
  if (rest.empty()) fail("found the end of the file, expected another line");
  const std::string_view line = rest.substr(0, rest.find('\n'));
  position_ += line.size() + (line.size() < rest.size() ? 1 : 0);
  return line;
}

void CommaFile::expect_line(std::size_t field_count) {
  std::string_view line = next_line();
  fields_.clear();
  for (std::size_t comma = line.find(','); comma != std::string_view::npos; comma = line.find(',')) {
    fields_.push_back(line.substr(0, comma));
    line.remove_prefix(comma + 1);
  }
  fields_.push_back(line);
  if (fields_.size() != field_count) {
    fail(fmt::format("found {} fields, expected {}", fields_.size(), field_count));
  }
}

void CommaFile::expect_header(std::string_view header) {
  const std::string_view line = next_line();
  if (line != header) fail(fmt::format("found '{}', expected '{}'", line.substr(0, 200), header));
}

void CommaFile::expect_end() const {
  if (position_ != bytes_.size()) {
    throw InputError(
        fmt::format("{} line {}: found another line, expected the end of the file", path_, line_ + 1));
  }
}

double CommaFile::number(std::size_t field) const {
  const std::string_view text = fields_[field];
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    fail(fmt::format("found '{}' in field {}, expected a number", text, field + 1));
  }
  return value;
}

}  // namespace polystep
