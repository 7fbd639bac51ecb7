// Districting files: what is written is read back, and nothing else is.
#include "data/cities/districting_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "brick_districting.hpp"
#include "input_error.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

using Json = nlohmann::ordered_json;

Json example() { return Json::parse(render_districting(brick_districting(), "example")); }

std::string refusal(const std::function<void(Json&)>& spoil) {
  Json file = example();
  spoil(file);
  return input_error([&] { parse_districting(file.dump(), "plan.json"); });
}

void expect_parts(const std::string& sentence, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(sentence.find(part), std::string::npos) << "no '" << part << "' in: " << sentence;
  EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
}

TEST(DistrictingFile, ReadsWhatItWrote) {
  DistrictingFile file = brick_districting();
  file.city.name = "Saint-\"Quote\" <&> Été";
  file.city.units[2].other_parts = {{{9, 9}, {10, 9}, {9, 10.1234567}}};
  const std::string text = render_districting(file, "a");
  const DistrictingFile read = parse_districting(text, "a");
  EXPECT_EQ(read.city.name, file.city.name);
  ASSERT_EQ(read.city.units.size(), 12u);
  EXPECT_EQ(read.city.adjacent, file.city.adjacent);
  EXPECT_EQ(read.city.units[5].population, file.city.units[5].population);
  EXPECT_EQ(read.city.units[2].other_parts[0][2].y, 10.123457);  // to the millimetre
  EXPECT_EQ(read.depot.x, 2.25);
  EXPECT_EQ(read.target, 3u);
  EXPECT_EQ(read.smallest, 2u);
  EXPECT_EQ(read.largest, 4u);
  ASSERT_EQ(read.plans.size(), 2u);
  EXPECT_EQ(read.plans[0].method, "columns");
  EXPECT_EQ(read.plans[0].districts[1].units, (std::vector<std::uint32_t>{1, 5, 9}));
  EXPECT_EQ(read.plans[0].districts[1].cost, 11.0);
  EXPECT_EQ(read.plans[0].districts[1].customers, 30.5);
  EXPECT_EQ(read.plans[0].districts[1].tour.size(), 3u);
  EXPECT_EQ(read.plans[1].districts[1].cost, std::nullopt);
  EXPECT_TRUE(read.plans[1].districts[1].tour.empty());
  EXPECT_EQ(render_districting(read, "a"), text);
}

TEST(DistrictingFile, MeasuresUnitsOnTheirRings) {
  const DistrictingFile read = parse_districting(example().dump(), "a");
  const CityUnit& unit = read.city.units[4];  // shifted by half a brick
  EXPECT_DOUBLE_EQ(unit.area, 1);
  EXPECT_DOUBLE_EQ(unit.perimeter, 4);
  EXPECT_DOUBLE_EQ(unit.density, unit.population);
  EXPECT_EQ(unit.box_plane.x_min, 0.5);
  EXPECT_EQ(unit.box_plane.x_max, 1.5);
  EXPECT_EQ(unit.box_plane.y_min, 1);
  EXPECT_EQ(unit.box_plane.y_max, 2);
}

TEST(DistrictingFile, CostIsTheTotalElseTheSumElseNothing) {
  DistrictingPlan plan = brick_districting().plans[0];
  EXPECT_EQ(cost_of(plan), 46.0);
  plan.districts[2].cost.reset();
  EXPECT_EQ(cost_of(plan), std::nullopt);
  plan.total_cost = 50;
  EXPECT_EQ(cost_of(plan), 50.0);
}

TEST(DistrictingFile, IsFoundInARunDirectory) {
  const TemporaryDirectory directory;
  write_districting(directory.path() / "districting.json", brick_districting());
  EXPECT_EQ(read_districting(directory.path()).plans.size(), 2u);
  EXPECT_EQ(read_districting(directory.path() / "districting.json").plans.size(), 2u);
  std::filesystem::create_directory(directory.path() / "run");
  expect_parts(input_error([&] { read_districting(directory.path() / "run"); }),
               {"run", "holds no districting.json"});
  expect_parts(input_error([&] { read_districting(directory.path() / "none.json"); }), {"none.json"});
}

TEST(DistrictingFile, RefusesWhatIsNoDistricting) {
  const auto refused = [](const std::string& text) {
    return input_error([&] { parse_districting(text, "plan.json"); });
  };
  expect_parts(refused(""), {"plan.json is not JSON"});
  expect_parts(refused("{\"format\":"), {"plan.json is not JSON"});
  expect_parts(refused("[1,2]"), {"plan.json is not a districting file", "polystepor districting"});
  expect_parts(refused("{\"format\":\"other\"}"), {"not a districting file"});
  expect_parts(refused(std::string(100000, '[')), {"nested deeper"});
  expect_parts(refusal([](Json& f) { f["version"] = 2; }), {"version '2'", "expected 1"});
  expect_parts(refusal([](Json& f) { f["colour"] = "red"; }), {"unknown field 'colour'"});
  expect_parts(refusal([](Json& f) { f.erase("depot"); }), {"no field 'depot'"});
  expect_parts(refusal([](Json& f) { f["depot"] = {1, 2, 3}; }), {"depot", "[x, y]"});
  expect_parts(refusal([](Json& f) { f["depot"] = {1, 1e9}; }), {"depot is at (1, 1000000000)"});
  expect_parts(refusal([](Json& f) { f["target"] = -3; }), {"target is '-3'", "whole number"});
  expect_parts(refusal([](Json& f) { f["target"] = 2.5; }), {"target is '2.5'", "whole number"});
  expect_parts(refusal([](Json& f) { f["largest"] = 2; }), {"2 to 2 with target 3"});
  expect_parts(refusal([](Json& f) { f["smallest"] = 0; }), {"0 to 4"});
  expect_parts(refusal([](Json& f) { f["plans"] = Json::array(); }), {"no plans"});
}

