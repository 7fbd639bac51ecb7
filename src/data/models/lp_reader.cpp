// The CPLEX LP format: an objective, constraints, bounds and lists of integer columns, as people write them.
#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "base/option_value.hpp"
#include "data/models/lp_keywords.hpp"
#include "data/models/lp_words.hpp"
#include "data/models/model_words.hpp"

namespace polystep {
namespace {

using Kind = LpWord::Kind;
using Section = LpSection;

bool is_infinity(const LpWord& word) {
  return word.kind == Kind::kName &&
         (same_word(word.word.text, "inf") || same_word(word.word.text, "infinity"));
}

class LpReader {
 public:
  LpReader(std::string_view text, const std::string& file) : file_(file), words_(lp_words(text, file)) {}

  LinearModel read() {
    Section sense = Section::kNone;
    if (keyword_length(sense) == 0) refuse("minimize or maximize");
    sense = take_section();
    if (sense != Section::kMinimise && sense != Section::kMaximise)
      refuse_word(file_, words_[0].word, "minimize or maximize");
    if (sense == Section::kMaximise) model_.milp.sense = solvers::Sense::kMaximise;
    read_objective();
    for (Section section = take_section(); section != Section::kEnd; section = take_section())
      read_section(section);
    if (here().kind != Kind::kEnd) refuse_word(file_, here().word, "nothing after End");
    check_linear_model(model_, file_);
    return std::move(model_);
  }

 private:
  const LpWord& here(std::size_t ahead = 0) const { return words_[std::min(at_ + ahead, words_.size() - 1)]; }
  bool is(Kind kind, std::size_t ahead = 0) const { return here(ahead).kind == kind; }
  const LpWord& take() { return words_[at_ + 1 < words_.size() ? at_++ : at_]; }
  [[noreturn]] void refuse(std::string_view expected) const {
    if (is(Kind::kEnd)) refuse_at(file_, here().word, fmt::format("the file ends, expected {}", expected));
    refuse_word(file_, here().word, expected);
  }

  // How many words the keyword here has; 0: none. Names followed by a colon or used in a term are no
  // keywords, so a keyword must start its line.
  std::size_t keyword_length(Section& section) const {
    if (!is(Kind::kName) || !here().first_on_line || is(Kind::kColon, 1)) return 0;
    const auto second = [&](std::string_view word) {
      return is(Kind::kName, 1) && same_word(here(1).word.text, word);
    };
    section = Section::kRows;
    if (same_word(here().word.text, "subject") && second("to")) return 2;
    if (same_word(here().word.text, "such") && second("that")) return 2;
    for (const LpKeyword& keyword : kLpKeywords)
      if (same_word(here().word.text, keyword.word)) {
        section = keyword.section;
        return 1;
      }
    return 0;
  }
  bool at_section() const {
    Section ignored;
    return is(Kind::kEnd) || keyword_length(ignored) != 0;
  }

  Section take_section() {
    Section section = Section::kNone;
    const std::size_t length = keyword_length(section);
    if (length == 0) refuse("a section such as Subject To, Bounds or End");
    if (section == Section::kRefused)
      refuse_at(
          file_, here().word,
          fmt::format("section {} is not supported, expected linear constraints, general or binary columns",
                      in_quotes(here().word.text)));
    at_ += length;
    return section;
  }

  void read_section(Section section) {
    const auto until_section = [&](auto read_one) {
      while (!at_section()) (this->*read_one)();
    };
    switch (section) {
      case Section::kRows:
        return until_section(&LpReader::read_row);
      case Section::kBounds:
        return until_section(&LpReader::read_bound);
      case Section::kGeneral:
        return until_section(&LpReader::read_general);
      case Section::kBinary:
        return until_section(&LpReader::read_binary);
      default:
        --at_;
        refuse("a section after the objective such as Subject To");
    }
  }

  // A name with a colon, taken off; "" where there is none.
  std::string take_label() {
    if (!is(Kind::kName) || !is(Kind::kColon, 1)) return "";
    const std::string label(take().word.text);
    take();
    return label;
  }

  struct Term {
    double coefficient = 0;
    std::optional<ModelWord> name;  // none: a constant
  };

  // [signs] [number] [name]; `first` may go without a sign.
  Term take_term(bool first) {
    double sign = 1;
    if (!first && !is(Kind::kSign)) refuse("a sign, a comparison or a new line's section");
    while (is(Kind::kSign)) sign *= take().word.text == "-" ? -1 : 1;
    Term term{sign, {}};
    const bool has_number = is(Kind::kNumber);
    if (has_number) term.coefficient *= number_of(file_, take().word);
    if (is(Kind::kName) && !at_section() && !is(Kind::kColon, 1))
      term.name = take().word;
    else if (!has_number)
      refuse("a number or a name");
    return term;
  }

  std::size_t column_of(const ModelWord& name) {
    const std::size_t found = columns_.find(name.text);
    if (found != NameIndex::kNone) return found;
    const std::size_t number = model_.milp.columns.size();
    solvers::MilpColumn column;
    column.name = name.text;
    columns_.add(name.text, number);
    model_.milp.columns.push_back(std::move(column));
    lower_given_.push_back(false);
    last_row_.push_back(NameIndex::kNone);
    last_entry_.push_back(0);
    return number;
  }

  void read_objective() {
    take_label();
    bool first = true;
    while (!at_section()) {
      const Term term = take_term(first);
      first = false;
      if (term.name)
        model_.milp.columns[column_of(*term.name)].objective += term.coefficient;
      else
        model_.constant += term.coefficient;
    }
  }

