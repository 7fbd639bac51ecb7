#include "report/districting_markdown.hpp"

#include <fmt/format.h>

#include <iterator>

namespace polystep {
namespace {

std::string title(const std::string& group) {
  if (group == "cities") return "Five cities, 120 units";
  if (group == "drawn") return "Drawn cities, 120 units";
  if (group == "sizes") return "Sizes, target 20";
  if (group == "large") return "A large city";
  return group;
}

std::string probability(double p) { return p < 0.001 ? fmt::format("{:.0e}", p) : fmt::format("{:.3f}", p); }

void render(const DistrictingTable& table, std::string& text) {
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "## {}\n\n", title(table.group));
  if (table.incomplete > 0)
    fmt::format_to(out, "{} problem{} that some method is still missing on {} left out.\n\n",
                   table.incomplete, table.incomplete == 1 ? "" : "s", table.incomplete == 1 ? "is" : "are");
  if (table.problems.empty()) return;
  const std::string& first = table.rows.front().method;
  fmt::format_to(
      out,
      "{} problem{}. Costs in km, means over seeds; relative to {} problem by problem; p of two-sided "
      "tests on these differences.\n\n",
      table.problems.size(), table.problems.size() == 1 ? "" : "s", first);
  fmt::format_to(out,
                 "| method | seeds | mean cost | relative % | cheaper | equal | Wilcoxon p | sign-flip p |\n"
                 "|---|---:|---:|---:|---:|---:|---:|---:|\n");
  for (const DistrictingMethodRow& row : table.rows) {
    const bool itself = &row == table.rows.data();
    fmt::format_to(out, "| {} | {} | {:.2f} | {} | {} | {} | {} | {} |\n", row.method, row.seeds,
                   row.mean_cost, itself ? "0" : fmt::format("{:+.2f}", row.relative_percent),
                   itself ? "" : std::to_string(row.wins), itself ? "" : std::to_string(row.ties),
                   itself ? "" : probability(row.wilcoxon), itself ? "" : probability(row.sign_flip));
  }
  if (table.published_problems > 0) {
    fmt::format_to(
        out,
        "\nPublished, over {} of these problems, with longer tours and other scenarios (relative to "
        "DistrictNet):\n\n| method | mean cost | relative % |\n|---|---:|---:|\n",
        table.published_problems);
    for (std::size_t m = 0; m < kPublishedDistrictingMethods.size(); ++m)
      fmt::format_to(out, "| {} | {:.2f} | {:+.2f} |\n", kPublishedDistrictingMethods[m],
                     table.published_mean[m], table.published_relative[m]);
  }
  fmt::format_to(out, "\n| city | units | target |");
  for (const DistrictingMethodRow& row : table.rows) fmt::format_to(out, " {} |", row.method);
  fmt::format_to(out, "\n|---|---:|---:|");
  for (std::size_t m = 0; m < table.rows.size(); ++m) fmt::format_to(out, "---:|");
  fmt::format_to(out, "\n");
  for (const DistrictingTable::Problem& problem : table.problems) {
    fmt::format_to(out, "| {} | {} | {} |", problem.city, problem.units, problem.target);
    for (const double cost : problem.cost) fmt::format_to(out, " {:.2f} |", cost);
    fmt::format_to(out, "\n");
  }
  fmt::format_to(out, "\n");
}

}  // namespace

std::string render_districting_tables(const std::vector<DistrictingTable>& tables) {
  std::string text = "# Districting\n\n";
  for (const DistrictingTable& table : tables) render(table, text);
  return text;
}

std::string render_small_city_table(const std::vector<SmallCityRow>& rows, std::size_t cities) {
  std::string text = "# Districting, small cities\n\n";
  if (rows.empty()) return text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out,
                 "{} cities of 30 units, divided exactly. Gap in per cent to the cheapest districting, of "
                 "costs averaged over seeds, and of single seeds; difference to {} city by city, in per cent "
                 "of the cheapest, with its standard error; p of two-sided tests on these differences.\n\n",
                 cities, rows.front().method);
  fmt::format_to(out,
                 "| method | seeds | mean cost | gap % | single seeds | difference | cheaper | equal | "
                 "Wilcoxon p | sign-flip p |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
  for (const SmallCityRow& row : rows) {
    const bool itself = &row == rows.data();
    fmt::format_to(out, "| {} | {} | {:.2f} | {:.3f} | {} | {} | {} | {} | {} | {} |\n", row.method,
                   row.seeds, row.mean_cost, row.gap,
                   row.seeds > 1 ? fmt::format("{:.2f} to {:.2f}", row.least_gap, row.most_gap) : "",
                   itself ? "" : fmt::format("{:+.2f} ({:.2f})", row.difference, row.standard_error),
                   itself ? "" : std::to_string(row.cheaper), itself ? "" : std::to_string(row.equal),
                   itself ? "" : probability(row.wilcoxon), itself ? "" : probability(row.sign_flip));
  }
  return text + "\n";
}

}  // namespace polystep
