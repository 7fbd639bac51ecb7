#include "statistics/alloy_comparison.hpp"

#include <algorithm>
#include <cmath>

namespace polystep {
namespace {

SeedFigure figure_over_seeds(std::vector<double> values) {
  SeedFigure figure;
  figure.seeds = values.size();
  if (values.empty()) return figure;
  const auto count = static_cast<double>(values.size());
  for (const double value : values) figure.mean += value / count;
  double squares = 0;
  for (const double value : values) squares += (value - figure.mean) * (value - figure.mean);
  figure.deviation = std::sqrt(squares / count);
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  figure.median = values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  return figure;
}

using RunsOfRow = std::vector<const RunRecord*>;

template <class Get>
SeedFigure figure_of(const RunsOfRow& runs, const Get& get) {
  std::vector<double> values;
  for (const RunRecord* run : runs)
    if (const std::optional<double> value = get(*run)) values.push_back(*value);
  return figure_over_seeds(std::move(values));
}

AlloyRow row_of(const RunsOfRow& runs) {
  AlloyRow row;
  row.method = runs.front()->method;
  row.preset = runs.front()->preset;
  row.runs = runs.size();
  const auto field = [&](std::optional<double> RunRecord::*figure) {
    return figure_of(runs, [&](const RunRecord& run) { return run.*figure; });
  };
  row.batches = {figure_of(runs,
                           [](const RunRecord& run) -> std::optional<double> {
                             return std::max(run.batch_infeasible.value_or(0), run.test_failed.value_or(0));
                           }),
                 field(&RunRecord::batch_conditional_regret), field(&RunRecord::batch_regret)};
  row.test = {field(&RunRecord::test_infeasible), field(&RunRecord::conditional_regret),
              figure_of(runs, [](const RunRecord& run) { return std::optional(run.test_regret); })};
  row.fresh = {field(&RunRecord::fresh_infeasible), field(&RunRecord::fresh_conditional_regret),
               field(&RunRecord::fresh_regret)};
  row.prediction_deviation = field(&RunRecord::prediction_deviation);
  const auto count = static_cast<double>(runs.size());
  for (const RunRecord* run : runs) {
    row.failed += run->test_failed.value_or(0) / count;
    row.core_seconds += run->core_seconds_train / count;
    row.training_solves += static_cast<double>(run->training_solves) / count;
  }
  return row;
}

}  // namespace

std::vector<AlloyTable> compare_alloy_runs(const std::vector<RunRecord>& runs) {
  struct Group {
    std::string setting, method, preset;
    RunsOfRow runs;
  };
  std::vector<Group> groups;
  for (const RunRecord& run : runs) {
    const auto same = [&](const Group& group) {
      return group.setting == run.setting && group.method == run.method && group.preset == run.preset;
    };
    auto found = std::ranges::find_if(groups, same);
    if (found == groups.end()) found = groups.insert(found, Group{run.setting, run.method, run.preset, {}});
    found->runs.push_back(&run);
  }
  std::vector<AlloyTable> tables;
  for (const Group& group : groups) {
    auto table = std::ranges::find(tables, group.setting, &AlloyTable::setting);
    if (table == tables.end()) table = tables.insert(table, AlloyTable{group.setting, {}});
    table->rows.push_back(row_of(group.runs));
  }
  return tables;
}

}  // namespace polystep
