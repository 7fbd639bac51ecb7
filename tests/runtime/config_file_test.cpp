#include "runtime/run/config_file.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "input_error.hpp"
#include "polystep/version.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

std::string parse_error(const std::string& toml) {
  return input_error([&] { parse_config(toml, "run.toml"); });
}

TEST(ReadConfig, ReadsEveryKeyAndKeepsSectionsInOrder) {
  const RunConfig config = parse_config(
      "# a comment\nproblem = \"shortest-path\"\nmethod = \"polystepor\"\npreset = \"paper\"\nseed = 7\n"
      "threads = 2\ndata = \"dir\"\nmax-seconds = 60\n[shortest-path]\ndegree = 8\n[polystepor]\n"
      "steps = 150\nepsilon = 0.5\nblend = true\nkind = \"x\"\n",
      "run.toml");
  EXPECT_EQ(config.problem, "shortest-path");
  EXPECT_EQ(config.method, "polystepor");
  EXPECT_EQ(config.preset, "paper");
  EXPECT_EQ(config.data, "dir");
  EXPECT_EQ(config.seed, 7u);
  EXPECT_EQ(config.threads, 2);
  EXPECT_EQ(config.max_seconds, 60.0);
  EXPECT_EQ(config.section_where.at("polystepor"), "run.toml line 11");
  const std::vector<ConfigEntry>& entries = config.sections.at("polystepor");
  ASSERT_EQ(entries.size(), 4u);
  EXPECT_EQ(entries[0].key, "steps");  // the order of the file, not of the alphabet
  EXPECT_EQ(entries[0].value, OptionValue(std::int64_t{150}));
  EXPECT_EQ(entries[0].where, "run.toml line 12");
  EXPECT_EQ(entries[1].value, OptionValue(0.5));
  EXPECT_EQ(entries[2].value, OptionValue(true));
  EXPECT_EQ(entries[3].value, OptionValue(std::string("x")));
  EXPECT_EQ(config.sections.at("shortest-path").size(), 1u);
}

TEST(ReadConfig, KeepsBudgetAndForecast) {
  const RunConfig config = parse_config(
      "budget = \"seconds=60\"\nforecast-solves = 1234567.0\nforecast-seconds = 0.1\n", "run.toml");
  EXPECT_EQ(config.budget, "seconds=60");
  EXPECT_EQ(config.forecast_solves, 1234567.0);
  EXPECT_EQ(config.forecast_seconds, 0.1);
  const RunConfig again = parse_config(render_config(config), "again.toml");
  EXPECT_EQ(again.budget, config.budget);
  EXPECT_EQ(again.forecast_solves, config.forecast_solves);
  EXPECT_EQ(again.forecast_seconds, config.forecast_seconds);
  EXPECT_EQ(parse_error("budget = 60\n"), "run.toml line 1: option 'budget' is 60, expected text");
}

TEST(ReadConfig, LeavesAbsentKeysAndKeepsUnknownSections) {
  const RunConfig config = parse_config("seed = 1\n[some-other]\n", "run.toml");
  EXPECT_FALSE(config.problem || config.method || config.preset || config.data);
  EXPECT_FALSE(config.threads || config.max_seconds);
  EXPECT_TRUE(config.sections.at("some-other").empty());
  EXPECT_EQ(config.section_where.at("some-other"), "run.toml line 2");
}

TEST(ReadConfig, NamesTheLineOfAWrongKeyOrValue) {
  EXPECT_EQ(parse_error("seed = 1\nmetod = \"x\"\n"),
            "run.toml line 2: unknown option 'metod'; did you mean 'method'?");
  EXPECT_EQ(parse_error("method = 3\n"), "run.toml line 1: option 'method' is 3, expected text");
  EXPECT_EQ(parse_error("threads = 0\n"),
            "run.toml line 1: option 'threads' is 0, expected an integer from 1 to 4096");
  EXPECT_EQ(parse_error("seed = -1\n"),
            "run.toml line 1: option 'seed' is -1, expected an integer of at least 0");
  EXPECT_EQ(parse_error("seed = \"x\"\n"),
            "run.toml line 1: option 'seed' is \"x\", expected an integer of at least 0");
  EXPECT_EQ(parse_error("max-seconds = inf\n"),
            "run.toml line 1: option 'max-seconds' is inf, expected a number from 0 to 1000000000");
  EXPECT_EQ(parse_error("[p]\na = 1\nb = [1, 2]\n"),
            "run.toml line 3: option 'b' is an array, expected a number, a text, true or false");
  EXPECT_EQ(parse_error("[p.q]\na = 1\n"),
            "run.toml line 1: option 'q' is a table, expected a number, a text, true or false");
  EXPECT_EQ(parse_error("[p]\nday = 2024-01-01\n"),
            "run.toml line 2: option 'day' is a date or time, expected a number, a text, true or false");
  EXPECT_EQ(parse_error("[method]\na = 1\n"),
            "run.toml line 1: option 'method' is a table, expected a number, a text, true or false");
  EXPECT_TRUE(parse_error("other = [1]\n").starts_with("run.toml line 1: unknown option 'other'"));
}

