#include "polystep/options.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "base/option_value.hpp"
#include "input_error.hpp"
#include "runtime/run/options_page.hpp"

namespace polystep {
namespace {

OptionTable sample_table() {
  OptionTable table;
  table.integer("steps", 150, 1, 1000000000, "Steps to take.")
      .number("radius", 0.5, 0, 10, "Probe radius.")
      .flag("momentum", false, "Keep moving.")
      .text("note", "", "Free text.")
      .choice("weights", "softmax", {"softmax", "sinkhorn"}, "How probes are weighed.");
  return table;
}

std::string error_of(const std::string& name, const std::string& text) {
  Options options(sample_table(), "polystepor");
  return input_error([&] { options.set_text(name, text, "--set"); });
}

TEST(Options, HoldsDefaultsUntilSet) {
  Options options(sample_table());
  EXPECT_EQ(options.integer("steps"), 150);
  EXPECT_FALSE(options.is_set("steps"));
  options.set_text("steps", "150", "--set");
  EXPECT_TRUE(options.is_set("steps"));
  EXPECT_EQ(options.integer("steps"), 150);
}

TEST(Options, ParsesTextByType) {
  Options options(sample_table());
  options.set_text("steps", "12", "--set");
  options.set_text("radius", "2.5e-1", "--set");
  options.set_text("momentum", "true", "--set");
  options.set_text("note", "two words, 1", "--set");
  options.set_text("weights", "sinkhorn", "--set");
  EXPECT_EQ(options.integer("steps"), 12);
  EXPECT_EQ(options.number("radius"), 0.25);
  EXPECT_TRUE(options.flag("momentum"));
  EXPECT_EQ(options.text("note"), "two words, 1");
  EXPECT_EQ(options.text("weights"), "sinkhorn");
}

TEST(Options, AcceptsWholeNumbersAsIntegersAndIntegersAsNumbers) {
  Options options(sample_table());
  options.set_text("steps", "1e3", "--set");
  EXPECT_EQ(options.integer("steps"), 1000);
  options.set_text("steps", "+7.0", "--set");
  EXPECT_EQ(options.integer("steps"), 7);
  options.set("steps", 2e2, "run.toml line 2");
  EXPECT_EQ(options.integer("steps"), 200);
  options.set_text("radius", "3", "--set");
  EXPECT_EQ(options.number("radius"), 3.0);
  options.set("radius", std::int64_t{4}, "run.toml line 3");
  EXPECT_EQ(options.number("radius"), 4.0);
}

TEST(Options, RefusesTextThatIsNotWhollyAValue) {
  for (const char* text : {"12x", "x", " 12", "12 ", "0x10", "nan", "inf", "1.5", "1e-1", "--1", "+-1",
                           "1,000", "99999999999999999999", "1e30", "9007199254740993e0", "-", "+", "."}) {
    EXPECT_EQ(error_of("steps", text), std::string("--set: option 'steps' is '") + text +
                                           "', expected an integer from 1 to 1000000000");
  }
  for (const char* text : {"nan", "-nan", "inf", "-inf", "infinity", "1e999", "0x1p3", "1.2.3", "1e", "5 "}) {
    EXPECT_EQ(error_of("radius", text),
              std::string("--set: option 'radius' is '") + text + "', expected a number from 0 to 10");
  }
  for (const char* text : {"1", "yes", "True", "truee"}) {
    EXPECT_EQ(error_of("momentum", text),
              std::string("--set: option 'momentum' is '") + text + "', expected true or false");
  }
  EXPECT_EQ(error_of("steps", ""),
            "--set: option 'steps' is empty, expected an integer from 1 to 1000000000");
  EXPECT_EQ(error_of("weights", "softmix"),
            "--set: option 'weights' is 'softmix', expected one of softmax, sinkhorn");
}

TEST(Options, RefusesValuesOutOfBoundsAndKeepsTheOldOne) {
  Options options(sample_table());
  EXPECT_EQ(input_error([&] { options.set("steps", std::int64_t{0}, "run.toml line 7"); }),
            "run.toml line 7: option 'steps' is 0, expected an integer from 1 to 1000000000");
  EXPECT_EQ(input_error([&] { options.set_text("radius", "10.5", "--set"); }),
            "--set: option 'radius' is 10.5, expected a number from 0 to 10");
  EXPECT_FALSE(options.is_set("steps"));
  options.set_text("radius", "10", "--set");  // bounds are inclusive
  options.set_text("radius", "0", "--set");
}

TEST(Options, RefusesValuesOfAnotherType) {
  Options options(sample_table());
  const auto error = [&](const char* name, const OptionValue& value) {
    return input_error([&] { options.set(name, value, "run.toml line 1"); });
  };
  EXPECT_EQ(error("steps", std::string("150")),
            "run.toml line 1: option 'steps' is \"150\", expected an integer from 1 to 1000000000");
  EXPECT_EQ(error("steps", 1.5),
            "run.toml line 1: option 'steps' is 1.5, expected an integer from 1 to 1000000000");
  EXPECT_EQ(error("steps", true),
            "run.toml line 1: option 'steps' is true, expected an integer from 1 to 1000000000");
  EXPECT_EQ(error("note", std::int64_t{5}), "run.toml line 1: option 'note' is 5, expected text");
  EXPECT_EQ(error("momentum", std::int64_t{1}),
            "run.toml line 1: option 'momentum' is 1, expected true or false");
  EXPECT_EQ(error("radius", std::numeric_limits<double>::quiet_NaN()),
            "run.toml line 1: option 'radius' is nan, expected a number from 0 to 10");
}

TEST(Options, NamesTheNearestOptionAndTheOwner) {
  EXPECT_EQ(error_of("stepps", "1"), "--set: unknown option 'stepps' of polystepor; did you mean 'steps'?");
  EXPECT_EQ(
      error_of("zzz", "1"),
      "--set: unknown option 'zzz' of polystepor; expected one of steps, radius, momentum, note, weights");
  Options without_owner(sample_table());
  EXPECT_EQ(input_error([&] { without_owner.set("Steps", std::int64_t{1}, "a.toml line 1"); }),
            "a.toml line 1: unknown option 'Steps'; did you mean 'steps'?");
  Options nothing{OptionTable()};
  EXPECT_EQ(input_error([&] { nothing.set_text("x", "1", "--set"); }),
            "--set: unknown option 'x'; expected none");
}

TEST(Options, ShowsHostileTextInOneReadableLine) {
  EXPECT_EQ(error_of("steps", "1\n2\x1b[31m"),
            "--set: option 'steps' is '1?2?[31m', expected an integer from 1 to 1000000000");
  EXPECT_LT(error_of("steps", std::string(100000, '9')).size(), 200u);
}

TEST(Options, MistakesOfTheProgramAreLogicErrors) {
  OptionTable table = sample_table();
  EXPECT_THROW(table.integer("steps", 1, 1, 2, ""), std::logic_error);
  EXPECT_THROW(table.append(table), std::logic_error);
  EXPECT_THROW(OptionTable().integer("n", 0, 1, 2, ""), std::logic_error);
  EXPECT_THROW(OptionTable().choice("c", "x", {"a", "b"}, ""), std::logic_error);
  const Options options(sample_table());
  EXPECT_THROW(options.integer("absent"), std::logic_error);
  EXPECT_THROW(options.number("steps"), std::logic_error);
}

TEST(OptionSpec, DescribesWhatItExpects) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  OptionTable table;
  table.integer("any", 0, kLeast, kMost, "")
      .integer("least", 1, 1, kMost, "")
      .number("free", 0, -kInfinity, kInfinity, "");
  table.number("most", 0, -kInfinity, 2.5, "");
  EXPECT_EQ(table.find("any")->expectation(), "an integer");
  EXPECT_EQ(table.find("least")->expectation(), "an integer of at least 1");
  EXPECT_EQ(table.find("free")->expectation(), "a number");
  EXPECT_EQ(table.find("most")->expectation(), "a number of at most 2.5");
  EXPECT_EQ(table.find("any")->type_name(), "integer");
  EXPECT_EQ(table.find("absent"), nullptr);
  EXPECT_EQ(sample_table().find("momentum")->type_name(), "true/false");
  EXPECT_EQ(sample_table().find("radius")->type_name(), "number");
  EXPECT_EQ(sample_table().find("weights")->type_name(), "text");
}

TEST(NearestName, FindsSlipsButNotOtherWords) {
  const std::vector<std::string> names = {"steps", "radius", "block-size", "max-seconds", "temperature"};
  EXPECT_EQ(nearest_name("setps", names), "steps");            // swapped
  EXPECT_EQ(nearest_name("step", names), "steps");             // missing
  EXPECT_EQ(nearest_name("radiius", names), "radius");         // doubled
  EXPECT_EQ(nearest_name("BLOCK_SIZE", names), "block-size");  // case and dash
  EXPECT_EQ(nearest_name("max-sec", names), "max-seconds");    // cut short
  EXPECT_EQ(nearest_name("temprature", names), "temperature");
  EXPECT_EQ(nearest_name("seed", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name("steps", {}), "");
  EXPECT_EQ(nearest_name(std::string(1000000, 's'), names), "");
}

TEST(NearestName, PrefersTheNearestThenTheFirst) {
  EXPECT_EQ(nearest_name("stepz", {"stepss", "steps"}), "steps");
  EXPECT_EQ(nearest_name("cost-x", {"cost-a", "cost-b"}), "cost-a");
}

TEST(FormatValue, KeepsEveryBitOfANumber) {
  for (const double value : {0.1, 1.0, -0.0, 1e-7, 1e300, 5e-324, 123456789.123456789, 1.0 / 3.0}) {
    const std::string text = format_value(value);
    EXPECT_NE(text.find_first_of(".e"), std::string::npos) << text;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*parse_number(text)), std::bit_cast<std::uint64_t>(value)) << text;
  }
  EXPECT_EQ(format_value(0.5), "0.5");
  EXPECT_EQ(format_value(true), "true");
  EXPECT_EQ(format_value(std::int64_t{-3}), "-3");
  EXPECT_EQ(format_value(std::string("a\"b\\c\n\x01")), "\"a\\\"b\\\\c\\n\\u0001\"");
}

TEST(OptionsPage, ShowsEveryOptionOfEverySection) {
  OptionTable other;
  other.text("kind", "a|b", "Either | or.");
  const std::string page = render_options_page(
      {{"Method polystepor", "Learns.", sample_table()}, {"Problem p", "", other}, {"Empty", "", {}}});
  EXPECT_NE(page.find("## Method polystepor\n\nLearns.\n"), std::string::npos);
  EXPECT_NE(page.find("| `steps` | an integer from 1 to 1000000000 | `150` | Steps to take. |\n"),
            std::string::npos);
  EXPECT_NE(page.find("| `weights` | one of softmax, sinkhorn | `\"softmax\"` |"), std::string::npos);
  EXPECT_NE(page.find("| `kind` | text | `\"a\\|b\"` | Either \\| or. |"), std::string::npos);
  EXPECT_NE(page.find("## Empty\n\nNo options.\n"), std::string::npos);
}

}  // namespace
}  // namespace polystep
