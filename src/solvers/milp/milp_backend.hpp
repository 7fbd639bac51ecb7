// What a MilpSolver keeps loaded: shared by the files that implement it, and by no others.
#pragma once

#include <ClpSimplex.hpp>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "solvers/milp/highs_programme.hpp"
#include "solvers/milp/milp.hpp"

namespace polystep::solvers {

inline double coin_bound(double bound) {
  return std::isfinite(bound) ? bound : std::copysign(COIN_DBL_MAX, bound);
}

struct MilpSolver::Backend {
  MilpModel model;
  ClpSimplex pristine;  // always minimises; loaded but never solved, every solve starts from a copy of it
  double scale = 1.0;   // pristine's objective = model's objective × scale, positive where both minimise
  std::unique_ptr<HighsProgramme> highs;  // the same programme there; nullptr: CLP and CBC solve

  void load_objective();
  ClpSimplex integer_copy() const;
  std::vector<double> clamped(const double* values) const;
  MilpResult without_solution(MilpStatus status) const;
  MilpResult with_solution(MilpStatus status, std::vector<double> solution) const;
  MilpResult relaxation(ClpSimplex& simplex, double seconds) const;
  bool is_integral(const double* values) const;
  std::optional<std::vector<double>> repaired(const double* values, const ClpSimplex& start) const;
  MilpResult searched(const ClpSimplex& relaxed, const MilpLimits& limits) const;
  MilpResult unbounded_or_infeasible(const MilpLimits& limits) const;
  bool integer_bounds_cross() const;
  bool numbers_beyond_reach() const;
  MilpResult solved_by_highs(const MilpLimits& limits) const;
  MilpResult relaxed_by_highs(const MilpLimits& limits) const;
  void give_bound(double bound, MilpResult& result) const;
};

}  // namespace polystep::solvers
