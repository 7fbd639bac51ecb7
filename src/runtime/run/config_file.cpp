#include "runtime/run/config_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "base/files.hpp"
#include "base/toml_text.hpp"
#include "polystep/error.hpp"
#include "polystep/version.hpp"

namespace polystep {
namespace {

constexpr std::int64_t kMostThreads = 4096;
constexpr double kLongestSeconds = 1e9;  // three decades
constexpr double kMostForecast = 1e300;

using Item = std::pair<const toml::key*, const toml::node*>;

std::string place(const toml::key& key, const std::string& name) {
  return fmt::format("{} line {}", name, key.source().begin.line);
}

// The table's entries as the file has them; the library keeps them by name.
std::vector<Item> in_file_order(const toml::table& table) {
  std::vector<Item> items;
  for (const auto& [key, node] : table) items.emplace_back(&key, &node);
  std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
    const toml::source_position first = a.first->source().begin;
    const toml::source_position second = b.first->source().begin;
    return std::pair(first.line, first.column) < std::pair(second.line, second.column);
  });
  return items;
}

std::string kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    default:
      return "a date or time";
  }
}

OptionValue value_of(const toml::node& node, const std::string& key, const std::string& where) {
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* integer = node.as_integer()) return integer->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* text = node.as_string()) return text->get();
  throw InputError(fmt::format("{}: option '{}' is {}, expected a number, a text, true or false", where, key,
                               kind_of(node)));
}

// TOML integers have 63 bits and a sign; the upper half of all seeds is written as text.
std::optional<std::uint64_t> large_seed(const OptionValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return {};
  std::uint64_t seed = 0;
  const char* last = text->data() + text->size();
  const auto [end, error] = std::from_chars(text->data(), last, seed);
  if (error != std::errc() || end != last) return {};
  return seed;
}

void read_section(const toml::table& section, const std::string& name, std::vector<ConfigEntry>& entries) {
  for (const auto& [key, node] : in_file_order(section)) {
    const std::string key_name(key->str());
    const std::string where = place(*key, name);
    entries.push_back({key_name, value_of(*node, key_name, where), where});
  }
}

void fill_top_level(RunConfig& config, const Options& options) {
  const auto text = [&](const char* name) {
    return options.is_set(name) ? std::optional(options.text(name)) : std::nullopt;
  };
  config.problem = text("problem");
  config.method = text("method");
  config.preset = text("preset");
  config.data = text("data");
  if (options.is_set("seed")) config.seed = static_cast<std::uint64_t>(options.integer("seed"));
  if (options.is_set("threads")) config.threads = options.integer("threads");
  const auto number = [&](const char* name) {
    return options.is_set(name) ? std::optional(options.number(name)) : std::nullopt;
  };
  config.max_seconds = number("max-seconds");
  config.budget = text("budget");
  config.forecast_solves = number("forecast-solves");
  config.forecast_seconds = number("forecast-seconds");
  config.chosen = text("chosen");
  config.solve_seconds = number("solve-seconds");
}

void put(std::string& toml, std::string_view key, const OptionValue& value) {
  toml += fmt::format("{} = {}\n", key, format_value(value));
}

// Keys of letters, digits, '-' and '_' stand as they are; any other needs quotes.
std::string as_key(const std::string& key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '-' || letter == '_';
  });
  return bare ? key : format_value(key);
}

}  // namespace

OptionTable run_options() {
  OptionTable table;
  table.text("problem", "", "The problem to learn on.")
      .text("method", "", "The method that learns.")
      .text("preset", "", "A named set of option values to start from.")
      .integer("seed", 0, 0, std::numeric_limits<std::int64_t>::max(), "Seed of every random number.")
      .integer("threads", 1, 1, kMostThreads, "Threads to compute with; results do not depend on it.")
      .text("data", "", "Directory of the benchmark data.")
      .number("max-seconds", kLongestSeconds, 0, kLongestSeconds, "Stop after this many seconds.")
      .text("budget", "", "What the run may take: seconds=NUMBER or solves=NUMBER.")
      .number("forecast-solves", 0, 0, kMostForecast, "Solver calls expected before the run.")
      .number("forecast-seconds", 0, 0, kMostForecast, "Seconds expected before the run.")
      .text("chosen", "", "What timed solves led to before the run.")
      .number("solve-seconds", 0, 0, kMostForecast, "What a solve took then.");
  return table;
}

RunConfig parse_config(std::string_view toml, const std::string& name) {
  const toml::table root = parse_toml(toml, name);
  if (root.empty()) {
    throw InputError(
        fmt::format("{} has no settings, expected at least one such as problem = \"...\"", name));
  }
  Options options(run_options());
  RunConfig config;
  for (const auto& [key, node] : in_file_order(root)) {
    const std::string key_name(key->str());
    const std::string where = place(*key, name);
    const bool known = options.table().find(key_name) != nullptr;
    if (!known && node->is_table()) {
      config.section_where[key_name] = where;
      read_section(*node->as_table(), name, config.sections[key_name]);
      continue;
    }
    config.key_where[key_name] = where;
    const OptionValue value = known ? value_of(*node, key_name, where) : OptionValue(false);
    if (key_name == "seed") config.seed = large_seed(value);
    if (key_name != "seed" || !config.seed) options.set(key_name, value, where);
  }
  fill_top_level(config, options);
  return config;
}

RunConfig read_config(const std::filesystem::path& path) {
  const std::string bytes = read_file(path);
  if (bytes.empty())
    throw InputError(fmt::format("{} is empty, expected a run configuration", path.string()));
  return parse_config(bytes, path.string());
}

std::string render_config(const RunConfig& config) {
  std::string toml = fmt::format("{}{}\n", kConfigSignature, kVersion);
  if (config.problem) put(toml, "problem", *config.problem);
  if (config.method) put(toml, "method", *config.method);
  if (config.preset) put(toml, "preset", *config.preset);
  if (config.seed) {
    const bool fits = *config.seed <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    put(toml, "seed",
        fits ? OptionValue(static_cast<std::int64_t>(*config.seed))
             : OptionValue(std::to_string(*config.seed)));
  }
  if (config.threads) put(toml, "threads", *config.threads);
  if (config.data) put(toml, "data", *config.data);
  if (config.max_seconds) put(toml, "max-seconds", *config.max_seconds);
  if (config.budget) put(toml, "budget", *config.budget);
  if (config.forecast_solves) put(toml, "forecast-solves", *config.forecast_solves);
  if (config.forecast_seconds) put(toml, "forecast-seconds", *config.forecast_seconds);
  if (config.chosen) put(toml, "chosen", *config.chosen);
  if (config.solve_seconds) put(toml, "solve-seconds", *config.solve_seconds);
  for (const auto& [section, entries] : config.sections) {
    toml += fmt::format("\n[{}]\n", as_key(section));
    for (const ConfigEntry& entry : entries) put(toml, as_key(entry.key), entry.value);
  }
  parse_toml(toml, "the run configuration");  // a configuration that cannot be read back would lose the run
  return toml;
}

void write_config(const std::filesystem::path& path, const RunConfig& config) {
  write_file(path, render_config(config));
}

}  // namespace polystep
