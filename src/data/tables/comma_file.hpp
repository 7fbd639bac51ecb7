// Walks the lines of a comma-separated benchmark file whose form is known in advance.
//
// These files have no quotes, no blanks and no empty fields, and any deviation means the file is not the one
// expected; every error names file and line. (Tables that users bring have looser rules and a reader of their
// own.)
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace polystep {

class CommaFile {
 public:
  explicit CommaFile(std::string path);  // reads the whole file

  // Moves to the next line and splits it. A line with another number of fields is an InputError, as is the
  // end of the file where a line is still expected.
  void expect_line(std::size_t field_count);
  void expect_header(std::string_view header);  // this exact line
  void expect_end() const;                      // no line is left

  std::string_view text(std::size_t field) const { return fields_[field]; }
  double number(std::size_t field) const;               // finite
  [[noreturn]] void fail(std::string_view what) const;  // InputError "path line 7: what"

 private:
  std::string_view next_line();

  std::string path_;
  std::string bytes_;
  std::size_t position_ = 0;
  std::size_t line_ = 0;                  // number of the current line, from 1
  std::vector<std::string_view> fields_;  // of the current line, into bytes_
};

}  // namespace polystep
