// What the readers of model files share: where a word stands, how it is refused, and the names seen so far.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/models/linear_model.hpp"

namespace polystep {

// A word of a text file and where it stands, both from 1.
struct ModelWord {
  std::string_view text;
  std::size_t line = 0;
  std::size_t column = 0;
};

// Throws "plan.mps line 3, column 5: found 'x', expected a number".
[[noreturn]] void refuse_word(const std::string& file, const ModelWord& word, std::string_view expected);
// Throws "plan.mps line 3, column 5: WHAT".
[[noreturn]] void refuse_at(const std::string& file, const ModelWord& word, std::string_view what);

// A finite number, or an InputError.
double number_of(const std::string& file, const ModelWord& word);
// As a bound: a number from 1e30 on and the words inf and infinity, with or without a sign, are infinite.
double bound_of(const std::string& file, const ModelWord& word);

bool same_word(std::string_view word, std::string_view lower_case);  // letters of either case

// Positions of names in a list that grows.
class NameIndex {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::size_t find(std::string_view name) const {
    const auto found = index_.find(std::string(name));
    return found == index_.end() ? kNone : found->second;
  }
  void add(std::string_view name, std::size_t at) { index_.emplace(std::string(name), at); }

 private:
  std::unordered_map<std::string, std::size_t> index_;
};

// The end of reading: what only the whole model shows, such as crossed bounds.
void check_linear_model(const LinearModel& model, const std::string& file);

}  // namespace polystep
