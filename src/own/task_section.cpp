#include "own/task_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/option_value.hpp"
#include "polystep/error.hpp"
#include "polystep/options.hpp"

namespace polystep {
namespace {

const toml::table kNoTable;

std::string place(const std::string& file, const toml::source_position& at) {
  return at.line == 0 ? file : fmt::format("{} line {}, column {}", file, at.line, at.column);
}

// As a message shows what was found.
std::string shown(const toml::node& node) {
  if (const auto* text = node.as_string()) return in_quotes(text->get());
  if (const auto* integer = node.as_integer()) return std::to_string(integer->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (node.is_table()) return "a table";
  return node.is_array() ? "a list" : "a date or time";
}

std::optional<double> number_of(const toml::node& node) {
  if (const auto* integer = node.as_integer()) return static_cast<double>(integer->get());
  if (const auto* number = node.as_floating_point()) return number->get();
  return std::nullopt;
}

}  // namespace

TaskSection::TaskSection(const toml::table& table, std::string file, std::string name)
    : table_(&table), file_(std::move(file)), name_(std::move(name)) {}

const toml::node* TaskSection::find(std::string_view key) const {
  asked_.emplace(key);
  return table_->get(key);
}

bool TaskSection::has(std::string_view key) const { return find(key) != nullptr; }

std::string TaskSection::where() const { return place(file_, table_->source().begin); }

std::string TaskSection::where(std::string_view key) const {
  for (const auto& [name, node] : *table_)
    if (name.str() == key) return place(file_, name.source().begin);
  return where();
}

const toml::node& TaskSection::require(std::string_view key) const {
  if (const toml::node* node = find(key)) return *node;
  if (name_.empty()) throw InputError(fmt::format("{}: there is no '{}', expected one", where(), key));
  throw InputError(fmt::format("{}: section [{}] has no '{}', expected one", where(), name_, key));
}

void TaskSection::refuse(std::string_view key, const toml::node& found, const std::string& expected) const {
  throw InputError(fmt::format("{}: '{}' is {}, expected {}", where(key), key, shown(found), expected));
}

std::string TaskSection::text_in(std::string_view key, const toml::node& node) const {
  const auto* text = node.as_string();
  if (text == nullptr || text->get().empty()) refuse(key, node, "a text");
  return text->get();
}

double TaskSection::number_in(std::string_view key, const toml::node& node, double low, double high) const {
  const std::optional<double> number = number_of(node);
  if (!number || !(*number >= low && *number <= high))
    refuse(key, node, fmt::format("a number from {} to {}", low, high));
  return *number;
}

std::int64_t TaskSection::integer_in(std::string_view key, const toml::node& node, std::int64_t low,
                                     std::int64_t high) const {
  const auto* integer = node.as_integer();
  if (integer == nullptr || integer->get() < low || integer->get() > high)
    refuse(key, node, fmt::format("a whole number from {} to {}", low, high));
  return integer->get();
}

std::string TaskSection::text(std::string_view key) const { return text_in(key, require(key)); }

std::string TaskSection::text(std::string_view key, std::string_view fallback) const {
  const toml::node* node = find(key);
  return node == nullptr ? std::string(fallback) : text_in(key, *node);
}

std::string TaskSection::choice(std::string_view key, std::string_view fallback,
                                const std::vector<std::string>& choices) const {
  const toml::node* node = find(key);
  if (node == nullptr) return std::string(fallback);
  const std::string expected = fmt::format("one of {}", fmt::join(choices, ", "));
  const auto* text = node->as_string();
  if (text == nullptr || std::find(choices.begin(), choices.end(), text->get()) == choices.end())
    refuse(key, *node, expected);
  return text->get();
}

double TaskSection::number(std::string_view key, double fallback, double low, double high) const {
  const toml::node* node = find(key);
  return node == nullptr ? fallback : number_in(key, *node, low, high);
}

double TaskSection::number(std::string_view key, double low, double high) const {
  return number_in(key, require(key), low, high);
}

std::int64_t TaskSection::integer(std::string_view key, std::int64_t fallback, std::int64_t low,
                                  std::int64_t high) const {
  const toml::node* node = find(key);
  return node == nullptr ? fallback : integer_in(key, *node, low, high);
}

bool TaskSection::flag(std::string_view key, bool fallback) const {
  const toml::node* node = find(key);
  if (node == nullptr) return fallback;
  if (!node->is_boolean()) refuse(key, *node, "true or false");
  return node->as_boolean()->get();
}

std::vector<std::string> TaskSection::texts(std::string_view key) const {
  std::vector<std::string> values;
  const toml::node* node = find(key);
  if (node == nullptr) return values;
  if (!node->is_array()) return {text_in(key, *node)};
  for (const toml::node& element : *node->as_array()) values.push_back(text_in(key, element));
  return values;
}

std::vector<std::int64_t> TaskSection::integers(std::string_view key, std::int64_t low,
                                                std::int64_t high) const {
  std::vector<std::int64_t> values;
  const toml::node* node = find(key);
  if (node == nullptr) return values;
  if (!node->is_array()) return {integer_in(key, *node, low, high)};
  for (const toml::node& element : *node->as_array()) values.push_back(integer_in(key, element, low, high));
  return values;
}

TaskSection TaskSection::section(std::string_view key) const {
  const toml::node* node = find(key);
  if (node != nullptr && !node->is_table()) refuse(key, *node, fmt::format("a section [{}]", key));
  return TaskSection(node == nullptr ? kNoTable : *node->as_table(), file_, std::string(key));
}

std::vector<TaskSection> TaskSection::sections(std::string_view key) const {
  std::vector<TaskSection> found;
  const toml::node* node = find(key);
  if (node == nullptr) return found;
  if (node->is_table()) return {section(key)};
  if (!node->is_array()) refuse(key, *node, fmt::format("sections [[{}]]", key));
  for (const toml::node& element : *node->as_array()) {
    if (!element.is_table()) refuse(key, element, fmt::format("sections [[{}]]", key));
    found.emplace_back(*element.as_table(), file_, std::string(key));
  }
  return found;
}

void TaskSection::refuse_unknown() const {
  const std::vector<std::string> known(asked_.begin(), asked_.end());
  for (const auto& [key, node] : *table_)
    if (!asked_.contains(key.str()))
      throw_unknown_name(place(file_, key.source().begin), node.is_table() ? "section" : "key", key.str(),
                         known);
}

}  // namespace polystep
