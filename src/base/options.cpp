#include "polystep/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/option_value.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr std::size_t kMostNamesListed = 24;  // a longer list in an error message is noise

[[noreturn]] void throw_unknown(std::string_view where, std::string_view what, std::string_view name,
                                std::string_view owner, const std::vector<std::string>& candidates) {
  std::string sentence = fmt::format("{}: unknown {} {}", where, what, in_quotes(name));
  if (!owner.empty()) sentence += fmt::format(" of {}", owner);
  const std::string nearest = nearest_name(name, candidates);
  if (!nearest.empty()) {
    sentence += fmt::format("; did you mean '{}'?", nearest);
  } else if (candidates.empty()) {
    sentence += "; expected none";
  } else if (candidates.size() <= kMostNamesListed) {
    sentence += fmt::format("; expected one of {}", fmt::join(candidates, ", "));
  }
  throw InputError(sentence);
}

[[noreturn]] void throw_unexpected(std::string_view where, const OptionSpec& spec, std::string_view found) {
  throw InputError(
      fmt::format("{}: option '{}' is {}, expected {}", where, spec.name, found, spec.expectation()));
}

// "from 1 to 100", "of at least 0", ... with a leading space; "" where there is no bound. Bounds at the ends
// of the type are no bounds worth telling.
std::string range(const OptionSpec& spec) {
  const bool integer = std::holds_alternative<std::int64_t>(spec.fallback);
  const double limit = integer ? 9.2e18 : std::numeric_limits<double>::max();
  const bool below = spec.low > -limit;
  const bool above = spec.high < limit;
  if (below && above) return fmt::format(" from {} to {}", spec.low, spec.high);
  if (below) return fmt::format(" of at least {}", spec.low);
  if (above) return fmt::format(" of at most {}", spec.high);
  return "";
}

bool within_bounds(const OptionSpec& spec, const OptionValue& value) {
  if (const auto* number = std::get_if<double>(&value)) {
    return std::isfinite(*number) && *number >= spec.low && *number <= spec.high;
  }
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    const auto number = static_cast<double>(*integer);
    return number >= spec.low && number <= spec.high;
  }
  if (const auto* text = std::get_if<std::string>(&value); text && !spec.choices.empty()) {
    return std::find(spec.choices.begin(), spec.choices.end(), *text) != spec.choices.end();
  }
  return true;
}

// A table is written by a programmer: its mistakes are logic errors, found by the first test that builds it.
void add(std::vector<OptionSpec>& specs, OptionSpec spec) {
  const bool taken = std::any_of(specs.begin(), specs.end(),
                                 [&](const OptionSpec& other) { return other.name == spec.name; });
  if (taken) throw std::logic_error(fmt::format("option '{}' is declared twice", spec.name));
  if (!within_bounds(spec, spec.fallback)) {
    throw std::logic_error(fmt::format("the default of option '{}' is {}, expected {}", spec.name,
                                       format_value(spec.fallback), spec.expectation()));
  }
  specs.push_back(std::move(spec));
}

std::vector<std::string> names(const OptionTable& table) {
  std::vector<std::string> out;
  for (const OptionSpec& spec : table.specs()) out.push_back(spec.name);
  return out;
}

const OptionSpec& require(const OptionTable& table, std::string_view name) {
  const OptionSpec* spec = table.find(name);
  if (spec == nullptr)
    throw std::logic_error(fmt::format("the program asked for undeclared option '{}'", name));
  return *spec;
}

template <class T>
const T& typed(const OptionValue& value, std::string_view name) {
  const T* held = std::get_if<T>(&value);
  if (held == nullptr) throw std::logic_error(fmt::format("option '{}' was read as a wrong type", name));
  return *held;
}

}  // namespace

std::string OptionSpec::type_name() const {
  if (std::holds_alternative<bool>(fallback)) return "true/false";
  if (std::holds_alternative<std::int64_t>(fallback)) return "integer";
  if (std::holds_alternative<double>(fallback)) return "number";
  return "text";
}

std::string OptionSpec::expectation() const {
  if (std::holds_alternative<bool>(fallback)) return "true or false";
  if (std::holds_alternative<std::int64_t>(fallback)) return "an integer" + range(*this);
  if (std::holds_alternative<double>(fallback)) return "a number" + range(*this);
  if (choices.empty()) return "text";
  return fmt::format("one of {}", fmt::join(choices, ", "));
}

