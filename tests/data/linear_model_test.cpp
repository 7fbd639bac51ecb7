// Readers of MPS and LP files, held against CoinUtils' own on files that both take.
#include "data/models/linear_model.hpp"

#include <gtest/gtest.h>

#include <CoinLpIO.hpp>
#include <CoinMpsIO.hpp>
#include <array>
#include <cmath>
#include <map>

#include "data/model_text.hpp"
#include "polystep/random.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

using solvers::kUnbounded;
using solvers::MilpColumn;
using solvers::MilpModel;
using solvers::MilpRow;

constexpr const char* kPlanMps = R"(* a plan
NAME          PLAN
OBJSENSE
    MAX
ROWS
 N  profit
 L  limit
 G  least
 E  same
 N  ignored
COLUMNS
    MARKER  'MARKER'  'INTORG'
    x  profit  3.5   limit  2
    x  ignored  9
    MARKER  'MARKER'  'INTEND'
    y  profit  -1    least  1.5
    y  same  1
    z  same  -2e0
RHS
    side  limit  10   least  -1
    side  profit  -7
RANGES
    range  limit  4   same  -3
BOUNDS
 UP bound  x  8
 MI bound  y
 UP bound  y  -1
 FX bound  z  2
ENDATA
)";

TEST(MpsFile, HasWhatItSays) {
  const LinearModel model = parse_mps(kPlanMps, "plan.mps");
  const MilpModel& milp = model.milp;
  EXPECT_EQ(milp.sense, solvers::Sense::kMaximise);
  EXPECT_EQ(model.constant, 7);
  ASSERT_EQ(milp.columns.size(), 3u);
  ASSERT_EQ(milp.rows.size(), 3u);
  EXPECT_TRUE(milp.columns[0].integer);
  EXPECT_FALSE(milp.columns[1].integer);
  EXPECT_EQ(milp.columns[0].objective, 3.5);
  EXPECT_EQ(milp.columns[0].upper, 8);
  EXPECT_EQ(milp.columns[1].lower, -kUnbounded);
  EXPECT_EQ(milp.columns[1].upper, -1);
  EXPECT_EQ(milp.columns[2].lower, 2);
  EXPECT_EQ(milp.columns[2].upper, 2);
  EXPECT_EQ(milp.rows[0].lower, 6);  // the range below 10
  EXPECT_EQ(milp.rows[0].upper, 10);
  EXPECT_EQ(milp.rows[1].lower, -1);
  EXPECT_EQ(milp.rows[1].upper, kUnbounded);
  EXPECT_EQ(milp.rows[2].lower, -3);
  EXPECT_EQ(milp.rows[2].upper, 0);
  EXPECT_EQ(milp.rows[2].entries.size(), 2u);
  EXPECT_EQ(milp.rows[2].name, "same");
}

TEST(MpsFile, FixedFieldsMayHoldNamesWithBlanks) {
  const LinearModel model = parse_mps(
      "NAME          PLAN\n"
      "ROWS\n"
      " N  COST\n"
      " G  THE ROW\n"
      "COLUMNS\n"
      "    COL ONE   COST               2.5   THE ROW              1.\n"
      "RHS\n"
      "    RHS       THE ROW             4.\n"
      "BOUNDS\n"
      " UP BND       COL ONE            11.\n"
      "ENDATA\n",
      "plan.mps", MpsFields::kFixed);
  EXPECT_EQ(model.milp.columns[0].name, "COL ONE");
  EXPECT_EQ(model.milp.columns[0].objective, 2.5);
  EXPECT_EQ(model.milp.columns[0].upper, 11);
  EXPECT_EQ(model.milp.rows[0].name, "THE ROW");
  EXPECT_EQ(model.milp.rows[0].lower, 4);
}

