// results.csv: one line per finished run, appended as runs finish.
//
// A process that is killed may leave half a line at the end. Every whole line ends with a line break, so what
// follows the last one is such a rest: readers leave it out and say so, writers cut it off.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_descriptor.hpp"
#include "base/line_appender.hpp"
#include "statistics/run_record.hpp"

namespace polystep {

struct ResultsTable {
  std::vector<RunRecord> runs;
  std::uint64_t whole_bytes = 0;  // up to and including the last line break
  bool torn = false;              // something followed it
  std::size_t columns = 0;        // that it has: all, or those of tables of old
};

// Anything but the columns of results.csv, and any bad value, is an InputError that names line and column.
ResultsTable parse_results(std::string_view text, const std::string& name);
ResultsTable read_results(const std::filesystem::path& path);

std::string results_header();
std::string render_result_line(const RunRecord& run);  // numbers read back to the same bits

// What may already be there when a file is opened for new results.
enum class ExistingResults { kRefuse, kResume, kReplace };

// Opens or creates a file of results for one writer at a time; the lock lasts as long as the descriptor. A
// file that is there is an InputError where it must not be, as is another writer.
FileDescriptor lock_results(const std::filesystem::path& path, ExistingResults existing);

// A results file under one writer at a time.
class ResultsFile {
 public:
  ResultsFile(const std::filesystem::path& path, ExistingResults existing);

  const std::vector<RunRecord>& earlier() const { return earlier_; }  // found there when it was opened
  void append(const RunRecord& run);

 private:
  FileDescriptor lock_;  // dropped by the system however the process ends
  std::vector<RunRecord> earlier_;
  std::size_t columns_ = 0;  // of the table found there; 0: all
  LineAppender lines_;
};

}  // namespace polystep
