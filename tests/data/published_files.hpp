// What tests of the published data share: where the files are, and corrupted copies of them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>

#include "data/data_directory.hpp"
#include "polystep/error.hpp"

#define POLYSTEP_NEEDS_DATA() \
  if (find_data_directory("").empty()) GTEST_SKIP() << "skipped: needs data, see docs/data.md"

namespace polystep::testing {

inline std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_text(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

// A directory of its own for one test, gone when the test ends.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() /
            ("polystepor_" + std::string(test->test_suite_name()) + "_" + test->name() + "_" +
             std::to_string(std::random_device{}()));
    std::filesystem::create_directories(path_);
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  std::filesystem::path path() const { return path_; }
  std::string string() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

// The sentence of the InputError that the call throws; "" and a failed test where it throws none.
inline std::string input_error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "expected an InputError";
  return "";
}

}  // namespace polystep::testing

// Checks that a call throws an InputError whose sentence contains each of two parts.
#define EXPECT_INPUT_ERROR(call, part, other_part)                                         \
  do {                                                                                     \
    const std::string sentence = polystep::testing::input_error_of([&] { (void)(call); }); \
    EXPECT_NE(sentence.find(part), std::string::npos) << sentence;                         \
    EXPECT_NE(sentence.find(other_part), std::string::npos) << sentence;                   \
  } while (false)
