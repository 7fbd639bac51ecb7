#include "own/model_slots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "own/name_pattern.hpp"
#include "polystep/error.hpp"
#include "polystep/options.hpp"

namespace polystep {
namespace {

constexpr std::size_t kNamesShown = 6;

template <class Part>
std::vector<std::size_t> match_names(const std::string& pattern, const std::vector<Part>& parts,
                                     const char* what, const std::string& file, const std::string& where) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (match_pattern(pattern, parts[i].name)) found.push_back(i);
  if (!found.empty()) return found;
  std::vector<std::string> names;
  for (const Part& part : parts) names.push_back(part.name);
  const std::string nearest = nearest_name(pattern, names);
  throw InputError(fmt::format("{}: '{}' matches no {} of {}, expected at least one{}", where, pattern, what,
                               file, nearest.empty() ? "" : fmt::format("; the nearest is '{}'", nearest)));
}

bool is_column(SlotKind kind) {
  return kind == SlotKind::kObjective || kind == SlotKind::kColumnLower || kind == SlotKind::kColumnUpper;
}

class Matcher {
 public:
  Matcher(const LinearModel& model, const std::string& file, const CsvTable& table)
      : model_(model), file_(file), table_(table) {}

  void take(const SlotTable& others) {
    for (const ModelSlot& slot : others.slots) taken_.insert(key(slot));
  }

  void add(const SlotRule& rule) {
    names_.clear();
    const solvers::MilpModel& milp = model_.milp;
    if (rule.kind == SlotKind::kEntry) {
      add_entries(rule);
    } else if (is_column(rule.kind)) {
      for (const std::size_t column : match_columns(rule.pattern, model_, file_, rule.where))
        add_slot(rule, {rule.kind, column, 0, rule.factor}, milp.columns[column].name,
                 *match_pattern(rule.pattern, milp.columns[column].name));
    } else {
      for (const std::size_t row : match_rows(rule.pattern, model_, file_, rule.where)) {
        check_sides(rule, milp.rows[row]);
        add_slot(rule, {rule.kind, row, 0, rule.factor}, milp.rows[row].name,
                 *match_pattern(rule.pattern, milp.rows[row].name));
      }
    }
    describe(rule);
  }

  SlotTable result;

 private:
  using Key = std::tuple<SlotKind, std::size_t, std::size_t>;
  static Key key(const ModelSlot& slot) { return {slot.kind, slot.index, slot.entry}; }

  void add_entries(const SlotRule& rule) {
    const solvers::MilpModel& milp = model_.milp;
    match_columns(rule.column_pattern, model_, file_, rule.where);  // for the message about it
    for (const std::size_t row : match_rows(rule.pattern, model_, file_, rule.where))
      for (std::size_t e = 0; e < milp.rows[row].entries.size(); ++e) {
        const std::string& column = milp.columns[milp.rows[row].entries[e].column].name;
        const auto column_stars = match_pattern(rule.column_pattern, column);
        if (!column_stars) continue;
        std::vector<std::string> stars = *match_pattern(rule.pattern, milp.rows[row].name);
        stars.insert(stars.end(), column_stars->begin(), column_stars->end());
        add_slot(rule, {rule.kind, row, e, rule.factor}, milp.rows[row].name + ":" + column, stars);
      }
    if (names_.empty())
      throw InputError(
          fmt::format("{}: no entry of {} is in a row '{}' and a column '{}', expected at least one",
                      rule.where, file_, rule.pattern, rule.column_pattern));
  }

  // A right-hand side is one number: of the side a row has, or of both where they are equal.
  void check_sides(const SlotRule& rule, const solvers::MilpRow& row) const {
    const bool both = std::isfinite(row.lower) && std::isfinite(row.upper);
    const bool none = !std::isfinite(row.lower) && !std::isfinite(row.upper);
    if (rule.kind == SlotKind::kRightSide && (none || (both && row.lower != row.upper)))
      throw InputError(
          fmt::format("{}: row '{}' of {} has {}, expected row-lower or row-upper instead of rhs", rule.where,
                      row.name, file_, none ? "no side" : "two different sides"));
  }

