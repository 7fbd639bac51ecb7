#include "base/toml_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polystep/error.hpp"

namespace polystep {
namespace {

// The library quotes what it stumbled over as it is, line ends included; a message stays one line.
std::string on_one_line(std::string_view text) {
  std::string line(text);
  for (char& letter : line) {
    const auto code = static_cast<unsigned char>(letter);
    if (code < 0x20 || code == 0x7f) letter = '?';
  }
  return line;
}

constexpr std::size_t kMostKeyParts = 32;    // of a.b.c
constexpr std::size_t kDeepestNesting = 32;  // of lists and inline tables

// Walks over a text without understanding more of it than what is quoted or a comment. Up to the first
// mistake in the text it sees what the library sees, and the library reads no further.
class DepthCheck {
 public:
  DepthCheck(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  void run() {
    while (at_ < text_.size()) step(text_[at_]);
  }

 private:
  void step(char letter) {
    ++at_;
    if (letter == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (letter == '"' || letter == '\'') {
      skip_quoted(letter);
    } else if (letter == '.') {
      if (++dots_ == kMostKeyParts) refuse(fmt::format("a key has more than {} parts", kMostKeyParts));
    } else if (letter == '[' || letter == '{') {
      dots_ = 0;
      if (++depth_ > kDeepestNesting)
        refuse(fmt::format("values are nested more than {} deep", kDeepestNesting));
    } else if (letter == ']' || letter == '}') {
      dots_ = 0;
      if (depth_ > 0) --depth_;
    } else if (letter == '\n' || letter == ',' || letter == '=') {
      dots_ = 0;
      line_ += letter == '\n';
    }
  }

  // From behind the first quote to behind the last. A text on one line ends with it at the latest.
  void skip_quoted(char quote) {
    const bool several_lines = text_.substr(at_, 2) == std::string(2, quote);
    if (several_lines) at_ += 2;
    const std::string end(several_lines ? 3 : 1, quote);
    while (at_ < text_.size()) {
      if (text_.substr(at_, end.size()) == end) {
        at_ += end.size();
        return;
      }
      if (text_[at_] == '\n') {
        if (!several_lines) return;
        ++line_;
      }
      at_ += quote == '"' && text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n' ? 2 : 1;
    }
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(fmt::format("{} line {}: {}, expected at most that many", name_, line_, what));
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0, line_ = 1, dots_ = 0, depth_ = 0;
};

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& name) {
  DepthCheck(text, name).run();  // the library recurses, and a deep enough text would end the program
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    throw InputError(
        fmt::format("{} line {}, column {}: {}", name, at.line, at.column, on_one_line(error.description())));
  }
}

}  // namespace polystep
