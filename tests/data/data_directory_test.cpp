#include "data/data_directory.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "data/published_files.hpp"

namespace polystep {
namespace {

using testing::TemporaryDirectory;
using testing::write_text;

// Sets POLYSTEPOR_DATA for one test and restores what it was.
class ScopedVariable {
 public:
  explicit ScopedVariable(const std::string& value) {
    if (const char* old = std::getenv(kName)) old_ = old;
    setenv(kName, value.c_str(), 1);
  }
  ~ScopedVariable() {
    if (old_.empty()) {
      unsetenv(kName);
    } else {
      setenv(kName, old_.c_str(), 1);
    }
  }

 private:
  static constexpr const char* kName = "POLYSTEPOR_DATA";
  std::string old_;
};

// Moves the test to another working directory and back.
class ScopedWorkingDirectory {
 public:
  explicit ScopedWorkingDirectory(const std::filesystem::path& path) : old_(std::filesystem::current_path()) {
    std::filesystem::current_path(path);
  }
  ~ScopedWorkingDirectory() { std::filesystem::current_path(old_); }

 private:
  std::filesystem::path old_;
};

TEST(DataDirectory, NamedDirectoryIsUsedAsGiven) {
  const TemporaryDirectory place;
  write_text(place.path() / "classical/energy/energy.csv", "x");
  EXPECT_EQ(find_data_directory(place.string()), place.string());
}

TEST(DataDirectory, NamedDirectoryMustExist) {
  EXPECT_INPUT_ERROR(find_data_directory("no/such/place"), "--data", "no/such/place");
}

TEST(DataDirectory, NamedDirectoryMustHoldData) {
  const TemporaryDirectory place;
  EXPECT_INPUT_ERROR(find_data_directory(place.string()), "--data", "energy/energy.csv");
}

TEST(DataDirectory, VariableComesAfterTheNamedDirectory) {
  const TemporaryDirectory named, other;
  write_text(named.path() / "energy/energy.csv", "x");
  write_text(other.path() / "shortest_path/sp_base_f64.bin", "x");
  const ScopedVariable variable(other.string());
  EXPECT_EQ(find_data_directory(""), other.string());
  EXPECT_EQ(find_data_directory(named.string()), named.string());
}

TEST(DataDirectory, VariableMustHoldData) {
  const ScopedVariable variable("no/such/place");
  EXPECT_INPUT_ERROR(find_data_directory(""), "POLYSTEPOR_DATA", "no/such/place");
}

TEST(DataDirectory, EmptyVariableCountsAsUnsetAndAbsenceIsSilent) {
  const ScopedVariable variable("");
  const TemporaryDirectory place;
  std::filesystem::create_directories(place.path() / "project");
  const ScopedWorkingDirectory here(place.path() / "project");
  EXPECT_EQ(find_data_directory(""), "");
  write_text(place.path() / "shared/data/classical/energy/energy.csv", "x");
  EXPECT_EQ(find_data_directory(""), "../shared/data");
}

TEST(DataDirectory, FilesLieInTheDirectoryOrInClassical) {
  const TemporaryDirectory place;
  EXPECT_EQ(classical_file(place.string(), "a/b.csv"), (place.path() / "a/b.csv").string());
  std::filesystem::create_directories(place.path() / "classical");
  EXPECT_EQ(classical_file(place.string(), "a/b.csv"), (place.path() / "classical/a/b.csv").string());
}

}  // namespace
}  // namespace polystep
