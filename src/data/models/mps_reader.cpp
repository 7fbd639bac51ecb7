// MPS: a section per kind of data, a record per line.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/option_value.hpp"
#include "data/models/model_words.hpp"
#include "data/models/mps_lines.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr std::size_t kObjective = static_cast<std::size_t>(-2);  // among row numbers
constexpr std::size_t kLeftOut = static_cast<std::size_t>(-3);    // an N row after the first

class MpsReader {
 public:
  MpsReader(std::string_view text, const std::string& file, MpsFields fields)
      : file_(file), lines_(text, file, fields) {}

  LinearModel read() {
    while (lines_.next()) {
      if (lines_.is_section()) {
        start_section();
        if (section_ == "ENDATA") return finish();
      } else {
        read_record();
      }
    }
    throw InputError(fmt::format("{} ends without ENDATA, expected it after the last record", file_));
  }

 private:
  using Words = std::span<const ModelWord>;

  // Sections come in this order; those in brackets may be missing.
  static constexpr std::array<std::string_view, 8> kOrder = {"NAME", "OBJSENSE", "ROWS",   "COLUMNS",
                                                             "RHS",  "RANGES",   "BOUNDS", "ENDATA"};

  void start_section() {
    const ModelWord& word = lines_.words().front();
    if (word.text == "OBJSENSE" && lines_.words().size() > 1) set_sense(lines_.words()[1]);
    const auto found = std::find(kOrder.begin(), kOrder.end(), word.text);
    if (found == kOrder.end())
      refuse_word(file_, word, "a section NAME, OBJSENSE, ROWS, COLUMNS, RHS, RANGES, BOUNDS or ENDATA");
    const auto place = static_cast<std::size_t>(found - kOrder.begin());
    if (place < place_ || (section_ == word.text))
      refuse_at(file_, word,
                fmt::format("section {} comes after {}, expected it before and once", word.text, section_));
    if (place > 2 && rows_seen_ == 0) refuse_word(file_, word, "section ROWS with an objective before it");
    if (place > 3 && model_.milp.columns.empty()) refuse_word(file_, word, "section COLUMNS before it");
    section_ = word.text;
    place_ = place;
  }

  void read_record() {
    const Words words = lines_.words();
    if (section_ == "OBJSENSE")
      set_sense(words[0]);
    else if (section_ == "ROWS")
      add_row(words);
    else if (section_ == "COLUMNS")
      add_entries(words);
    else if (section_ == "RHS")
      for_each_pair(words, [&](const ModelWord& row, const ModelWord& value) { set_side(row, value); });
    else if (section_ == "RANGES")
      for_each_pair(words, [&](const ModelWord& row, const ModelWord& value) { set_range(row, value); });
    else if (section_ == "BOUNDS")
      set_bound(words);
    else
      refuse_word(file_, words[0], "a section such as ROWS at the start of the line");
  }

  void set_sense(const ModelWord& word) {
    if (same_word(word.text, "max") || same_word(word.text, "maximize"))
      model_.milp.sense = solvers::Sense::kMaximise;
    else if (same_word(word.text, "min") || same_word(word.text, "minimize"))
      model_.milp.sense = solvers::Sense::kMinimise;
    else
      refuse_word(file_, word, "MAX or MIN");
  }

  void add_row(Words words) {
    require_words(words, 2, 2, "a type and a name");
    const ModelWord& type = words[0];
    const ModelWord& name = words[1];
    if (rows_.find(name.text) != NameIndex::kNone) refuse_word(file_, name, "a row name that is not taken");
    ++rows_seen_;
    if (same_word(type.text, "n")) {
      rows_.add(name.text, has_objective_ ? kLeftOut : kObjective);
      has_objective_ = true;
      return;
    }
    solvers::MilpRow row;
    row.name = name.text;
    if (!same_word(type.text, "l") && !same_word(type.text, "g") && !same_word(type.text, "e"))
      refuse_word(file_, type, "one of N, L, G and E");
    if (!same_word(type.text, "l")) row.lower = 0;
    if (!same_word(type.text, "g")) row.upper = 0;
    rows_.add(name.text, model_.milp.rows.size());
    model_.milp.rows.push_back(std::move(row));
    has_side_.push_back(false);
    has_range_.push_back(false);
    last_column_.push_back(NameIndex::kNone);
  }

