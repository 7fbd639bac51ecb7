// Writes a linear model as MPS or LP, for tests and benchmarks of what reads them. All rows and columns need
// names.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "data/models/linear_model.hpp"

namespace polystep {

inline std::string mps_text(const LinearModel& model) {
  const solvers::MilpModel& milp = model.milp;
  const auto ranged = [](const solvers::MilpRow& row) {
    return std::isfinite(row.lower) && std::isfinite(row.upper) && row.lower != row.upper;
  };
  const auto equal = [](const solvers::MilpRow& row) { return row.lower == row.upper; };
  std::string text = "NAME test FREE\n";
  if (milp.sense == solvers::Sense::kMaximise) text += "OBJSENSE\n    MAX\n";
  text += "ROWS\n N cost\n";
  for (const solvers::MilpRow& row : milp.rows)
    text += fmt::format(" {} {}\n", equal(row) ? "E" : std::isfinite(row.upper) ? "L" : "G", row.name);
  text += "COLUMNS\n";
  for (std::size_t column = 0; column < milp.columns.size(); ++column) {
    const solvers::MilpColumn& source = milp.columns[column];
    if (source.integer) text += " M1 'MARKER' 'INTORG'\n";
    text += fmt::format(" {} cost {}\n", source.name, source.objective);
    for (const solvers::MilpRow& row : milp.rows)
      for (const solvers::MilpEntry& entry : row.entries)
        if (entry.column == column)
          text += fmt::format(" {} {} {}\n", source.name, row.name, entry.coefficient);
    if (source.integer) text += " M2 'MARKER' 'INTEND'\n";
  }
  text += "RHS\n";
  if (model.constant != 0) text += fmt::format(" rhs cost {}\n", -model.constant);
  for (const solvers::MilpRow& row : milp.rows)
    text += fmt::format(" rhs {} {}\n", row.name, std::isfinite(row.upper) ? row.upper : row.lower);
  text += "RANGES\n";
  for (const solvers::MilpRow& row : milp.rows)
    if (ranged(row)) text += fmt::format(" range {} {}\n", row.name, row.upper - row.lower);
  text += "BOUNDS\n";
  for (const solvers::MilpColumn& column : milp.columns) {
    if (std::isfinite(column.lower))
      text += fmt::format(" LO bound {} {}\n", column.name, column.lower);
    else
      text += fmt::format(" MI bound {}\n", column.name);
    if (std::isfinite(column.upper))
      text += fmt::format(" UP bound {} {}\n", column.name, column.upper);
    else
      text += fmt::format(" PL bound {}\n", column.name);
  }
  return text + "ENDATA\n";
}

inline std::string lp_text(const LinearModel& model) {
  const solvers::MilpModel& milp = model.milp;
  const auto term = [&](double coefficient, std::size_t column) {
    return fmt::format(" {} {} {}", coefficient < 0 ? "-" : "+", std::abs(coefficient),
                       milp.columns[column].name);
  };
  const auto side = [](double value) {
    return std::isfinite(value) ? fmt::format("{}", value) : value > 0 ? "inf" : "-inf";
  };
  std::string text = milp.sense == solvers::Sense::kMaximise ? "Maximize\n cost:" : "Minimize\n cost:";
  for (std::size_t column = 0; column < milp.columns.size(); ++column)
    text += term(milp.columns[column].objective, column);
  text += "\nSubject To\n";
  for (const solvers::MilpRow& row : milp.rows) {
    text += fmt::format(" {}:", row.name);
    const bool ranged = std::isfinite(row.lower) && std::isfinite(row.upper) && row.lower != row.upper;
    if (ranged) text += fmt::format(" {} <=", row.lower);
    for (const solvers::MilpEntry& entry : row.entries) text += term(entry.coefficient, entry.column);
    if (row.lower == row.upper)
      text += fmt::format(" = {}\n", row.lower);
    else
      text +=
          std::isfinite(row.upper) ? fmt::format(" <= {}\n", row.upper) : fmt::format(" >= {}\n", row.lower);
  }
  text += "Bounds\n";
  for (const solvers::MilpColumn& column : milp.columns)
    text += fmt::format(" {} <= {} <= {}\n", side(column.lower), column.name, side(column.upper));
  text += "General\n";
  for (const solvers::MilpColumn& column : milp.columns)
    if (column.integer) text += " " + column.name + "\n";
  return text + "End\n";
}

}  // namespace polystep
