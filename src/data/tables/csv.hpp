// Tables of numbers in CSV files: strict to read, exact to write.
//
// The first line names the columns. Every other line has one finite number per column; anything else is an
// InputError that names the file, the line and the column. Accepted besides the plain form: CRLF line ends, a
// byte-order mark, quoted fields, spaces around fields, a missing line end after the last line.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polystep {

struct CsvTable {
  std::string name;                  // the file, for messages
  std::vector<std::string> columns;  // names, in the order of `values`
  std::size_t rows = 0;
  std::vector<double> values;  // [rows × columns]

  std::span<const double> row(std::size_t row) const {
    return std::span(values).subspan(row * columns.size(), columns.size());
  }
  std::size_t column(std::string_view wanted) const;  // its position; an InputError where there is none
  std::vector<double> column_values(std::string_view wanted) const;  // [rows]
};

// All columns, each of them numbers.
CsvTable read_csv(const std::filesystem::path& path);

// Only these columns, in this order; the others may hold any text.
CsvTable read_csv(const std::filesystem::path& path, const std::vector<std::string>& wanted);

// From text in memory; `name` stands for the file in messages. An empty `wanted` means all columns.
CsvTable parse_csv(std::string_view text, const std::string& name,
                   const std::vector<std::string>& wanted = {});

// One line each, with its end, added to `text`; numbers read back to the same bits.
void append_csv_header(const std::vector<std::string>& columns, std::string& text);
void append_csv_row(std::span<const double> values, std::string& text);
void append_csv_text(const std::string& field, std::string& text);  // a field of the next row, and its comma

// CSV that reads back to the same bits; `values` is [rows × columns].
std::string render_csv(const std::vector<std::string>& columns, std::span<const double> values);
void write_csv(const std::filesystem::path& path, const std::vector<std::string>& columns,
               std::span<const double> values);  // atomic, see write_file

}  // namespace polystep