TEST(LpFile, HasWhatItSays) {
  const LinearModel model = parse_lp(
      "\\ a plan\n"
      "Maximize\n obj: 3.5x - y + 2 z\n  + 7 + w\n"
      "Subject To\n"
      " limit: 6 <= 2 x + y <= 10\n"
      " 1.5y + y - -2e0 z >= -1\n"
      " same: x = +3\n"
      "Bounds\n -inf <= y <= 4\n z free\n x <= 8\n"
      "General\n x\nBinary\n w\n"
      "End\n",
      "plan.lp");
  const MilpModel& milp = model.milp;
  EXPECT_EQ(milp.sense, solvers::Sense::kMaximise);
  EXPECT_EQ(model.constant, 7);
  ASSERT_EQ(milp.columns.size(), 4u);
  ASSERT_EQ(milp.rows.size(), 3u);
  EXPECT_EQ(milp.columns[0].objective, 3.5);
  EXPECT_EQ(milp.columns[1].objective, -1);
  EXPECT_EQ(milp.rows[0].lower, 6);
  EXPECT_EQ(milp.rows[0].upper, 10);
  EXPECT_EQ(milp.rows[1].name, "c2");
  ASSERT_EQ(milp.rows[1].entries.size(), 2u);  // 1.5 y + y is one entry
  EXPECT_EQ(milp.rows[1].entries[0].coefficient, 2.5);
  EXPECT_EQ(milp.rows[1].entries[1].coefficient, 2);
  EXPECT_EQ(milp.rows[1].lower, -1);
  EXPECT_EQ(milp.rows[2].lower, 3);
  EXPECT_EQ(milp.rows[2].upper, 3);
  EXPECT_EQ(milp.columns[1].lower, -kUnbounded);
  EXPECT_EQ(milp.columns[1].upper, 4);
  EXPECT_EQ(milp.columns[2].lower, -kUnbounded);
  EXPECT_EQ(milp.columns[0].upper, 8);
  EXPECT_TRUE(milp.columns[0].integer);
  EXPECT_TRUE(milp.columns[3].integer);
  EXPECT_EQ(milp.columns[3].upper, 1);
}

// A model with every kind of row and bound, whose numbers have few digits.
LinearModel random_model(std::uint64_t number) {
  RandomStream stream(number, Purpose::kTest);
  const auto value = [&] { return (static_cast<double>(stream.below(2001)) - 1000) / 8; };
  LinearModel model;
  MilpModel& milp = model.milp;
  const std::size_t columns = 1 + stream.below(6), rows = 1 + stream.below(6);
  for (std::size_t column = 0; column < columns; ++column) {
    MilpColumn added;
    added.name = "x" + std::to_string(column);
    added.objective = value() + 0.0625;  // never 0: CoinUtils drops columns that appear nowhere
    added.integer = stream.below(3) == 0;
    added.lower = stream.below(4) == 0 ? -kUnbounded : value();
    added.upper = stream.below(4) == 0 ? kUnbounded : std::max(added.lower, -200.0) + stream.uniform() * 64;
    added.upper = std::isfinite(added.upper) ? std::ceil(added.upper) : added.upper;
    if (added.integer) {
      added.lower = std::isfinite(added.lower) ? std::floor(added.lower) : -100.0;
      added.upper = added.lower + static_cast<double>(stream.below(50));
    }
    milp.columns.push_back(added);
  }
  for (std::size_t row = 0; row < rows; ++row) {
    MilpRow added;
    added.name = "r" + std::to_string(row);
    for (std::size_t column = 0; column < columns; ++column)
      if (stream.below(2) == 0 || column == row % columns)
        added.entries.push_back({column, value() + 0.0625});
    const double side = value();
    const std::uint64_t kind = stream.below(4);
    added.lower = kind == 0 ? -kUnbounded : side;
    added.upper = kind == 1 ? kUnbounded : kind == 2 ? side + 1.5 : side;
    milp.rows.push_back(added);
  }
  return model;
}

struct Reference {                                       // what CoinUtils read, by name
  std::map<std::string, std::array<double, 4>> columns;  // lower, upper, objective, integer
  std::map<std::string, std::array<double, 2>> rows;     // lower, upper
  std::map<std::pair<std::string, std::string>, double> entries;
  friend bool operator==(const Reference&, const Reference&) = default;
};

// The first part in which two readings differ, for a failing test.
std::string difference(const Reference& ours, const Reference& theirs) {
  for (const auto& [name, numbers] : ours.columns)
    if (!theirs.columns.contains(name) || theirs.columns.at(name) != numbers)
      return fmt::format("column {}: {} and {}", name, fmt::join(numbers, " "),
                         theirs.columns.contains(name)
                             ? fmt::format("{}", fmt::join(theirs.columns.at(name), " "))
                             : "none");
  for (const auto& [name, numbers] : ours.rows)
    if (!theirs.rows.contains(name) || theirs.rows.at(name) != numbers)
      return fmt::format(
          "row {}: {} and {}", name, fmt::join(numbers, " "),
          theirs.rows.contains(name) ? fmt::format("{}", fmt::join(theirs.rows.at(name), " ")) : "none");
  if (ours.entries != theirs.entries) return "entries";
  return ours == theirs ? "" : "there are others";
}

double infinite(double bound) { return std::abs(bound) >= 1e30 ? std::copysign(kUnbounded, bound) : bound; }

