// A run's configuration on disk: what to train on what, and the options that differ from their defaults.
//
//   problem = "shortest-path"
//   method = "polystepor"
//   seed = 0
//   [shortest-path]          # the problem's options
//   degree = 8
//   [polystepor]             # the method's options
//   steps = 150
//
// Reading checks the form and the keys above the first section. Sections are kept as they are, with the line
// of every entry: only the caller knows the problem's and the method's tables, and feeds the entries to
// Options::set.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polystep/options.hpp"

namespace polystep {

struct ConfigEntry {
  std::string key;
  OptionValue value;
  std::string where;  // "run.toml line 7", the start of an error message about this entry
};

struct RunConfig {
  std::optional<std::string> problem;
  std::optional<std::string> method;
  std::optional<std::string> preset;
  std::optional<std::string> data;  // directory of the benchmark data
  std::optional<std::uint64_t> seed;
  std::optional<std::int64_t> threads;
  std::optional<double> max_seconds;
  std::optional<std::string> budget;  // "seconds=60", "solves=1e6"
  std::optional<double> forecast_solves;
  std::optional<double> forecast_seconds;
  std::optional<std::string> chosen;                         // what timed solves led to, for a person
  std::optional<double> solve_seconds;                       // what they took
  std::map<std::string, std::vector<ConfigEntry>> sections;  // entries in the order of the file
  std::map<std::string, std::string> section_where;          // "run.toml line 5" of each section's header
  std::map<std::string, std::string> key_where;  // the same of each key above the sections, or its flag
};

// The keys above the sections, with bounds and help; the command line's flags of the same names share them.
OptionTable run_options();

RunConfig read_config(const std::filesystem::path& path);
RunConfig parse_config(std::string_view toml,
                       const std::string& name);  // `name` stands for the file in messages

// TOML that parse_config reads back to the same bits. A text that is not UTF-8 cannot be kept and is an
// InputError.
std::string render_config(const RunConfig& config);
void write_config(const std::filesystem::path& path, const RunConfig& config);  // atomic, see write_file

// How every written configuration starts: by this a run directory is told from any other directory.
inline constexpr std::string_view kConfigSignature = "# written by polystepor ";

}  // namespace polystep
