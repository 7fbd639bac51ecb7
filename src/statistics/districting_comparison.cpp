#include "statistics/districting_comparison.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "statistics/paired_tests.hpp"

namespace polystep {
namespace {

using ProblemKey = std::tuple<std::string, std::size_t, std::size_t>;

double mean(const std::map<std::string, double>& by_seed) {
  double sum = 0;
  for (const auto& [seed, cost] : by_seed) sum += cost;
  return sum / static_cast<double>(by_seed.size());
}

void fill_rows(DistrictingTable& table) {
  const double problems = static_cast<double>(table.problems.size());
  for (std::size_t m = 0; m < table.rows.size(); ++m) {
    DistrictingMethodRow& row = table.rows[m];
    std::vector<double> differences;
    for (const DistrictingTable::Problem& problem : table.problems) {
      const double first = problem.cost.front(), cost = problem.cost[m];
      row.mean_cost += cost / problems;
      differences.push_back(100 * (cost - first) / first);
      row.relative_percent += differences.back() / problems;
      row.wins += cost < first ? 1 : 0;
      row.ties += cost == first ? 1 : 0;
    }
    row.wilcoxon = wilcoxon_signed_rank(differences);
    row.sign_flip = sign_flip_test(differences);
  }
}

void fill_published(DistrictingTable& table) {
  constexpr std::size_t kMethods = kPublishedDistrictingMethods.size();
  for (const DistrictingTable::Problem& problem : table.problems) {
    if (problem.published == nullptr) continue;
    table.published_mean.resize(kMethods);
    table.published_relative.resize(kMethods);
    const double last = problem.published->cost.back();
    for (std::size_t m = 0; m < kMethods; ++m) {
      table.published_mean[m] += problem.published->cost[m];
      table.published_relative[m] += 100 * (problem.published->cost[m] - last) / last;
    }
    ++table.published_problems;
  }
  for (double& number : table.published_mean) number /= static_cast<double>(table.published_problems);
  for (double& number : table.published_relative) number /= static_cast<double>(table.published_problems);
}

}  // namespace

std::vector<DistrictingTable> compare_districtings(const std::vector<DistrictingRecord>& records,
                                                   const std::vector<std::string>& method_order) {
  std::vector<std::string> groups;
  for (const DistrictingRecord& record : records)
    if (std::ranges::find(groups, record.group) == groups.end()) groups.push_back(record.group);
  std::vector<DistrictingTable> tables;
  for (const std::string& group : groups) {
    std::vector<ProblemKey> problems;
    std::map<std::tuple<ProblemKey, std::string>, std::map<std::string, double>> costs;  // by seed
    for (const DistrictingRecord& record : records) {
      if (record.group != group || std::ranges::find(method_order, record.method) == method_order.end())
        continue;
      const ProblemKey key{record.city, record.units, record.target};
      if (std::ranges::find(problems, key) == problems.end()) problems.push_back(key);
      costs[{key, record.method}][record.seed] = record.cost;
    }
    DistrictingTable table;
    table.group = group;
    for (const std::string& method : method_order) {
      DistrictingMethodRow row;
      row.method = method;
      for (const auto& [key, by_seed] : costs)
        if (std::get<1>(key) == method) row.seeds = std::max(row.seeds, by_seed.size());
      if (row.seeds > 0) table.rows.push_back(row);
    }
    for (const ProblemKey& key : problems) {
      const auto& [city, units, target] = key;
      DistrictingTable::Problem problem{
          city, units, target, {}, find_published_districting(city, units, target)};
      for (const DistrictingMethodRow& row : table.rows) {
        const auto found = costs.find({key, row.method});
        if (found != costs.end() && found->second.size() == row.seeds)
          problem.cost.push_back(mean(found->second));
      }
      if (problem.cost.size() == table.rows.size())
        table.problems.push_back(std::move(problem));
      else
        ++table.incomplete;
    }
    if (!table.problems.empty()) {
      fill_rows(table);
      fill_published(table);
    }
    if (!table.rows.empty()) tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace polystep