template <class Reader>
Reference reference_of(Reader& reader) {
  Reference found;
  const CoinPackedMatrix& matrix = *reader.getMatrixByRow();
  for (int column = 0; column < reader.getNumCols(); ++column)
    found.columns[reader.columnName(column)] = {
        infinite(reader.getColLower()[column]), infinite(reader.getColUpper()[column]),
        reader.getObjCoefficients()[column], reader.isInteger(column) ? 1.0 : 0.0};
  for (int row = 0; row < reader.getNumRows(); ++row) {
    found.rows[reader.rowName(row)] = {infinite(reader.getRowLower()[row]),
                                       infinite(reader.getRowUpper()[row])};
    const CoinShallowPackedVector entries = matrix.getVector(row);
    for (int e = 0; e < entries.getNumElements(); ++e)
      found.entries[{reader.rowName(row), reader.columnName(entries.getIndices()[e])}] =
          entries.getElements()[e];
  }
  return found;
}

Reference reference_of(const LinearModel& model) {
  Reference found;
  for (const MilpColumn& column : model.milp.columns)
    found.columns[column.name] = {column.lower, column.upper, column.objective, column.integer ? 1.0 : 0.0};
  for (const MilpRow& row : model.milp.rows) {
    found.rows[row.name] = {row.lower, row.upper};
    for (const solvers::MilpEntry& entry : row.entries)
      found.entries[{row.name, model.milp.columns[entry.column].name}] = entry.coefficient;
  }
  return found;
}

LinearModel without_ranges(LinearModel model) {
  for (MilpRow& row : model.milp.rows)
    if (std::isfinite(row.lower) && std::isfinite(row.upper)) row.lower = row.upper;
  return model;
}

TEST(ModelFiles, ReadAsCoinUtilsReadsThem) {
  TemporaryDirectory directory;
  for (std::uint64_t number = 0; number < 150; ++number) {
    const LinearModel model = random_model(number);
    const std::string mps = mps_text(model), lp = lp_text(model);
    SCOPED_TRACE(mps + lp);
    CoinMpsIO mps_reader;
    mps_reader.messageHandler()->setLogLevel(0);
    ASSERT_EQ(mps_reader.readMps(directory.file("model.mps", mps).c_str(), ""), 0);
    EXPECT_EQ(difference(reference_of(parse_mps(mps, "model.mps")), reference_of(mps_reader)), "");
    EXPECT_EQ(difference(reference_of(parse_lp(lp, "model.lp")), reference_of(model)), "");
    const LinearModel plain = without_ranges(model);  // CoinUtils passes over their lower sides
    const std::string plain_lp = lp_text(plain);
    CoinLpIO lp_reader;
    lp_reader.messageHandler()->setLogLevel(0);
    lp_reader.readLp(directory.file("model.lp", plain_lp).c_str());
    EXPECT_EQ(difference(reference_of(parse_lp(plain_lp, "model.lp")), reference_of(lp_reader)), "");
    if (testing::Test::HasFailure()) return;
  }
}

// What CLP itself writes, in its own layout of fields.
TEST(ModelFiles, ReadWhatCoinUtilsWrites) {
  TemporaryDirectory directory;
  for (std::uint64_t number = 0; number < 30; ++number) {
    CoinMpsIO reader;
    reader.messageHandler()->setLogLevel(0);
    ASSERT_EQ(reader.readMps(directory.file("model.mps", mps_text(random_model(number))).c_str(), ""), 0);
    for (const int layout : {0, 1}) {  // fixed and free
      const std::string path = (directory / "written.mps").string();
      ASSERT_EQ(reader.writeMps(path.c_str(), 0, layout), 0);
      const std::string text = TemporaryDirectory::contents(path);
      SCOPED_TRACE(text);
      CoinMpsIO again;
      again.messageHandler()->setLogLevel(0);
      ASSERT_EQ(again.readMps(path.c_str(), ""), 0);
      EXPECT_EQ(difference(reference_of(parse_mps(text, "written.mps")), reference_of(again)), "");
      if (testing::Test::HasFailure()) return;
    }
  }
}

// Readers differ here, so it is better known: whole numbers without bounds have no upper bound.
TEST(MpsFile, IntegersWithoutBoundsHaveNone) {
  const LinearModel model = parse_mps(
      "ROWS\n N cost\n L row\nCOLUMNS\n M 'MARKER' 'INTORG'\n x cost 1\n x row 1\n M 'MARKER' 'INTEND'\n"
      "RHS\n rhs row 3\nENDATA\n",
      "plan.mps");
  EXPECT_TRUE(model.milp.columns[0].integer);
  EXPECT_EQ(model.milp.columns[0].upper, kUnbounded);
}

}  // namespace
}  // namespace polystep
