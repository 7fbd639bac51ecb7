// Tables read row by row from files larger than what is held in memory at once.
#include "data/tables/csv_reader.hpp"

#include <gtest/gtest.h>

#include "data/tables/csv.hpp"
#include "input_error.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

// About 2 MB, several times what is read at once, with lines of many lengths.
std::string long_table(const std::string& line_end) {
  std::string text = "a,b" + line_end;
  for (int row = 0; row < 100000; ++row)
    text += std::to_string(row * 7919 % 100003) + "," + std::string(row % 9, ' ') + "0.5" + line_end;
  return text;
}

TEST(CsvReader, ReadsFilesOfManyPiecesLikeTextInMemory) {
  const TemporaryDirectory directory;
  for (const char* line_end : {"\n", "\r\n"}) {
    const std::string text = long_table(line_end);
    CsvReader reader(directory.file("long.csv", text), {"b", "a"});
    const CsvTable whole = parse_csv(text, "long.csv", {"b", "a"});
    EXPECT_EQ(reader.columns(), whole.columns);
    std::vector<double> row;
    for (std::size_t number = 0; number < whole.rows; ++number) {
      row.clear();
      ASSERT_TRUE(reader.next(row)) << number;
      ASSERT_TRUE(std::equal(row.begin(), row.end(), whole.row(number).begin(), whole.row(number).end()))
          << number;
    }
    EXPECT_FALSE(reader.next(row));
    EXPECT_EQ(reader.rows(), 100000u);
  }
}

TEST(CsvReader, BlankLinesAreFineAtTheEndAlone) {
  const TemporaryDirectory directory;
  const std::string blanks(600000, '\n');
  EXPECT_EQ(read_csv(directory.file("end.csv", "a,b\n1,2\n" + blanks + " \t\r\n")).rows, 1u);
  const auto middle = directory.file("middle.csv", "a,b\n1,2\n" + blanks + "3,4\n");
  EXPECT_EQ(input_error([&] { read_csv(middle); }),
            middle.string() + " line 3 has 0 values, expected 2 as in the header");
}

TEST(CsvReader, FindsABadValueFarDown) {
  const TemporaryDirectory directory;
  const auto file = directory.file("bad.csv", long_table("\n") + "1,two\n");
  EXPECT_EQ(input_error([&] { read_csv(file); }),
            file.string() + " line 100002: column 'b' is 'two', expected a finite number");
}

TEST(CsvReader, ALineLongerThanAPieceIsStillALine) {
  const TemporaryDirectory directory;
  const std::string padding(1 << 20, ' ');
  const CsvTable table = read_csv(directory.file("wide.csv", "a,b\n1," + padding + "2\n3,4"));
  EXPECT_EQ(table.values, (std::vector<double>{1, 2, 3, 4}));
}

}  // namespace
}  // namespace polystep
