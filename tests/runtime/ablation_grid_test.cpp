#include "runtime/bench/ablation_grid.hpp"

#include <gtest/gtest.h>

namespace polystep {
namespace {

TEST(AblationGrid, SwitchesOffOnePartAtATime) {
  GridRequest request;
  request.problems = {"knapsack"};
  request.seeds = {0, 1};
  const std::vector<GridCell> cells = ablation_grid(builtin_problems(), request);
  const std::size_t variants = preset_parts().size() + 1;
  ASSERT_EQ(cells.size(), 3 * 2 * variants);
  const Options& whole = cells[0].request.method_options;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    EXPECT_EQ(cells[i].task, i / variants);
    std::size_t different = 0;
    for (const OptionSpec& spec : whole.table().specs())
      different += cells[i].request.method_options.value(spec.name) != whole.value(spec.name);
    EXPECT_EQ(different, i % variants == 0 ? 0u : 1u) << cells[i].preset;
    EXPECT_EQ(cells[i].preset, i % variants == 0 ? "best" : preset_without(preset_parts()[i % variants - 1]));
  }
}

}  // namespace
}  // namespace polystep
