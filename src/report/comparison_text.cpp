#include "report/comparison_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace polystep {
namespace {

constexpr double kSignificant = 0.05;

// What most cells have; only others say how many runs they stand for.
std::size_t usual_runs(const ProblemComparison& table) {
  std::size_t most = 0;
  for (const ComparisonRow& row : table.rows)
    for (const ComparisonCell& cell : row.cells)
      if (cell.ours) most = std::max(most, cell.ours->runs);
  return most;
}

}  // namespace

std::vector<std::string> regret_headings(const ProblemComparison& table) {
  std::vector<std::string> headings = table.settings;
  if (headings.size() > 1 && table.pooled) headings.emplace_back(kPooled);
  return headings;
}

std::string our_figure(const Summary& ours, const ProblemComparison& table) {
  std::string text = fmt::format("{:.4f} ± {:.4f}", table.scale * ours.mean, table.scale * ours.deviation);
  if (ours.runs != usual_runs(table)) text += fmt::format(" [{} of {} runs]", ours.runs, usual_runs(table));
  return text;
}

std::string published_figure(const PublishedValue& published, const ProblemComparison& table) {
  if (std::isnan(published.deviation))
    return fmt::format("{:.{}f}", table.scale * published.mean, published.decimals);
  return fmt::format("{:.{}f} ± {:.{}f}", table.scale * published.mean, published.decimals,
                     table.scale * published.deviation, published.decimals);
}

std::string grouped(double count) {
  std::string digits = fmt::format("{:.0f}", count);
  for (std::size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, ",");
  return digits;
}

std::string p_figure(double p) { return p < 0.0005 ? "<0.001" : fmt::format("{:.3f}", p); }

std::string verdict(const ComparisonTest& test) {
  if (std::max(test.wilcoxon, test.sign_flip) >= kSignificant) return "no clear difference";
  return fmt::format("{} better", test.difference < 0 ? test.method : test.baseline);
}

std::string regret_caption(const ProblemComparison& table) {
  return fmt::format(
      "Test regret{}, mean ± population standard deviation over {} seed{}, the published figures beside it; "
      "the lowest mean of a column is marked. Solver calls (those of the training steps) and core-seconds of "
      "training are means per run.{}",
      table.scale == 1 ? "" : fmt::format(" × {:g}", table.scale), usual_runs(table),
      usual_runs(table) == 1 ? "" : "s",
      has_failures(table)
          ? " Failed are mean shares per run of test rows without a decision, which are charged, "
            "and without a reference, which are left out of regret."
          : "");
}

bool has_failures(const ProblemComparison& table) {
  return std::any_of(table.rows.begin(), table.rows.end(), [](const ComparisonRow& row) {
    return row.test_failed > 0 || row.reference_failed > 0 || row.most_failed > 0;
  });
}

std::string failed_figure(const ComparisonRow& row) {
  return fmt::format("{:.3g} %; {:.3g} %", 100 * row.test_failed, 100 * row.reference_failed);
}

std::string no_verdict_note(const ComparisonRow& row, const ProblemComparison& table) {
  const std::vector<std::string> headings = regret_headings(table);
  std::vector<std::string> unjudged;
  for (std::size_t column = 0; column < row.cells.size(); ++column)
    if (!row.cells[column].judged) unjudged.push_back(headings[column]);
  if (unjudged.empty()) return "";
  return fmt::format(
      "No verdict on {} ({}): up to {:.3g} % of a run's test rows have no decision or no reference, and "
      "above {:g} % "
      "regrets are over other rows than those of other runs.",
      row.label(), fmt::join(unjudged, ", "), 100 * row.most_failed, 100 * kMostFailed);
}

std::string tests_caption(const ProblemComparison& table) {
  std::string text =
      "Two-sided paired tests over common seeds against the baseline with the lowest mean. A negative "
      "difference is in favour of the method; a verdict needs both p below 0.05.";
  if (std::any_of(table.tests.begin(), table.tests.end(),
                  [](const ComparisonTest& test) { return test.as_published; }))
    text += fmt::format(" † is the baseline of the published tests: the best of {}.",
                        fmt::join(published_test_baselines(table.problem), ", "));
  return text;
}

std::string protocol_note(const ProblemComparison& table) {
  const PublishedProblem* published = find_published_problem(table.problem);
  return published == nullptr ? "" : published->note;
}

bool has_feasibility(const ProblemComparison& table) {
  for (const ComparisonRow& row : table.rows)
    for (const ComparisonCell& cell : row.cells)
      if (cell.feasibility) return true;
  return false;
}

std::string feasibility_caption() {
  return "Mean squared error of predictions; share of test decisions that were infeasible in reality, before "
         "recourse; share that recourse changed. Published shares are of the latter kind.";
}

std::string feasibility_figure(const ComparisonCell& cell) {
  if (!cell.feasibility) return "–";
  return fmt::format("{:.4g}; {:.3f}; {:.3f}", cell.feasibility->prediction_error,
                     cell.feasibility->infeasible, cell.feasibility->changed);
}

std::string published_feasibility_figure(const PublishedFeasibility& published) {
  return fmt::format("{:.4g}; {:.3f}", published.prediction_error, published.changed);
}

}  // namespace polystep
