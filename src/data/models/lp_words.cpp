#include "data/models/lp_words.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>

namespace polystep {
namespace {

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
bool starts_number(std::string_view rest) {
  return is_digit(rest[0]) || (rest[0] == '.' && rest.size() > 1 && is_digit(rest[1]));
}

// Letters of names; a digit or a point cannot come first.
bool in_name(char letter) {
  constexpr std::string_view kOthers = "!\"#$%&(),.;?@_`'{}~/";
  return std::isalnum(static_cast<unsigned char>(letter)) || kOthers.find(letter) != std::string_view::npos;
}

class Splitter {
 public:
  Splitter(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  std::vector<LpWord> split() {
    while (skip_blanks()) take();
    words_.push_back({LpWord::Kind::kEnd, {"", line_, column_}, true});
    return std::move(words_);
  }

 private:
  void advance(std::size_t count) {
    rest_.remove_prefix(count);
    column_ += count;
  }

  // Moves to the next word; false at the end of the text.
  bool skip_blanks() {
    while (!rest_.empty()) {
      if (rest_[0] == '\n') {
        rest_.remove_prefix(1);
        ++line_;
        column_ = 1;
        first_ = true;
      } else if (rest_[0] == '\\') {
        advance(std::min(rest_.find('\n'), rest_.size()));
      } else if (rest_[0] == ' ' || rest_[0] == '\t' || rest_[0] == '\r') {
        advance(1);
      } else {
        return true;
      }
    }
    return false;
  }

  void put(LpWord::Kind kind, std::size_t length) {
    words_.push_back({kind, {rest_.substr(0, length), line_, column_}, first_});
    first_ = false;
    advance(length);
  }

  void take() {
    const char letter = rest_[0];
    if (starts_number(rest_)) return take_number();
    if (letter == '+' || letter == '-') return put(LpWord::Kind::kSign, 1);
    if (letter == ':') return put(LpWord::Kind::kColon, 1);
    if (letter == '<' || letter == '>' || letter == '=') {
      const bool two = rest_.size() > 1 && (rest_[1] == '=' || rest_[1] == '<' || rest_[1] == '>');
      return put(LpWord::Kind::kComparison, two && rest_[1] != letter ? 2 : 1);
    }
    std::size_t length = 0;
    while (length < rest_.size() && in_name(rest_[length])) ++length;
    const ModelWord here{rest_.substr(0, std::max<std::size_t>(length, 1)), line_, column_};
    if (letter == '[' || letter == '^' || letter == ']' || letter == '*')
      refuse_at(file_, here,
                fmt::format("found '{}' of a quadratic or product term, expected linear terms such as 3 x",
                            letter));
    if (length == 0 || letter == '.') refuse_word(file_, here, "a number, a name, a sign or a comparison");
    put(LpWord::Kind::kName, length);
  }

  void take_number() {
    double ignored = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), ignored);
    put(LpWord::Kind::kNumber, static_cast<std::size_t>(end - rest_.data()));  // judged where it is used
  }

  std::string_view rest_;
  const std::string& file_;
  std::size_t line_ = 1, column_ = 1;
  bool first_ = true;
  std::vector<LpWord> words_;
};

}  // namespace

std::vector<LpWord> lp_words(std::string_view text, const std::string& file) {
  return Splitter(text, file).split();
}

}  // namespace polystep
