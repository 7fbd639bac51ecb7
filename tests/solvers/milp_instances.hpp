// Small linear and mixed-integer programmes and their optima by enumeration, as the reference for milp.hpp.
//
// A linear programme in which every column has a finite lower bound takes its optimum, if it has one, in a
// corner: a point where as many of its bounds hold with equality as it has columns. So all corners are tried.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "polystep/random.hpp"
#include "solvers/milp/milp_model.hpp"

namespace polystep::solvers {

// One side of a row or column bound: normal · x = side is a face of the feasible set.
struct Face {
  Eigen::VectorXd normal;  // [columns]
  double side;
};

inline std::vector<Face> faces_of(const MilpModel& model) {
  const auto columns = static_cast<Eigen::Index>(model.columns.size());
  std::vector<Face> faces;
  const auto add = [&](const Eigen::VectorXd& normal, double lower, double upper) {
    if (std::isfinite(lower)) faces.push_back({normal, lower});
    if (std::isfinite(upper) && upper != lower) faces.push_back({normal, upper});
  };
  for (Eigen::Index column = 0; column < columns; ++column) {
    const auto& source = model.columns[static_cast<std::size_t>(column)];
    add(Eigen::VectorXd::Unit(columns, column), source.lower, source.upper);
  }
  for (const MilpRow& row : model.rows) {
    Eigen::VectorXd normal = Eigen::VectorXd::Zero(columns);
    for (const MilpEntry& entry : row.entries)
      normal[static_cast<Eigen::Index>(entry.column)] += entry.coefficient;
    add(normal, row.lower, row.upper);
  }
  return faces;
}

inline bool better(const MilpModel& model, double left, double right) {
  return model.sense == Sense::kMinimise ? left < right : left > right;
}

// The best corner's objective; none where there is no corner, that is, no solution.
inline std::optional<double> best_corner(const MilpModel& model) {
  const std::vector<Face> faces = faces_of(model);
  const std::size_t columns = model.columns.size();
  if (faces.size() < columns) return std::nullopt;
  std::optional<double> best;
  std::vector<std::size_t> chosen(columns);
  for (std::size_t k = 0; k < columns; ++k) chosen[k] = k;
  Eigen::MatrixXd matrix(columns, columns);
  Eigen::VectorXd sides(columns);
  while (true) {
    for (std::size_t k = 0; k < columns; ++k) {
      matrix.row(static_cast<Eigen::Index>(k)) = faces[chosen[k]].normal;
      sides[static_cast<Eigen::Index>(k)] = faces[chosen[k]].side;
    }
    const Eigen::FullPivLU<Eigen::MatrixXd> factors(matrix);
    if (factors.isInvertible()) {
      const Eigen::VectorXd corner = factors.solve(sides);
      const std::span point(corner.data(), columns);
      const double value = model.objective_of(point);
      if ((!best || better(model, value, *best)) && model.violation_of(point) < 1e-9) best = value;
    }
    std::size_t last = columns;  // the next choice, in lexicographic order
    while (last > 0 && chosen[last - 1] == faces.size() - columns + last - 1) --last;
    if (last == 0) return best;
    ++chosen[last - 1];
    for (std::size_t k = last; k < columns; ++k) chosen[k] = chosen[k - 1] + 1;
  }
}

// Whether the objective improves for ever along some direction in which the feasible set, if it has a point,
// never ends. Directions satisfy the model with all finite bounds at 0; it is enough to look at those of
// length up to 1.
inline bool has_improving_ray(MilpModel model) {
  for (MilpColumn& column : model.columns) {
    column.lower = std::isfinite(column.lower) ? 0.0 : -1.0;
    column.upper = std::isfinite(column.upper) ? 0.0 : 1.0;
  }
  for (MilpRow& row : model.rows) {
    if (std::isfinite(row.lower)) row.lower = 0.0;
    if (std::isfinite(row.upper)) row.upper = 0.0;
  }
  return better(model, *best_corner(model), model.sense == Sense::kMinimise ? -1e-9 : 1e-9);
}

// The optimum over all values of the integer columns, each with the best corner of the rest.
// Integer columns have finite bounds.
inline std::optional<double> enumerate_milp(MilpModel& model, std::size_t from = 0) {
  while (from < model.columns.size() && !model.columns[from].integer) ++from;
  if (from == model.columns.size()) {
    std::vector<double> point;
    bool all_fixed = true;
    for (const MilpColumn& column : model.columns) {
      all_fixed = all_fixed && column.lower == column.upper;
      point.push_back(column.lower);
    }
    if (!all_fixed) return best_corner(model);
    return model.violation_of(point) < 1e-9 ? std::optional(model.objective_of(point)) : std::nullopt;
  }
  const auto [lower, upper] = std::pair(model.columns[from].lower, model.columns[from].upper);
  std::optional<double> best;
  for (double value = std::ceil(lower); value <= upper; ++value) {
    model.columns[from].lower = model.columns[from].upper = value;
    const auto candidate = enumerate_milp(model, from + 1);
    if (candidate && (!best || better(model, *candidate, *best))) best = candidate;
  }
  model.columns[from].lower = lower;
  model.columns[from].upper = upper;
  return best;
}

struct Shape {
  std::size_t integers = 0;
  std::size_t continuous = 0;
  std::size_t rows = 0;
  bool whole_data = true;         // small whole coefficients: many ties, many infeasible equalities
  bool may_be_unbounded = false;  // columns may lack an upper bound
};

inline double draw_number(RandomStream& random, bool whole, int largest) {
  if (whole) return static_cast<double>(random.below(2 * static_cast<std::uint64_t>(largest) + 1)) - largest;
  return random.uniform(-largest, largest);
}

inline MilpRow draw_row(RandomStream& random, const MilpModel& model, bool whole) {
  MilpRow row;
  for (std::size_t column = 0; column < model.columns.size(); ++column) {
    if (random.below(4) != 0) row.entries.push_back({column, draw_number(random, whole, 6)});
  }
  // Through or near a random point of the box, so that most models have solutions and most rows matter.
  double activity = draw_number(random, whole, 2);
  for (const MilpEntry& entry : row.entries) {
    activity +=
        entry.coefficient * (model.columns[entry.column].lower + static_cast<double>(random.below(3)));
  }
  switch (random.below(4)) {
    case 0:
      row.lower = row.upper = activity;
      break;
    case 1:
      row.lower = activity;
      break;
    case 2:
      row.lower = activity - static_cast<double>(random.below(6));
      row.upper = activity;
      break;
    default:
      row.upper = activity;
  }
  return row;
}

inline MilpModel draw_milp(RandomStream& random, const Shape& shape) {
  MilpModel model;
  model.sense = random.below(2) == 0 ? Sense::kMinimise : Sense::kMaximise;
  for (std::size_t column = 0; column < shape.integers + shape.continuous; ++column) {
    const double lower = static_cast<double>(random.below(4)) - 2.0;
    const bool open = shape.may_be_unbounded && random.below(2) == 0;
    const double upper = open ? kUnbounded : lower + 1.0 + static_cast<double>(random.below(3));
    const double objective = draw_number(random, shape.whole_data, 9);
    if (column < shape.integers) {
      model.add_integer(lower, upper, objective);
    } else {
      model.add_column(lower, upper + (open || shape.whole_data ? 0.0 : random.uniform()), objective);
    }
  }
  for (std::size_t row = 0; row < shape.rows; ++row) {
    model.rows.push_back(draw_row(random, model, shape.whole_data));
  }
  return model;
}

// Binary columns in groups of which at most or exactly one is 1, and rows that weigh all columns of a group
// alike: the structure of scheduling and assignment with side rows.
inline MilpModel draw_grouped(RandomStream& random, std::size_t groups, std::size_t group_size) {
  MilpModel model{.sense = Sense::kMaximise};
  std::vector<double> weights;  // [groups]
  for (std::size_t group = 0; group < groups; ++group) {
    std::vector<MilpEntry> members;
    for (std::size_t k = 0; k < group_size; ++k)
      members.push_back({model.add_binary(random.uniform(0.0, 9.0)), 1.0});
    model.add_row(std::move(members), random.below(3) == 0 ? 1.0 : 0.0, 1.0);
    weights.push_back(2.0 + static_cast<double>(random.below(4)));
  }
  for (std::size_t row = 2 + random.below(4); row > 0; --row) {
    std::vector<MilpEntry> entries;
    for (std::size_t column = 0; column < groups * group_size; ++column)
      if (random.below(3) != 0) entries.push_back({column, weights[column / group_size]});
    model.add_row(std::move(entries), -kUnbounded, 5.0 + static_cast<double>(random.below(5)));
  }
  return model;
}

// Knapsack rows with real weights, each filled by some choice of the binary columns to the last digit.
inline MilpModel draw_filled_rows(RandomStream& random) {
  MilpModel model{.sense = Sense::kMaximise};
  const std::size_t columns = 6 + random.below(4);
  for (std::size_t column = 0; column < columns; ++column) model.add_binary(random.uniform(-3.0, 9.0));
  for (std::size_t row = 1 + random.below(2); row > 0; --row) {
    std::vector<MilpEntry> entries;
    double filled = 0.0;
    for (std::size_t column = 0; column < columns; ++column) {
      entries.push_back({column, random.uniform(0.5, 9.0)});
      if (random.below(2) == 0) filled += entries.back().coefficient;
    }
    model.add_row(std::move(entries), filled, random.below(2) == 0 ? filled : filled + 2.0);
  }
  return model;
}

}  // namespace polystep::solvers
