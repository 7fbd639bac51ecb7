// Options, declared once: name, type, bounds, default and a line of help.
//
// The same table makes the command-line flags, checks configuration files and --set, words the error messages
// and writes docs/options.md. A name that is not in the table, or a value outside its bounds, is an
// InputError that says where it came from and, for a name, which valid one is nearest.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace polystep {

using OptionValue = std::variant<bool, std::int64_t, double, std::string>;

struct OptionSpec {
  std::string name;
  OptionValue fallback;  // the default; its type is the option's type
  double low = 0;        // bounds of numbers, inclusive
  double high = 0;
  std::vector<std::string> choices;  // of a text with a fixed set of values; empty: any text
  std::string help;

  std::string type_name() const;    // "integer", "number", "true/false", "text"
  std::string expectation() const;  // "an integer from 1 to 100", "one of softmax, sinkhorn", ...
};

class OptionTable {
 public:
  OptionTable& integer(std::string name, std::int64_t fallback, std::int64_t low, std::int64_t high,
                       std::string help);
  OptionTable& number(std::string name, double fallback, double low, double high, std::string help);
  OptionTable& flag(std::string name, bool fallback, std::string help);
  OptionTable& text(std::string name, std::string fallback, std::string help);
  OptionTable& choice(std::string name, std::string fallback, std::vector<std::string> choices,
                      std::string help);
  OptionTable& append(const OptionTable& other);

  const std::vector<OptionSpec>& specs() const { return specs_; }
  const OptionSpec* find(std::string_view name) const;  // nullptr where there is none

 private:
  std::vector<OptionSpec> specs_;
};

// The values of one table's options. Setters check; `where` ("--set", "run.toml line 3") starts the error
// message. `owner` ("polystepor") tells in it whose options these are.
class Options {
 public:
  explicit Options(OptionTable table, std::string owner = "");

  const OptionTable& table() const { return table_; }
  void set(std::string_view name, const OptionValue& value, std::string_view where);
  void set_text(std::string_view name, std::string_view text, std::string_view where);  // parses by type

  bool is_set(std::string_view name) const;  // given by someone, or still the default
  const OptionValue& value(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  double number(std::string_view name) const;
  bool flag(std::string_view name) const;
  const std::string& text(std::string_view name) const;

 private:
  OptionTable table_;
  std::string owner_;
  std::map<std::string, OptionValue, std::less<>> given_;
};

// The candidate with the smallest edit distance to `name`, or "" if none is near enough to be a likely slip.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

// "--set" + "unknown option 'stepps'; did you mean 'steps'?" as an InputError.
[[noreturn]] void throw_unknown_name(std::string_view where, std::string_view what, std::string_view name,
                                     const std::vector<std::string>& candidates);

// A value as TOML (and as error messages show it): 0.5, "text", true.
std::string format_value(const OptionValue& value);

}  // namespace polystep
