#include "statistics/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "polystep/error.hpp"
#include "statistics/natural_order.hpp"
#include "statistics/paired_tests.hpp"

namespace polystep {
namespace {

constexpr const char* kSubject = "polystepor";
constexpr const char* kPublishedPreset = "paper";

using RegretBySeed = std::map<std::uint64_t, double>;

// A place in a published list, then the name: known names come first, in their usual order.
using Place = std::pair<std::size_t, std::string>;

template <class List, class NameOf>
Place place_in(const List& list, const std::string& name, const NameOf& name_of) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const auto& entry) { return name_of(entry) == name; });
  return {static_cast<std::size_t>(found - list.begin()), name};
}

Place problem_place(const std::string& name) {
  const auto name_of = [](const PublishedProblem& problem) { return problem.name; };
  Place place = place_in(published_problems(), name, name_of);
  if (place.first == published_problems().size())
    place.first += place_in(constraint_problems(), name, name_of).first;
  return place;
}

Place method_place(const std::string& name) {
  const auto name_of = [](const std::string& method) { return method; };
  Place place = place_in(published_methods(), name, name_of);
  if (place.first == published_methods().size())
    place.first += place_in(constraint_methods(), name, name_of).first;
  return place;
}

Place preset_place(const std::string& name) { return {name == kPublishedPreset ? 0 : 1, name}; }

// All runs of one method and preset on one problem.
struct Contender {
  std::string method;
  std::string preset;
  std::map<std::string, RegretBySeed> by_setting;
  RegretBySeed pooled;  // mean over settings, of the seeds that have all of them
  std::map<std::string, FeasibilityFigures> feasibility;  // sums over runs, by setting
  double training_solves = 0;
  double core_seconds = 0;
  std::size_t runs = 0;
  bool failed_solves = false;
  double test_failed = 0, reference_failed = 0;  // sums over runs
  double most_failed = 0;
  std::set<std::string> unjudged;  // settings with a run that has too many failed solves

  bool judged(const std::string& column) const {
    return column == kPooled ? unjudged.empty() : !unjudged.contains(column);
  }
  const RegretBySeed& regrets(const std::string& setting) const {
    static const RegretBySeed none;
    if (setting == kPooled) return pooled;
    const auto found = by_setting.find(setting);
    return found == by_setting.end() ? none : found->second;
  }
};

using Contenders = std::map<std::pair<Place, Place>, Contender>;  // by method, then preset

void enter(Contender& contender, const RunRecord& run) {
  contender.method = run.method;
  contender.preset = run.preset;
  if (!contender.by_setting[run.setting].emplace(run.seed, run.test_regret).second)
    throw InputError(fmt::format("found two runs of {} ({}) with method {}, preset {}, seed {}, expected one",
                                 run.problem, run.setting, run.method, run.preset, run.seed));
  if (run.test_infeasible) {
    FeasibilityFigures& sums = contender.feasibility[run.setting];
    sums.prediction_error += run.prediction_error.value_or(0);
    sums.infeasible += *run.test_infeasible;
    sums.changed += run.test_changed.value_or(0);
  }
  contender.training_solves += static_cast<double>(run.training_solves);
  contender.core_seconds += run.core_seconds_train;
  contender.failed_solves |= run.solves_failed != 0;
  contender.test_failed += run.test_failed.value_or(0);
  contender.reference_failed += run.reference_failed.value_or(0);
  contender.most_failed = std::max(contender.most_failed, failed_share(run));
  if (!can_be_judged(run)) contender.unjudged.insert(run.setting);
  ++contender.runs;
}

RegretBySeed pool(const Contender& contender, const std::vector<std::string>& settings) {
  RegretBySeed pooled;
  for (const auto& [seed, ignored] : contender.regrets(settings.front())) {
    double sum = 0;
    std::size_t found = 0;
    for (const std::string& setting : settings) {
      const RegretBySeed& regrets = contender.regrets(setting);
      const auto run = regrets.find(seed);
      if (run == regrets.end()) break;
      sum += run->second;
      ++found;
    }
    if (found == settings.size()) pooled[seed] = sum / static_cast<double>(found);
  }
  return pooled;
}

std::optional<Summary> summarise(const RegretBySeed& regrets) {
  if (regrets.empty()) return {};
  Summary summary;
  summary.runs = regrets.size();
  const auto count = static_cast<double>(regrets.size());
  for (const auto& [seed, regret] : regrets) summary.mean += regret / count;
  double squares = 0;
  for (const auto& [seed, regret] : regrets) squares += (regret - summary.mean) * (regret - summary.mean);
  summary.deviation = std::sqrt(squares / count);
  return summary;
}

