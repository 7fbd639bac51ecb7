#include "runtime/bench/results_csv.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <type_traits>

#include "base/files.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace fs = std::filesystem;
namespace {

// Visits the fields of a record in the order of the columns: reading, writing and the header share it.
template <class Record, class Visit>
void for_each_column(Record& run, const Visit& visit) {
  visit("problem", run.problem);
  visit("setting", run.setting);
  visit("method", run.method);
  visit("preset", run.preset);
  visit("seed", run.seed);
  visit("test_regret", run.test_regret);
  visit("validation_cost", run.validation_cost);
  visit("test_cost", run.test_cost);
  visit("prediction_error", run.prediction_error);
  visit("test_infeasible", run.test_infeasible);
  visit("test_changed", run.test_changed);
  visit("test_failed", run.test_failed);
  visit("reference_failed", run.reference_failed);
  visit("steps", run.steps);
  visit("stopped_by", run.stopped_by);
  visit("solves_requested", run.solves_requested);
  visit("solves_performed", run.solves_performed);
  visit("solves_certified", run.solves_certified);
  visit("solves_failed", run.solves_failed);
  visit("reference_solves", run.reference_solves);
  visit("training_solves", run.training_solves);
  visit("seconds_train", run.seconds_train);
  visit("core_seconds_train", run.core_seconds_train);
  visit("seconds_total", run.seconds_total);
  visit("conditional_regret", run.conditional_regret);
  visit("batch_infeasible", run.batch_infeasible);
  visit("batch_conditional_regret", run.batch_conditional_regret);
  visit("batch_regret", run.batch_regret);
  visit("fresh_infeasible", run.fresh_infeasible);
  visit("fresh_conditional_regret", run.fresh_conditional_regret);
  visit("fresh_regret", run.fresh_regret);
  visit("prediction_deviation", run.prediction_deviation);
}

// Columns of tables that were written before there were the last ones; these have them still.
constexpr std::size_t kOldColumns[] = {24, 31};

std::string first_fields(const std::string& line, std::size_t columns) {
  std::size_t fields = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (line[i] == ',' && !quoted && ++fields == columns) return line.substr(0, i);
  }
  return line;
}

// Names of own problems and their settings may hold commas.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter == '\n' || letter == '\r' ? ' ' : letter;  // a line is a run
  }
  return quoted + '"';
}

std::vector<std::string> split_fields(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool doubled = quoted && line[i] == '"' && i + 1 < line.size() && line[i + 1] == '"';
    if (line[i] == '"' && !doubled)
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += line[i];
    if (doubled) ++i;
  }
  return fields;
}

struct FieldReader {
  const std::string& where;  // "results.csv line 7"
  std::string_view column;
  const std::string& text;

  template <class Value>
  void into(Value& value) const {
    if constexpr (std::is_same_v<Value, std::string>) {
      value = text;
      if (text.empty()) fail("a text");
    } else if constexpr (std::is_same_v<Value, std::optional<double>>) {
      if (!text.empty()) into(value.emplace());  // a figure that a run does not have is left empty
    } else {
      const char* end = text.data() + text.size();
      const auto [stop, error] = std::from_chars(text.data(), end, value);
      const char* expected = std::is_floating_point_v<Value> ? "a number" : "a whole number from 0";
      if (error != std::errc() || stop != end) fail(expected);
      if constexpr (std::is_floating_point_v<Value>)
        if (!std::isfinite(value)) fail(expected);
    }
  }
  [[noreturn]] void fail(const char* expected) const {
    throw InputError(fmt::format("{}, column {}: found '{}', expected {}", where, column, text, expected));
  }
};

RunRecord parse_line(std::string_view line, const std::string& where, std::size_t columns) {
  const std::vector<std::string> fields = split_fields(line);
  if (fields.size() != columns)
    throw InputError(fmt::format("{}: found {} fields, expected {}", where, fields.size(), columns));
  RunRecord run;
  std::size_t next = 0;
  for_each_column(run, [&](const char* column, auto& value) {
    if (next < fields.size()) FieldReader{where, column, fields[next]}.into(value);
    ++next;
  });
  return run;
}

}  // namespace

std::string results_header() {
  std::vector<std::string> names;
  RunRecord none;
  for_each_column(none, [&](const char* column, auto&) { names.emplace_back(column); });
  return fmt::format("{}", fmt::join(names, ","));
}

std::string render_result_line(const RunRecord& run) {
  std::vector<std::string> fields;
  for_each_column(run, [&](const char*, const auto& value) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>)
      fields.push_back(field(value));
    else if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::optional<double>>)
      fields.push_back(value ? fmt::format("{}", *value) : "");
    else
      fields.push_back(fmt::format("{}", value));
  });
  return fmt::format("{}", fmt::join(fields, ","));
}

ResultsTable parse_results(std::string_view text, const std::string& name) {
  ResultsTable table;
  const std::string header = results_header();
  table.columns = static_cast<std::size_t>(std::count(header.begin(), header.end(), ',')) + 1;
  std::size_t number = 0;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::string where = fmt::format("{} line {}", name, ++number);
    if (number > 1) {
      table.runs.push_back(parse_line(line, where, table.columns));
    } else if (line != header) {
      const auto old = std::ranges::find_if(
          kOldColumns, [&](std::size_t columns) { return line == first_fields(header, columns); });
      if (old == std::end(kOldColumns))
        throw InputError(fmt::format("{}: found '{}', expected '{}'", where, line.substr(0, 200), header));
      table.columns = *old;
    }
    table.whole_bytes += end + 1;
    text.remove_prefix(end + 1);
  }
  table.torn = !text.empty();
  if (number == 0 && !header.starts_with(text))
    throw InputError(fmt::format("{} line 1: found '{}', expected '{}'", name, text.substr(0, 200), header));
  return table;
}

ResultsTable read_results(const fs::path& path) { return parse_results(read_file(path), path.string()); }

FileDescriptor lock_results(const fs::path& path, ExistingResults existing) {
  std::error_code ignored;
  if (existing == ExistingResults::kRefuse && fs::exists(path, ignored))
    throw InputError(
        fmt::format("{} exists; give --resume to go on with it, --force to replace it or --out another "
                    "directory",
                    path.string()));
  FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!file.open()) throw_system_error("cannot write", path);
  if (::flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) throw_system_error("cannot lock", path);
    throw InputError(
        fmt::format("{} is being written by another process; wait for it or give --out another directory",
                    path.string()));
  }
  return file;
}

ResultsFile::ResultsFile(const fs::path& path, ExistingResults existing)
    : lock_(lock_results(path, existing)), lines_([&] {
        if (existing == ExistingResults::kReplace) return LineAppender(path, 0);
        ResultsTable table = read_results(path);
        earlier_ = std::move(table.runs);
        columns_ = table.columns;
        return LineAppender(path, table.whole_bytes);
      }()) {
  if (lines_.offset() == 0) lines_.append(results_header());
}

void ResultsFile::append(const RunRecord& run) {
  const std::string line = render_result_line(run);
  lines_.append(columns_ == 0 ? line : first_fields(line, columns_));
}

}  // namespace polystep
