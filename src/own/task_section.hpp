// One table of a task file, read strictly: every key is asked for by name and type, and what was not asked
// for is an error.
//
//   TaskSection data = root.section("data");
//   const std::string features = data.text("features");
//   const double share = data.number("validation", 0.2, 0, 1);
//   data.refuse_unknown();
//
// Every message names the file, the line and the column.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/toml_text.hpp"

namespace polystep {

class TaskSection {
 public:
  // `table` must outlive this. `name` is the section's, "data"; "" is the file itself.
  TaskSection(const toml::table& table, std::string file, std::string name);

  bool has(std::string_view key) const;

  // Without a fallback the key must be there. A text is never empty.
  std::string text(std::string_view key) const;
  std::string text(std::string_view key, std::string_view fallback) const;
  std::string choice(std::string_view key, std::string_view fallback,
                     const std::vector<std::string>& choices) const;
  double number(std::string_view key, double fallback, double low, double high) const;
  double number(std::string_view key, double low, double high) const;
  std::int64_t integer(std::string_view key, std::int64_t fallback, std::int64_t low,
                       std::int64_t high) const;
  bool flag(std::string_view key, bool fallback) const;

  // A list; one value alone is a list of one. A key that is not there is an empty list.
  std::vector<std::string> texts(std::string_view key) const;
  std::vector<std::int64_t> integers(std::string_view key, std::int64_t low, std::int64_t high) const;

  TaskSection section(std::string_view key) const;                // [key], empty where it is not there
  std::vector<TaskSection> sections(std::string_view key) const;  // [[key]], or one [key]

  // Keys that nobody asked for. Call it when all have been.
  void refuse_unknown() const;

  // "my.toml line 3, column 1" of a key, or of the section where the key is missing.
  std::string where(std::string_view key) const;
  std::string where() const;
  const std::string& file() const { return file_; }

 private:
  const toml::node* find(std::string_view key) const;
  const toml::node& require(std::string_view key) const;
  [[noreturn]] void refuse(std::string_view key, const toml::node& found, const std::string& expected) const;
  std::string text_in(std::string_view key, const toml::node& node) const;
  double number_in(std::string_view key, const toml::node& node, double low, double high) const;
  std::int64_t integer_in(std::string_view key, const toml::node& node, std::int64_t low,
                          std::int64_t high) const;

  const toml::table* table_;
  std::string file_;
  std::string name_;
  mutable std::set<std::string, std::less<>> asked_;
};

}  // namespace polystep
