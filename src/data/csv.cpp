#include "data/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/files.hpp"
#include "base/option_value.hpp"
#include "polystep/error.hpp"
#include "polystep/options.hpp"

namespace polystep {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char letter) { return letter == ' ' || letter == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

// Where a message points; turned into words only when there is something to say.
struct Place {
  const std::string& name;
  std::size_t line;

  std::string words() const { return fmt::format("{} line {}", name, line); }
};

// Hands out the lines of a text, without their ends, and counts them.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++number_;
    return true;
  }
  std::size_t number() const { return number_; }  // of the line last handed out, from 1

  // Only line ends and blanks are left: the file ends here.
  bool only_blank_left() const { return rest_.find_first_not_of(" \t\r\n") == std::string_view::npos; }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

// Takes the quoted field at the start of `rest` off it; "" inside stands for a quote.
std::string take_quoted(std::string_view& rest, const Place& where) {
  std::string field;
  rest.remove_prefix(1);
  while (true) {
    const std::size_t quote = rest.find('"');
    if (quote == std::string_view::npos) {
      throw InputError(fmt::format("{}: a quote is opened and never closed", where.words()));
    }
    field += rest.substr(0, quote);
    rest.remove_prefix(quote + 1);
    if (rest.empty() || rest.front() != '"') return field;
    field += '"';
    rest.remove_prefix(1);
  }
}

void split(std::string_view line, const Place& where, std::vector<std::string>& fields) {
  fields.clear();
  std::string_view rest = line;
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view plain = trimmed(rest.substr(0, comma));
    if (plain.starts_with('"')) {
      rest.remove_prefix(static_cast<std::size_t>(plain.data() - rest.data()));
      fields.push_back(take_quoted(rest, where));
      rest = trimmed(rest);
      if (rest.empty()) return;
      if (rest.front() != ',') {
        throw InputError(fmt::format("{}: text follows a closing quote, expected a comma", where.words()));
      }
      rest.remove_prefix(1);
      continue;
    }
    fields.emplace_back(plain);
    if (comma == std::string_view::npos) return;
    rest.remove_prefix(comma + 1);
  }
}

// What people open by mistake, told apart before it fails as an odd header.
void refuse_other_formats(std::string_view text, const std::string& name) {
  if (text.empty())
    throw InputError(fmt::format("{} is empty, expected a header line and rows of numbers", name));
  const std::string_view start = text.substr(0, 4096);
  if (start.starts_with("\xff\xfe") || start.starts_with("\xfe\xff")) {
    throw InputError(fmt::format("{} is UTF-16 text, expected UTF-8", name));
  }
  if (start.find('\0') != std::string_view::npos) {
    throw InputError(fmt::format("{} is not a text file, expected comma-separated values", name));
  }
  const std::string_view header = start.substr(0, start.find('\n'));
  if (header.find(',') != std::string_view::npos) return;
  for (const auto& [separator, word] : {std::pair(';', "semicolons"), std::pair('\t', "tabs")}) {
    if (header.find(separator) != std::string_view::npos) {
      throw InputError(fmt::format("{} separates columns by {}, expected commas", name, word));
    }
  }
}

void check_header(const std::vector<std::string>& columns, const std::string& where) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].empty()) throw InputError(fmt::format("{}: column {} has no name", where, i + 1));
    const auto first = std::find(columns.begin(), columns.end(), columns[i]);
    if (const auto at = static_cast<std::size_t>(first - columns.begin()); at != i) {
      throw InputError(fmt::format("{}: columns {} and {} are both named {}, expected different names", where,
                                   at + 1, i + 1, in_quotes(columns[i])));
    }
  }
}

std::size_t position(std::string_view wanted, const std::vector<std::string>& columns,
                     const std::string& name) {
  const auto found = std::find(columns.begin(), columns.end(), wanted);
  if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  const std::string nearest = nearest_name(wanted, columns);
  throw InputError(fmt::format("{} has no column '{}'{}", name, wanted,
                               nearest.empty() ? "" : fmt::format("; the nearest is '{}'", nearest)));
}

double number_in(const std::string& field, const std::string& column, const Place& where) {
  const std::optional<double> number = parse_number(field);
  if (number) return *number;
  throw InputError(fmt::format("{}: column '{}' is {}, expected a finite number", where.words(), column,
                               field.empty() ? "empty" : in_quotes(field)));
}

std::string as_field(const std::string& text) {
  const bool plain =
      text.find_first_of(",\"\r\n") == std::string::npos && trimmed(text).size() == text.size();
  if (plain) return text;
  std::string out = "\"";
  for (const char letter : text) out += letter == '"' ? "\"\"" : std::string(1, letter);
  return out + '"';
}

}  // namespace

std::size_t CsvTable::column(std::string_view wanted) const { return position(wanted, columns, name); }

std::vector<double> CsvTable::column_values(std::string_view wanted) const {
  const std::size_t at = column(wanted);
  std::vector<double> out(rows);
  for (std::size_t i = 0; i < rows; ++i) out[i] = values[i * columns.size() + at];
  return out;
}

CsvTable parse_csv(std::string_view text, const std::string& name, const std::vector<std::string>& wanted) {
  refuse_other_formats(text, name);
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  Lines lines(text);
  const auto where = [&] { return Place{name, lines.number()}; };
  std::string_view line;
  std::vector<std::string> header;
  if (lines.next(line)) split(line, where(), header);
  check_header(header, where().words());

  CsvTable table;
  table.name = name;
  table.columns = wanted.empty() ? header : wanted;
  std::vector<std::size_t> positions;  // in the file, of each column of the table
  for (const std::string& column : table.columns) positions.push_back(position(column, header, name));

  std::vector<std::string> fields;
  while (!lines.only_blank_left() && lines.next(line)) {
    split(line, where(), fields);
    if (fields.size() != header.size()) {
      throw InputError(fmt::format("{} has {} values, expected {} as in the header", where().words(),
                                   trimmed(line).empty() ? 0 : fields.size(), header.size()));
    }
    for (std::size_t i = 0; i < positions.size(); ++i) {
      table.values.push_back(number_in(fields[positions[i]], table.columns[i], where()));
    }
    ++table.rows;
  }
  if (table.rows == 0)
    throw InputError(fmt::format("{} has a header and no rows, expected at least one row", name));
  return table;
}

CsvTable read_csv(const std::filesystem::path& path) { return parse_csv(read_file(path), path.string()); }

CsvTable read_csv(const std::filesystem::path& path, const std::vector<std::string>& wanted) {
  return parse_csv(read_file(path), path.string(), wanted);
}

std::string render_csv(const std::vector<std::string>& columns, std::span<const double> values) {
  if (columns.empty() || values.size() % columns.size() != 0) {
    throw std::logic_error("a CSV table needs columns, and a whole number of rows");
  }
  std::string text;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    text += as_field(columns[i]);
    text += i + 1 < columns.size() ? ',' : '\n';
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "{}", values[i]);  // the shortest text with the same bits
    text += (i + 1) % columns.size() != 0 ? ',' : '\n';
  }
  return text;
}

void write_csv(const std::filesystem::path& path, const std::vector<std::string>& columns,
               std::span<const double> values) {
  write_file(path, render_csv(columns, values));
}

}  // namespace polystep