  // [label:] [number comparison] terms comparison number
  void read_row() {
    solvers::MilpRow row;
    const ModelWord start = here().word;
    row.name = take_label();
    if (row.name.empty()) row.name = fmt::format("c{}", model_.milp.rows.size() + 1);
    if (rows_.find(row.name) != NameIndex::kNone)
      refuse_at(file_, start,
                fmt::format("there is a constraint {} already, expected another name", in_quotes(row.name)));
    rows_.add(row.name, model_.milp.rows.size());
    if (starts_range()) {
      const double side = take_side();
      restrict_row(row, flipped(take_comparison()), side);
    }
    for (bool first = true; first || is(Kind::kSign); first = false) {
      const ModelWord place = here().word;
      const Term term = take_term(first);
      if (!term.name)
        refuse_at(file_, place, "found a number without a name, expected constants on the right");
      add_entry(row, column_of(*term.name), term.coefficient);
    }
    if (!is(Kind::kComparison)) refuse("a sign or a comparison such as <=");
    const char comparison = take_comparison();
    restrict_row(row, comparison, take_side());
    if (is(Kind::kName) && !here().first_on_line)
      refuse("the end of the constraint: variables stand on the left");
    model_.milp.rows.push_back(std::move(row));
  }

  // A column that comes again in a row adds up, as the format has it.
  void add_entry(solvers::MilpRow& row, std::size_t column, double coefficient) {
    const std::size_t number = model_.milp.rows.size();  // of this row, which is not among them yet
    if (last_row_[column] == number) {
      row.entries[last_entry_[column]].coefficient += coefficient;
      return;
    }
    last_row_[column] = number;
    last_entry_[column] = row.entries.size();
    row.entries.push_back({column, coefficient});
  }

  // A number (or inf) with or without signs, then a comparison: "2 <=", "-inf <=".
  bool starts_range() const {
    std::size_t ahead = 0;
    while (is(Kind::kSign, ahead)) ++ahead;
    return (is(Kind::kNumber, ahead) || is_infinity(here(ahead))) && is(Kind::kComparison, ahead + 1);
  }

  double take_side() {
    double sign = 1;
    while (is(Kind::kSign)) sign *= take().word.text == "-" ? -1 : 1;
    if (!is(Kind::kNumber) && !is_infinity(here())) refuse("a number");
    return sign * bound_of(file_, take().word);
  }

  char take_comparison() {
    const std::string_view text = take().word.text;
    return text.find('<') != text.npos ? '<' : text.find('>') != text.npos ? '>' : '=';
  }
  static char flipped(char comparison) { return comparison == '<' ? '>' : comparison == '>' ? '<' : '='; }

  static void restrict_row(solvers::MilpRow& row, char comparison, double side) {
    if (comparison != '<') row.lower = side;
    if (comparison != '>') row.upper = side;
  }

  // name free | name comparison side | side comparison name [comparison side]
  void read_bound() {
    std::optional<std::pair<char, double>> left;
    if (starts_range()) {
      const double side = take_side();
      left = {flipped(take_comparison()), side};
    }
    if (!is(Kind::kName)) refuse("the name of a column");
    const ModelWord name = take().word;
    const std::size_t column = columns_.find(name.text);
    if (column == NameIndex::kNone) refuse_word(file_, name, "a column of the objective or the constraints");
    if (!left && is(Kind::kName) && same_word(here().word.text, "free")) {
      take();
      set_bound(name, column, '>', -solvers::kUnbounded);
      return set_bound(name, column, '<', solvers::kUnbounded);
    }
    if (left) set_bound(name, column, left->first, left->second);
    if (!is(Kind::kComparison)) {
      if (left) return;
      refuse("free or a comparison such as <=");
    }
    const char comparison = take_comparison();
    set_bound(name, column, comparison, take_side());
  }

  void set_bound(const ModelWord& name, std::size_t number, char comparison, double side) {
    solvers::MilpColumn& column = model_.milp.columns[number];
    if (comparison != '<') {
      column.lower = side;
      lower_given_[number] = true;
    }
    if (comparison != '>') column.upper = side;
    if (comparison == '<' && side < 0 && !lower_given_[number])
      refuse_at(file_, name,
                fmt::format(
                    "column {} has a negative upper bound and no lower one, expected a lower bound before it",
                    in_quotes(name.text)));
  }

  std::size_t take_listed() {
    if (!is(Kind::kName)) refuse("the name of a column");
    const ModelWord name = take().word;
    const std::size_t column = columns_.find(name.text);
    if (column == NameIndex::kNone) refuse_word(file_, name, "a column of the objective or the constraints");
    return column;
  }
  void read_general() { model_.milp.columns[take_listed()].integer = true; }
  void read_binary() {
    solvers::MilpColumn& column = model_.milp.columns[take_listed()];
    column.integer = true;
    column.lower = 0;
    column.upper = 1;
  }

  std::string file_;
  std::vector<LpWord> words_;
  std::size_t at_ = 0;
  LinearModel model_;
  NameIndex rows_, columns_;
  std::vector<bool> lower_given_;        // [columns]
  std::vector<std::size_t> last_row_;    // [columns], with an entry of the column
  std::vector<std::size_t> last_entry_;  // [columns], its place there
};

}  // namespace

LinearModel parse_lp(std::string_view text, const std::string& name) { return LpReader(text, name).read(); }

}  // namespace polystep
