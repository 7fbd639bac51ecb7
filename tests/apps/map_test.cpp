// `polystepor map`: pages and pictures of districting files, and what it refuses.
#include "apps/refusals.hpp"
#include "brick_districting.hpp"

namespace polystep {
namespace {

class Map : public Refusals {
 protected:
  Map() { put("plan.json", render_districting(brick_districting(), "plan.json")); }
};

TEST_F(Map, WritesAPage) {
  const Finished run = polystepor({"map", "plan.json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out,
            "columns: 4 districts, 46.0 km\nrows: 3 districts, 48.3 km (+5.00 %)\nwritten to map.html\n");
  const std::string page = bytes("map.html");
  EXPECT_EQ(page.substr(0, 15), "<!doctype html>");
  EXPECT_NE(page.find("\"tour\""), std::string::npos);
  expect_refusal({"the page is there", {"map", "plan.json"}, {"map.html exists", "--force"}});
  ASSERT_EQ(polystepor({"map", "plan.json", "--force", "--no-tours"}).exit_code, 0);
  EXPECT_EQ(bytes("map.html").find("\"tour\":"), std::string::npos);
}

TEST_F(Map, WritesTheSamePictureAgain) {
  ASSERT_EQ(polystepor({"map", "plan.json", "--format", "svg"}).exit_code, 0);
  ASSERT_EQ(polystepor({"map", "plan.json", "--format", "svg", "--out", "again.svg"}).exit_code, 0);
  EXPECT_EQ(bytes("map.svg").substr(0, 4), "<svg");
  EXPECT_EQ(bytes("map.svg"), bytes("again.svg"));
  ASSERT_EQ(
      polystepor({"map", "plan.json", "--format", "svg", "--methods", "rows", "--out", "rows.svg"}).exit_code,
      0);
  EXPECT_EQ(bytes("rows.svg").find("columns"), std::string::npos);
}

TEST_F(Map, TakesRunsAndSeveralFiles) {
  put("runs/a/districting.json", bytes("plan.json"));
  const Finished run = polystepor({"map", "runs/a", "plan.json", "--out", "both.html"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("rows (runs/a): 3 districts"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("rows (plan.json): 3 districts"), std::string::npos) << run.out;
}

TEST_F(Map, RefusesWhatItCannotDraw) {
  DistrictingFile other = brick_districting();
  other.city.name = "Elsewhere";
  put("other.json", render_districting(other, "other.json"));
  put("broken.json", bytes("plan.json").substr(0, 500));
  put("table.csv", "a,b\n1,2\n");
  put("runs/empty/config.toml", "");
  expect_refusals({
      {"no file", {"map"}, {"polystepor map", "files"}},
      {"a file that is not there", {"map", "none.json"}, {"none.json", "No such file"}},
      {"half a file", {"map", "broken.json"}, {"broken.json is not JSON"}},
      {"another kind of file", {"map", "table.csv"}, {"table.csv is not JSON"}},
      {"a run without districts", {"map", "runs/empty"}, {"runs/empty holds no districting.json"}},
      {"two cities",
       {"map", "plan.json", "other.json"},
       {"'Bricks'", "'Elsewhere'", "expected the same city"}},
      {"an unknown method",
       {"map", "plan.json", "--methods", "rows,best"},
       {"--methods", "'best'", "columns, rows"}},
      {"an unknown format", {"map", "plan.json", "--format", "png"}, {"--format", "png"}},
      {"a place that is not there", {"map", "plan.json", "--out", "nowhere/map.html"}, {"nowhere/map.html"}},
  });
}

}  // namespace
}  // namespace polystep
