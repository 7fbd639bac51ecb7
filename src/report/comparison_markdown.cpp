#include "report/comparison_markdown.hpp"

#include <fmt/format.h>

#include "report/comparison_text.hpp"

namespace polystep {
namespace {

// A bar would end the cell.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '|') out += '\\';
    out += letter;
  }
  return out;
}

std::string regret_cell(const ComparisonCell& cell, const ProblemComparison& table) {
  std::string text = cell.ours ? our_figure(*cell.ours, table) : "–";
  if (cell.winner) text = "**" + text + "**";
  if (cell.published) text += fmt::format(" ({})", published_figure(*cell.published, table));
  return text;
}

std::string regret_table(const ProblemComparison& table) {
  std::string header = "| method |", rule = "|---|";
  for (const std::string& heading : regret_headings(table)) {
    header += fmt::format(" {} |", escaped(heading));
    rule += "---:|";
  }
  if (has_failures(table)) {
    header += fmt::format(" {} |", kFailedHeading);
    rule += "---:|";
  }
  std::string text = fmt::format("{} solver calls | core-seconds |\n{}---:|---:|\n", header, rule);
  for (const ComparisonRow& row : table.rows) {
    text += fmt::format("| {} |", escaped(row.label()));
    for (const ComparisonCell& cell : row.cells) text += fmt::format(" {} |", regret_cell(cell, table));
    if (has_failures(table)) text += fmt::format(" {} |", failed_figure(row));
    text += fmt::format(" {} | {:.3f} |\n", grouped(row.training_solves), row.core_seconds);
  }
  return text;
}

std::string feasibility_table(const ProblemComparison& table) {
  if (!has_feasibility(table)) return "";
  std::string header = "| method |", rule = "|---|", rows;
  for (const std::string& setting : table.settings) {
    header += fmt::format(" {} |", escaped(setting));
    rule += "---:|";
  }
  for (const ComparisonRow& row : table.rows) {
    rows += fmt::format("| {} |", escaped(row.label()));
    for (std::size_t column = 0; column < table.settings.size(); ++column) {
      const ComparisonCell& cell = row.cells[column];
      rows += " " + feasibility_figure(cell);
      if (cell.published_feasibility)
        rows += fmt::format(" ({})", published_feasibility_figure(*cell.published_feasibility));
      rows += " |";
    }
    rows += "\n";
  }
  return fmt::format("\n{}\n\n{}\n{}\n{}", feasibility_caption(), header, rule, rows);
}

std::string notes(const ProblemComparison& table) {
  std::string text;
  if (const std::string note = protocol_note(table); !note.empty()) text += fmt::format("\n{}\n", note);
  for (const ComparisonRow& row : table.rows)
    if (row.failed_solves)
      text += fmt::format("\nSome solver calls of {} gave no decision and were charged the failure cost.\n",
                          escaped(row.label()));
  for (const ComparisonRow& row : table.rows)
    if (const std::string note = no_verdict_note(row, table); !note.empty())
      text += fmt::format("\n{}\n", escaped(note));
  return text;
}

std::string tests_table(const ProblemComparison& table) {
  std::string text =
      "| setting | method | against | pairs | mean difference | Wilcoxon p | sign-flip p | published "
      "Wilcoxon p | verdict |\n|---|---|---|---:|---:|---:|---:|---:|---|\n";
  for (const ComparisonTest& test : table.tests)
    text += fmt::format(
        "| {} | {} | {}{} | {} | {:+.4f} | {} | {} | {} | {} |\n", escaped(test.setting),
        escaped(test.method), escaped(test.baseline), test.as_published ? " †" : "", test.pairs,
        table.scale * test.difference, p_figure(test.wilcoxon), p_figure(test.sign_flip),
        test.published_wilcoxon ? p_figure(*test.published_wilcoxon) : "–", escaped(verdict(test)));
  return text;
}

}  // namespace

std::string render_markdown(const std::vector<ProblemComparison>& tables, const std::string& title) {
  std::string text = fmt::format("# {}\n", title);
  if (tables.size() > 1) text += "\n";
  if (tables.size() > 1)
    for (const ProblemComparison& table : tables) text += fmt::format("- [{0}](#{0})\n", table.problem);
  for (const ProblemComparison& table : tables) {
    text += fmt::format("\n## {}\n\n{}\n\n{}{}{}", table.problem, regret_caption(table), regret_table(table),
                        notes(table), feasibility_table(table));
    if (!table.tests.empty()) text += fmt::format("\n{}\n\n{}", tests_caption(table), tests_table(table));
  }
  return text;
}

}  // namespace polystep
