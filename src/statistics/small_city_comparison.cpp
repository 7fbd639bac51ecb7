#include "statistics/small_city_comparison.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "polystep/error.hpp"
#include "statistics/paired_tests.hpp"

namespace polystep {
namespace {

double mean_gap(std::span<const double> costs, std::span<const double> optimal) {
  double sum = 0;
  for (std::size_t city = 0; city < costs.size(); ++city) sum += 100 * (costs[city] / optimal[city] - 1);
  return sum / static_cast<double>(costs.size());
}

void compare_with_first(std::span<const double> own, std::span<const double> first,
                        std::span<const double> optimal, SmallCityRow& row) {
  std::vector<double> differences;
  for (std::size_t city = 0; city < own.size(); ++city) {
    differences.push_back(100 * (own[city] - first[city]) / optimal[city]);
    row.cheaper += own[city] < first[city] ? 1 : 0;
    row.equal += own[city] == first[city] ? 1 : 0;
  }
  const auto count = static_cast<double>(differences.size());
  for (const double difference : differences) row.difference += difference / count;
  double squares = 0;
  for (const double difference : differences)
    squares += (difference - row.difference) * (difference - row.difference);
  if (differences.size() > 1) row.standard_error = std::sqrt(squares / (count - 1) / count);
  row.wilcoxon = wilcoxon_signed_rank(differences);
  row.sign_flip = sign_flip_test(differences);
}

}  // namespace

std::vector<SmallCityRow> compare_small_cities(std::span<const SmallCityCosts> found,
                                               std::span<const double> optimal) {
  std::vector<SmallCityRow> rows;
  std::vector<std::vector<double>> means;  // [methods][cities], over seeds
  for (const SmallCityCosts& one : found) {
    if (one.costs.size() != optimal.size() || optimal.empty())
      throw InputError(
          fmt::format("small cities: found {} costs of method {} for {} cities, expected as many",
                      one.costs.size(), one.method, optimal.size()));
    const double gap = mean_gap(one.costs, optimal);
    auto row = std::ranges::find(rows, one.method, &SmallCityRow::method);
    if (row == rows.end()) {
      SmallCityRow fresh;
      fresh.method = one.method;
      fresh.least_gap = fresh.most_gap = gap;
      rows.push_back(fresh);
      row = rows.end() - 1;
      means.emplace_back(optimal.size(), 0.0);
    }
    ++row->seeds;
    row->least_gap = std::min(row->least_gap, gap);
    row->most_gap = std::max(row->most_gap, gap);
    std::vector<double>& sum = means[static_cast<std::size_t>(row - rows.begin())];
    for (std::size_t city = 0; city < sum.size(); ++city) sum[city] += one.costs[city];
  }
  for (std::size_t m = 0; m < rows.size(); ++m) {
    for (double& cost : means[m]) cost /= static_cast<double>(rows[m].seeds);
    for (const double cost : means[m]) rows[m].mean_cost += cost / static_cast<double>(optimal.size());
    rows[m].gap = mean_gap(means[m], optimal);
    compare_with_first(means[m], means.front(), optimal, rows[m]);
  }
  return rows;
}

}  // namespace polystep
