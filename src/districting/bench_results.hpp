// districting.csv of the benchmark: one line per districting, appended as they are priced. Half a line that a
// killed process left at the end is cut off.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_descriptor.hpp"
#include "base/line_appender.hpp"
#include "runtime/bench/results_csv.hpp"
#include "statistics/districting_comparison.hpp"

namespace polystep {

// Anything but these columns, and any bad value, is an InputError that names the line.
std::vector<DistrictingRecord> parse_districting_results(std::string_view text, const std::string& name);

std::string districting_results_header();
std::string render_districting_line(const DistrictingRecord& record);  // numbers read back to the same bits

// Whether two records agree in all but the results.
bool same_question(const DistrictingRecord& a, const DistrictingRecord& b);

class DistrictingResults {
 public:
  DistrictingResults(const std::filesystem::path& path, ExistingResults existing);

  const std::vector<DistrictingRecord>& records() const { return records_; }  // earlier and new ones
  bool holds(const DistrictingRecord& asked) const;
  void append(const DistrictingRecord& record);

 private:
  FileDescriptor lock_;
  std::vector<DistrictingRecord> records_;
  LineAppender lines_;
};

}  // namespace polystep
