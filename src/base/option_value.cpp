#include "base/option_value.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace polystep {
namespace {

// std::from_chars takes no leading '+', which people do write.
std::string_view without_plus(std::string_view text) {
  const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+';
  return plus ? text.substr(1) : text;
}

std::string as_toml(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{}", number);  // the shortest text that reads back to the same bits
  if (text.find_first_of(".e") == std::string::npos) text += ".0";  // TOML tells 1.0 from 1
  return text;
}

std::string as_toml(const std::string& text) {
  std::string out = "\"";
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      out += '\\';
      out += letter;
    } else if (letter == '\n') {
      out += "\\n";
    } else if (letter == '\t') {
      out += "\\t";
    } else if (code < 0x20 || code == 0x7f) {
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(code));
    } else {
      out += letter;
    }
  }
  return out + '"';
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  const std::string_view digits = without_plus(text);
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(number)) return {};
  return number;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  const std::string_view digits = without_plus(text);
  std::int64_t integer = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), integer);
  if (error == std::errc() && end == digits.data() + digits.size()) return integer;
  // A plain integer that overflowed must not come back rounded through a double.
  const bool scientific = digits.find_first_of(".eE") != std::string_view::npos;
  const std::optional<double> number = scientific ? parse_number(text) : std::nullopt;
  return number ? whole(*number) : std::nullopt;
}

std::optional<std::int64_t> whole(double number) {
  constexpr double kTooLarge = 9007199254740992.0;  // 2^53: from here on a double no longer names one integer
  if (!(std::abs(number) < kTooLarge) || number != std::trunc(number)) return {};
  return static_cast<std::int64_t>(number);
}

std::optional<OptionValue> parse_value(std::string_view text, const OptionValue& like) {
  if (std::holds_alternative<bool>(like)) {
    if (text == "true") return OptionValue(true);
    if (text == "false") return OptionValue(false);
    return {};
  }
  if (std::holds_alternative<std::int64_t>(like)) {
    const auto integer = parse_integer(text);
    return integer ? std::optional<OptionValue>(*integer) : std::nullopt;
  }
  if (std::holds_alternative<double>(like)) {
    const auto number = parse_number(text);
    return number ? std::optional<OptionValue>(*number) : std::nullopt;
  }
  return OptionValue(std::string(text));
}

std::optional<OptionValue> convert_value(const OptionValue& value, const OptionValue& like) {
  if (value.index() == like.index()) return value;
  if (std::holds_alternative<double>(like) && std::holds_alternative<std::int64_t>(value)) {
    return OptionValue(static_cast<double>(std::get<std::int64_t>(value)));
  }
  if (std::holds_alternative<std::int64_t>(like) && std::holds_alternative<double>(value)) {
    const auto integer = whole(std::get<double>(value));
    if (integer) return OptionValue(*integer);
  }
  return {};
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kShown = 60;
  std::string out = "'";
  for (const char letter : text.substr(0, kShown)) {
    const auto code = static_cast<unsigned char>(letter);
    out += code < 0x20 || code == 0x7f ? '?' : letter;
  }
  return out + (text.size() > kShown ? "...'" : "'");
}

std::string format_value(const OptionValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* number = std::get_if<double>(&value)) return as_toml(*number);
  return as_toml(std::get<std::string>(value));
}

}  // namespace polystep
