// The lines of an MPS file as words: separated by blanks, or at fixed positions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/models/model_words.hpp"

namespace polystep {

class MpsLines {
 public:
  MpsLines(std::string_view text, std::string file, MpsFields fields)
      : rest_(text), file_(std::move(file)), fields_(fields) {}

  // Moves to the next line that is neither blank nor a comment; false at the end of the text.
  bool next();

  bool is_section() const { return section_; }                 // the line starts in its first column
  std::span<const ModelWord> words() const { return words_; }  // at least one
  ModelWord end_of_line() const { return {"", number_, length_ + 1}; }

 private:
  void separate(std::string_view line);
  void cut_at_positions(std::string_view line);

  std::string_view rest_;
  std::string file_;
  MpsFields fields_;
  std::size_t number_ = 0;
  std::size_t length_ = 0;
  bool section_ = false;
  std::vector<ModelWord> words_;
};

}  // namespace polystep
