#include "base/toml_text.hpp"

#include <gtest/gtest.h>

#include "input_error.hpp"

namespace polystep {
namespace {

std::string repeated(const std::string& text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

std::string error_of(const std::string& text) {
  return input_error([&] { parse_toml(text, "my.toml"); });
}

constexpr const char* kTooManyParts =
    "my.toml line 2: a key has more than 32 parts, expected at most that many";
constexpr const char* kTooDeep =
    "my.toml line 2: values are nested more than 32 deep, expected at most that many";

TEST(TomlText, KeysOfManyPartsAreRefused) {
  for (const std::size_t parts : {33u, 40000u, 1000000u}) {
    const std::string key = repeated("a.", parts - 1) + "a";
    EXPECT_EQ(error_of("b = 1\n" + key + " = 1\n"), kTooManyParts);
    EXPECT_EQ(error_of("b = 1\n[" + key + "]\n"), kTooManyParts);
    EXPECT_EQ(error_of("b = 1\n[[" + key + "]]\n"), kTooManyParts);
    EXPECT_EQ(error_of("b = 1\nc = {" + key + " = 1}\n"), kTooManyParts);
    EXPECT_EQ(error_of("b = 1\n" + repeated("\"a.\" . ", parts - 1) + "a = 1\n"), kTooManyParts);
  }
}

TEST(TomlText, DeepValuesAreRefused) {
  for (const std::size_t depth : {33u, 40000u, 1000000u}) {
    EXPECT_EQ(error_of("b = 1\nc = " + repeated("[", depth) + repeated("]", depth) + "\n"), kTooDeep);
    EXPECT_EQ(error_of("b = 1\nc = " + repeated("{a=", depth) + "1" + repeated("}", depth) + "\n"), kTooDeep);
    EXPECT_EQ(error_of("b = 1\nc = " + repeated("[{a=", depth) + "\n"), kTooDeep);
  }
}

// What only looks deep: quoted, in comments, beside each other, or within the limits.
TEST(TomlText, TextsWithinTheLimitsAreRead) {
  const std::string many = repeated("[.", 500);
  const std::string text = "a = \"" + many + "\"  # " + many + "\nb = '" + many + "'\nc = \"\"\"\n\\\"\"" +
                           many + "\n\"\"\"\nd = '''" + many + "\n" + many + "'''\ne = \"\\\\\"\nf = [" +
                           repeated("[1.5, {g.h = 2}],\n", 500) + "]\n" + repeated("k.", 31) +
                           "k = 3\nl = " + repeated("[", 32) + repeated("]", 32) + "\nm = \"\"\n\"" + many +
                           "\" = 1\n";
  const toml::table table = parse_toml(text, "my.toml");
  EXPECT_EQ(table["a"].as_string()->get(), many);
  EXPECT_EQ(table["b"].as_string()->get(), many);
  EXPECT_EQ(table["d"].as_string()->get(), many + "\n" + many);
  EXPECT_EQ(table["e"].as_string()->get(), "\\");
  EXPECT_EQ(table["f"].as_array()->size(), 500u);
  EXPECT_TRUE(table.contains("l"));
  EXPECT_TRUE(table.contains(many));
}

}  // namespace
}  // namespace polystep
