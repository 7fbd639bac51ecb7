#include "data/data_directory.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "data/benchmarks/alloy_data.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUsualPlace = "../shared/data";
constexpr std::string_view kKnownFiles[] = {"energy/energy.csv", "shortest_path/sp_base_f64.bin",
                                            "cora/articles.txt"};
constexpr const char* kKnownConstraintFile = "split0.txt";
constexpr const char* kKnownDistrictingFile = "small_attr.txt";

// One benchmark is enough: a reader that misses its own file says so by name.
bool holds_benchmark_data(const std::string& directory) {
  return holds_classical_data(directory) || holds_constraint_data(directory) ||
         holds_districting_data(directory) || holds_alloy_data(directory);
}

std::string file_below(const std::string& data_directory, const char* subdirectory, const std::string& name) {
  const fs::path nested = fs::path(data_directory) / subdirectory;
  std::error_code ignored;
  const fs::path root = fs::is_directory(nested, ignored) ? nested : fs::path(data_directory);
  return (root / name).string();
}

std::string checked(const std::string& directory, std::string_view where) {
  std::error_code ignored;
  if (!fs::is_directory(directory, ignored)) {
    throw InputError(
        fmt::format("{}: '{}' is not a directory, expected one with benchmark data", where, directory));
  }
  if (!holds_benchmark_data(directory)) {
    throw InputError(fmt::format(
        "{}: directory '{}' has none of {}, {} and {}, expected benchmark data (see docs/data.md)", where,
        directory, fmt::join(kKnownFiles, ", "), kKnownConstraintFile, kKnownDistrictingFile));
  }
  return directory;
}

}  // namespace

std::string find_data_directory(const std::string& named) {
  if (!named.empty()) return checked(named, "--data");
  if (const char* variable = std::getenv("POLYSTEPOR_DATA"); variable != nullptr && *variable != '\0') {
    return checked(variable, "POLYSTEPOR_DATA");
  }
  return holds_benchmark_data(kUsualPlace) ? kUsualPlace : "";
}

std::string classical_file(const std::string& data_directory, const std::string& name) {
  return file_below(data_directory, "classical", name);
}

std::string constraint_file(const std::string& data_directory, const std::string& name) {
  return file_below(data_directory, "in-constraint", name);
}

std::string districting_file(const std::string& data_directory, const std::string& name) {
  return file_below(data_directory, "districting", name);
}

bool holds_classical_data(const std::string& data_directory) {
  if (data_directory.empty()) return false;
  for (const std::string_view name : kKnownFiles) {
    std::error_code ignored;
    if (fs::exists(classical_file(data_directory, std::string(name)), ignored)) return true;
  }
  return false;
}

bool holds_constraint_data(const std::string& data_directory) {
  std::error_code ignored;
  return !data_directory.empty() &&
         fs::exists(constraint_file(data_directory, kKnownConstraintFile), ignored);
}

bool holds_districting_data(const std::string& data_directory) {
  std::error_code ignored;
  return !data_directory.empty() &&
         fs::exists(districting_file(data_directory, kKnownDistrictingFile), ignored);
}

}  // namespace polystep
