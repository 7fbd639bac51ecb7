#include "own/model_spec.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <limits>

#include "own/name_pattern.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr double kHighestPrice = 1e15;
constexpr double kLargestFactor = 1e15;

struct SlotName {
  const char* key;
  SlotKind kind;
};
constexpr std::array<SlotName, 7> kSlots = {{{"objective", SlotKind::kObjective},
                                             {"rhs", SlotKind::kRightSide},
                                             {"row-lower", SlotKind::kRowLower},
                                             {"row-upper", SlotKind::kRowUpper},
                                             {"lower", SlotKind::kColumnLower},
                                             {"upper", SlotKind::kColumnUpper},
                                             {"entry", SlotKind::kEntry}}};

void read_patterns(const TaskSection& section, const SlotName& slot, SlotRule& rule) {
  rule.kind = slot.kind;
  if (slot.kind != SlotKind::kEntry) {
    rule.pattern = section.text(slot.key);
    rule.table_column = rule.pattern;
    return;
  }
  const std::vector<std::string> patterns = section.texts(slot.key);
  if (patterns.size() != 2)
    throw InputError(fmt::format("{}: 'entry' has {} patterns, expected two: of rows and of columns",
                                 section.where(slot.key), patterns.size()));
  rule.pattern = patterns[0];
  rule.column_pattern = patterns[1];
  rule.table_column = patterns[0] + ":" + patterns[1];
}

// `column_key`: what the section calls the table's column.
SlotRule read_rule(const TaskSection& section, const char* column_key) {
  SlotRule rule;
  const SlotName* chosen = nullptr;
  for (const SlotName& slot : kSlots) {
    if (!section.has(slot.key)) continue;
    if (chosen != nullptr)
      throw InputError(fmt::format("{}: there are '{}' and '{}' in one section, expected one of them",
                                   section.where(slot.key), chosen->key, slot.key));
    chosen = &slot;
  }
  if (chosen == nullptr)
    throw InputError(
        fmt::format("{}: nothing says where the numbers go, expected one of objective, rhs, row-lower, "
                    "row-upper, lower, upper and entry",
                    section.where()));
  read_patterns(section, *chosen, rule);
  rule.where = section.where(chosen->key);
  rule.table_column = section.text(column_key, rule.table_column);
  rule.factor = section.number("factor", 1, -kLargestFactor, kLargestFactor);
  section.refuse_unknown();
  const std::size_t stars = stars_in(rule.table_column);
  const std::size_t offered = stars_in(rule.pattern) + stars_in(rule.column_pattern);
  if (stars != 0 && stars != offered)
    throw InputError(fmt::format("{}: '{}' has {} stars, expected none or {} as in what is matched",
                                 section.where(column_key), rule.table_column, stars, offered));
  return rule;
}

PenaltyRule read_penalty(const TaskSection& section) {
  PenaltyRule rule;
  rule.where = section.where();
  if (section.has("rows") == section.has("columns"))
    throw InputError(fmt::format("{}: section [[penalty]] has {} 'rows' and 'columns', expected one of them",
                                 rule.where, section.has("rows") ? "both" : "neither"));
  rule.rows = section.has("rows");
  rule.pattern = section.text(rule.rows ? "rows" : "columns");
  rule.below = section.number("below", 0, 0, kHighestPrice);
  rule.above = section.number("above", 0, 0, kHighestPrice);
  section.refuse_unknown();
  if (!(rule.below > 0) && !(rule.above > 0))
    throw InputError(
        fmt::format("{}: the penalty has no price, expected 'below' or 'above' over 0", rule.where));
  return rule;
}

std::string format_of(const TaskSection& section, const std::string& file) {
  if (section.has("format")) return section.choice("format", "", {"mps", "fixed-mps", "lp"});
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending == ".mps" || ending == ".lp") return ending.substr(1);
  throw InputError(fmt::format("{}: '{}' ends in neither .mps nor .lp, expected format = \"mps\" or \"lp\"",
                               section.where("file"), file));
}

void read_model_section(const TaskSection& section, ModelSpec& spec) {
  spec.where = section.where();
  spec.file = section.text("file");
  spec.format = format_of(section, spec.file);
  if (section.choice("backend", "coin", {"coin", "highs"}) == "highs")
    spec.engine = solvers::MilpEngine::kHighs;
  const double no_limit = std::numeric_limits<double>::infinity();
  spec.limits.seconds = section.number("seconds", no_limit, 1e-3, 1e9);
  spec.limits.nodes = section.integer("nodes", spec.limits.nodes, 0, std::numeric_limits<int>::max());
  spec.limits.relative_gap = section.number("gap", 0, 0, 1);
  if (section.choice("on-failure", "cost", {"cost", "usual-decision"}) == "usual-decision")
    spec.on_failure = ModelSpec::OnFailure::kUsualDecision;
  section.refuse_unknown();
}

}  // namespace

std::string SlotRule::describe() const {
  for (const SlotName& slot : kSlots)
    if (slot.kind == kind)
      return kind == SlotKind::kEntry ? fmt::format("entry = [\"{}\", \"{}\"]", pattern, column_pattern)
                                      : fmt::format("{} = \"{}\"", slot.key, pattern);
  return "";
}

ModelSpec parse_model_spec(const TaskSection& root) {
  ModelSpec spec;
  read_model_section(root.section("model"), spec);
  for (const TaskSection& section : root.sections("predict"))
    spec.predicted.push_back(read_rule(section, "truth"));
  for (const TaskSection& section : root.sections("known"))
    spec.known.push_back(read_rule(section, "column"));
  for (const TaskSection& section : root.sections("penalty")) spec.penalties.push_back(read_penalty(section));
  const TaskSection recourse = root.section("recourse");
  spec.free_columns = recourse.texts("free");
  spec.free_where = recourse.where("free");
  recourse.refuse_unknown();
  if (spec.predicted.empty())
    throw InputError(fmt::format("{}: nothing is predicted, expected a section [[predict]]", root.file()));
  return spec;
}

}  // namespace polystep
