#include "methods/polystepor/bags.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "polystep/random.hpp"

namespace polystep {

std::vector<std::vector<std::size_t>> draw_bags(const BagPlan& plan, std::size_t rows) {
  std::vector<std::vector<std::size_t>> bags(plan.bags, std::vector<std::size_t>(rows));
  for (std::size_t bag = 0; bag < plan.bags; ++bag) {
    std::vector<std::size_t>& chosen = bags[bag];
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    if (plan.bags == 1) continue;
    const auto wanted = static_cast<std::size_t>(std::llround(plan.share * static_cast<double>(rows)));
    const std::size_t count = std::clamp<std::size_t>(wanted, 1, rows);
    RandomStream stream(plan.seed, Purpose::kBag, bag);
    for (std::size_t i = 0; i < count; ++i) std::swap(chosen[i], chosen[i + stream.below(rows - i)]);
    chosen.resize(count);
    std::sort(chosen.begin(), chosen.end());
  }
  return bags;
}

std::uint64_t bag_seed(const BagPlan& plan, std::size_t bag) {
  return plan.bags == 1 ? plan.seed : RandomStream(plan.seed, Purpose::kBag, bag, 1).bits();
}

}  // namespace polystep
