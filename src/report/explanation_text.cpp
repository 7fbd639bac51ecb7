#include "report/explanation_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polystep {
namespace {

constexpr std::size_t kMostBins = 12;
constexpr std::size_t kBarWidth = 40;

std::string cell(const std::optional<double>& value, const char* format, double factor = 1) {
  return value ? fmt::format(fmt::runtime(format), factor * *value) : std::string("-");
}

std::string bar(std::size_t count, std::size_t most) {
  const std::size_t length = (count * kBarWidth + most - 1) / most;  // a count above 0 shows
  return std::string(length, '#');
}

}  // namespace

std::vector<StepMetrics> sampled_steps(std::span<const StepMetrics> steps, std::size_t most) {
  if (steps.size() <= most) return {steps.begin(), steps.end()};
  std::vector<StepMetrics> sampled;
  for (std::size_t i = 0; i < most; ++i) sampled.push_back(steps[i * (steps.size() - 1) / (most - 1)]);
  return sampled;
}

std::string steps_table(std::span<const StepMetrics> steps) {
  struct Column {
    const char* title;
    std::optional<double> StepMetrics::*figure;
    const char* format;
    double factor;
    int width;
  };
  constexpr Column kColumns[] = {{"flips %", &StepMetrics::flip_rate, "{:.3g}", 100, 10},
                                 {"moving rows %", &StepMetrics::moving_share, "{:.3g}", 100, 13},
                                 {"radius", &StepMetrics::radius, "{:.3g}", 1, 10},
                                 {"training cost", &StepMetrics::training_cost, "{:.6g}", 1, 14},
                                 {"validation", &StepMetrics::validation_cost, "{:.6g}", 1, 14},
                                 {"blend", &StepMetrics::blend, "{:.2g}", 1, 7}};
  std::vector<Column> shown;  // what the method has none of says nothing
  for (const Column& column : kColumns)
    if (std::ranges::any_of(steps,
                            [&](const StepMetrics& step) { return (step.*column.figure).has_value(); }))
      shown.push_back(column);
  std::string text = fmt::format("  {:>6}", "step");
  for (const Column& column : shown) text += fmt::format(" {:>{}}", column.title, column.width);
  text += '\n';
  for (const StepMetrics& step : steps) {
    text += fmt::format("  {:>6}", step.step);
    for (const Column& column : shown)
      text += fmt::format(" {:>{}}", cell(step.*column.figure, column.format, column.factor), column.width);
    text += '\n';
  }
  return text;
}

double quantile(std::span<const double> ascending, double share) {
  const double place = share * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return ascending[below] + (place - static_cast<double>(below)) * (ascending[above] - ascending[below]);
}

std::vector<HistogramBin> half_decades(std::span<const double> ascending, std::size_t most) {
  const auto bin_of = [](double value) { return std::floor(2 * std::log10(value)); };
  double first = bin_of(ascending.front()), last = bin_of(ascending.back());
  // The ends that hold least are joined to their neighbours first.
  while (last - first + 1 > static_cast<double>(most)) {
    const auto at_low = std::count_if(ascending.begin(), ascending.end(),
                                      [&](double value) { return bin_of(value) <= first; });
    const auto at_high = std::count_if(ascending.begin(), ascending.end(),
                                       [&](double value) { return bin_of(value) >= last; });
    (at_low <= at_high ? first : last) += at_low <= at_high ? 1 : -1;
  }
  std::vector<HistogramBin> bins;
  for (double bin = first; bin <= last; ++bin)
    bins.push_back({std::pow(10, bin / 2), std::pow(10, (bin + 1) / 2), 0});
  for (const double value : ascending)
    ++bins[static_cast<std::size_t>(std::clamp(bin_of(value), first, last) - first)].count;
  bins.front().low = std::min(bins.front().low, ascending.front());
  bins.back().high = std::max(bins.back().high, ascending.back());
  return bins;
}

std::string cost_changes_text(const CostChanges& found) {
  std::string text =
      "Decisions of this problem move with every change of predictions, so that every probe changes one: "
      "flips\nsay nothing here. What counts is how much the realised cost of a row changes.\n";
  text += fmt::format("  {} pairs of instance and direction{}, moved by {:.4g} from the final parameters\n",
                      found.pairs, found.cut ? ", as many as there was time for" : "", found.distance);
  if (found.shares.empty()) return text;
  text += "  change of the cost, quantiles ";
  for (const double share : {0.1, 0.25, 0.5, 0.75, 0.9})
    text += fmt::format("  {:.0f} %: {:.3g} %", 100 * share, 100 * quantile(found.shares, share));
  return text + "\n";
}

std::string flip_distances_text(const FlipDistances& found, std::optional<double> reach) {
  std::string text = fmt::format(
      "Flip distances: how far along a probe direction {} decision change lies, from the final parameters\n",
      found.certain ? "the first" : "a");
  text +=
      fmt::format("  {} pairs of instance and direction{}, {} of which never change\n", found.pairs,
                  found.cut ? ", as many as there was time for" : "", found.pairs - found.distances.size());
  if (found.distances.empty()) return text;
  text += "  quantiles ";
  for (const double share : {0.1, 0.25, 0.5, 0.75, 0.9})
    text += fmt::format("  {:.0f} %: {:.4g}", 100 * share, quantile(found.distances, share));
  text += "\n";
  if (reach) {
    const auto within = std::upper_bound(found.distances.begin(), found.distances.end(), *reach);
    text += fmt::format(
        "  within reach of the last probes, {:.4g}: {:.3g} % of the pairs\n", *reach,
        100.0 * static_cast<double>(within - found.distances.begin()) / static_cast<double>(found.pairs));
  }
  const std::vector<HistogramBin> bins = half_decades(found.distances, kMostBins);
  std::size_t most = 1;
  for (const HistogramBin& bin : bins) most = std::max(most, bin.count);
  for (const HistogramBin& bin : bins)
    text +=
        fmt::format("  {:>9.2e} to {:>8.2e} {:>5} {}\n", bin.low, bin.high, bin.count, bar(bin.count, most));
  return text;
}

}  // namespace polystep
