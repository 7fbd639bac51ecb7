// A directory of its own in which a test runs the program, and what the tests of the command line share.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/process.hpp"
#include "data/data_directory.hpp"
#include "temporary_directory.hpp"

namespace polystep {

using Arguments = std::vector<std::string>;

inline Arguments operator+(Arguments first, const Arguments& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;  // an order of magnitude slower
#else
inline constexpr bool kSanitized = false;
#endif

// Every file and directory below `root` with its bytes. Of a run's lock only the name counts: the number in
// it is that of whoever looked last.
inline std::map<std::string, std::string> snapshot(const std::filesystem::path& root) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const bool bytes_count = entry.is_regular_file() && entry.path().filename() != ".lock";
    files[std::filesystem::relative(entry.path(), root).string()] =
        bytes_count ? TemporaryDirectory::contents(entry.path()) : "";
  }
  return files;
}

class Sandbox : public testing::Test {
 protected:
  const std::filesystem::path& root() const { return directory_.path(); }
  std::filesystem::path operator/(const std::string& name) const { return root() / name; }
  std::string bytes(const std::string& name) const { return TemporaryDirectory::contents(root() / name); }
  nlohmann::json json(const std::string& name) const { return nlohmann::json::parse(bytes(name)); }
  void put(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories((root() / name).parent_path());
    directory_.file(name, content);
  }

  ProcessSurroundings surroundings() const {
    return {.directory = root(), .data = {}, .file_bytes = {}, .stdout_path = {}};
  }

  Finished polystepor(const Arguments& arguments) const {
    return Process(POLYSTEPOR_PROGRAM, arguments, surroundings()).wait();
  }
  Finished own_problem(const Arguments& arguments) const {
    return Process(OWN_PROBLEM_PROGRAM, arguments, surroundings()).wait();
  }

  // A training on data drawn here, which needs no files; fails the test where it does not succeed.
  void train(const Arguments& arguments, const std::string& out) const {
    const Finished run = polystepor(Arguments{"train"} + arguments + Arguments{"--quiet", "--out", out});
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }

 private:
  TemporaryDirectory directory_;
};

// A short training of the default method.
inline const Arguments kShortPath = {"shortest-path", "--source", "generated", "--data-seed", "1",
                                     "--steps",       "3"};
inline const Arguments kShortKnapsack = {"knapsack", "--source", "generated", "--data-seed",
                                         "1",        "--steps",  "3"};

// Where the benchmark data are, as an absolute path; "" where they are not. Tests run in the project's
// directory.
inline std::string benchmark_data() {
  const std::string found = find_data_directory("");
  return found.empty() ? found : std::filesystem::absolute(found).lexically_normal().string();
}

}  // namespace polystep