TEST(DistrictingFile, RefusesBadCities) {
  expect_parts(refusal([](Json& f) { f["city"]["units"] = Json::array(); }), {"no units"});
  expect_parts(refusal([](Json& f) { f["city"]["units"][3]["population"] = "many"; }),
               {"unit 3 population", "many", "expected a number"});
  expect_parts(refusal([](Json& f) { f["city"]["units"][3]["population"] = -1; }),
               {"unit 3", "population -1"});
  expect_parts(refusal([](Json& f) { f["city"]["units"][3]["parts"] = Json::array(); }),
               {"unit 3", "no parts"});
  expect_parts(refusal([](Json& f) { f["city"]["units"][3]["parts"][0] = Json::parse("[[0,0],[1,1]]"); }),
               {"unit 3 part 0 has 2 corners"});
  expect_parts(refusal([](Json& f) { f["city"]["units"][3]["parts"][0][1] = Json::parse("[0,null]"); }),
               {"unit 3 part 0", "[x, y]"});
  expect_parts(refusal([](Json& f) { f["city"]["adjacent"][0] = Json::parse("[1,0]"); }),
               {"1 and 0", "smaller first"});
  expect_parts(refusal([](Json& f) { f["city"]["adjacent"][0] = Json::parse("[0,12]"); }),
               {"0 and 12", "0 to 11"});
  expect_parts(refusal([](Json& f) { f["city"]["adjacent"][1] = f["city"]["adjacent"][0]; }), {"each once"});
  expect_parts(refusal([](Json& f) { f["city"]["adjacent"][1] = 7; }), {"adjacent pair 1 is '7'"});
}

TEST(DistrictingFile, RefusesPlansThatAreNoPartition) {
  expect_parts(refusal([](Json& f) {
                 f["plans"][1]["districts"][2]["units"] = {8, 9, 10};
               }),
               {"plan 1: unit 11 is in no district"});
  expect_parts(refusal([](Json& f) {
                 f["plans"][1]["districts"][2]["units"] = {8, 9, 10, 11, 3};
               }),
               {"plan 1 district 2 has unit 3, which district 0 has already"});
  expect_parts(refusal([](Json& f) {
                 f["plans"][1]["districts"][2]["units"] = {8, 9, 10, 12};
               }),
               {"plan 1 district 2 has unit 12", "0 to 11"});
  expect_parts(refusal([](Json& f) { f["plans"][1]["districts"].push_back(Json::parse("{\"units\":[]}")); }),
               {"plan 1 district 3 has no units"});
  expect_parts(refusal([](Json& f) { f["plans"][0]["districts"][0]["cost"] = -1; }),
               {"district 0 has cost -1"});
  expect_parts(refusal([](Json& f) { f["plans"][0]["total_cost"] = 47; }), {"total_cost 47", "46"});
  expect_parts(refusal([](Json& f) { f["plans"][0]["method"] = ""; }), {"plan 0 has an empty method"});
  expect_parts(refusal([](Json& f) { f["plans"][0]["districts"][0]["tour"][0] = Json::parse("[1e7,0]"); }),
               {"district 0 has a tour to"});
}

TEST(DistrictingFile, IsNotWrittenWhereItCouldNotBeRead) {
  DistrictingFile file = brick_districting();
  file.city.units[1].ring[0].x = std::numeric_limits<double>::quiet_NaN();
  expect_parts(input_error([&] { render_districting(file, "out.json"); }), {"out.json: unit 1 part 0"});
  file = brick_districting();
  file.plans[0].districts[0].cost = std::numeric_limits<double>::infinity();
  expect_parts(input_error([&] { render_districting(file, "out.json"); }), {"district 0 has cost inf"});
  file = brick_districting();
  file.plans[0].districts[0].units.pop_back();
  expect_parts(input_error([&] { render_districting(file, "out.json"); }), {"unit 8 is in no district"});
}

// Cutting a file anywhere gives a sentence, never a crash or half a plan.
TEST(DistrictingFile, RefusesEveryBeginning) {
  const std::string text = render_districting(brick_districting(), "a");
  for (std::size_t length = 0; length + 2 < text.size(); length += 7)
    EXPECT_NE(input_error([&] { parse_districting(std::string_view(text).substr(0, length), "a"); }),
              "no InputError was thrown")
        << length;
}

}  // namespace
}  // namespace polystep
