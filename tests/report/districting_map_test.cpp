// Maps of plans: what is laid out, the page and the picture.
#include "report/districting_map.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "brick_districting.hpp"
#include "input_error.hpp"
#include "report/districting_page.hpp"
#include "report/districting_svg.hpp"

namespace polystep {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

DistrictingMap brick_map() {
  return lay_out_map(parse_districting(render_districting(brick_districting(), "a"), "a"));
}

nlohmann::json data_of(const std::string& page) {
  const std::string open = "id=\"data\">";
  const std::size_t begin = page.find(open) + open.size();
  return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(DistrictingMap, LaysOutDistricts) {
  const DistrictingMap map = brick_map();
  ASSERT_EQ(map.plans.size(), 2u);
  EXPECT_EQ(map.plans[0].district_of, (std::vector<std::uint32_t>{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}));
  EXPECT_EQ(map.frame.x_max, 4.5);
  const DrawnDistrict& district = map.plans[0].districts[1];
  EXPECT_DOUBLE_EQ(district.area, 3);
  EXPECT_DOUBLE_EQ(district.population, 3 * 1010 + 3);
  EXPECT_TRUE(district.size_allowed);
  EXPECT_TRUE(district.connected);
  EXPECT_DOUBLE_EQ(district.label.x, 2);  // the middle brick
  EXPECT_DOUBLE_EQ(district.label.y, 1.5);
}

TEST(DistrictingMap, SaysWhereAPlanBreaksTheRules) {
  DistrictingFile file = brick_districting();
  file.plans.resize(1);
  file.plans[0] = {
      .method = "broken",
      .districts = {{.units = {0}}, {.units = {1, 3}}, {.units = {2, 4, 5, 6, 7, 8, 9, 10, 11}}}};
  const DistrictingMap map = lay_out_map(parse_districting(render_districting(file, "a"), "a"));
  const std::vector<DrawnDistrict>& districts = map.plans[0].districts;
  EXPECT_FALSE(districts[0].size_allowed);
  EXPECT_TRUE(districts[0].connected);
  EXPECT_TRUE(districts[1].size_allowed);
  EXPECT_FALSE(districts[1].connected);
  EXPECT_FALSE(districts[2].size_allowed);
}

TEST(DistrictingMap, JoinsFilesOfOneCityOnly) {
  DistrictingFile first = brick_districting(), second = brick_districting();
  second.plans[1].method = "others";
  const DistrictingFile joined = join_districtings({first, second}, {"a.json", "b.json"});
  ASSERT_EQ(joined.plans.size(), 4u);
  EXPECT_EQ(joined.plans[0].method, "columns (a.json)");
  EXPECT_EQ(joined.plans[1].method, "rows");
  EXPECT_EQ(joined.plans[2].method, "columns (b.json)");
  EXPECT_EQ(joined.plans[3].method, "others");
  second.city.units[3].population += 1;
  EXPECT_NE(input_error([&] {
              join_districtings({first, second}, {"a.json", "b.json"});
            }).find("expected the same city"),
            std::string::npos);
  second = brick_districting();
  second.target = 2;
  EXPECT_NE(input_error([&] {
              join_districtings({first, second}, {"a.json", "b.json"});
            }).find("a.json has target size 3"),
            std::string::npos);
  keep_methods(first, {"rows"}, "--methods");
  EXPECT_EQ(first.plans.size(), 1u);
  EXPECT_EQ(input_error([&] { keep_methods(first, {"rwos"}, "--methods"); }),
            "--methods: found 'rwos', expected methods among rows");
}

TEST(DistrictingMap, WritesFiguresForPeople) {
  EXPECT_EQ(kilometres(0), "0.0 km");
  EXPECT_EQ(kilometres(999.94), "999.9 km");
  EXPECT_EQ(kilometres(1234.56), "1,234.6 km");
  EXPECT_EQ(kilometres(1234567.8), "1,234,567.8 km");
  EXPECT_EQ(difference_percent(99, 100), "-1.00 %");
  EXPECT_EQ(difference_percent(101.5, 100), "+1.50 %");
  EXPECT_EQ(difference_percent(1, 0), "");
}

TEST(DistrictingPage, HoldsTheDataAndAsksForNothing) {
  const std::string page = districting_page(brick_map(), true);
  EXPECT_EQ(page, districting_page(brick_map(), true));
  EXPECT_EQ(page.substr(0, 15), "<!doctype html>");
  EXPECT_EQ(count(page, "{{"), 0u);
  for (const char* outside : {"http://", "https://", "src=", "@import", "url("})
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  const nlohmann::json data = data_of(page);
  EXPECT_EQ(data["units"].size(), 12u);
  EXPECT_EQ(data["adjacent"].size(), 2 * brick_districting().city.adjacent.size());
  EXPECT_EQ(data["plans"][0]["districts"][1]["units"], (std::vector<int>{1, 5, 9}));
  EXPECT_EQ(data["plans"][0]["total"], 46.0);
  EXPECT_TRUE(data["plans"][1]["districts"][1]["cost"].is_null());
  // A line is a start and the way from point to point, in steps.
  const double step = data["step"];
  const nlohmann::json& ring = data["units"][5]["rings"][0];
  ASSERT_EQ(ring.size(), 12u);
  EXPECT_NEAR(ring[0].get<double>() * step, 1.5, step);
  EXPECT_NEAR(ring[2].get<double>() * step, 0.5, step);
  EXPECT_TRUE(data["plans"][0]["districts"][0].contains("tour"));
  EXPECT_FALSE(data_of(districting_page(brick_map(), false))["plans"][0]["districts"][0].contains("tour"));
}

TEST(DistrictingPage, NoTextOfAFileBecomesMarkup) {
  DistrictingFile file = brick_districting();
  file.city.name = "</script><script>alert(1)</script>{{data}}";
  file.plans[0].method = "<!--<script>";
  const std::string page =
      districting_page(lay_out_map(parse_districting(render_districting(file, "a"), "a")), true);
  EXPECT_EQ(count(page, "<script"), 2u);
  EXPECT_EQ(count(page, "</script>"), 2u);
  EXPECT_EQ(data_of(page)["city"], file.city.name);
  EXPECT_EQ(data_of(page)["plans"][0]["method"], "<!--<script>");
}

TEST(DistrictingSvg, DrawsPlansSideBySide) {
  const std::string svg = districting_svg(brick_map(), true);
  EXPECT_EQ(svg, districting_svg(brick_map(), true));
  EXPECT_EQ(svg.substr(0, 4), "<svg");
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(count(svg, "<g>"), 2u);
  EXPECT_EQ(count(svg, "stroke-width=\"0.6\""), 7u);  // a fill per district
  EXPECT_EQ(count(svg, ">columns</text>"), 1u);
  EXPECT_EQ(count(svg, "48.3 km (+5.00 %), 3 districts"), 1u);
  EXPECT_EQ(count(svg, "#7a1f3d"), 2u);  // the tours of the one plan that has them, and their legs
  EXPECT_EQ(count(districting_svg(brick_map(), false), "#7a1f3d"), 0u);
}

TEST(DistrictingSvg, OfASinglePlanAndNamesOfAnyKind) {
  DistrictingFile file = brick_districting();
  file.plans.resize(1);
  file.plans[0].method = "a < b & \"c\"";
  const std::string svg =
      districting_svg(lay_out_map(parse_districting(render_districting(file, "a"), "a")), true);
  EXPECT_EQ(count(svg, "<g>"), 1u);
  EXPECT_EQ(count(svg, "a &lt; b &amp; &quot;c&quot;"), 1u);
}

}  // namespace
}  // namespace polystep
