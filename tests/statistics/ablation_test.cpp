#include "statistics/ablation.hpp"

#include <gtest/gtest.h>

#include "report/ablation_markdown.hpp"

namespace polystep {
namespace {

RunRecord run(const std::string& setting, const std::string& preset, std::uint64_t seed, double regret) {
  RunRecord record;
  record.problem = "own";
  record.setting = setting;
  record.method = "polystepor";
  record.preset = preset;
  record.seed = seed;
  record.test_regret = regret;
  record.core_seconds_train = 2;
  return record;
}

TEST(Ablation, ComparesSeedBySeedWithTheWhole) {
  std::vector<RunRecord> runs;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    runs.push_back(run("n=1", "best without bags", seed, 3.0 + static_cast<double>(seed)));
    runs.push_back(run("n=1", "best", seed, 1.0 + static_cast<double>(seed)));
  }
  runs.push_back(run("n=1", "best without bags", 99, 1000));  // no such seed of the whole
  const std::vector<AblationTable> tables = tabulate_ablation(runs, "best");
  ASSERT_EQ(tables.size(), 1u);
  ASSERT_EQ(tables[0].rows.size(), 2u);
  EXPECT_EQ(tables[0].rows[0].preset, "best");
  const AblationCell& cell = tables[0].rows[1].cells[0];
  EXPECT_EQ(cell.pairs, 6u);
  EXPECT_DOUBLE_EQ(cell.mean, 5.5);
  EXPECT_DOUBLE_EQ(cell.difference, 2);
  EXPECT_DOUBLE_EQ(cell.wilcoxon, 2.0 / 64);
  EXPECT_DOUBLE_EQ(tables[0].rows[0].core_seconds, 2);
}

TEST(Ablation, GivesNoVerdictAboveOnePercentFailed) {
  std::vector<RunRecord> runs;
  for (std::uint64_t seed = 0; seed < 6; ++seed)
    for (const char* preset : {"best", "best without bags", "best without blend"})
      runs.push_back(run("n=1", preset, seed, 1));
  runs[1].test_failed = 0.02;
  const std::vector<AblationTable> tables = tabulate_ablation(runs, "best");
  EXPECT_FALSE(tables[0].rows[1].cells[0].judged);
  EXPECT_TRUE(tables[0].rows[2].cells[0].judged);
  EXPECT_EQ(tables[0].rows[1].most_failed, 0.02);
  const std::string page = render_ablation(tables);
  EXPECT_NE(page.find("(no verdict)"), std::string::npos);
  EXPECT_NE(page.find("best without bags: up to 2 % of a run's test rows"), std::string::npos);
}

TEST(Ablation, LeavesMissingSettingsEmpty) {
  const std::vector<AblationTable> tables =
      tabulate_ablation({run("n=1", "best", 0, 1), run("n=2", "best without blend", 0, 1)}, "best");
  ASSERT_EQ(tables[0].settings.size(), 2u);
  EXPECT_EQ(tables[0].rows[1].cells[0].pairs, 0u);
  EXPECT_EQ(tables[0].rows[1].cells[1].pairs, 0u);
}

}  // namespace
}  // namespace polystep