OptionTable& OptionTable::integer(std::string name, std::int64_t fallback, std::int64_t low,
                                  std::int64_t high, std::string help) {
  add(specs_, OptionSpec{.name = std::move(name),
                         .fallback = fallback,
                         .low = static_cast<double>(low),
                         .high = static_cast<double>(high),
                         .choices = {},
                         .help = std::move(help)});
  return *this;
}

OptionTable& OptionTable::number(std::string name, double fallback, double low, double high,
                                 std::string help) {
  add(specs_, OptionSpec{.name = std::move(name),
                         .fallback = fallback,
                         .low = low,
                         .high = high,
                         .choices = {},
                         .help = std::move(help)});
  return *this;
}

OptionTable& OptionTable::flag(std::string name, bool fallback, std::string help) {
  add(specs_,
      OptionSpec{.name = std::move(name), .fallback = fallback, .choices = {}, .help = std::move(help)});
  return *this;
}

OptionTable& OptionTable::text(std::string name, std::string fallback, std::string help) {
  add(specs_,
      OptionSpec{
          .name = std::move(name), .fallback = std::move(fallback), .choices = {}, .help = std::move(help)});
  return *this;
}

OptionTable& OptionTable::choice(std::string name, std::string fallback, std::vector<std::string> choices,
                                 std::string help) {
  add(specs_, OptionSpec{.name = std::move(name),
                         .fallback = std::move(fallback),
                         .choices = std::move(choices),
                         .help = std::move(help)});
  return *this;
}

OptionTable& OptionTable::append(const OptionTable& other) {
  const std::vector<OptionSpec> added =
      other.specs_;  // a copy, so that a table appended to itself is caught too
  for (const OptionSpec& spec : added) add(specs_, spec);
  return *this;
}

const OptionSpec* OptionTable::find(std::string_view name) const {
  for (const OptionSpec& spec : specs_) {
    if (spec.name == name) return &spec;
  }
  return nullptr;
}

Options::Options(OptionTable table, std::string owner) : table_(std::move(table)), owner_(std::move(owner)) {}

void Options::set(std::string_view name, const OptionValue& value, std::string_view where) {
  const OptionSpec* spec = table_.find(name);
  if (spec == nullptr) throw_unknown(where, "option", name, owner_, names(table_));
  const std::optional<OptionValue> converted = convert_value(value, spec->fallback);
  if (!converted || !within_bounds(*spec, *converted)) throw_unexpected(where, *spec, format_value(value));
  given_.insert_or_assign(spec->name, *converted);
}

void Options::set_text(std::string_view name, std::string_view text, std::string_view where) {
  const OptionSpec* spec = table_.find(name);
  if (spec == nullptr) throw_unknown(where, "option", name, owner_, names(table_));
  const std::optional<OptionValue> value = parse_value(text, spec->fallback);
  if (!value || !within_bounds(*spec, *value)) {
    const bool wrong_size = value && !std::holds_alternative<std::string>(*value);
    throw_unexpected(where, *spec, text.empty() ? "empty" : wrong_size ? std::string(text) : in_quotes(text));
  }
  given_.insert_or_assign(spec->name, *value);
}

bool Options::is_set(std::string_view name) const { return given_.contains(require(table_, name).name); }

const OptionValue& Options::value(std::string_view name) const {
  const OptionSpec& spec = require(table_, name);
  const auto given = given_.find(name);
  return given == given_.end() ? spec.fallback : given->second;
}

std::int64_t Options::integer(std::string_view name) const { return typed<std::int64_t>(value(name), name); }
double Options::number(std::string_view name) const { return typed<double>(value(name), name); }
bool Options::flag(std::string_view name) const { return typed<bool>(value(name), name); }
const std::string& Options::text(std::string_view name) const {
  return typed<std::string>(value(name), name);
}

void throw_unknown_name(std::string_view where, std::string_view what, std::string_view name,
                        const std::vector<std::string>& candidates) {
  throw_unknown(where, what, name, "", candidates);
}

}  // namespace polystep
