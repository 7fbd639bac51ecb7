#include "report/ablation_markdown.hpp"

#include <fmt/format.h>

#include "statistics/published_results.hpp"

namespace polystep {
namespace {

double scale_of(const std::string& problem) {
  const PublishedProblem* published = find_published_problem(problem);
  return published != nullptr ? published->scale : 1;
}

std::string cell_text(const AblationCell& cell, double scale, bool whole) {
  if (cell.pairs == 0) return "–";
  std::string text = fmt::format("{:.4f} ± {:.4f}", scale * cell.mean, scale * cell.deviation);
  if (!whole && !cell.judged) return text + " (no verdict)";
  if (!whole) text += fmt::format(" ({:+.4f}, p {:.3f})", scale * cell.difference, cell.wilcoxon);
  return text;
}

}  // namespace

std::string render_ablation(const std::vector<AblationTable>& tables) {
  std::string text =
      "Mean test regret ± population standard deviation over seeds; in brackets the mean difference to the "
      "whole preset "
      "(positive: the part helps) and the two-sided Wilcoxon p of the paired seeds.\n";
  for (const AblationTable& table : tables) {
    const double scale = scale_of(table.problem);
    text += fmt::format("\n### {}\n\n{}| preset |", table.problem,
                        scale == 1 ? "" : fmt::format("Regret × {}.\n\n", scale));
    std::string rule = "|---|";
    for (const std::string& setting : table.settings) {
      text += fmt::format(" {} |", setting);
      rule += "---:|";
    }
    text += fmt::format(" core-seconds |\n{}---:|\n", rule);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      text += fmt::format("| {} |", table.rows[row].preset);
      for (const AblationCell& cell : table.rows[row].cells)
        text += fmt::format(" {} |", cell_text(cell, scale, row == 0));
      text += fmt::format(" {:.2f} |\n", table.rows[row].core_seconds);
    }
    for (const AblationRow& row : table.rows)
      if (row.most_failed > 0)
        text += fmt::format(
            "\n{}: up to {:.3g} % of a run's test rows have no decision or no reference; above {:g} % "
            "there is no verdict.\n",
            row.preset, 100 * row.most_failed, 100 * kMostFailed);
  }
  return text;
}

}  // namespace polystep
