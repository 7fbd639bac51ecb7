// Walks the lines of a benchmark file whose fields are separated by single blanks; every error names file and
// line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polystep {

class WordFile {
 public:
  explicit WordFile(std::string path);  // reads the whole file

  void expect_line();  // moves to the next line; an InputError at the end of the file
  bool next_line();    // the same past comments, lines that begin with '#'; false at the end of the file
  void expect_fields(std::size_t count) const;  // of the current line
  void expect_end() const;                      // no line is left

  std::size_t fields() const { return fields_.size(); }
  std::string_view text(std::size_t field) const { return fields_[field]; }
  std::uint64_t whole(std::size_t field, std::string_view name, std::uint64_t below) const;  // 0 .. below - 1
  double number(std::size_t field, std::string_view name) const;                             // finite
  [[noreturn]] void fail(std::string_view what) const;  // InputError "path line 7: what"

 private:
  std::string path_;
  std::string bytes_;
  std::size_t position_ = 0;
  std::size_t line_ = 0;                  // number of the current line, from 1
  std::vector<std::string_view> fields_;  // of the current line, into bytes_
};

}  // namespace polystep
