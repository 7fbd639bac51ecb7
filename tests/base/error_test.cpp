// What every InputError promises: one line, whatever it quotes.
#include "polystep/error.hpp"

#include <gtest/gtest.h>

namespace polystep {
namespace {

TEST(InputError, IsOneLineWhateverItQuotes) {
  EXPECT_STREQ(InputError("model 'a\nb\x1b[1m\x7f' is not there").what(), "model 'a?b?[1m?' is not there");
  EXPECT_STREQ(SolverLost("it said 'no\r\n'").what(), "it said 'no?\?'");
}

TEST(InputError, KeepsLettersOfOtherAlphabets) {
  EXPECT_STREQ(InputError("column 'Größe' is empty").what(), "column 'Größe' is empty");
}

}  // namespace
}  // namespace polystep