// Published pooled figures are over the published settings, no more and no fewer.
bool has_published_settings(const ProblemComparison& table) {
  const PublishedProblem* published = find_published_problem(table.problem);
  if (published == nullptr || published->settings.size() != table.settings.size()) return false;
  return std::all_of(published->settings.begin(), published->settings.end(), [&](const std::string& value) {
    const std::string setting = published->setting(value);
    return std::find(table.settings.begin(), table.settings.end(), setting) != table.settings.end();
  });
}

std::vector<std::string> columns_of(const ProblemComparison& table) {
  std::vector<std::string> columns = table.settings;
  if (columns.size() > 1 && table.pooled) columns.push_back(kPooled);
  return columns;
}

void add_feasibility(const Contender& contender, const ProblemComparison& table, const std::string& column,
                     ComparisonCell& cell) {
  const auto sums = contender.feasibility.find(column);
  if (sums == contender.feasibility.end()) return;
  const auto runs = static_cast<double>(cell.ours->runs);
  cell.feasibility = FeasibilityFigures{sums->second.prediction_error / runs, sums->second.infeasible / runs,
                                        sums->second.changed / runs};
  if (contender.preset == kPublishedPreset)
    cell.published_feasibility = published_feasibility(table.problem, column, contender.method);
}

ComparisonRow row_of(const Contender& contender, const ProblemComparison& table) {
  ComparisonRow row;
  row.method = contender.method;
  row.preset = contender.preset;
  for (const std::string& column : columns_of(table)) {
    ComparisonCell cell;
    cell.ours = summarise(contender.regrets(column));
    cell.judged = contender.judged(column);
    if (contender.preset == kPublishedPreset && (column != kPooled || has_published_settings(table)))
      cell.published = published_result(table.problem, column, contender.method);
    add_feasibility(contender, table, column, cell);
    row.cells.push_back(cell);
  }
  row.training_solves = contender.training_solves / static_cast<double>(contender.runs);
  row.core_seconds = contender.core_seconds / static_cast<double>(contender.runs);
  row.failed_solves = contender.failed_solves;
  row.test_failed = contender.test_failed / static_cast<double>(contender.runs);
  row.reference_failed = contender.reference_failed / static_cast<double>(contender.runs);
  row.most_failed = contender.most_failed;
  return row;
}

void mark_winners(ProblemComparison& table, std::size_t columns) {
  for (std::size_t column = 0; column < columns; ++column) {
    std::optional<double> lowest;
    std::size_t judged = 0, unjudged = 0;
    for (const ComparisonRow& row : table.rows) {
      const auto& ours = row.cells[column].ours;
      if (!ours) continue;
      ++(row.cells[column].judged ? judged : unjudged);
      if (row.cells[column].judged && (!lowest || ours->mean < *lowest)) lowest = ours->mean;
    }
    if (unjudged != 0 && judged < 2) continue;  // to be the only one left is no win
    for (ComparisonRow& row : table.rows)
      if (const auto& ours = row.cells[column].ours)
        row.cells[column].winner = row.cells[column].judged && ours->mean == *lowest;
  }
}

// The contender with the lowest mean in a column among those that `eligible` admits and that can be judged;
// nullptr: none has runs.
template <class Eligible>
const Contender* best(const Contenders& contenders, const std::string& column, const Eligible& eligible) {
  const Contender* found = nullptr;
  double lowest = 0;
  for (const auto& [place, contender] : contenders) {
    const std::optional<Summary> summary = summarise(contender.regrets(column));
    if (!summary || !contender.judged(column) || !eligible(contender) ||
        (found != nullptr && summary->mean >= lowest))
      continue;
    found = &contender;
    lowest = summary->mean;
  }
  return found;
}

std::string label_of(const std::string& method, const std::string& preset) {
  return preset == kPublishedPreset ? method : fmt::format("{} ({})", method, preset);
}

std::optional<ComparisonTest> test_pair(const Contender& subject, const Contender& baseline,
                                        const std::string& column) {
  std::vector<double> differences;
  ComparisonTest test;
  const RegretBySeed& others = baseline.regrets(column);
  for (const auto& [seed, regret] : subject.regrets(column)) {
    const auto other = others.find(seed);
    if (other == others.end()) continue;
    differences.push_back(regret - other->second);
    test.difference += differences.back();
  }
  if (differences.empty()) return {};
  test.setting = column;
  test.method = label_of(subject.method, subject.preset);
  test.baseline = label_of(baseline.method, baseline.preset);
  test.pairs = differences.size();
  test.difference /= static_cast<double>(differences.size());
  test.wilcoxon = wilcoxon_signed_rank(differences);
  test.sign_flip = sign_flip_test(differences);
  return test;
}

