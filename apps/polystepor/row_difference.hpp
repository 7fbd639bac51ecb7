// Two trained predictors on the same test rows: how much of a difference may be the luck of these rows.
#pragma once

#include <cstddef>
#include <string>

#include "saved_run.hpp"

namespace polystep {

struct RowDifference {
  std::size_t rows = 0;    // that have a reference
  double regret = 0;       // of the other run, mean over rows
  double difference = 0;   // mean over rows of this run's regret less the other's
  double error = 0;        // standard error of that mean
  std::size_t better = 0;  // rows on which this run decides better than the other
  std::size_t worse = 0;
};

// Throws InputError where the runs' test rows or metrics differ, or nothing says what decisions cost at best;
// `name` and `other_name` are the runs' in its sentence.
RowDifference row_difference(const SavedRun& run, const std::string& name, const SavedRun& other,
                             const std::string& other_name, Team& team);

}  // namespace polystep
