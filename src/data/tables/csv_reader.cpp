#include "data/tables/csv_reader.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <optional>
#include <utility>

#include "base/file_descriptor.hpp"
#include "base/files.hpp"
#include "base/option_value.hpp"
#include "polystep/error.hpp"
#include "polystep/options.hpp"

namespace polystep {
namespace {

constexpr std::size_t kPieceBytes = 1 << 18;
constexpr std::size_t kStartBytes = 4096;  // enough to tell other formats by

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

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

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

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// What people open by mistake, told apart before it fails as an odd header.
void refuse_other_formats(std::string_view text, const std::string& name) {
  if (text.empty())
    throw InputError(fmt::format("{} is empty, expected a header line and rows of numbers", name));
  std::string_view start = text.substr(0, 4096);
  if (start.starts_with(kByteOrderMark)) start.remove_prefix(kByteOrderMark.size());
  if (start.starts_with(kByteOrderMark))
    throw InputError(fmt::format("{} begins with two byte order marks, expected one at most", name));
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

bool begins_with_mark(std::string_view text) {
  return text.starts_with(kByteOrderMark) || text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
}

void check_header(const std::vector<std::string>& columns, const std::string& where) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].empty()) throw InputError(fmt::format("{}: column {} has no name", where, i + 1));
    if (begins_with_mark(columns[i]))
      throw InputError(
          fmt::format("{}: the name of column {} begins with a byte order mark, expected one at most, at the "
                      "very start of the file",
                      where, i + 1));
    const auto first = std::find(columns.begin(), columns.end(), columns[i]);
    if (const auto at = static_cast<std::size_t>(first - columns.begin()); at != i) {
      throw InputError(fmt::format("{}: columns {} and {} are both named {}, expected different names", where,
                                   at + 1, i + 1, in_quotes(columns[i])));
    }
  }
}

double number_in(const std::string& field, const std::string& column, const Place& where) {
  const std::optional<double> number = parse_number(field);
  if (number) return *number;
  throw InputError(fmt::format("{}: column '{}' is {}, expected a finite number", where.words(), column,
                               field.empty() ? "empty" : in_quotes(field)));
}

}  // namespace

// Hands out the lines of a text or a file, without their ends, and counts them. Of a file only the piece
// around the current line is in memory.
class CsvReader::Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  explicit Lines(const std::filesystem::path& path) : path_(path) {
    file_ = FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    if (!file_.open() || ::fstat(file_.number(), &status) != 0) throw_system_error("cannot read", path);
    if (S_ISDIR(status.st_mode))
      throw InputError(fmt::format("{} is a directory, expected a file", path.string()));
    while (rest_.size() < kStartBytes && read_more()) {
    }
  }

  std::string_view start() const { return rest_.substr(0, kStartBytes); }
  void skip(std::size_t bytes) { rest_.remove_prefix(bytes); }

  bool next(std::string_view& line) {
    std::size_t searched = 0, end = rest_.find('\n');
    while (end == std::string_view::npos) {
      searched = rest_.size();
      if (!read_more()) break;
      end = rest_.find('\n', searched);
    }
    if (rest_.empty()) return false;
    line = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++number_;
    return true;
  }
  std::size_t number() const { return number_; }  // of the line last handed out, from 1

  // Only line ends and blanks are left: the file ends here. They are used up in finding out.
  bool only_blank_left() {
    while (true) {
      rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
      if (!rest_.empty()) return false;
      if (!read_more()) return true;
    }
  }

 private:
  // More of the file behind what is left of it; false at its end. Lines handed out before are gone then.
  bool read_more() {
    if (!file_.open()) return false;
    buffer_.erase(0, buffer_.size() - rest_.size());
    const std::size_t kept = buffer_.size();
    buffer_.resize(kept + kPieceBytes);
    ssize_t count = 0;
    do {
      count = ::read(file_.number(), buffer_.data() + kept, kPieceBytes);
    } while (count < 0 && errno == EINTR);
    if (count < 0) throw_system_error("cannot read", path_);
    buffer_.resize(kept + static_cast<std::size_t>(count));
    rest_ = buffer_;
    if (count == 0) file_.close();
    return count != 0;
  }

  std::filesystem::path path_;
  FileDescriptor file_;  // closed at its end; never open for a text in memory
  std::string buffer_;   // of the file; rest_ is its tail
  std::string_view rest_;
  std::size_t number_ = 0;
};

std::size_t csv_column(std::string_view wanted, const std::vector<std::string>& columns,
                       const std::string& name) {
  const auto found = std::find(columns.begin(), columns.end(), wanted);
  if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  const std::string nearest = nearest_name(wanted, columns);
  throw InputError(fmt::format("{} has no column '{}'{}", name, wanted,
                               nearest.empty() ? "" : fmt::format("; the nearest is '{}'", nearest)));
}

CsvReader::CsvReader(std::string_view text, std::string name, const std::vector<std::string>& wanted)
    : name_(std::move(name)), lines_(std::make_unique<Lines>(text)) {
  read_header(wanted, {});
}

CsvReader::CsvReader(const std::filesystem::path& path, const std::vector<std::string>& wanted,
                     const std::vector<std::string>& texts)
    : name_(path.string()), lines_(std::make_unique<Lines>(path)) {
  read_header(wanted, texts);
}

CsvReader::CsvReader(CsvReader&&) noexcept = default;
CsvReader::~CsvReader() = default;

void CsvReader::read_header(const std::vector<std::string>& wanted, const std::vector<std::string>& texts) {
  refuse_other_formats(lines_->start(), name_);
  if (lines_->start().starts_with(kByteOrderMark)) lines_->skip(kByteOrderMark.size());
  std::string_view line;
  const bool found = lines_->next(line);
  const Place where{name_, lines_->number()};
  if (found) split(line, where, header_);
  check_header(header_, where.words());
  columns_ = wanted;
  if (wanted.empty())
    std::copy_if(header_.begin(), header_.end(), std::back_inserter(columns_),
                 [&](const std::string& column) {
                   return std::find(texts.begin(), texts.end(), column) == texts.end();
                 });
  for (const std::string& column : columns_) positions_.push_back(csv_column(column, header_, name_));
  for (const std::string& text : texts)
    text_positions_.push_back(
        static_cast<std::size_t>(std::find(header_.begin(), header_.end(), text) - header_.begin()));
}

bool CsvReader::next(std::vector<double>& values) {
  std::string_view line;
  bool found = lines_->next(line);
  const Place where{name_, lines_->number()};
  if (found && is_blank(line)) {
    line = "";  // looking ahead may move the file's bytes
    found = !lines_->only_blank_left();
  }
  if (!found) {
    if (rows_ == 0)
      throw InputError(fmt::format("{} has a header and no rows, expected at least one row", name_));
    return false;
  }
  split(line, where, fields_);
  if (fields_.size() != header_.size()) {
    throw InputError(fmt::format("{} has {} values, expected {} as in the header", where.words(),
                                 trimmed(line).empty() ? 0 : fields_.size(), header_.size()));
  }
  for (std::size_t i = 0; i < positions_.size(); ++i)
    values.push_back(number_in(fields_[positions_[i]], columns_[i], where));
  ++rows_;
  return true;
}

}  // namespace polystep