  void add_slot(const SlotRule& rule, ModelSlot slot, const std::string& name,
                const std::vector<std::string>& stars) {
    if (!taken_.insert(key(slot)).second)
      throw InputError(fmt::format("{}: {} of '{}' is filled in twice, expected one section to name it",
                                   rule.where, rule.describe(), name));
    const std::string column =
        stars_in(rule.table_column) == 0 ? rule.table_column : fill_pattern(rule.table_column, stars);
    slot.source = source_of(column, rule);
    result.slots.push_back(slot);
    names_.push_back(name);
  }

  // Columns of the table are numbered as they are first asked for.
  std::size_t source_of(const std::string& column, const SlotRule& rule) {
    const auto known = sources_.find(column);
    if (known != sources_.end()) return known->second;
    try {
      result.columns.push_back(table_.column(column));
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}", rule.where, error.what()));
    }
    result.names.push_back(column);
    return sources_[column] = result.columns.size() - 1;
  }

  void describe(const SlotRule& rule) {
    const std::size_t shown = std::min(names_.size(), kNamesShown);
    const std::vector<std::string> first(names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(shown));
    result.matches.push_back(fmt::format("{} matches {}: {}{}", rule.describe(), names_.size(),
                                         fmt::join(first, ", "), names_.size() > shown ? ", ..." : ""));
  }

  const LinearModel& model_;
  const std::string& file_;
  const CsvTable& table_;
  std::set<Key> taken_;
  std::map<std::string, std::size_t> sources_;
  std::vector<std::string> names_;  // matched by the present rule
};

}  // namespace

SlotTable match_slots(const std::vector<SlotRule>& rules, const LinearModel& model, const std::string& file,
                      const CsvTable& table, const SlotTable* others) {
  Matcher matcher(model, file, table);
  if (others != nullptr) matcher.take(*others);
  for (const SlotRule& rule : rules) matcher.add(rule);
  return std::move(matcher.result);
}

ModelNumbers::ModelNumbers(const solvers::MilpModel& model) {
  for (const solvers::MilpColumn& column : model.columns) {
    objective.push_back(column.objective);
    column_lower.push_back(column.lower);
    column_upper.push_back(column.upper);
  }
  for (const solvers::MilpRow& row : model.rows) {
    row_lower.push_back(row.lower);
    row_upper.push_back(row.upper);
    coefficients.emplace_back();
    for (const solvers::MilpEntry& entry : row.entries) coefficients.back().push_back(entry.coefficient);
  }
}

void ModelNumbers::fill(const std::vector<ModelSlot>& slots, const double* values) {
  for (const ModelSlot& slot : slots) {
    const double value = slot.factor * values[slot.source];
    switch (slot.kind) {
      case SlotKind::kObjective:
        objective[slot.index] = value;
        break;
      case SlotKind::kRightSide:
        if (std::isfinite(row_lower[slot.index])) row_lower[slot.index] = value;
        if (std::isfinite(row_upper[slot.index])) row_upper[slot.index] = value;
        break;
      case SlotKind::kRowLower:
        row_lower[slot.index] = value;
        break;
      case SlotKind::kRowUpper:
        row_upper[slot.index] = value;
        break;
      case SlotKind::kColumnLower:
        column_lower[slot.index] = value;
        break;
      case SlotKind::kColumnUpper:
        column_upper[slot.index] = value;
        break;
      case SlotKind::kEntry:
        coefficients[slot.index][slot.entry] = value;
        break;
    }
  }
}

std::vector<std::size_t> match_columns(const std::string& pattern, const LinearModel& model,
                                       const std::string& file, const std::string& where) {
  return match_names(pattern, model.milp.columns, "column", file, where);
}

std::vector<std::size_t> match_rows(const std::string& pattern, const LinearModel& model,
                                    const std::string& file, const std::string& where) {
  return match_names(pattern, model.milp.rows, "row", file, where);
}

}  // namespace polystep
