// Directions of the inputs whose variance stands out of the noise: principal components above the edge that
// noise alone would reach.
//
// Of n rows with d independent columns of variance s, no principal component exceeds s (1 + sqrt(d / n))^2 by
// more than a little (Marchenko and Pastur); what does is a spike, something that the rows have in common. s
// is what remains of the variance without the spikes. Found by block power iteration on the table itself, so
// that no d × d matrix is built; the same bits for any number of threads.
//
// Rows that a direction was found on lie further out along it than fresh ones, since it follows their noise.
// By how much is known for spikes (Baik, Ben Arous and Péché), and `shrink` takes it off.
#pragma once

#include <cstddef>
#include <vector>

#include "methods/inputs/table_rows.hpp"
#include "polystep/team.hpp"

namespace polystep {

struct PrincipalInputs {
  std::size_t count = 0;
  std::vector<double> directions;  // [count × columns], of unit length, most variance first
  std::vector<double> variance;    // [count], of the table's rows, in units of the noise
  std::vector<double> shrink;      // [count]: a fresh row's deviation as a share of one of these rows'
  std::vector<double> scores;      // [count × rows] of the table
  double noise = 1;                // variance per direction of what is left
};

PrincipalInputs find_spikes(const TableRows& table, Team& team);

// Share of a score's deviation on the rows it was found on that fresh rows have, for a spike of the given
// variance in units of the noise; `aspect` is columns / rows.
double fresh_share(double variance, double aspect);

}  // namespace polystep
