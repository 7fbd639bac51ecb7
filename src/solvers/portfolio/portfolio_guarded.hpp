// The portfolio by nested bisection: slow, but it arrives whatever the factors and values are.
//
// For a given tau the best q minimises a strongly convex function, on which damped Newton steps cannot fail.
// Along tau the risk of the portfolio scaled to the full budget only falls, so that bisection finds where it
// meets the limit.
#pragma once

#include "solvers/portfolio/portfolio_plain.hpp"

namespace polystep::solvers::portfolio {

// Leaves the best residual in `holdings` and says how far it is from optimal.
Certificate<double> solve_guarded(const PortfolioTables& tables, const Instance& instance,
                                  Holdings& holdings);

}  // namespace polystep::solvers::portfolio
