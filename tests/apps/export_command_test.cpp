// `polystepor export`: what it writes and what it refuses.
#include "apps/sandbox.hpp"

namespace polystep {
namespace {

class ExportCommand : public Sandbox {
 protected:
  ExportCommand() { train(kShortPath, "run"); }
};

TEST_F(ExportCommand, WritesEveryFormatToAFileOrToStandardOutput) {
  for (const std::string format : {"c-header", "json", "onnx"}) {
    const Finished printed = polystepor({"export", "run", "--format", format});
    ASSERT_EQ(printed.exit_code, 0) << printed.err;
    const Finished written = polystepor({"export", "run", "--format", format, "--out", format});
    ASSERT_EQ(written.exit_code, 0) << written.err;
    EXPECT_FALSE(printed.out.empty());
    EXPECT_EQ(bytes(format), printed.out) << format;
  }
  EXPECT_NE(bytes("c-header").find("static inline void polystepor_predict("), std::string::npos);
  EXPECT_EQ(json("json").at("feature_names").size(), 5u);
  const Finished named = polystepor({"export", "run", "--format", "c-header", "--name", "paths"});
  EXPECT_NE(named.out.find("static inline void paths_predict("), std::string::npos);
}

TEST_F(ExportCommand, RefusesWhatItCannotDoAndTouchesNothing) {
  put("old", "precious");
  const auto before = snapshot(root());
  const std::pair<Arguments, std::string> cases[] = {
      {{"run", "--format", "json", "--out", "old"},
       "old exists, expected a new file; give --force to replace it"},
      {{"run", "--format", "c-header", "--name", "2paths"}, "--name is '2paths', expected letters, digits"},
      {{"none", "--format", "json"}, "none holds no run"},
      {{"run", "--format", "xml"}, "xml"},
      {{"run"}, "--format"},
  };
  for (const auto& [arguments, sentence] : cases) {
    const Finished run = polystepor(Arguments{"export"} + arguments);
    EXPECT_EQ(run.exit_code, 2) << run.out;
    EXPECT_NE(run.err.find(sentence), std::string::npos) << run.err;
    EXPECT_EQ(snapshot(root()), before);
  }
  ASSERT_EQ(polystepor({"export", "run", "--format", "json", "--out", "old", "--force"}).exit_code, 0);
  EXPECT_NE(bytes("old"), "precious");
}

}  // namespace
}  // namespace polystep
