// A CSV table read row by row: files of any size in little memory. What it accepts is said in csv.hpp.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace polystep {

class CsvReader {
 public:
  // Only the columns in `wanted`, in that order, or all where it is empty. Columns in `texts` are read as
  // text and are none of all, where the file has them. Reads the header; throws InputError.
  CsvReader(const std::filesystem::path& path, const std::vector<std::string>& wanted,
            const std::vector<std::string>& texts = {});
  // From text in memory, which must outlive this; `name` stands for the file in messages.
  CsvReader(std::string_view text, std::string name, const std::vector<std::string>& wanted);
  CsvReader(CsvReader&&) noexcept;
  ~CsvReader();

  const std::string& name() const { return name_; }
  const std::vector<std::string>& columns() const { return columns_; }
  const std::vector<std::string>& header() const { return header_; }  // every column of the file
  std::size_t rows() const { return rows_; }                          // read so far
  // What the last row has in a column of `texts`; nullptr where the file has no such column.
  const std::string* text(std::size_t number) const {
    return text_positions_[number] == header_.size() ? nullptr : &fields_[text_positions_[number]];
  }

  // Appends the next row; false at the end of the file. A table without rows is an InputError.
  bool next(std::vector<double>& values);

 private:
  class Lines;
  void read_header(const std::vector<std::string>& wanted, const std::vector<std::string>& texts);

  std::string name_;
  std::unique_ptr<Lines> lines_;
  std::vector<std::string> columns_;
  std::vector<std::size_t> positions_;  // in the file, of each of columns_
  std::vector<std::string> header_;
  std::vector<std::size_t> text_positions_;  // in the file; its width where there is no such column
  std::size_t rows_ = 0;
  std::vector<std::string> fields_;  // of the current line
};

// The position of a named column; an InputError that tells the nearest name where there is none.
std::size_t csv_column(std::string_view wanted, const std::vector<std::string>& columns,
                       const std::string& name);

}  // namespace polystep
