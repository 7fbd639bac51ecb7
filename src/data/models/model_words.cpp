#include "data/models/model_words.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <optional>

#include "base/option_value.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr double kInfiniteFrom = 1e30;  // as solvers write it

}  // namespace

void refuse_at(const std::string& file, const ModelWord& word, std::string_view what) {
  throw InputError(fmt::format("{} line {}, column {}: {}", file, word.line, word.column, what));
}

void refuse_word(const std::string& file, const ModelWord& word, std::string_view expected) {
  const std::string found = word.text.empty() ? "the end of the line" : in_quotes(word.text);
  refuse_at(file, word, fmt::format("found {}, expected {}", found, expected));
}

double number_of(const std::string& file, const ModelWord& word) {
  const std::optional<double> number = parse_number(word.text);
  if (!number || !(std::abs(*number) < kInfiniteFrom)) refuse_word(file, word, "a finite number");
  return *number;
}

double bound_of(const std::string& file, const ModelWord& word) {
  std::string_view unsigned_text = word.text;
  double sign = 1;
  if (unsigned_text.starts_with('-') || unsigned_text.starts_with('+')) {
    if (unsigned_text.front() == '-') sign = -1;
    unsigned_text.remove_prefix(1);
  }
  if (same_word(unsigned_text, "inf") || same_word(unsigned_text, "infinity"))
    return sign * solvers::kUnbounded;
  const std::optional<double> number = parse_number(word.text);
  if (!number) refuse_word(file, word, "a number or inf");
  return std::abs(*number) >= kInfiniteFrom ? std::copysign(solvers::kUnbounded, *number) : *number;
}

bool same_word(std::string_view word, std::string_view lower_case) {
  if (word.size() != lower_case.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (std::tolower(static_cast<unsigned char>(word[i])) != lower_case[i]) return false;
  return true;
}

void check_linear_model(const LinearModel& model, const std::string& file) {
  try {
    model.milp.check();
  } catch (const InputError& error) {
    std::string sentence = error.what();
    if (sentence.ends_with('.')) sentence.pop_back();
    throw InputError(fmt::format("{}: {}", file, sentence));
  }
}

}  // namespace polystep
