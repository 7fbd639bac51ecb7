// Damaged energy files: every error names file and line. The files are made here, so no benchmark data are
// needed.
#include <gtest/gtest.h>

#include <string>

#include "data/benchmarks/energy_data.hpp"
#include "data/published_files.hpp"

namespace polystep {
namespace {

using testing::TemporaryDirectory;
using testing::write_text;

// A well-formed set of energy files that single tests then damage.
class EnergyFiles : public ::testing::Test {
 protected:
  static std::string row(std::size_t day, std::size_t slot) {
    return std::to_string(day) + "," + std::to_string(slot) +
           ",0,1,44,11,315.31,3388.77,49.26,600.71,54.5,218.25\n";
  }

  EnergyFiles() {
    lines_.push_back(
        "day,slot,holiday,day_of_week,week_of_year,month,wind_forecast,load_forecast,price_forecast,co2_"
        "intensity,"
        "price,knapsack_value\n");
    for (std::size_t day = 0; day < kDays; ++day) {
      for (std::size_t slot = 0; slot < kSlotsPerDay; ++slot) lines_.push_back(row(day, slot));
    }
    scaler_ = "feature,mean,std\n";
    for (const std::string_view name : kEnergyFeatureNames) scaler_ += std::string(name) + ",10,2\n";
    weights_ = "3";
    for (std::size_t item = 1; item < kSlotsPerDay; ++item) weights_ += ",5";
    weights_ += "\n";
  }

  void write() {
    std::string energy;
    for (const std::string& line : lines_) energy += line;
    write_text(place_.path() / "energy/energy.csv", energy);
    write_text(place_.path() / "energy/scaler.csv", scaler_);
    write_text(place_.path() / "knapsack/weights.csv", weights_);
  }
  Dataset load() {
    write();
    return published_knapsack(place_.string(), 0);
  }

  TemporaryDirectory place_;
  std::vector<std::string> lines_;  // of energy.csv; lines_[k] is line k + 1
  std::string scaler_, weights_;
};

TEST_F(EnergyFiles, WellFormedOnesAreRead) {
  const Dataset data = load();
  EXPECT_EQ(data.test.rows, 139u);
  EXPECT_EQ(data.test.truth[0], 218.25);
  EXPECT_DOUBLE_EQ(data.test.features[4], (315.31 - 10) / 2);
  EXPECT_EQ(published_knapsack_weights(place_.string())[0], 3);
}

TEST_F(EnergyFiles, LastLineMayLackItsEnd) {
  lines_.back().pop_back();
  EXPECT_EQ(load().training.rows, 550u);
}

TEST_F(EnergyFiles, MissingFile) {
  EXPECT_INPUT_ERROR(published_knapsack(place_.string(), 0), "energy/energy.csv", "No such file");
  EXPECT_INPUT_ERROR(published_knapsack_weights(place_.string()), "knapsack/weights.csv", "No such file");
}

TEST_F(EnergyFiles, DirectoryInPlaceOfAFile) {
  std::filesystem::create_directories(place_.path() / "energy/energy.csv");
  EXPECT_INPUT_ERROR(published_knapsack(place_.string(), 0), "energy/energy.csv", "is a directory");
}

TEST_F(EnergyFiles, WrongHeader) {
  lines_[0] = "day,slot,price\n";
  EXPECT_INPUT_ERROR(load(), "energy.csv line 1: found 'day,slot,price'", "expected 'day,slot,holiday");
}

TEST_F(EnergyFiles, WrongNumberOfFields) {
  lines_[7] = "0,6,0,1,44,11\n";
  EXPECT_INPUT_ERROR(load(), "energy.csv line 8: found 6 fields", "expected 12");
  lines_[7] = "\n";
  EXPECT_INPUT_ERROR(load(), "energy.csv line 8: found 1 fields", "expected 12");
}

TEST_F(EnergyFiles, FieldsThatAreNotNumbers) {
  for (const std::string bad : {"", "abc", "1.5x", " 1.5", "nan", "inf", "1e999", "+3", "0x10"}) {
    lines_[3] = "0,2,0,1,44,11," + bad + ",3388.77,49.26,600.71,54.5,218.25\n";
    EXPECT_INPUT_ERROR(load(), "energy.csv line 4: found '" + bad + "' in field 7", "expected a number");
  }
}

TEST_F(EnergyFiles, TheOtherTargetMustBeSoundToo) {
  lines_[3] = "0,2,0,1,44,11,1,3388.77,49.26,600.71,unknown,218.25\n";
  EXPECT_INPUT_ERROR(load(), "energy.csv line 4: found 'unknown' in field 11", "expected a number");
}

TEST_F(EnergyFiles, RowsOutOfOrder) {
  std::swap(lines_[50], lines_[51]);
  EXPECT_INPUT_ERROR(load(), "energy.csv line 51: found slot 2", "expected 1");
  std::swap(lines_[50], lines_[51]);
  lines_.erase(lines_.begin() + 1, lines_.begin() + 49);
  EXPECT_INPUT_ERROR(load(), "energy.csv line 2: found day 1", "expected 0");
}

TEST_F(EnergyFiles, TruncatedOrTooLong) {
  const std::string last = lines_.back();
  lines_.pop_back();
  EXPECT_INPUT_ERROR(load(), "energy.csv line 37873", "found the end of the file");
  lines_.push_back(last);
  lines_.push_back(row(789, 0));
  EXPECT_INPUT_ERROR(load(), "energy.csv line 37874", "expected the end of the file");
}

TEST_F(EnergyFiles, BadScaling) {
  const std::string good = scaler_;
  scaler_.replace(scaler_.find("month"), 5, "mouth");
  EXPECT_INPUT_ERROR(load(), "scaler.csv line 5: found feature 'mouth'", "expected 'month'");
  scaler_ = good;
  scaler_.replace(scaler_.find("month,10,2"), 10, "month,10,0");
  EXPECT_INPUT_ERROR(load(), "scaler.csv line 5: found standard deviation 0", "expected more than 0");
  scaler_ = "";
  EXPECT_INPUT_ERROR(load(), "scaler.csv line 1", "found the end of the file");
}

TEST_F(EnergyFiles, BadWeights) {
  for (const std::string bad : {"0", "-3", "2.5", "9999999"}) {
    weights_.replace(0, weights_.find(','), bad);
    write();
    EXPECT_INPUT_ERROR(published_knapsack_weights(place_.string()), "weights.csv line 1: found weight " + bad,
                       "expected a whole number");
  }
  weights_ = "3,5,7\n";
  write();
  EXPECT_INPUT_ERROR(published_knapsack_weights(place_.string()), "found 3 fields", "expected 48");
}

}  // namespace
}  // namespace polystep
