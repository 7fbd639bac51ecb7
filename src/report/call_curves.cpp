#include "report/call_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "data/tables/csv_reader.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

struct Mean {
  double made = 0, regret = 0;
  std::size_t runs = 0;
};

template <class Name>
std::vector<std::string> in_order(const std::vector<CutRun>& runs, const Name& name) {
  std::vector<std::string> names;
  for (const CutRun& run : runs)
    if (std::ranges::find(names, name(run)) == names.end()) names.push_back(name(run));
  return names;
}

// Points by what was granted: seeds that were cut alike belong together, whatever each of them made.
PlotSeries series_of(const std::vector<CutRun>& runs, const std::string& method, std::size_t& most_runs) {
  std::map<double, Mean> means;
  for (const CutRun& run : runs) {
    if (run.method != method) continue;
    Mean& mean = means[run.calls];
    mean.made += run.made;
    mean.regret += run.regret;
    ++mean.runs;
  }
  if (means.size() > 1) means.erase(0);
  PlotSeries series{.name = method, .x = {}, .y = {}};
  series.line = means.size() > 1;
  for (const auto& [calls, mean] : means) {
    const auto count = static_cast<double>(mean.runs);
    series.x.push_back(mean.made / count);
    series.y.push_back(mean.regret / count);
    most_runs = std::max(most_runs, mean.runs);
  }
  return series;
}

}  // namespace

std::vector<CutRun> read_cut_runs(const std::filesystem::path& path) {
  CsvReader reader(path, {"calls", "made", "regret"}, {"setting", "method"});
  for (std::size_t number = 0; number < 2; ++number)
    if (const char* name = number == 0 ? "setting" : "method";
        std::ranges::find(reader.header(), name) == reader.header().end())
      throw InputError(fmt::format("{}: found no column '{}', expected one", reader.name(), name));
  std::vector<CutRun> runs;
  for (std::vector<double> values; reader.next(values); values.clear())
    runs.push_back({*reader.text(0), *reader.text(1), values[0], values[1], values[2]});
  return runs;
}

std::vector<CallCurve> call_curves(const std::vector<CutRun>& runs) {
  std::vector<CallCurve> curves;
  for (const std::string& setting : in_order(runs, [](const CutRun& run) { return run.setting; })) {
    std::vector<CutRun> here;
    std::ranges::copy_if(runs, std::back_inserter(here),
                         [&](const CutRun& run) { return run.setting == setting; });
    CallCurve curve{setting, {}};
    std::size_t most_runs = 0;
    for (const std::string& method : in_order(here, [](const CutRun& run) { return run.method; }))
      curve.plot.series.push_back(series_of(here, method, most_runs));
    curve.plot.title = setting;
    curve.plot.note = fmt::format("means of up to {} runs", most_runs);
    curve.plot.x = {.label = "solver calls per training row", .scale = AxisScale::kLogarithmic};
    curve.plot.y = {.label = "test regret", .scale = AxisScale::kLogarithmic};
    curves.push_back(std::move(curve));
  }
  return curves;
}

std::string file_stem(const std::string& setting) {
  std::string stem;
  for (const char letter : setting) {
    const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= '0' && letter <= '9');
    if (plain)
      stem += letter;
    else if (!stem.empty() && stem.back() != '-')
      stem += '-';
  }
  while (!stem.empty() && stem.back() == '-') stem.pop_back();
  return stem.empty() ? "setting" : stem;
}

}  // namespace polystep