TEST(ReadConfig, NamesLineAndColumnOfBrokenToml) {
  const std::string broken = parse_error("seed = 1\nmethod = \"open\nx = 1\n");
  EXPECT_TRUE(broken.starts_with("run.toml line 2, column ")) << broken;
  EXPECT_EQ(broken.find('\n'), std::string::npos);
  EXPECT_TRUE(parse_error("seed = 1\nseed = 2\n").starts_with("run.toml line 2, column "));
  EXPECT_TRUE(parse_error("seed = 99999999999999999999\n").starts_with("run.toml line 1, column "));
  EXPECT_TRUE(parse_error("data = \"\xff\"\n").starts_with("run.toml line 1, column "));
  EXPECT_TRUE(parse_error(std::string("\x7f"
                                      "ELF\0\0\0",
                                      7))
                  .starts_with("run.toml line 1, column "));
}

TEST(ReadConfig, SaysWhatIsWrongWithTheFile) {
  const TemporaryDirectory directory;
  const auto error = [](const std::filesystem::path& path) {
    return input_error([&] { read_config(path); });
  };
  EXPECT_EQ(error(directory / "none.toml"),
            "cannot read " + (directory / "none.toml").string() + ": No such file or directory");
  EXPECT_EQ(error(directory.path()), directory.path().string() + " is a directory, expected a file");
  const auto empty = directory.file("empty.toml", "");
  EXPECT_EQ(error(empty), empty.string() + " is empty, expected a run configuration");
  const auto comment = directory.file("comment.toml", "# nothing\n");
  EXPECT_EQ(error(comment),
            comment.string() + " has no settings, expected at least one such as problem = \"...\"");
}

RunConfig demanding_config() {
  RunConfig config;
  config.problem = "shortest-path";
  config.method = "polystepor";
  config.preset = "pa\"per\\ \n\t\x01 \u00e9";
  config.data = "";
  config.seed = std::numeric_limits<std::uint64_t>::max();
  config.threads = 3;
  config.max_seconds = 0.1;
  config.sections["polystepor"] = {{"steps", std::int64_t{150}, ""},
                                   {"third", 1.0 / 3.0, ""},
                                   {"tiny", 5e-324, ""},
                                   {"minus-zero", -0.0, ""},
                                   {"whole", 3.0, ""},
                                   {"huge", 1e300, ""},
                                   {"small", 1e-7, ""},
                                   {"least", std::numeric_limits<std::int64_t>::min(), ""},
                                   {"yes", true, ""},
                                   {"odd key.", std::string("="), ""}};
  config.sections["my problem"] = {};
  return config;
}

TEST(WriteConfig, RoundTripsEveryBit) {
  const RunConfig written = demanding_config();
  const TemporaryDirectory directory;
  write_config(directory / "config.toml", written);
  const RunConfig read = read_config(directory / "config.toml");
  EXPECT_EQ(read.problem, written.problem);
  EXPECT_EQ(read.method, written.method);
  EXPECT_EQ(read.preset, written.preset);
  EXPECT_EQ(read.data, written.data);
  EXPECT_EQ(read.seed, written.seed);
  EXPECT_EQ(read.threads, written.threads);
  EXPECT_EQ(read.max_seconds, written.max_seconds);
  ASSERT_EQ(read.sections.size(), 2u);
  EXPECT_TRUE(read.sections.at("my problem").empty());
  const auto& before = written.sections.at("polystepor");
  const auto& after = read.sections.at("polystepor");
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(after[i].key, before[i].key);
    ASSERT_EQ(after[i].value.index(), before[i].value.index()) << before[i].key;
    EXPECT_EQ(after[i].value, before[i].value) << before[i].key;
    if (const auto* number = std::get_if<double>(&before[i].value)) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(std::get<double>(after[i].value)),
                std::bit_cast<std::uint64_t>(*number));
    }
  }
  EXPECT_EQ(render_config(read), render_config(written));
}

TEST(WriteConfig, LooksAsDocumented) {
  RunConfig config;
  config.problem = "shortest-path";
  config.seed = 0;
  config.sections["shortest-path"] = {{"degree", std::int64_t{8}, ""}};
  EXPECT_EQ(render_config(config),
            std::string("# written by polystepor ") + kVersion +
                "\nproblem = \"shortest-path\"\nseed = 0\n\n[shortest-path]\ndegree = 8\n");
}

TEST(WriteConfig, RefusesTextThatCouldNotBeReadBack) {
  RunConfig config;
  config.data = "bad\xff";
  const std::string error = input_error([&] { render_config(config); });
  EXPECT_TRUE(error.starts_with("the run configuration line 2, column ")) << error;
}

}  // namespace
}  // namespace polystep
