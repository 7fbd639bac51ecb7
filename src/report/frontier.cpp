#include "report/frontier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace polystep {
namespace {

// "best max-infeasibility=0.1" was trained under the limit 0.1.
std::optional<double> limit_in(std::string_view preset) {
  constexpr std::string_view kName = "max-infeasibility=";
  const std::size_t at = preset.find(kName);
  if (at == std::string_view::npos) return std::nullopt;
  const char* first = preset.data() + at + kName.size();
  double limit = 0;
  const auto [stop, error] = std::from_chars(first, preset.data() + preset.size(), limit);
  return error == std::errc() && stop != first ? std::optional(limit) : std::nullopt;
}

FrontierPoint& point_of(std::vector<FrontierPoint>& points, const RunRecord& run) {
  const std::optional<double> limit = limit_in(run.preset);
  for (FrontierPoint& point : points)
    if (point.method == run.method && point.limit == limit) return point;
  FrontierPoint fresh;
  fresh.method = run.method;
  fresh.limit = limit;
  return points.emplace_back(std::move(fresh));
}

}  // namespace

std::vector<FrontierPoint> tabulate_frontier(const std::vector<RunRecord>& runs) {
  std::vector<FrontierPoint> points;
  for (const RunRecord& run : runs) {
    if (!run.test_infeasible) continue;
    FrontierPoint& point = point_of(points, run);
    ++point.runs;
    point.infeasible += *run.test_infeasible;
    point.regret += run.test_regret;
    point.failed += failed_share(run);
    point.deviation += run.test_regret * run.test_regret;
  }
  for (FrontierPoint& point : points) {
    const auto count = static_cast<double>(point.runs);
    point.infeasible /= count;
    point.regret /= count;
    point.failed /= count;
    point.deviation = std::sqrt(std::max(0.0, point.deviation / count - point.regret * point.regret));
  }
  std::stable_sort(points.begin(), points.end(), [](const FrontierPoint& a, const FrontierPoint& b) {
    if (a.limit.has_value() != b.limit.has_value()) return a.limit.has_value();
    return a.limit.has_value() && *a.limit < *b.limit;
  });
  return points;
}

std::string frontier_csv(const std::vector<FrontierPoint>& points) {
  std::string csv =
      "method,max_infeasibility,test_infeasible,test_regret,test_regret_deviation,runs,failed\n";
  for (const FrontierPoint& point : points)
    csv += fmt::format("{},{},{},{},{},{},{}\n", point.method,
                       point.limit ? fmt::format("{}", *point.limit) : std::string(), point.infeasible,
                       point.regret, point.deviation, point.runs, point.failed);
  return csv;
}

std::string frontier_text(const std::vector<FrontierPoint>& points) {
  std::string text =
      fmt::format("{:<20}{:>10}{:>14}{:>14}{:>8}\n", "method", "limit", "infeasible", "test regret", "runs");
  for (const FrontierPoint& point : points)
    text += fmt::format("{:<20}{:>10}{:>14.4f}{:>14.4f}{:>8}\n", point.method,
                        point.limit ? fmt::format("{}", *point.limit) : std::string("none"), point.infeasible,
                        point.regret, point.runs);
  for (const FrontierPoint& point : points)
    if (point.failed > 0)
      text += fmt::format("{}, limit {}: {:.3g} % of test rows have no decision or no reference\n",
                          point.method, point.limit ? fmt::format("{}", *point.limit) : std::string("none"),
                          100 * point.failed);
  return text;
}

Plot frontier_plot(const std::vector<FrontierPoint>& points, const std::string& title) {
  Plot plot;
  plot.title = title;
  plot.x = {.label = "share of test decisions infeasible before recourse", .scale = AxisScale::kLinear};
  plot.y = {.label = "mean test regret", .scale = AxisScale::kLogarithmic};
  PlotSeries frontier;
  for (const FrontierPoint& point : points) {
    if (!point.limit) continue;
    frontier.name = point.method + ", limited";
    frontier.x.push_back(point.infeasible);
    frontier.y.push_back(point.regret);
    frontier.labels.push_back(fmt::format("{:.3g}", *point.limit));
  }
  if (!frontier.x.empty()) {
    plot.note = "beside each point of the line: the limit it was trained under";
    plot.series.push_back(std::move(frontier));
  }
  for (const FrontierPoint& point : points)
    if (!point.limit)
      plot.series.push_back(
          {.name = point.method, .x = {point.infeasible}, .y = {point.regret}, .line = false});
  return plot;
}

}  // namespace polystep
