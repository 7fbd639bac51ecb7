#include "report/comparison_html.hpp"

#include <fmt/format.h>

#include <string_view>

#include "report/comparison_text.hpp"
#include "report/html_text.hpp"

namespace polystep {
namespace {

// Follows the reader's light or dark preference; wide tables scroll inside their own frame.
constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --ink: #1d2330; --quiet: #667085; --paper: #ffffff; --line: #e3e6ec;
  --head: #f6f7f9; --mark: #e3f4e8; --mark-ink: #11602f; --link: #2454c4; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e5e8ee; --quiet: #98a1b3; --paper: #14171d; --line: #2b313c; --head: #1b1f27;
    --mark: #16351f; --mark-ink: #8fdca8; --link: #8fb0ff; } }
body { margin: 0 auto; max-width: 76rem; padding: 2rem 1.25rem 4rem; background: var(--paper);
  color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 1rem; } h2 { font-size: 1.25rem; margin: 2.75rem 0 .5rem; }
p { max-width: 48rem; color: var(--quiet); margin: .5rem 0 1rem; } a { color: var(--link); }
nav ul { display: flex; flex-wrap: wrap; gap: .35rem 1.25rem; list-style: none; padding: 0; }
.frame { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; margin-bottom: 1.5rem; }
table { border-collapse: collapse; width: 100%; font-size: .86rem; font-variant-numeric: tabular-nums; }
th, td { padding: .45rem .75rem; text-align: right; white-space: nowrap; border-top: 1px solid var(--line); }
thead th { background: var(--head); border-top: 0; font-weight: 600; }
th.name, td.name { text-align: left; } tbody th { font-weight: 600; }
td small { display: block; color: var(--quiet); font-size: .76rem; }
td.winner { background: var(--mark); color: var(--mark-ink); font-weight: 650; }
td.winner small { font-weight: 400; }
)";

std::string heading(const std::string& text, bool name = false) {
  return fmt::format("<th scope=\"col\"{}>{}</th>", name ? " class=\"name\"" : "", html(text));
}

std::string number(const std::string& text) { return fmt::format("<td>{}</td>", html(text)); }
std::string name(const std::string& text) { return fmt::format("<td class=\"name\">{}</td>", html(text)); }

std::string regret_cell(const ComparisonCell& cell, const ProblemComparison& table) {
  std::string text = cell.ours ? html(our_figure(*cell.ours, table)) : "–";
  if (cell.published)
    text += fmt::format("<small>published {}</small>", html(published_figure(*cell.published, table)));
  return fmt::format("<td{}>{}</td>", cell.winner ? " class=\"winner\"" : "", text);
}

std::string framed(const std::string& headings, const std::string& rows) {
  return fmt::format(
      "<div class=\"frame\"><table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table></div>\n",
      headings, rows);
}

std::string regret_table(const ProblemComparison& table) {
  std::string headings = heading("method", true), rows;
  for (const std::string& setting : regret_headings(table)) headings += heading(setting);
  if (has_failures(table)) headings += heading(kFailedHeading);
  headings += heading("solver calls") + heading("core-seconds");
  for (const ComparisonRow& row : table.rows) {
    rows += fmt::format("<tr><th scope=\"row\" class=\"name\">{}</th>", html(row.label()));
    for (const ComparisonCell& cell : row.cells) rows += regret_cell(cell, table);
    if (has_failures(table)) rows += number(failed_figure(row));
    rows +=
        number(grouped(row.training_solves)) + number(fmt::format("{:.3f}", row.core_seconds)) + "</tr>\n";
  }
  return framed(headings, rows);
}

std::string feasibility_table(const ProblemComparison& table) {
  if (!has_feasibility(table)) return "";
  std::string headings = heading("method", true), rows;
  for (const std::string& setting : table.settings) headings += heading(setting);
  for (const ComparisonRow& row : table.rows) {
    rows += fmt::format("<tr><th scope=\"row\" class=\"name\">{}</th>", html(row.label()));
    for (std::size_t column = 0; column < table.settings.size(); ++column) {
      const ComparisonCell& cell = row.cells[column];
      std::string text = html(feasibility_figure(cell));
      if (cell.published_feasibility)
        text += fmt::format("<small>published {}</small>",
                            html(published_feasibility_figure(*cell.published_feasibility)));
      rows += fmt::format("<td>{}</td>", text);
    }
    rows += "</tr>\n";
  }
  return fmt::format("<p>{}</p>\n", html(feasibility_caption())) + framed(headings, rows);
}

std::string notes(const ProblemComparison& table) {
  std::string text;
  if (const std::string note = protocol_note(table); !note.empty())
    text += fmt::format("<p>{}</p>\n", html(note));
  for (const ComparisonRow& row : table.rows)
    if (row.failed_solves)
      text +=
          fmt::format("<p>Some solver calls of {} gave no decision and were charged the failure cost.</p>\n",
                      html(row.label()));
  for (const ComparisonRow& row : table.rows)
    if (const std::string note = no_verdict_note(row, table); !note.empty())
      text += fmt::format("<p>{}</p>\n", html(note));
  return text;
}

std::string tests_table(const ProblemComparison& table) {
  std::string headings = heading("setting", true) + heading("method", true) + heading("against", true);
  for (const char* text : {"pairs", "mean difference", "Wilcoxon p", "sign-flip p", "published Wilcoxon p"})
    headings += heading(text);
  headings += heading("verdict", true);
  std::string rows;
  for (const ComparisonTest& test : table.tests)
    rows += "<tr>" + name(test.setting) + name(test.method) +
            name(test.baseline + (test.as_published ? " †" : "")) + number(std::to_string(test.pairs)) +
            number(fmt::format("{:+.4f}", table.scale * test.difference)) + number(p_figure(test.wilcoxon)) +
            number(p_figure(test.sign_flip)) +
            number(test.published_wilcoxon ? p_figure(*test.published_wilcoxon) : "–") + name(verdict(test)) +
            "</tr>\n";
  return framed(headings, rows);
}

std::string section(const ProblemComparison& table) {
  std::string text = fmt::format("<section id=\"{0}\">\n<h2>{0}</h2>\n<p>{1}</p>\n", html(table.problem),
                                 html(regret_caption(table)));
  text += regret_table(table) + notes(table) + feasibility_table(table);
  if (!table.tests.empty())
    text += fmt::format("<p>{}</p>\n", html(tests_caption(table))) + tests_table(table);
  return text + "</section>\n";
}

}  // namespace

std::string render_html(const std::vector<ProblemComparison>& tables, const std::string& title) {
  std::string index, sections;
  for (const ProblemComparison& table : tables) {
    index += fmt::format("<li><a href=\"#{0}\">{0}</a></li>\n", html(table.problem));
    sections += section(table);
  }
  if (tables.size() > 1) index = fmt::format("<nav><ul>\n{}</ul></nav>\n", index);
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n"
      "<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{2}{3}</body>\n</html>\n",
      html(title), kStyle, tables.size() > 1 ? index : "", sections);
}

}  // namespace polystep
