#include "statistics/ablation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "statistics/paired_tests.hpp"

namespace polystep {
namespace {

using RegretBySeed = std::map<std::uint64_t, double>;

template <class Value>
void add_new(std::vector<Value>& list, const Value& value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

AblationCell compare(const RegretBySeed& part, const RegretBySeed& whole) {
  AblationCell cell;
  std::vector<double> differences;
  double squares = 0;
  for (const auto& [seed, regret] : part) {
    const auto other = whole.find(seed);
    if (other == whole.end()) continue;
    differences.push_back(regret - other->second);
    cell.difference += regret - other->second;
    cell.mean += regret;
    ++cell.pairs;
  }
  if (cell.pairs == 0) return cell;
  const auto count = static_cast<double>(cell.pairs);
  cell.mean /= count;
  cell.difference /= count;
  for (const auto& [seed, regret] : part)
    if (whole.contains(seed)) squares += (regret - cell.mean) * (regret - cell.mean);
  cell.deviation = std::sqrt(squares / count);
  cell.wilcoxon = wilcoxon_signed_rank(differences);
  return cell;
}

AblationTable tabulate(const std::string& problem, const std::vector<RunRecord>& runs,
                       const std::string& whole) {
  AblationTable table{problem, {}, {}};
  std::vector<std::string> presets = {whole};
  std::map<std::pair<std::string, std::string>, RegretBySeed> regrets;  // by preset and setting
  std::map<std::string, std::pair<double, double>> seconds;             // by preset: sum and runs
  std::map<std::string, double> failed;                                 // by preset: the most of a run
  std::set<std::pair<std::string, std::string>> unjudged;               // by preset and setting
  for (const RunRecord& run : runs) {
    if (run.problem != problem) continue;
    add_new(table.settings, run.setting);
    add_new(presets, run.preset);
    regrets[{run.preset, run.setting}][run.seed] = run.test_regret;
    seconds[run.preset].first += run.core_seconds_train;
    seconds[run.preset].second += 1;
    failed[run.preset] = std::max(failed[run.preset], failed_share(run));
    if (!can_be_judged(run)) unjudged.insert({run.preset, run.setting});
  }
  for (const std::string& preset : presets) {
    AblationRow row{preset, {}, 0, failed[preset]};
    for (const std::string& setting : table.settings) {
      row.cells.push_back(compare(regrets[{preset, setting}], regrets[{whole, setting}]));
      row.cells.back().judged = !unjudged.contains({preset, setting}) && !unjudged.contains({whole, setting});
    }
    if (seconds[preset].second > 0) row.core_seconds = seconds[preset].first / seconds[preset].second;
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::vector<AblationTable> tabulate_ablation(const std::vector<RunRecord>& runs, const std::string& whole) {
  std::vector<std::string> problems;
  for (const RunRecord& run : runs) add_new(problems, run.problem);
  std::vector<AblationTable> tables;
  for (const std::string& problem : problems) tables.push_back(tabulate(problem, runs, whole));
  return tables;
}

}  // namespace polystep
