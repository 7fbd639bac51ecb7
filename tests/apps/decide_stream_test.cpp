// Deciding new rows from tables of any size, in little memory.
#include <fmt/format.h>

#include <sstream>

#include "apps/sandbox.hpp"

namespace polystep {
namespace {

class DecideStream : public Sandbox {
 protected:
  // `copies` of the same 2000 rows.
  void put_rows(const std::string& name, int copies) const {
    std::string rows;
    for (int row = 0; row < 2000; ++row)
      rows +=
          fmt::format("{},{},{},{},{}\n", row % 7 - 3, row % 11 * 0.25, row % 13, -row % 5, row % 3 * 1e-3);
    std::string text = bytes("header.csv");
    for (int copy = 0; copy < copies; ++copy) text += rows;
    put(name, text);
  }
  Finished decide(const std::string& features, const std::string& out) const {
    const Finished run = polystepor({"decide", "run", "--features", features, "--out", out});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run;
  }
};

// Everything of each line but the number of the instance.
std::vector<std::string> decisions_in(const std::string& text) {
  std::vector<std::string> decisions;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) decisions.push_back(line.substr(line.find(',')));
  decisions.erase(decisions.begin());
  return decisions;
}

TEST_F(DecideStream, MemoryDoesNotGrowWithTheTable) {
  train(kShortPath, "run");
  put("header.csv", "z1,z2,z3,z4,z5\n");
  put_rows("small.csv", 5);
  put_rows("large.csv", 50);
  const Finished small = decide("small.csv", "small.out"), large = decide("large.csv", "large.out");
  EXPECT_LT(large.peak_kibibytes, small.peak_kibibytes + 2048)
      << "a table ten times as large took " << large.peak_kibibytes << " KiB, not " << small.peak_kibibytes;
  const std::vector<std::string> first = decisions_in(bytes("small.out")),
                                 all = decisions_in(bytes("large.out"));
  ASSERT_EQ(first.size(), 10000u);
  ASSERT_EQ(all.size(), 100000u);
  for (std::size_t row = 0; row < all.size(); ++row) ASSERT_EQ(all[row], first[row % first.size()]) << row;
}

TEST_F(DecideStream, ABadRowFarDownLeavesNothingBehind) {
  train(kShortPath, "run");
  put("header.csv", "z1,z2,z3,z4,z5\n");
  put_rows("rows.csv", 20);
  put("bad.csv", bytes("rows.csv") + "1,2,3,4,five\n");
  put("old.out", "as it was");
  const auto before = snapshot(root());
  const Finished run = polystepor({"decide", "run", "--features", "bad.csv", "--out", "old.out", "--force"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("bad.csv line 40002: column 'z5' is 'five', expected a finite number"),
            std::string::npos)
      << run.err;
  EXPECT_EQ(snapshot(root()), before);
}

}  // namespace
}  // namespace polystep
