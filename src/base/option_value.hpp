// Option values as text: reading them strictly, and quoting what a person gave in an error message.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "polystep/options.hpp"

namespace polystep {

// The whole text as a finite number: no hexadecimal, no nan or inf, no spaces, nothing left over.
std::optional<double> parse_number(std::string_view text);

// The whole text as an integer. 1e3 and 12.0 count, because they are whole.
std::optional<std::int64_t> parse_integer(std::string_view text);

// A double as an integer, where it is one.
std::optional<std::int64_t> whole(double number);

// The text as a value of the same type as `like`; empty where it is none.
std::optional<OptionValue> parse_value(std::string_view text, const OptionValue& like);

// A value converted to the type of `like` where nothing is lost (3 as a number, 1e3 as an integer); else
// empty.
std::optional<OptionValue> convert_value(const OptionValue& value, const OptionValue& like);

// 'text', with unprintable bytes shown as '?' and long texts cut, so that a message stays one readable line.
std::string in_quotes(std::string_view text);

}  // namespace polystep
