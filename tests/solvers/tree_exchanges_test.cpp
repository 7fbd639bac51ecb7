#include "solvers/spanning_tree/tree_exchanges.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "solvers/district_instances.hpp"
#include "solvers/spanning_tree/tree_district_value.hpp"

namespace polystep::solvers {
namespace {

constexpr std::uint32_t kNone = DistrictExchanges::kNoUnit;

std::vector<std::uint32_t> units_of(std::uint32_t mask) {
  std::vector<std::uint32_t> units;
  for (std::uint32_t unit = 0; mask >> unit != 0; ++unit)
    if (mask >> unit & 1) units.push_back(unit);
  return units;
}

void expect_close(double found, double wanted, const char* what) {
  if (std::isinf(wanted))
    EXPECT_EQ(found, wanted) << what;
  else
    EXPECT_NEAR(found, wanted, 1e-9) << what;
}

// Every change of every district of random partitions, connected or not, against plain enumeration.
TEST(TreeExchanges, AgreeWithTreesFromScratch) {
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    RandomStream random(trial, Purpose::kDataFeatures);
    const std::size_t units = 4 + random.below(9);
    const DistrictGraph graph = draw_district_graph(random, units, 0.1 + 0.6 * random.uniform());
    const std::vector<double> weights = draw_edge_weights(random, graph.edges());
    const AllDistricts all(graph, weights);
    const std::size_t count = 2 + random.below(2);
    TreeExchanges exchanges(graph, weights, count);
    std::vector<std::uint32_t> mask(count), district(units);
    for (std::uint32_t unit = 0; unit < units; ++unit) {
      district[unit] = static_cast<std::uint32_t>(random.below(count));
      mask[district[unit]] |= 1u << unit;
    }
    for (int change = 0; change < 4; ++change) {
      for (std::uint32_t d = 0; d < count; ++d) exchanges.set(d, units_of(mask[d]));
      const auto wanted = [&](std::uint32_t set) { return set == 0 ? INFINITY : all.value(set); };
      for (std::uint32_t d = 0; d < count; ++d) {
        expect_close(exchanges.value(d, kNone, kNone), wanted(mask[d]), "as it is");
        for (std::uint32_t one = 0; one < units; ++one) {
          if (district[one] != d) {
            expect_close(exchanges.value(d, kNone, one), wanted(mask[d] | 1u << one), "one more");
            continue;
          }
          const std::uint32_t left = mask[d] & ~(1u << one);
          expect_close(exchanges.value(d, one, kNone), wanted(left), "one less");
          for (std::uint32_t other = 0; other < units; ++other)
            if (district[other] != d)
              expect_close(exchanges.value(d, one, other), wanted(left | 1u << other), "swap");
        }
      }
      const auto moved = static_cast<std::uint32_t>(random.below(units));
      const auto to = static_cast<std::uint32_t>(random.below(count));
      mask[district[moved]] &= ~(1u << moved);
      mask[to] |= 1u << moved;
      district[moved] = to;
    }
  }
}

}  // namespace
}  // namespace polystep::solvers
