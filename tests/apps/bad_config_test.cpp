// Configuration files that are broken, and ones that contradict the command line.
#include "apps/refusals.hpp"

namespace polystep {
namespace {

struct BadConfig {
  std::string name;
  std::string toml;
  std::vector<std::string> parts;
  Arguments more = {};
};

class BadConfigFile : public Refusals {
 protected:
  void expect_bad(const std::vector<BadConfig>& configs) const {
    for (const BadConfig& config : configs) {
      put("run.toml", config.toml);
      expect_refusal({config.name, Arguments{"train", "--config", "run.toml"} + config.more, config.parts});
    }
  }
};

TEST_F(BadConfigFile, Syntax) {
  expect_bad({
      {"open quote", "problem = \"shortest-path\n", {"run.toml line 1, column 25"}},
      {"no value", "problem = \"knapsack\"\nseed =\n", {"run.toml line 2, column"}},
      {"same key twice", "problem = \"knapsack\"\nproblem = \"knapsack\"\n", {"run.toml line 2", "redefine"}},
      {"not UTF-8", "\xff\xfe", {"run.toml line 1", "utf-8"}},
      {"empty", "", {"run.toml is empty", "expected a run configuration"}},
      {"only a comment", "# later\n", {"run.toml has no settings", "expected"}},
  });
}

TEST_F(BadConfigFile, Settings) {
  const std::string start = "problem = \"shortest-path\"\n";
  expect_bad({
      {"number for a text", "problem = 3\n", {"run.toml line 1", "'problem' is 3", "expected text"}},
      {"text for an integer", start + "[shortest-path]\ndegree = \"8\"\n", {"run.toml line 3", "an integer"}},
      {"array", start + "[shortest-path]\ndegree = [8]\n", {"run.toml line 3", "an array", "a number"}},
      {"table", start + "[shortest-path.sub]\ndegree = 8\n", {"run.toml line 2", "'sub' is a table"}},
      {"nan", start + "[shortest-path]\nnoise = nan\n", {"run.toml line 3", "is nan", "from 0 to 1"}},
      {"out of range", start + "[polystepor]\nsteps = 0\n", {"run.toml line 3", "is 0", "an integer"}},
      {"unknown key", start + "[shortest-path]\ndegre = 1\n", {"run.toml line 3", "did you mean 'degree'?"}},
      {"unknown section", start + "[shortest-pth]\n", {"run.toml line 2", "did you mean 'shortest-path'?"}},
      {"section of another problem", start + "[knapsack]\n", {"run.toml line 2", "section 'knapsack'"}},
      {"unknown top-level key", "problm = \"knapsack\"\n", {"run.toml line 1", "did you mean 'problem'?"}},
      {"unknown problem", "seed = 1\nproblem = \"knapsak\"\n", {"run.toml line 2", "'knapsack'?"}},
      {"unknown method", start + "method = \"ms\"\n", {"run.toml line 2", "did you mean 'mse'?"}},
      {"unknown preset", start + "preset = \"papre\"\n", {"run.toml line 2", "did you mean 'paper'?"}},
      {"negative seed", start + "seed = -1\n", {"run.toml line 2", "is -1", "of at least 0"}},
      {"no threads", start + "threads = 0\n", {"run.toml line 2", "is 0", "from 1 to 4096"}},
      {"no time", start + "max-seconds = 0\n", {"run.toml line 2", "is 0", "above 0"}},
      {"no problem", "method = \"mse\"\n", {"no problem was named"}},
      {"no data there", start + "data = \"nowhere\"\n", {"'nowhere' is not a directory"}},
  });
}

TEST_F(BadConfigFile, AgainstTheCommandLine) {
  const std::string start = "problem = \"knapsack\"\n";
  expect_bad({
      {"another problem", start, {"'shortest-path' on the command line", "run.toml"}, {"shortest-path"}},
      {"method by flag", start, {"--method: unknown method 'ms'"}, {"--method", "ms"}},
      {"time by flag", start, {"--max-seconds", "above 0"}, {"--max-seconds", "0"}},
      {"option by flag", start, {"--capacity", "is -1", "an integer"}, {"--capacity", "-1"}},
  });
  expect_refusals({
      {"missing", {"train", "--config", "none.toml"}, {"cannot read none.toml", "No such file"}},
      {"directory", {"train", "--config", "."}, {". is a directory", "expected a file"}},
      {"empty path", {"train", "--config", ""}, {"--config", "empty path"}},
  });
}

}  // namespace
}  // namespace polystep