bool is_published_baseline(const Contender& contender, const std::string& problem) {
  const std::vector<std::string>& names = published_test_baselines(problem);
  return contender.preset == kPublishedPreset &&
         std::find(names.begin(), names.end(), contender.method) != names.end();
}

// The published tests choose among five baselines; with fewer of them, ours would be another test.
bool has_published_baselines(const Contenders& contenders, const std::string& problem,
                             const std::string& column) {
  const auto present = std::count_if(contenders.begin(), contenders.end(), [&](const auto& entry) {
    return is_published_baseline(entry.second, problem) && entry.second.judged(column) &&
           !entry.second.regrets(column).empty();
  });
  return static_cast<std::size_t>(present) == published_test_baselines(problem).size();
}

// `rivals` admits the contenders among which the best is looked for.
template <class Rivals>
void test_against_best(ProblemComparison& table, const Contenders& contenders, const Contender& subject,
                       const std::string& column, const Rivals& rivals) {
  const Contender* overall = best(contenders, column, rivals);
  const bool as_in_paper = subject.method == kSubject && subject.preset == kPublishedPreset &&
                           has_published_baselines(contenders, table.problem, column);
  const auto is_baseline = [&](const Contender& contender) {
    return is_published_baseline(contender, table.problem);
  };
  const Contender* published = as_in_paper ? best(contenders, column, is_baseline) : nullptr;
  const auto add = [&](const Contender* baseline, bool as_published) {
    if (baseline == nullptr) return;
    std::optional<ComparisonTest> test = test_pair(subject, *baseline, column);
    if (!test) return;
    test->as_published = as_published;
    if (as_published && (column != kPooled || has_published_settings(table)))
      test->published_wilcoxon = published_p_value(table.problem, column);
    table.tests.push_back(*test);
  };
  add(overall, overall == published);
  if (published != overall) add(published, true);
}

// polystepor against the other methods; where only one of the two is there, the winner against the rest.
void add_tests(ProblemComparison& table, const Contenders& contenders) {
  const auto is_subject = [](const Contender& contender) { return contender.method == kSubject; };
  const auto subjects = std::count_if(contenders.begin(), contenders.end(),
                                      [&](const auto& entry) { return is_subject(entry.second); });
  const bool two_sides = subjects != 0 && static_cast<std::size_t>(subjects) < contenders.size();
  for (const std::string& column : columns_of(table)) {
    if (two_sides) {
      for (const auto& [place, contender] : contenders)
        if (is_subject(contender) && contender.judged(column))
          test_against_best(table, contenders, contender, column, std::not_fn(is_subject));
    } else if (const Contender* winner = best(contenders, column, [](const Contender&) { return true; })) {
      test_against_best(table, contenders, *winner, column,
                        [&](const Contender& other) { return &other != winner; });
    }
  }
}

ProblemComparison compare_problem(const std::string& problem, const std::vector<const RunRecord*>& runs) {
  ProblemComparison table;
  table.problem = problem;
  if (const PublishedProblem* published = find_published_problem(problem)) {
    table.scale = published->scale;
    table.pooled = published->pooled;
  }
  std::set<std::string, NaturalOrder> settings;
  Contenders contenders;
  for (const RunRecord* run : runs) {
    settings.insert(run->setting);
    enter(contenders[{method_place(run->method), preset_place(run->preset)}], *run);
  }
  table.settings.assign(settings.begin(), settings.end());
  for (auto& [place, contender] : contenders) {
    contender.pooled = pool(contender, table.settings);
    table.rows.push_back(row_of(contender, table));
  }
  mark_winners(table, columns_of(table).size());
  add_tests(table, contenders);
  return table;
}

// Task files of one name need not be one task: where their fingerprints differ, so do the settings' names.
void tell_tasks_apart(std::vector<RunRecord>& runs) {
  std::map<std::pair<std::string, std::string>, std::set<std::string>> fingerprints;
  for (const RunRecord& run : runs) fingerprints[{run.problem, run.setting}].insert(run.fingerprint);
  for (RunRecord& run : runs)
    if (fingerprints.at({run.problem, run.setting}).size() > 1 && !run.fingerprint.empty())
      run.setting += fmt::format(" ({})", run.fingerprint);
}

}  // namespace

std::string ComparisonRow::label() const { return label_of(method, preset); }

std::vector<ProblemComparison> compare_runs(const std::vector<RunRecord>& given) {
  std::vector<RunRecord> runs = given;
  tell_tasks_apart(runs);
  std::map<Place, std::vector<const RunRecord*>> by_problem;
  for (const RunRecord& run : runs) by_problem[problem_place(run.problem)].push_back(&run);
  std::vector<ProblemComparison> tables;
  for (const auto& [place, members] : by_problem) tables.push_back(compare_problem(place.second, members));
  return tables;
}

}  // namespace polystep