  void add_entries(Words words) {
    if (words.size() >= 3 && words[1].text == "'MARKER'") {
      if (words[2].text != "'INTORG'" && words[2].text != "'INTEND'")
        refuse_word(file_, words[2], "'INTORG' or 'INTEND'");
      integer_ = words[2].text == "'INTORG'";
      return;
    }
    require_words(words, 3, 5, "a column, a row and a number");
    if (words.size() == 4) refuse_word(file_, lines_.end_of_line(), "another number");
    const std::size_t column = column_of(words[0]);
    for_each_pair(words.subspan(1), [&](const ModelWord& row, const ModelWord& value) {
      set_entry(column, row, number_of(file_, value));
    });
  }

  // A column's records stand together.
  std::size_t column_of(const ModelWord& name) {
    auto& columns = model_.milp.columns;
    if (!columns.empty() && columns.back().name == name.text) return columns.size() - 1;
    if (columns_.find(name.text) != NameIndex::kNone)
      refuse_at(file_, name,
                fmt::format("column {} was left and comes again, expected its entries together",
                            in_quotes(name.text)));
    columns_.add(name.text, columns.size());
    solvers::MilpColumn column;
    column.integer = integer_;
    column.name = name.text;
    columns.push_back(std::move(column));
    upper_given_.push_back(false);
    lower_given_.push_back(false);
    objective_given_ = false;
    return columns.size() - 1;
  }

  void set_entry(std::size_t column, const ModelWord& row_name, double value) {
    const std::size_t row = row_of(row_name);
    if (row == kLeftOut) return;
    const bool repeated = row == kObjective ? objective_given_ : last_column_[row] == column;
    if (repeated)
      refuse_at(file_, row_name,
                fmt::format("column '{}' has a second entry in row {}, expected one",
                            model_.milp.columns[column].name, in_quotes(row_name.text)));
    if (row == kObjective) {
      objective_given_ = true;
      model_.milp.columns[column].objective = value;
      return;
    }
    last_column_[row] = column;
    model_.milp.rows[row].entries.push_back({column, value});
  }

  std::size_t row_of(const ModelWord& name) const {
    const std::size_t row = rows_.find(name.text);
    if (row == NameIndex::kNone) refuse_word(file_, name, "a row of section ROWS");
    return row;
  }

  void set_side(const ModelWord& name, const ModelWord& value) {
    const std::size_t row = row_of(name);
    if (row == kLeftOut) return;
    const double side = number_of(file_, value);
    if (row == kObjective) {
      model_.constant = side == 0 ? 0 : -side;  // as all readers have it: the side is subtracted
      return;
    }
    if (has_side_[row]) refuse_word(file_, name, "a row without a right-hand side so far");
    has_side_[row] = true;
    solvers::MilpRow& target = model_.milp.rows[row];
    if (std::isfinite(target.lower)) target.lower = side;
    if (std::isfinite(target.upper)) target.upper = side;
  }

  void set_range(const ModelWord& name, const ModelWord& value) {
    const std::size_t row = row_of(name);
    if (row == kObjective || row == kLeftOut) refuse_word(file_, name, "a row with a bound");
    if (has_range_[row]) refuse_word(file_, name, "a row without a range so far");
    has_range_[row] = true;
    const double range = number_of(file_, value);
    solvers::MilpRow& target = model_.milp.rows[row];
    const bool equality = std::isfinite(target.lower) && std::isfinite(target.upper);
    if (equality)
      (range < 0 ? target.lower : target.upper) += range;
    else if (std::isfinite(target.upper))
      target.lower = target.upper - std::abs(range);
    else
      target.upper = target.lower + std::abs(range);
  }

  // Records of RHS and RANGES: [the name of the vector], then rows with their numbers.
  template <class Set>
  void for_each_pair(Words words, const Set& set) {
    if (words.size() % 2 != 0) words = words.subspan(1);
    if (words.empty()) refuse_word(file_, lines_.end_of_line(), "a row and a number");
    for (std::size_t i = 0; i < words.size(); i += 2) set(words[i], words[i + 1]);
  }

