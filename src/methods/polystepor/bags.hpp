// Bags: random shares of the training rows, one optimizer each. The mean of their parameters overfits less
// than a single fit to all rows, and every row has bags that never saw it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace polystep {

struct BagPlan {
  std::size_t bags = 1;
  double share = 0.5;  // of the training rows, without replacement
  std::uint64_t seed = 0;
};

// The rows of each bag, ascending. One bag alone holds all rows.
std::vector<std::vector<std::size_t>> draw_bags(const BagPlan& plan, std::size_t rows);

// The seed of a bag's own random streams. One bag alone uses the run's seed.
std::uint64_t bag_seed(const BagPlan& plan, std::size_t bag);

}  // namespace polystep
