#include <gtest/gtest.h>

#include "report/comparison_html.hpp"
#include "report/comparison_markdown.hpp"
#include "report/comparison_text.hpp"

namespace polystep {
namespace {

std::vector<RunRecord> small_example() {
  std::vector<RunRecord> runs;
  const auto add = [&](const char* setting, const char* method, std::uint64_t seed, double regret) {
    RunRecord run;
    run.problem = "portfolio";
    run.setting = setting;
    run.method = method;
    run.preset = "paper";
    run.seed = seed;
    run.test_regret = regret;
    run.training_solves = std::string(method) == "mse" ? 0 : 1234567;
    run.core_seconds_train = 0.5;
    runs.push_back(run);
  };
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    const double more = 0.0001 * static_cast<double>(seed);
    add("degree=1", "mse", seed, 0.0002 + more);
    add("degree=16", "mse", seed, 0.0030 + more);
    add("degree=1", "polystepor", seed, 0.0004 + more);
    add("degree=16", "polystepor", seed, 0.0010 + 2 * more);
  }
  return runs;
}

TEST(ComparisonPages, GoldenMarkdown) {
  EXPECT_EQ(render_markdown(compare_runs(small_example()), "Results"), R"(# Results

## portfolio

Test regret × 1000, mean ± population standard deviation over 2 seeds, the published figures beside it; the lowest mean of a column is marked. Solver calls (those of the training steps) and core-seconds of training are means per run.

| method | degree=1 | degree=16 | pooled | solver calls | core-seconds |
|---|---:|---:|---:|---:|---:|
| mse | **0.2500 ± 0.0500** (0.116 ± 0.003) | 3.0500 ± 0.0500 (3.576 ± 0.000) | 1.6500 ± 0.0500 | 0 | 0.500 |
| polystepor | 0.4500 ± 0.0500 (0.423 ± 0.049) | **1.1000 ± 0.1000** (0.107 ± 0.042) | **0.7750 ± 0.0750** | 1,234,567 | 0.500 |

Two-sided paired tests over common seeds against the baseline with the lowest mean. A negative difference is in favour of the method; a verdict needs both p below 0.05.

| setting | method | against | pairs | mean difference | Wilcoxon p | sign-flip p | published Wilcoxon p | verdict |
|---|---|---|---:|---:|---:|---:|---:|---|
| degree=1 | polystepor | mse | 2 | +0.2000 | 0.500 | 0.500 | – | no clear difference |
| degree=16 | polystepor | mse | 2 | -1.9500 | 0.500 | 0.500 | – | no clear difference |
| pooled | polystepor | mse | 2 | -0.8750 | 0.500 | 0.500 | – | no clear difference |
)");
}

TEST(ComparisonPages, SeveralProblemsGetAnIndex) {
  std::vector<RunRecord> runs = small_example();
  runs.push_back(runs.front());
  runs.back().problem = "own";
  const auto tables = compare_runs(runs);
  EXPECT_NE(render_markdown(tables, "Results").find("- [portfolio](#portfolio)\n- [own](#own)\n"),
            std::string::npos);
  EXPECT_NE(render_html(tables, "Results").find("<li><a href=\"#own\">own</a></li>"), std::string::npos);
}

TEST(ComparisonPages, HtmlNeedsNothingElse) {
  const std::string page = render_html(compare_runs(small_example()), "Results");
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  for (const char* outside : {"http", "src=", "<script", "@import", "url("})
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  EXPECT_NE(page.find("prefers-color-scheme: dark"), std::string::npos);
  EXPECT_NE(page.find("<td class=\"winner\">0.2500 ± 0.0500<small>published 0.116 ± 0.003</small></td>"),
            std::string::npos);
}

TEST(ComparisonPages, NamesCannotBreakATable) {
  std::vector<RunRecord> runs = small_example();
  for (RunRecord& run : runs)
    if (run.method == "mse") run.method = "a|b<script>";
  const auto tables = compare_runs(runs);
  EXPECT_NE(render_markdown(tables, "Results").find("| a\\|b<script> |"), std::string::npos);
  EXPECT_EQ(render_html(tables, "Results").find("<script>"), std::string::npos);
  EXPECT_NE(render_html(tables, "Results").find("a|b&lt;script&gt;"), std::string::npos);
}

TEST(ComparisonPages, CellsWithFewerRunsSaySo) {
  std::vector<RunRecord> runs = small_example();
  runs.pop_back();
  const auto tables = compare_runs(runs);
  EXPECT_EQ(our_figure(*tables[0].rows[1].cells[1].ours, tables[0]), "1.0000 ± 0.0000 [1 of 2 runs]");
}

TEST(ComparisonPages, FailedSolvesAreMentioned) {
  std::vector<RunRecord> runs = small_example();
  runs.front().solves_failed = 1;
  const std::string sentence = "Some solver calls of mse gave no decision";
  EXPECT_NE(render_markdown(compare_runs(runs), "Results").find(sentence), std::string::npos);
  EXPECT_NE(render_html(compare_runs(runs), "Results").find(sentence), std::string::npos);
  EXPECT_EQ(render_html(compare_runs(small_example()), "Results").find(sentence), std::string::npos);
}

TEST(ComparisonPages, SharesOfFailedRowsHaveAColumnWhereThereAreAny) {
  std::vector<RunRecord> runs = small_example();
  for (RunRecord& run : runs) run.test_failed = run.reference_failed = 0;
  EXPECT_EQ(render_markdown(compare_runs(runs), "Results").find("failed"), std::string::npos);
  EXPECT_EQ(render_html(compare_runs(runs), "Results").find("failed"), std::string::npos);
  for (RunRecord& run : runs)
    if (run.method == "mse") {
      run.test_failed = 0.02;
      run.reference_failed = 0.005;
    }
  for (const std::string& page :
       {render_markdown(compare_runs(runs), "Results"), render_html(compare_runs(runs), "Results")}) {
    EXPECT_NE(page.find("failed decisions; references"), std::string::npos) << page;
    EXPECT_NE(page.find("2 %; 0.5 %"), std::string::npos) << page;
    EXPECT_NE(page.find("0 %; 0 %"), std::string::npos) << page;
    EXPECT_NE(page.find("No verdict on mse ("), std::string::npos) << page;
    EXPECT_NE(page.find("up to 2 % of a run"), std::string::npos) << page;
  }
}

TEST(ComparisonPages, Figures) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999.6), "1,000");
  EXPECT_EQ(grouped(8570880), "8,570,880");
  EXPECT_EQ(p_figure(2.0 / 1024), "0.002");
  EXPECT_EQ(p_figure(0.0004), "<0.001");
  ComparisonTest test;
  test.method = "polystepor";
  test.baseline = "dbb";
  test.difference = 1;
  EXPECT_EQ(verdict(test), "no clear difference");
  test.wilcoxon = test.sign_flip = 0.04;
  EXPECT_EQ(verdict(test), "dbb better");
  test.difference = -1;
  EXPECT_EQ(verdict(test), "polystepor better");
}

}  // namespace
}  // namespace polystep
