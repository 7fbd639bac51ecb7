// Commands, flags and option values that make no sense.
#include "apps/refusals.hpp"

namespace polystep {
namespace {

class BadInput : public Refusals {};

Arguments train_with(const Arguments& more) {
  return Arguments{"train", "shortest-path", "--source", "generated", "--quiet"} + more;
}

TEST_F(BadInput, Names) {
  expect_refusals({
      {"unknown command", {"trian"}, {"polystepor", "'trian'", "did you mean 'train'?"}},
      {"command far from any",
       {"frobnicate"},
       {"'frobnicate'", "expected one of train, evaluate, average, decide"}},
      {"unknown flag before a command", {"--nope"}, {"'--nope'", "--help"}},
      {"unknown problem", {"train", "shortestpath"}, {"'shortestpath'", "did you mean 'shortest-path'?"}},
      {"problem far from any", {"train", "xyz"}, {"'xyz'", "expected one of shortest-path"}},
      {"empty problem", {"train", ""}, {"problem ''", "expected one of"}},
      {"no problem", {"train"}, {"polystepor train", "no problem was named", "polystepor list"}},
      {"no problem to resume", {"train", "--resume"}, {"--resume", "give --out DIR"}},
      {"unknown method", train_with({"--method", "polystep"}), {"--method", "did you mean 'polystepor'?"}},
      {"empty method", train_with({"--method", ""}), {"--method", "''", "expected one of polystepor"}},
      {"unknown preset", train_with({"--preset", "papre"}), {"--preset", "'papre'", "did you mean 'paper'?"}},
      {"unknown flag", train_with({"--degre", "8"}), {"polystepor train", "'--degre'", "'--degree'"}},
      {"unknown flag with a value", train_with({"--degre=8"}), {"'--degre'", "did you mean '--degree'?"}},
      {"flag far from any", train_with({"--zzzzzzz"}), {"'--zzzzzzz'", "polystepor train --help"}},
      {"unknown flag of evaluate", {"evaluate", "x", "--thread", "2"}, {"'--thread'", "'--threads'"}},
      {"a word too many", train_with({"knapsack"}), {"polystepor train", "'knapsack'", "nothing more"}},
      {"a word after list", {"list", "all"}, {"polystepor list", "'all'", "expected nothing more"}},
      {"unknown key", train_with({"--set", "degre=3"}), {"--set", "'degre'", "did you mean 'degree'?"}},
      {"key of another problem", train_with({"--set", "capacity=3"}), {"--set", "'capacity'", "knapsack"}},
      {"key of another method", train_with({"--set", "epochs=3"}), {"--set", "'epochs'", "method mse"}},
      {"flag of another problem", train_with({"--capacity", "3"}), {"--capacity", "problem knapsack"}},
      {"flag of another method", train_with({"--epochs", "3"}), {"--epochs", "not of polystepor"}},
      {"no run to evaluate", {"evaluate"}, {"polystepor evaluate", "run is required"}},
      {"nothing to decide", {"decide", "x"}, {"polystepor decide", "--features is required"}},
  });
}

TEST_F(BadInput, Values) {
  const std::string degree = "expected an integer from 1 to 100";
  const std::string noise = "expected a number from 0 to 1";
  expect_refusals({
      {"no equals sign", train_with({"--set", "degree"}), {"--set", "'degree'", "expected key=value"}},
      {"no key", train_with({"--set", "=3"}), {"--set", "'=3'", "expected key=value"}},
      {"integer too small", train_with({"--degree", "0"}), {"--degree", "is 0", degree}},
      {"integer too large", train_with({"--degree", "101"}), {"--degree", "is 101", degree}},
      {"integer of 20 digits", train_with({"--degree", "99999999999999999999"}), {"--degree", degree}},
      {"half an integer", train_with({"--degree", "2.5"}), {"--degree", "'2.5'", degree}},
      {"number too large", train_with({"--noise", "1.5"}), {"--noise", "is 1.5", noise}},
      {"negative number", train_with({"--noise", "-0.5"}), {"--noise", "is -0.5", noise}},
      {"not a number", train_with({"--noise", "much"}), {"--noise", "'much'", noise}},
      {"number and more", train_with({"--noise", "0.5x"}), {"--noise", "'0.5x'", noise}},
      {"nan", train_with({"--noise", "nan"}), {"--noise", "'nan'", noise}},
      {"infinity", train_with({"--temperature-start", "inf"}), {"--temperature-start", "'inf'", "a number"}},
      {"empty value", train_with({"--noise", ""}), {"--noise", "is empty", noise}},
      {"empty value by --set", train_with({"--set", "noise="}), {"--set", "'noise' is empty", noise}},
      {"no value", train_with({"--degree"}), {"--degree", "has no value", "expected one"}},
      {"two values", train_with({"--degree", "2", "--degree", "4"}), {"--degree", "more than once"}},
      {"bad choice", train_with({"--weights", "soft"}), {"--weights", "'soft'", "expected one of softmax"}},
      {"neither true nor false", train_with({"--skip-solves", "yes"}), {"'yes'", "expected true or false"}},
      {"radius 0", train_with({"--radius-start", "0"}), {"probe radius", "found 0", "above 0"}},
      {"cube too large",
       train_with({"--space", "full", "--polytope", "cube", "--block", "40"}),
       {"block size", "40", "at most"}},
      {"sinkhorn with one block",
       train_with({"--weights", "sinkhorn", "--space", "moving", "--dimension", "8"}),
       {"sinkhorn", "single block", "expected at least 2 blocks"}},
  });
}

TEST_F(BadInput, RunSettings) {
  const std::string seed = "expected a whole number from 0 to 18446744073709551615";
  const std::string threads = "expected an integer from 1 to 4096";
  expect_refusals({
      {"negative seed", train_with({"--seed", "-1"}), {"--seed", "'-1'", seed}},
      {"text seed", train_with({"--seed", "lucky"}), {"--seed", "'lucky'", seed}},
      {"fractional seed", train_with({"--seed", "1.5"}), {"--seed", "'1.5'", seed}},
      {"empty seed", train_with({"--seed", ""}), {"--seed", "''", seed}},
      {"seed above 64 bits", train_with({"--seed", "18446744073709551616"}), {"--seed", seed}},
      {"seed of the demo", {"demo", "--seed", "-1"}, {"--seed", "'-1'", seed}},
      {"degree of the demo", {"demo", "--degree", "0"}, {"--degree", "is 0", "from 1 to 16"}},
      {"no threads", train_with({"--threads", "0"}), {"--threads", "is 0", threads}},
      {"negative threads", train_with({"--threads", "-2"}), {"--threads", "is -2", threads}},
      {"text threads", train_with({"--threads", "all"}), {"--threads", "'all'", threads}},
      {"too many threads", train_with({"--threads", "5000"}), {"--threads", "is 5000", threads}},
      {"threads of evaluate", {"evaluate", "x", "--threads", "0"}, {"--threads", "is 0", threads}},
      {"no time", train_with({"--max-seconds", "0"}), {"--max-seconds", "is 0", "a number above 0"}},
      {"negative time", train_with({"--max-seconds", "-1"}), {"--max-seconds", "is -1", "a number"}},
      {"nan time", train_with({"--max-seconds", "nan"}), {"--max-seconds", "'nan'", "a number"}},
      {"endless time", train_with({"--max-seconds", "inf"}), {"--max-seconds", "'inf'", "a number"}},
      {"nan interval", train_with({"--checkpoint-seconds", "nan"}), {"--checkpoint-seconds", "'nan'"}},
      {"negative interval", train_with({"--checkpoint-seconds", "-1"}), {"--checkpoint-seconds", "is -1"}},
      {"empty directory", train_with({"--out", ""}), {"--out", "empty path", "expected"}},
      {"empty data directory", train_with({"--data", ""}), {"--data", "empty path", "expected"}},
  });
}

}  // namespace
}  // namespace polystep
