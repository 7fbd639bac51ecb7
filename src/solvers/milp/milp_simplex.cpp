#include "solvers/milp/milp_simplex.hpp"

#include <ClpSimplex.hpp>
#include <algorithm>
#include <cmath>

#include "polystep/stop.hpp"

namespace polystep::solvers {
namespace {

MilpStatus simplex_status(const ClpSimplex& simplex) {
  switch (simplex.status()) {
    case 0:
      return MilpStatus::kOptimal;
    case 1:
      return MilpStatus::kInfeasible;
    case 2:
      return MilpStatus::kUnbounded;
    case 3:
      return MilpStatus::kLimit;
    default:
      return MilpStatus::kFailed;
  }
}

}  // namespace

// CLP's word is taken for an optimum, but not for its absence: an improving column without entries or upper
// bound makes both its methods report "infeasible". So then the question is split in two that CLP answers
// reliably: is there any solution (with no objective every basis suits the dual simplex), and can the primal
// simplex improve it to an optimum?
MilpStatus run_simplex(ClpSimplex& simplex, double seconds) {
  // A deadline stays in copies of a simplex; where there is none now, an earlier one must not count.
  simplex.setMaximumWallSeconds(std::isfinite(seconds) ? std::max(seconds, 1e-3) : -1.0);
  ClpSimplex unsolved(simplex);
  simplex.dual();
  stop_if_wanted();
  const MilpStatus first = simplex_status(simplex);
  if (first == MilpStatus::kOptimal || first == MilpStatus::kLimit) return first;

  simplex = unsolved;
  std::fill_n(simplex.objective(), simplex.numberColumns(), 0.0);
  simplex.dual();
  stop_if_wanted();
  const MilpStatus any = simplex_status(simplex);
  if (any != MilpStatus::kOptimal) return any;
  std::copy_n(unsolved.objective(), simplex.numberColumns(), simplex.objective());
  simplex.primal();
  stop_if_wanted();
  const MilpStatus second = simplex_status(simplex);
  return second == MilpStatus::kInfeasible ? MilpStatus::kUnbounded : second;
}

}  // namespace polystep::solvers
