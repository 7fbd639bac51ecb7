#include "solvers/milp/milp_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "polystep/error.hpp"

namespace polystep::solvers {
namespace {

double outside(double value, double lower, double upper) {
  return std::max({lower - value, value - upper, 0.0});
}

double scale_of_bounds(double lower, double upper) {
  double scale = 1.0;
  for (const double bound : {lower, upper}) {
    if (std::isfinite(bound)) scale = std::max(scale, std::abs(bound));
  }
  return scale;
}

double row_violation(const MilpRow& row, std::span<const double> solution) {
  double sum = 0.0;
  double scale = scale_of_bounds(row.lower, row.upper);
  for (const MilpEntry& entry : row.entries) {
    const double term = entry.coefficient * solution[entry.column];
    sum += term;
    scale = std::max(scale, std::abs(term));
  }
  return outside(sum, row.lower, row.upper) / scale;
}

}  // namespace

std::size_t MilpModel::add_column(double lower, double upper, double objective) {
  columns.push_back({.lower = lower, .upper = upper, .objective = objective});
  return columns.size() - 1;
}

std::size_t MilpModel::add_integer(double lower, double upper, double objective) {
  columns.push_back({.lower = lower, .upper = upper, .objective = objective, .integer = true});
  return columns.size() - 1;
}

std::size_t MilpModel::add_row(std::vector<MilpEntry> entries, double lower, double upper) {
  rows.push_back({.entries = std::move(entries), .lower = lower, .upper = upper});
  return rows.size() - 1;
}

void MilpModel::check() const {
  if (columns.empty()) throw InputError("MILP model: it has no columns, expected at least one.");
  for (std::size_t index = 0; index < columns.size(); ++index) {
    const MilpColumn& column = columns[index];
    const std::string place = place_of("column", index, column.name);
    check_bounds(place, column.lower, column.upper);
    if (!std::isfinite(column.objective)) {
      throw InputError(
          fmt::format("{}: its objective is {}, expected a finite number.", place, column.objective));
    }
  }
  for (std::size_t index = 0; index < rows.size(); ++index) {
    const MilpRow& row = rows[index];
    const std::string place = place_of("row", index, row.name);
    check_bounds(place, row.lower, row.upper);
    for (const MilpEntry& entry : row.entries) {
      if (entry.column >= columns.size()) {
        throw InputError(fmt::format("{}: it has an entry for column {}, expected a column below {}.", place,
                                     entry.column, columns.size()));
      }
      if (!std::isfinite(entry.coefficient)) {
        throw InputError(fmt::format("{}: its coefficient of column {} is {}, expected a finite number.",
                                     place, entry.column, entry.coefficient));
      }
    }
  }
}

double MilpModel::objective_of(std::span<const double> solution) const {
  double sum = 0.0;
  for (std::size_t index = 0; index < columns.size(); ++index)
    sum += columns[index].objective * solution[index];
  return sum;
}

double MilpModel::violation_of(std::span<const double> solution) const {
  double worst = 0.0;
  for (std::size_t index = 0; index < columns.size(); ++index) {
    const MilpColumn& column = columns[index];
    const double value = solution[index];
    const double scale = scale_of_bounds(column.lower, column.upper);
    worst = std::max(worst, outside(value, column.lower, column.upper) / scale);
  }
  for (const MilpRow& row : rows) worst = std::max(worst, row_violation(row, solution));
  return worst;
}

void check_bounds(const std::string& place, double lower, double upper) {
  if (lower <= upper && lower < kUnbounded && upper > -kUnbounded) return;
  throw InputError(
      fmt::format("{}: its bounds are {} and {}, expected a lower one that is no more than the upper one.",
                  place, lower, upper));
}

std::string place_of(const char* kind, std::size_t index, const std::string& name) {
  return name.empty() ? fmt::format("MILP {} {}", kind, index)
                      : fmt::format("MILP {} {} ('{}')", kind, index, name);
}

}  // namespace polystep::solvers
