// Benchmark data that are missing, or damaged copies of the published files.
#include <cmath>
#include <cstring>

#include "apps/refusals.hpp"

namespace polystep {
namespace {

namespace fs = std::filesystem;

class BadData : public Refusals {
 protected:
  // A copy of one published file, changed by `change`, below a data directory of its own.
  template <class Change>
  void copy_changed(const std::string& file, Change change) const {
    std::string content = TemporaryDirectory::contents(classical_file(benchmark_data(), file));
    change(content);
    put("data/classical/" + file, content);
  }
  void copy(const std::string& file) const {
    copy_changed(file, [](std::string&) {});
  }
  void expect_bad(const std::string& problem, const std::string& name,
                  const std::vector<std::string>& parts) const {
    expect_refusal({name, {"train", problem, "--source", "published", "--data", "data"}, parts});
  }
};

std::size_t line_start(const std::string& text, int line) {
  std::size_t at = 0;
  for (int n = 1; n < line; ++n) at = text.find('\n', at) + 1;
  return at;
}

TEST_F(BadData, Missing) {
  put("plain/readme.txt", "no data here");
  put("file", "");
  const Arguments train = {"train", "shortest-path"};
  expect_refusals({
      {"no directory", train + Arguments{"--data", "nowhere"}, {"--data", "'nowhere'", "expected one"}},
      {"a file", train + Arguments{"--data", "file"}, {"--data", "'file' is not a directory"}},
      {"no data in it",
       train + Arguments{"--data", "plain"},
       {"--data", "'plain'", "expected benchmark data"}},
      {"published path without data",
       train + Arguments{"--source", "published"},
       {"not found", "--data DIR"}},
      {"published knapsack without data",
       {"train", "knapsack", "--source", "published"},
       {"knapsack", "not found", "--source generated"}},
  });
  ProcessSurroundings wrong = surroundings();
  wrong.data = "nowhere";
  const Finished run = Process(POLYSTEPOR_PROGRAM, train, wrong).wait();
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err, "POLYSTEPOR_DATA: 'nowhere' is not a directory, expected one with benchmark data\n");
}

TEST_F(BadData, ShortestPathFile) {
  if (benchmark_data().empty()) GTEST_SKIP() << "skipped: needs data, see docs/data.md";
  const std::string file = "shortest_path/sp_base_f64.bin";
  copy(file);
  expect_refusal({"a grid that is not published",
                  {"train", "shortest-path", "--source", "published", "--data", "data", "--grid", "6"},
                  {"grid 6", "expected grid 5", "--source generated"}});
  copy_changed(file, [](std::string& bytes) { bytes.resize(bytes.size() - 3); });
  expect_bad("shortest-path", "cut short", {"sp_base_f64.bin", "4051597 bytes", "expected 4051600"});
  copy_changed(file, [](std::string& bytes) {
    const double nan = std::nan("");
    std::memcpy(bytes.data() + 700 * sizeof(nan), &nan, sizeof(nan));
  });
  expect_bad("shortest-path", "NaN", {"sp_base_f64.bin", "found nan", "number 700", "expected a finite"});
}

TEST_F(BadData, EnergyFiles) {
  if (benchmark_data().empty()) GTEST_SKIP() << "skipped: needs data, see docs/data.md";
  const std::string energy = "energy/energy.csv", scaler = "energy/scaler.csv",
                    weights = "knapsack/weights.csv";
  copy(energy);
  expect_bad("knapsack", "no scaler", {"cannot read", "scaler.csv", "No such file"});
  copy(scaler);
  expect_bad("knapsack", "no weights", {"cannot read", "weights.csv", "No such file"});
  copy_changed(weights, [](std::string& text) { text.erase(text.rfind(',')); });
  expect_bad("knapsack", "a weight too few", {"weights.csv line 1", "found 47 fields", "expected 48"});
  copy_changed(weights, [](std::string& text) { text.replace(0, text.find(','), "2.5"); });
  expect_bad("knapsack", "half a weight", {"weights.csv line 1", "found weight 2.5", "a whole number"});
  copy(weights);
  copy_changed(energy, [](std::string& text) { text.resize(text.size() / 2); });
  expect_bad("knapsack", "cut short", {"energy.csv line", "expected"});
  copy_changed(energy, [](std::string& text) { text.erase(text.find(",price_forecast"), 15); });
  expect_bad("knapsack", "missing column", {"energy.csv line 1", "expected 'day,slot,"});
  copy_changed(energy, [](std::string& text) { text.insert(text.find('\n', line_start(text, 5)), ",7"); });
  expect_bad("knapsack", "row too long", {"energy.csv line 5", "found 13 fields", "expected 12"});
  copy_changed(energy, [](std::string& text) {
    const std::size_t last = text.rfind(',', text.find('\n', line_start(text, 9)));
    text.replace(last + 1, text.find('\n', last) - last - 1, "nan");
  });
  expect_bad("knapsack", "NaN", {"energy.csv line 9", "'nan' in field 12", "expected a number"});
  EXPECT_FALSE(fs::exists(root() / "runs"));
}

}  // namespace
}  // namespace polystep
