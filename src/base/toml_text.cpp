#include "base/toml_text.hpp"

#include <fmt/format.h>

#include "polystep/error.hpp"

namespace polystep {

toml::table parse_toml(std::string_view text, const std::string& name) {
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    throw InputError(fmt::format("{} line {}, column {}: {}", name, at.line, at.column, error.description()));
  }
}

}  // namespace polystep
