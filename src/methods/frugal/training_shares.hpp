// How much each of several trainings counts, by what held-out rows would have paid after it.
//
// Costs after trainings at different rates differ by merit and by which few decisions happen to change. Where
// rows are many or merit differs much, the cheapest training is nearly all that counts; where they can hardly
// be told apart, all count about alike, and their mean is steadier than the one that chance prefers.
#pragma once

#include <span>
#include <vector>

namespace polystep {

struct TrainingShares {
  std::vector<double> shares;  // [trainings], adding up to 1
  std::size_t cheapest = 0;    // the training whose mean cost is lowest, the first of equals
};

// `costs`: of the same rows after every training, [trainings × rows]. Without rows all count alike.
TrainingShares shares_by_costs(std::span<const std::vector<double>> costs);

}  // namespace polystep
