#include "data/tables/csv.hpp"

#include <fmt/format.h>

#include <iterator>
#include <stdexcept>

#include "base/files.hpp"
#include "data/tables/csv_reader.hpp"

namespace polystep {
namespace {

std::string as_field(const std::string& text) {
  const auto blank = [](char letter) { return letter == ' ' || letter == '\t'; };
  const bool padded = !text.empty() && (blank(text.front()) || blank(text.back()));
  if (!padded && text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char letter : text) out += letter == '"' ? "\"\"" : std::string(1, letter);
  return out + '"';
}

CsvTable read_all(CsvReader reader) {
  CsvTable table;
  table.name = reader.name();
  table.columns = reader.columns();
  while (reader.next(table.values)) ++table.rows;
  return table;
}

}  // namespace

std::size_t CsvTable::column(std::string_view wanted) const { return csv_column(wanted, columns, name); }

std::vector<double> CsvTable::column_values(std::string_view wanted) const {
  const std::size_t at = column(wanted);
  std::vector<double> out(rows);
  for (std::size_t i = 0; i < rows; ++i) out[i] = values[i * columns.size() + at];
  return out;
}

CsvTable parse_csv(std::string_view text, const std::string& name, const std::vector<std::string>& wanted) {
  return read_all(CsvReader(text, name, wanted));
}

CsvTable read_csv(const std::filesystem::path& path) { return read_csv(path, {}); }

CsvTable read_csv(const std::filesystem::path& path, const std::vector<std::string>& wanted) {
  return read_all(CsvReader(path, wanted));
}

void append_csv_header(const std::vector<std::string>& columns, std::string& text) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    text += as_field(columns[i]);
    text += i + 1 < columns.size() ? ',' : '\n';
  }
}

void append_csv_row(std::span<const double> values, std::string& text) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "{}", values[i]);  // the shortest text with the same bits
    text += i + 1 < values.size() ? ',' : '\n';
  }
}

void append_csv_text(const std::string& field, std::string& text) {
  text += as_field(field);
  text += ',';
}

std::string render_csv(const std::vector<std::string>& columns, std::span<const double> values) {
  if (columns.empty() || values.size() % columns.size() != 0) {
    throw std::logic_error("a CSV table needs columns, and a whole number of rows");
  }
  std::string text;
  append_csv_header(columns, text);
  for (std::size_t i = 0; i < values.size(); i += columns.size())
    append_csv_row(values.subspan(i, columns.size()), text);
  return text;
}

void write_csv(const std::filesystem::path& path, const std::vector<std::string>& columns,
               std::span<const double> values) {
  write_file(path, render_csv(columns, values));
}

}  // namespace polystep
