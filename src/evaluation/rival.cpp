#include "evaluation/rival.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polystep {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

void bound_incumbent(const IncumbentTile& incumbent, std::size_t output, Rival& rival) {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const bool unique = incumbent.gap[lane] > incumbent.slack[lane];
    const double width = std::abs(incumbent.margin[output * kLanes + lane]);
    rival.stays_below[lane] = unique ? width - incumbent.slack[lane] : -1;
    rival.changes_above[lane] = kInfinity;
  }
}

void find_rival(const IncumbentTile& incumbent, std::size_t output, TileSolver& solver, RivalWorkspace& work,
                Rival& rival) {
  const std::size_t size = incumbent.outputs * kLanes;
  work.prediction.assign(incumbent.prediction, incumbent.prediction + size);
  work.margin.resize(size);
  std::array<double, kLanes> push{};
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const double margin = incumbent.margin[output * kLanes + lane];
    if (!std::isfinite(margin)) continue;
    // Far enough that the rival wins clearly, near enough that the sums lose no digits.
    push[lane] = 2 * std::abs(margin) + 1e-3 * std::abs(incumbent.prediction[output * kLanes + lane]);
    work.prediction[output * kLanes + lane] += std::copysign(push[lane], margin);
  }
  solver.solve(incumbent.tile, work.prediction.data(), rival.outcome);
  if (rival.outcome.failed != 0 ||
      !solver.margins(incumbent.tile, work.prediction.data(), work.margin.data()))
    return;
  std::array<double, kLanes> gap;  // of the rival to any other decision
  gap.fill(kInfinity);
  for (std::size_t o = 0; o < incumbent.outputs; ++o)
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      gap[lane] = std::min(gap[lane], std::abs(work.margin[o * kLanes + lane]));
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if (gap[lane] <= 2 * incumbent.slack[lane] || rival.stays_below[lane] < 0 ||
        rival.outcome.signature[lane] == incumbent.outcome.signature[lane])
      continue;
    rival.changes_above[lane] =
        push[lane] - std::abs(work.margin[output * kLanes + lane]) + 2 * incumbent.slack[lane];
  }
  for (std::size_t lane = incumbent.tile.lanes; lane < kLanes; ++lane) rival.outcome.cost[lane] = 0;
}

}  // namespace polystep
