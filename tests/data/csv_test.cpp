#include "data/tables/csv.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "input_error.hpp"
#include "polystep/random.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

std::string error_of(const std::string& text) {
  return input_error([&] { parse_csv(text, "prices.csv"); });
}

TEST(ReadCsv, ReadsNumbersByColumnName) {
  const CsvTable table = parse_csv("a,b,c\n1,2.5,-3e2\n4,+5,.5\n", "prices.csv");
  EXPECT_EQ(table.columns, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(table.rows, 2u);
  EXPECT_EQ(table.values, (std::vector<double>{1, 2.5, -300, 4, 5, 0.5}));
  EXPECT_EQ(table.column("b"), 1u);
  EXPECT_EQ(table.column_values("c"), (std::vector<double>{-300, 0.5}));
  EXPECT_EQ(table.row(1)[0], 4);
}

TEST(ReadCsv, AcceptsTheFormsSpreadsheetsWrite) {
  const std::vector<double> expected = {1, 2, 3, 4};
  for (const char* text : {"a,b\r\n1,2\r\n3,4\r\n", "a,b\n1,2\n3,4",
                           "\xef\xbb\xbf"
                           "a,b\n1,2\n3,4\n",
                           "\"a\",\"b\"\n1,2\n3,4\n", " a , b \n 1 ,\t2\n3, 4 \n",
                           "a,b\n1,2\n3,4\n\n\r\n  \n", "a,b\n\"1\", \"2\" \n3,4\n"}) {
    const CsvTable table = parse_csv(text, "prices.csv");
    EXPECT_EQ(table.columns, (std::vector<std::string>{"a", "b"})) << text;
    EXPECT_EQ(table.values, expected) << text;
  }
  EXPECT_EQ(parse_csv("\"a, \"\"x\"\"\",b\n1,2\n", "p").columns[0], "a, \"x\"");
  EXPECT_EQ(parse_csv("only\n1\n2\n", "p").rows, 2u);
}

TEST(ReadCsv, ReadsOnlyTheWantedColumns) {
  const CsvTable table = parse_csv("day,x,name,y\nmon,1,\"a,b\",2\ntue,3,c,4\n", "p", {"y", "x"});
  EXPECT_EQ(table.columns, (std::vector<std::string>{"y", "x"}));
  EXPECT_EQ(table.values, (std::vector<double>{2, 1, 4, 3}));
}

TEST(ReadCsv, NamesMissingColumns) {
  EXPECT_EQ(input_error([] { parse_csv("price,load\n1,2\n", "prices.csv", {"prize"}); }),
            "prices.csv has no column 'prize'; the nearest is 'price'");
  EXPECT_EQ(input_error([] { parse_csv("price\n1\n", "prices.csv").column("wind"); }),
            "prices.csv has no column 'wind'");
}

TEST(ReadCsv, NamesTheFieldThatIsNoNumber) {
  for (const char* field :
       {"abc", "nan", "NaN", "inf", "-inf", "1e999", "0x10", "1.5x", "1 2", "--1", "1_000"}) {
    EXPECT_EQ(error_of(std::string("price,load\n1,2\n3,") + field + "\n"),
              std::string("prices.csv line 3: column 'load' is '") + field + "', expected a finite number");
  }
  EXPECT_EQ(error_of("price,load\n1,\n"),
            "prices.csv line 2: column 'load' is empty, expected a finite number");
}

TEST(ReadCsv, NamesTheRowOfAWrongLength) {
  EXPECT_EQ(
      error_of("  \xef\xbb\xbf"
               "a,b\n1,2\n"),
      "prices.csv line 1: the name of column 1 begins with a byte order mark, expected one at most, at the "
      "very start of the file");
  EXPECT_EQ(error_of("a,b\n1,2\n3\n"), "prices.csv line 3 has 1 values, expected 2 as in the header");
  EXPECT_EQ(error_of("a,b\n1,2,3\n"), "prices.csv line 2 has 3 values, expected 2 as in the header");
  EXPECT_EQ(error_of("a,b\n1,2\n\n3,4\n"), "prices.csv line 3 has 0 values, expected 2 as in the header");
  EXPECT_EQ(error_of("a\n1\n\n3\n"), "prices.csv line 3: column 'a' is empty, expected a finite number");
}

TEST(ReadCsv, ChecksTheHeader) {
  EXPECT_EQ(error_of("a,b,a\n1,2,3\n"),
            "prices.csv line 1: columns 1 and 3 are both named 'a', expected different names");
  EXPECT_EQ(error_of("a,,c\n1,2,3\n"), "prices.csv line 1: column 2 has no name");
  EXPECT_EQ(error_of("\"a,b\n1,2\n"), "prices.csv line 1: a quote is opened and never closed");
  EXPECT_EQ(error_of("\"a\"b,c\n1,2\n"), "prices.csv line 1: text follows a closing quote, expected a comma");
  EXPECT_EQ(error_of("\n\n"), "prices.csv line 1: column 1 has no name");
}

TEST(ReadCsv, TellsOtherFormatsApart) {
  EXPECT_EQ(error_of(""), "prices.csv is empty, expected a header line and rows of numbers");
  EXPECT_EQ(error_of("a,b\n"), "prices.csv has a header and no rows, expected at least one row");
  EXPECT_EQ(error_of("a;b\n1;2\n"), "prices.csv separates columns by semicolons, expected commas");
  EXPECT_EQ(error_of("a\tb\n1\t2\n"), "prices.csv separates columns by tabs, expected commas");
  EXPECT_EQ(error_of(std::string("PK\3\4\0\0", 6)),
            "prices.csv is not a text file, expected comma-separated values");
  EXPECT_EQ(error_of(std::string("\xff\xfe"
                                 "a\0",
                                 4)),
            "prices.csv is UTF-16 text, expected UTF-8");
}

TEST(ReadCsv, SaysWhyAFileCannotBeRead) {
  const TemporaryDirectory directory;
  EXPECT_EQ(input_error([&] { read_csv(directory.path()); }),
            directory.path().string() + " is a directory, expected a file");
  EXPECT_EQ(input_error([&] { read_csv(directory / "none.csv"); }),
            "cannot read " + (directory / "none.csv").string() + ": No such file or directory");
}

TEST(WriteCsv, ReadsBackToTheSameBits) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  std::vector<double> values = {0.1, -0.0, 5e-324, 1.0 / 3.0, kLargest, 3, 1e21, -123456.789};
  RandomStream random(1, Purpose::kTest);
  while (values.size() < 4000) {
    const auto value = std::bit_cast<double>(random.bits());
    if (std::isfinite(value)) values.push_back(value);
  }
  const TemporaryDirectory directory;
  const std::vector<std::string> columns = {"x", "with, comma", "quote\"d", " spaced "};
  write_csv(directory / "t.csv", columns, values);
  const CsvTable table = read_csv(directory / "t.csv");
  EXPECT_EQ(table.columns, columns);
  ASSERT_EQ(table.values.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(table.values[i]), std::bit_cast<std::uint64_t>(values[i])) << i;
  }
  EXPECT_EQ(directory.entries(), 1u);
}

TEST(WriteCsv, LooksPlain) {
  const std::vector<double> values = {1, 0.5, -2, 1e-7};
  EXPECT_EQ(render_csv({"a", "b"}, values), "a,b\n1,0.5\n-2,1e-07\n");
  EXPECT_THROW(render_csv({"a", "b", "c"}, values), std::logic_error);
}

}  // namespace
}  // namespace polystep
