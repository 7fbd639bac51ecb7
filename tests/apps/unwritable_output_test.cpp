// Nobody reads what the program says: a full disk, a closed stream, a pipe whose reader has gone.
#include "apps/sandbox.hpp"

namespace polystep {
namespace {

class UnwritableOutput : public Sandbox {
 protected:
  Finished run(const Arguments& arguments, const std::string& out, const std::string& err) const {
    ProcessSurroundings where = surroundings();
    where.stdout_path = out;
    where.stderr_path = err;
    return Process(POLYSTEPOR_PROGRAM, arguments, where).wait();
  }

  static inline const std::vector<std::string> kUnwritable = {"/dev/full", "-", "|"};
  static inline const Arguments kTrain =
      Arguments{"train"} + kShortPath + Arguments{"--out", "run", "--force"};
};

TEST_F(UnwritableOutput, OfResultsIsAFailureWithASentence) {
  for (const std::string& out : kUnwritable)
    for (const Arguments& arguments : {Arguments{"options"}, Arguments{"--help"}, Arguments{"--version"}}) {
      SCOPED_TRACE(out + " " + arguments[0]);
      const Finished finished = run(arguments, out, "");
      EXPECT_EQ(finished.signal, 0);
      EXPECT_EQ(finished.exit_code, 1);
      EXPECT_EQ(finished.err, "cannot write to standard output, expected room for the result\n");
    }
}

TEST_F(UnwritableOutput, LeavesAFinishedRunWhole) {
  train(kShortPath, "expected");
  for (const std::string& out : kUnwritable) {
    SCOPED_TRACE(out);
    const Finished finished = run(kTrain + Arguments{"--quiet"}, out, "");
    EXPECT_EQ(finished.signal, 0);
    EXPECT_EQ(finished.exit_code, 1);
    EXPECT_EQ(finished.err, "cannot write to standard output, expected room for the result\n");
    EXPECT_EQ(bytes("run/model.bin"), bytes("expected/model.bin"));
    EXPECT_EQ(bytes("run/config.toml"), bytes("expected/config.toml"));
    EXPECT_EQ(json("run/result.json").at("test_cost"), json("expected/result.json").at("test_cost"));
  }
}

TEST_F(UnwritableOutput, OfMessagesChangesNothing) {
  const Finished expected = run(kTrain, "", "");
  ASSERT_EQ(expected.exit_code, 0) << expected.err;
  for (const std::string& err : kUnwritable) {
    SCOPED_TRACE(err);
    const Finished finished = run(kTrain, "", err);
    EXPECT_EQ(finished.signal, 0);
    EXPECT_EQ(finished.exit_code, 0);
    EXPECT_NE(finished.out.find("written to"), std::string::npos) << finished.out;
    const Finished refused = run({"train", "nowhere"}, "", err);
    EXPECT_EQ(refused.signal, 0);
    EXPECT_EQ(refused.exit_code, 2);
    for (const std::string& out : kUnwritable) {
      const Finished both = run({"options"}, out, err);
      EXPECT_EQ(both.signal, 0);
      EXPECT_EQ(both.exit_code, 1);
    }
  }
}

}  // namespace
}  // namespace polystep