  void set_bound(Words words);
  ModelWord bound_column(Words words, bool with_value) const;
  void apply_bound(std::string_view type, const ModelWord& name, std::size_t column, double value);

  void require_words(Words words, std::size_t least, std::size_t most, std::string_view expected) const {
    if (words.size() < least) refuse_word(file_, lines_.end_of_line(), expected);
    if (words.size() > most) refuse_word(file_, words[most], "the end of the line");
  }

  LinearModel finish() {
    if (!has_objective_)
      throw InputError(fmt::format("{}: section ROWS has no row of type N, expected the objective", file_));
    check_linear_model(model_, file_);
    return std::move(model_);
  }

  std::string file_;
  MpsLines lines_;
  LinearModel model_;
  std::string section_;
  std::size_t place_ = 0;  // of the section in kOrder
  NameIndex rows_, columns_;
  std::size_t rows_seen_ = 0;
  bool has_objective_ = false;
  bool integer_ = false;                         // within integer markers
  bool objective_given_ = false;                 // for the present column
  std::vector<std::size_t> last_column_;         // [rows], with an entry there
  std::vector<bool> has_side_, has_range_;       // [rows]
  std::vector<bool> lower_given_, upper_given_;  // [columns]
};

// The column's name in a record of BOUNDS: TYPE [vector] column [value].
ModelWord MpsReader::bound_column(Words words, bool with_value) const {
  if (with_value) {
    require_words(words, 3, 4, "a column and a number");
    return words[words.size() - 2];
  }
  require_words(words, 2, 4, "a column");
  if (words.size() == 2) return words[1];
  return columns_.find(words[2].text) != NameIndex::kNone || words.size() == 4 ? words[2] : words[1];
}

void MpsReader::set_bound(Words words) {
  const std::string_view type = words[0].text;
  constexpr std::array<std::string_view, 5> kWithValue = {"UP", "LO", "FX", "UI", "LI"};
  constexpr std::array<std::string_view, 4> kAlone = {"FR", "MI", "PL", "BV"};
  const bool with_value = std::find(kWithValue.begin(), kWithValue.end(), type) != kWithValue.end();
  if (!with_value && std::find(kAlone.begin(), kAlone.end(), type) == kAlone.end())
    refuse_word(file_, words[0], "one of UP, LO, FX, FR, MI, PL, BV, UI and LI");
  const ModelWord name = bound_column(words, with_value);
  const std::size_t column = columns_.find(name.text);
  if (column == NameIndex::kNone) refuse_word(file_, name, "a column of section COLUMNS");
  apply_bound(type, name, column, with_value ? bound_of(file_, words.back()) : 0.0);
}

void MpsReader::apply_bound(std::string_view type, const ModelWord& name, std::size_t number, double value) {
  solvers::MilpColumn& column = model_.milp.columns[number];
  const bool sets_lower = type != "UP" && type != "UI" && type != "PL";
  const bool sets_upper = type != "LO" && type != "LI" && type != "MI";
  if ((sets_lower && lower_given_[number]) || (sets_upper && upper_given_[number]))
    refuse_word(file_, name, "a column without this bound so far");
  if (type == "FR" || type == "MI") column.lower = -solvers::kUnbounded;
  if (type == "FR" || type == "PL") column.upper = solvers::kUnbounded;
  if (type == "BV") column.lower = 0, column.upper = 1;
  if (type == "LO" || type == "LI" || type == "FX") column.lower = value;
  if (type == "UP" || type == "UI" || type == "FX") column.upper = value;
  if (type == "BV" || type == "UI" || type == "LI") column.integer = true;
  // Some readers then take minus infinity for the lower bound and some 0.
  if ((type == "UP" || type == "UI") && value < 0 && !lower_given_[number])
    refuse_at(
        file_, name,
        fmt::format(
            "column {} has a negative upper bound and no lower one, expected a record LO or MI before it",
            in_quotes(name.text)));
  if (sets_lower) lower_given_[number] = true;
  if (sets_upper) upper_given_[number] = true;
}

}  // namespace

LinearModel parse_mps(std::string_view text, const std::string& name, MpsFields fields) {
  return MpsReader(text, name, fields).read();
}

}  // namespace polystep
