#include "report/alloy_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "statistics/published_alloy.hpp"

namespace polystep {
namespace {

// Means of up to 10 with three decimals, small ones with four, larger ones shorter.
std::string alloy_number(double value) {
  if (std::abs(value) < 0.1) return fmt::format("{:.4f}", value);
  return std::abs(value) < 10 ? fmt::format("{:.3f}", value) : fmt::format("{:.4g}", value);
}

std::string alloy_mean(const SeedFigure& figure, std::size_t runs, bool with_deviation) {
  if (figure.seeds == 0) return "undefined";
  std::string text = alloy_number(figure.mean);
  if (with_deviation) text += " ± " + alloy_number(figure.deviation);
  if (figure.seeds < runs) text += fmt::format(" ({} of {})", figure.seeds, runs);
  return text;
}

std::string three_means(const RecourseRow& row, std::size_t runs, bool with_deviation) {
  return fmt::format("{} | {} | {}", alloy_mean(row.infeasible, runs, with_deviation),
                     alloy_mean(row.conditional_regret, runs, with_deviation),
                     alloy_mean(row.regret, runs, with_deviation));
}

std::string published_columns(const AlloyRow& row) {
  const PublishedAlloy* published = find_published_alloy(row.method, row.preset);
  if (published == nullptr) return "| |";
  return fmt::format("{} | {} | {}", alloy_number(published->infeasible),
                     alloy_number(published->conditional_regret),
                     std::isnan(published->regret) ? "" : alloy_number(published->regret));
}

std::string alloy_table(const AlloyTable& table) {
  const bool fresh =
      std::ranges::any_of(table.rows, [](const AlloyRow& row) { return row.fresh.regret.seeds > 0; });
  std::string text = fmt::format("## {}\n\n", table.setting);
  text +=
      "| method | published: infeasible | cond. regret | regret | batch means: infeasible | cond. regret | "
      "regret | test rows: regret |";
  text += fresh ? " fresh rows: infeasible | cond. regret | regret |" : "";
  text +=
      " predictions deviate by | seeds | core seconds | training solves |\n|---|---|---|---|---|---|---|---|";
  text += fresh ? "---|---|---|" : "";
  text += "---|---|---|---|\n";
  for (const AlloyRow& row : table.rows) {
    text +=
        fmt::format("| {}:{} | {} | {} | {} |", row.method, row.preset, published_columns(row),
                    three_means(row.batches, row.runs, true), alloy_mean(row.test.regret, row.runs, false));
    if (fresh) text += fmt::format(" {} |", three_means(row.fresh, row.runs, false));
    text += fmt::format(
        " {} | {} | {:.1f} | {:.0f} |\n",
        row.prediction_deviation.seeds == 0 ? std::string() : alloy_number(row.prediction_deviation.mean),
        row.runs, row.core_seconds, row.training_solves);
  }
  for (const AlloyRow& row : table.rows) {
    if (row.failed > 0)
      text += fmt::format("\n{}:{}: {:.3g} % of test rows had no decision and were charged.\n", row.method,
                          row.preset, 100 * row.failed);
    // A mean over seeds hides one that went astray.
    if (row.test.regret.median > 0 && row.test.regret.mean > 2 * row.test.regret.median)
      text += fmt::format("\n{}:{}: the median regret is {}, far from the mean.\n", row.method, row.preset,
                          alloy_number(row.test.regret.median));
  }
  return text;
}

std::string blind_table(const std::vector<BlindPoint>& blind) {
  std::string levels = "| level |", infeasible = "| infeasible |", conditional = "| cond. regret |",
              regret = "| regret |", line = "|---|";
  for (const BlindPoint& point : blind) {
    levels += fmt::format(" {:g} |", point.level);
    infeasible += fmt::format(" {} |", alloy_number(point.infeasible));
    conditional += fmt::format(" {} |", point.conditional_regret ? alloy_number(*point.conditional_regret)
                                                                 : std::string("undefined"));
    regret += fmt::format(" {} |", alloy_number(point.regret));
    line += "---|";
  }
  return fmt::format(
      "## What a constant comes to\n\nThe same number predicted for every content, on rows of the same "
      "distribution. A method on this curve has learned a level and nothing of the features.\n\n"
      "{}\n{}\n{}\n{}\n{}\n",
      levels, line, infeasible, conditional, regret);
}

}  // namespace

std::string alloy_markdown(const std::vector<AlloyTable>& tables, const std::vector<BlindPoint>& blind) {
  std::string text =
      "# Alloy production\n\n"
      "Infeasible: share of purchases too poor in reality, before recourse (batch means: or without a "
      "decision, "
      "whichever is more). Cond. regret: of the others alone; undefined where there are none, and lower "
      "where "
      "more purchases are infeasible: read it beside the curve at the end. Regret: of all, after recourse. "
      "Means "
      "± population deviations over training seeds.\n\n"
      "The published figures are of data that are not public; profile blind of the stand-in is their "
      "statistical twin. 100 test rows leave a sampling deviation of about 0.05 in the share infeasible, "
      "0.015 "
      "in conditional regret and 0.025 in regret (profile blind).\n\n";
  for (const AlloyTable& table : tables) text += alloy_table(table) + "\n";
  if (!blind.empty()) text += blind_table(blind);
  return text;
}

Plot alloy_plot(const AlloyTable& table, const std::vector<BlindPoint>& blind, bool with_published) {
  Plot plot;
  plot.title = fmt::format("Alloy production, {}: regret of feasible purchases", table.setting);
  plot.note = "line: one number predicted for every content; labelled points: published";
  plot.x = {.label = "share of purchases infeasible before recourse", .scale = AxisScale::kLinear};
  plot.y = {.label = "conditional regret", .scale = AxisScale::kLogarithmic};
  PlotSeries curve;
  curve.name = "constant prediction";
  curve.dashed = true;
  curve.markers = false;
  for (const BlindPoint& point : blind) {
    if (!point.conditional_regret) continue;
    curve.x.push_back(point.infeasible);
    curve.y.push_back(*point.conditional_regret);
  }
  if (!curve.x.empty()) plot.series.push_back(std::move(curve));
  // Rows that differ in the value of an option alone are one ladder.
  for (const AlloyRow& row : table.rows) {
    const RecourseRow& figures = row.fresh.conditional_regret.seeds > 0 ? row.fresh : row.test;
    if (figures.conditional_regret.seeds == 0) continue;
    const std::size_t option = row.preset.find(' '), equals = row.preset.rfind('=');
    const std::string name = fmt::format("{}:{}", row.method, row.preset.substr(0, option));
    auto series = std::ranges::find(plot.series, name, &PlotSeries::name);
    if (series == plot.series.end())
      series = plot.series.insert(series, {.name = name, .x = {}, .y = {}, .line = false});
    series->x.push_back(figures.infeasible.mean);
    series->y.push_back(figures.conditional_regret.mean);
    series->labels.push_back(option == std::string::npos ? "" : row.preset.substr(equals + 1));
  }
  if (!with_published) return plot;
  PlotSeries published{.name = "published", .x = {}, .y = {}, .line = false};
  for (const PublishedAlloy& row : published_alloy_results()) {
    published.x.push_back(row.infeasible);
    published.y.push_back(row.conditional_regret);
    const std::size_t alpha = row.preset.find("alpha=");
    published.labels.push_back(alpha == std::string::npos ? row.method : row.preset.substr(alpha + 6));
  }
  plot.series.push_back(std::move(published));
  return plot;
}

}  // namespace polystep
