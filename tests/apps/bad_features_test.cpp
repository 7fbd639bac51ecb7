// Feature tables that cannot be decided, and places decisions cannot be written to.
#include "apps/refusals.hpp"

namespace polystep {
namespace {

class BadFeatures : public Refusals {
 protected:
  void expect_bad(const std::string& run, const std::string& name, const std::string& csv,
                  const std::vector<std::string>& parts) const {
    put("new.csv", csv);
    expect_refusal({name, {"decide", run, "--features", "new.csv", "--out", "out.csv"}, parts});
  }
};

TEST_F(BadFeatures, ShortestPath) {
  train(kShortPath, "run");
  const std::string header = "z1,z2,z3,z4,z5\n", row = "0,1,2,3,4\n";
  expect_bad("run", "empty", "", {"new.csv is empty", "expected a header"});
  expect_bad("run", "header only", header, {"new.csv has a header and no rows", "expected at least one"});
  expect_bad("run", "missing column", "z1,z2,z3,z4,Z5\n" + row,
             {"new.csv has no column 'z5'", "nearest is 'Z5'"});
  expect_bad("run", "same column twice", "z1,z2,z3,z4,z4\n" + row, {"new.csv line 1", "both named 'z4'"});
  expect_bad("run", "NaN", header + row + "0,1,nan,3,4\n", {"new.csv line 3", "'z3'", "'nan'", "finite"});
  expect_bad("run", "text", header + "0,1,x,3,4\n", {"new.csv line 2", "'z3'", "'x'", "expected a finite"});
  expect_bad("run", "empty field", header + "0,1,,3,4\n", {"new.csv line 2", "'z3'", "is empty"});
  expect_bad("run", "row too short", header + "0,1,2,3\n", {"new.csv line 2 has 4 values", "expected 5"});
  expect_bad("run", "row too long", header + row + "0,1,2,3,4,5\n", {"new.csv line 3 has 6 values"});
  expect_bad("run", "open quote", header + "0,1,\"2,3,4\n", {"new.csv line 2", "quote", "never closed"});
  expect_bad("run", "semicolons", "z1;z2;z3;z4;z5\n0;1;2;3;4\n",
             {"new.csv", "semicolons", "expected commas"});
  expect_bad("run", "binary",
             std::string("\x7f"
                         "ELF\0\0",
                         6),
             {"new.csv is not a text file"});
}

TEST_F(BadFeatures, KnapsackSlots) {
  train(kShortKnapsack, "run");
  std::string csv;
  const Finished page = polystepor({"decide", "run", "--features", "none.csv", "--out", "out.csv"});
  EXPECT_EQ(page.exit_code, 2);
  EXPECT_NE(page.err.find("cannot read none.csv"), std::string::npos) << page.err;
  const std::vector<std::string> names = {"holiday",        "day_of_week",   "week_of_year",
                                          "month",          "wind_forecast", "load_forecast",
                                          "price_forecast", "co2_intensity"};
  for (const std::string& name : names) csv += (csv.empty() ? "" : ",") + name;
  csv += '\n';
  for (int row = 0; row < 47; ++row) csv += "0,1,2,3,4,5,6,7\n";
  expect_bad("run", "a slot too few", csv, {"new.csv", "found 47 rows", "expected a multiple of 48"});
}

TEST_F(BadFeatures, NamelessFeatures) {
  ASSERT_EQ(own_problem({"train", "bakery", "--method", "mse", "--quiet", "--out", "run"}).exit_code, 0);
  put("new.csv", "weekend\n1\n0\n");
  expect_refusal({"too narrow",
                  {"decide", "run", "--features", "new.csv", "--out", "out.csv"},
                  {"new.csv", "found 1 columns", "expected 2"}},
                 OWN_PROBLEM_PROGRAM);
}

TEST_F(BadFeatures, Paths) {
  train(kShortPath, "run");
  put("new.csv", "z1,z2,z3,z4,z5\n0,1,2,3,4\n");
  put("old.csv", "precious");
  std::filesystem::create_directory(root() / "folder");
  const auto decide = [](const std::string& features, const std::string& out, const Arguments& more = {}) {
    return Arguments{"decide", "run", "--features", features, "--out", out} + more;
  };
  expect_refusals({
      {"missing features", decide("none.csv", "out.csv"), {"cannot read none.csv", "No such file"}},
      {"directory for features", decide("folder", "out.csv"), {"folder is a directory", "expected a file"}},
      {"existing output", decide("new.csv", "old.csv"), {"old.csv exists", "expected a new file", "--force"}},
      {"directory for output", decide("new.csv", "folder", {"--force"}), {"folder", "expected a file"}},
      {"output in no directory", decide("new.csv", "none/out.csv"), {"none/out.csv", "No such file"}},
      {"output below a file", decide("new.csv", "old.csv/out.csv"), {"old.csv/out.csv", "Not a directory"}},
      {"missing run", {"decide", "none", "--features", "new.csv", "--out", "out.csv"}, {"none holds no run"}},
  });
}

}  // namespace
}  // namespace polystep
