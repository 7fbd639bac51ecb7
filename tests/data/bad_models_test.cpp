// Model files that are refused: one sentence each, with file, line and column.
#include <gtest/gtest.h>

#include "data/models/linear_model.hpp"
#include "input_error.hpp"

namespace polystep {
namespace {

std::string mps_error(const std::string& text, MpsFields fields = MpsFields::kSeparated) {
  return input_error([&] { parse_mps(text, "p.mps", fields); });
}
std::string lp_error(const std::string& text) {
  return input_error([&] { parse_lp(text, "p.lp"); });
}

const std::string kRows = "ROWS\n N cost\n L row\n";
const std::string kColumns = kRows + "COLUMNS\n x cost 1 row 2\n";

TEST(BadMps, IsRefusedWhereItGoesWrong) {
  EXPECT_EQ(mps_error(""), "p.mps ends without ENDATA, expected it after the last record");
  EXPECT_EQ(mps_error(kColumns), "p.mps ends without ENDATA, expected it after the last record");
  EXPECT_EQ(mps_error("ROWSS\n"),
            "p.mps line 1, column 1: found 'ROWSS', expected a section NAME, OBJSENSE, ROWS, COLUMNS, RHS, "
            "RANGES, BOUNDS or ENDATA");
  EXPECT_EQ(mps_error(kColumns + "QUADOBJ\n x x 1\nENDATA\n"),
            "p.mps line 6, column 1: found 'QUADOBJ', expected a section NAME, OBJSENSE, ROWS, COLUMNS, RHS, "
            "RANGES, BOUNDS or ENDATA");
  EXPECT_EQ(mps_error("ENDATA\n"),
            "p.mps line 1, column 1: found 'ENDATA', expected section ROWS with an objective before it");
  EXPECT_EQ(mps_error(kRows + "ENDATA\n"),
            "p.mps line 4, column 1: found 'ENDATA', expected section COLUMNS before it");
  EXPECT_EQ(mps_error(kColumns + "ROWS\n"),
            "p.mps line 6, column 1: section ROWS comes after COLUMNS, expected it before and once");
  EXPECT_EQ(mps_error("OBJSENSE\n    UP\n"), "p.mps line 2, column 5: found 'UP', expected MAX or MIN");
  EXPECT_EQ(mps_error("ROWS\n X cost\n"), "p.mps line 2, column 2: found 'X', expected one of N, L, G and E");
  EXPECT_EQ(mps_error("ROWS\n N\n"),
            "p.mps line 2, column 3: found the end of the line, expected a type and a name");
  EXPECT_EQ(mps_error(kRows + " G row\n"),
            "p.mps line 4, column 4: found 'row', expected a row name that is not taken");
  EXPECT_EQ(mps_error("ROWS\n L row\nCOLUMNS\n x row 1\nENDATA\n"),
            "p.mps: section ROWS has no row of type N, expected the objective");
  EXPECT_EQ(mps_error(kRows + "COLUMNS\n x cost\n"),
            "p.mps line 5, column 8: found the end of the line, expected a column, a row and a number");
  EXPECT_EQ(mps_error(kRows + "COLUMNS\n x cost 1 row\n"),
            "p.mps line 5, column 14: found the end of the line, expected another number");
  EXPECT_EQ(mps_error(kRows + "COLUMNS\n x rows 1\n"),
            "p.mps line 5, column 4: found 'rows', expected a row of section ROWS");
  EXPECT_EQ(mps_error(kRows + "COLUMNS\n x row one\n"),
            "p.mps line 5, column 8: found 'one', expected a finite number");
  EXPECT_EQ(mps_error(kRows + "COLUMNS\n x row 1e999\n"),
            "p.mps line 5, column 8: found '1e999', expected a finite number");
  EXPECT_EQ(mps_error(kRows + "COLUMNS\n x row 0x10\n"),
            "p.mps line 5, column 8: found '0x10', expected a finite number");
  EXPECT_EQ(mps_error(kRows + "COLUMNS\n x row 1\n x row 2\n"),
            "p.mps line 6, column 4: column 'x' has a second entry in row 'row', expected one");
  EXPECT_EQ(mps_error(kRows + "COLUMNS\n x row 1\n y row 2\n x cost 2\n"),
            "p.mps line 7, column 2: column 'x' was left and comes again, expected its entries together");
  EXPECT_EQ(mps_error(kRows + "COLUMNS\n M 'MARKER' 'SOSORG'\n"),
            "p.mps line 5, column 13: found ''SOSORG'', expected 'INTORG' or 'INTEND'");
  EXPECT_EQ(mps_error(kColumns + "RHS\n rhs row 1\n rhs row 2\n"),
            "p.mps line 8, column 6: found 'row', expected a row without a right-hand side so far");
  EXPECT_EQ(mps_error(kColumns + "RHS\n rhs\n"),
            "p.mps line 7, column 5: found the end of the line, expected a row and a number");
  EXPECT_EQ(mps_error(kColumns + "RANGES\n r cost 1\n"),
            "p.mps line 7, column 4: found 'cost', expected a row with a bound");
  EXPECT_EQ(mps_error(kColumns + "BOUNDS\n SC b x 1\n"),
            "p.mps line 7, column 2: found 'SC', expected one of UP, LO, FX, FR, MI, PL, BV, UI and LI");
  EXPECT_EQ(mps_error(kColumns + "BOUNDS\n UP b z 1\n"),
            "p.mps line 7, column 7: found 'z', expected a column of section COLUMNS");
  EXPECT_EQ(mps_error(kColumns + "BOUNDS\n UP b x 1\n UP b x 2\n"),
            "p.mps line 8, column 7: found 'x', expected a column without this bound so far");
  EXPECT_EQ(
      mps_error(kColumns + "BOUNDS\n UP b x -1\n"),
      "p.mps line 7, column 7: column 'x' has a negative upper bound and no lower one, expected a record "
      "LO or MI before it");
  EXPECT_EQ(
      mps_error(kColumns + "BOUNDS\n LO b x 3\n UP b x 2\nENDATA\n"),
      "p.mps: MILP column 0 ('x'): its bounds are 3 and 2, expected a lower one that is no more than the "
      "upper one");
  EXPECT_EQ(mps_error("ROWS\n N cost\n", MpsFields::kFixed),
            "p.mps line 2, column 4: found text between the fields, expected a blank there in fixed format");
}

const std::string kObjective = "min\n x + y\n";

TEST(BadLp, IsRefusedWhereItGoesWrong) {
  EXPECT_EQ(lp_error(""), "p.lp line 1, column 1: the file ends, expected minimize or maximize");
  EXPECT_EQ(lp_error("x + y >= 2\nEnd\n"), "p.lp line 1, column 1: found 'x', expected minimize or maximize");
  EXPECT_EQ(lp_error("st\n x >= 1\nend\n"),
            "p.lp line 1, column 1: found 'st', expected minimize or maximize");
  EXPECT_EQ(lp_error(kObjective),
            "p.lp line 3, column 1: the file ends, expected a section such as Subject To, Bounds or End");
  EXPECT_EQ(
      lp_error("min\n x ^ 2\nend\n"),
      "p.lp line 2, column 4: found '^' of a quadratic or product term, expected linear terms such as 3 x");
  EXPECT_EQ(
      lp_error("min\n [ x ] / 2\nend\n"),
      "p.lp line 2, column 2: found '[' of a quadratic or product term, expected linear terms such as 3 x");
  EXPECT_EQ(lp_error("min\n x y\nend\n"),
            "p.lp line 2, column 4: found 'y', expected a sign, a comparison or a new line's section");
  EXPECT_EQ(lp_error(kObjective + "st\n x + >= 2\nend\n"),
            "p.lp line 4, column 6: found '>=', expected a number or a name");
  EXPECT_EQ(lp_error(kObjective + "st\n x + y\nend\n"),
            "p.lp line 5, column 1: found 'end', expected a sign or a comparison such as <=");
  EXPECT_EQ(lp_error(kObjective + "st\n x + y >= z\nend\n"),
            "p.lp line 4, column 11: found 'z', expected a number");
  EXPECT_EQ(
      lp_error(kObjective + "st\n x >= 2 y\nend\n"),
      "p.lp line 4, column 9: found 'y', expected the end of the constraint: variables stand on the left");
  EXPECT_EQ(lp_error(kObjective + "st\n x + 3 >= 2\nend\n"),
            "p.lp line 4, column 4: found a number without a name, expected constants on the right");
  EXPECT_EQ(lp_error(kObjective + "st\n a: x >= 2\n a: y >= 1\nend\n"),
            "p.lp line 5, column 2: there is a constraint 'a' already, expected another name");
  EXPECT_EQ(lp_error(kObjective + "st\n x >= 1e999\nend\n"),
            "p.lp line 4, column 7: found '1e999', expected a number or inf");
  EXPECT_EQ(lp_error(kObjective + "bounds\n z <= 2\nend\n"),
            "p.lp line 4, column 2: found 'z', expected a column of the objective or the constraints");
  EXPECT_EQ(lp_error(kObjective + "bounds\n x <= -2\nend\n"),
            "p.lp line 4, column 2: column 'x' has a negative upper bound and no lower one, expected a lower "
            "bound before it");
  EXPECT_EQ(
      lp_error(kObjective + "bounds\n 3 <= x <= 2\nend\n"),
      "p.lp: MILP column 0 ('x'): its bounds are 3 and 2, expected a lower one that is no more than the "
      "upper one");
  EXPECT_EQ(lp_error(kObjective + "bounds\n x frei\nend\n"),
            "p.lp line 4, column 4: found 'frei', expected free or a comparison such as <=");
  EXPECT_EQ(lp_error(kObjective + "binary\n b\nend\n"),
            "p.lp line 4, column 2: found 'b', expected a column of the objective or the constraints");
  EXPECT_EQ(lp_error(kObjective + "sos1\n s: x:1 y:2\nend\n"),
            "p.lp line 3, column 1: section 'sos1' is not supported, expected linear constraints, general or "
            "binary columns");
  EXPECT_EQ(lp_error(kObjective + "end\nmore\n"),
            "p.lp line 4, column 1: found 'more', expected nothing after End");
  EXPECT_EQ(lp_error("min\n |x|\nend\n"),
            "p.lp line 2, column 2: found '|', expected a number, a name, a sign or a comparison");
  EXPECT_EQ(lp_error(kObjective + "max\n x\nend\n"),
            "p.lp line 3, column 1: found 'max', expected a section after the objective such as Subject To");
  EXPECT_EQ(lp_error("min\nst\nend\n"), "p.lp: MILP model: it has no columns, expected at least one");
}

}  // namespace
}  // namespace polystep
