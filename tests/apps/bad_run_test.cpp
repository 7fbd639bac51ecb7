// Run directories that must not be overwritten, and runs whose files are missing, damaged or someone else's.
#include <algorithm>
#include <chrono>
#include <thread>

#include "apps/refusals.hpp"

namespace polystep {
namespace {

namespace fs = std::filesystem;

class BadRun : public Refusals {
 protected:
  // Stops a training in its first steps, so that it leaves a checkpoint and no result.
  void interrupt_training(const Arguments& arguments, const std::string& out) const {
    Process process(
        POLYSTEPOR_PROGRAM,
        Arguments{"train"} + arguments + Arguments{"--quiet", "--out", out, "--checkpoint-seconds", "0"},
        surroundings());
    // Checkpoints are written while it prepares, too: wait for some steps.
    while (!fs::exists(root() / out / "metrics.jsonl") ||
           std::ranges::count(bytes(out + "/metrics.jsonl"), '\n') < 5)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    process.send(SIGKILL);
    process.wait();
    ASSERT_FALSE(fs::exists(root() / out / "result.json"));
  }

  Arguments resume(const std::string& out) const { return {"train", "--resume", "--quiet", "--out", out}; }

  static inline const Arguments kLong = {"shortest-path", "--source", "generated", "--steps", "1000000"};
};

TEST_F(BadRun, ExistingDirectories) {
  train(kShortPath, "done");
  interrupt_training(kLong, "half");
  put("foreign/thesis.txt", "precious");
  put("project/config.toml", "[package]\n");
  put("file", "");
  const auto train_into = [](const std::string& out, const Arguments& more = {}) {
    return Arguments{"train"} + kShortPath + Arguments{"--quiet", "--out", out} + more;
  };
  expect_refusals({
      {"finished run", train_into("done"), {"done holds a finished run", "--force", "--out"}},
      {"unfinished run", train_into("half"), {"half holds an unfinished run", "--resume", "--force"}},
      {"foreign directory", train_into("foreign"), {"foreign holds files that are not a run's", "expected"}},
      {"foreign, forced", train_into("foreign", {"--force"}), {"foreign", "nothing was touched"}},
      {"project, forced", train_into("project", {"--force"}), {"project", "nothing was touched"}},
      {"foreign, resumed", train_into("foreign", {"--resume"}), {"foreign is not a run directory"}},
      {"a file", train_into("file"), {"file is a file", "expected a directory"}},
      {"below a file", train_into("file/run"), {"file/run", "Not a directory"}},
  });
}

TEST_F(BadRun, ResumedWithOtherSettings) {
  interrupt_training(kLong, "half");
  const auto other = [&](const Arguments& more) { return resume("half") + more; };
  const std::string place = "half/config.toml";
  expect_refusals({
      {"budget", other({"--steps", "7"}), {"--resume", "steps is 7 here and 1000000 in", place}},
      {"data", other({"--degree", "4"}), {"degree is 4 here and 8 in", place}},
      {"seed", other({"--seed", "9"}), {"the seed is 9 here and 0 in", place}},
      {"method", other({"--method", "mse"}), {"the method is mse here and polystepor in", place}},
      {"problem", other({"knapsack", "--source", "generated"}), {"the problem is knapsack here", place}},
      {"missing directory", resume("none"), {"none/config.toml", "No such file"}},
  });
}

TEST_F(BadRun, Checkpoints) {
  interrupt_training(kLong, "half");
  interrupt_training(kLong + Arguments{"--seed", "1"}, "other");
  const std::string sound = bytes("half/checkpoint.bin");
  std::string damaged = sound;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
  const auto expect_bad = [&](const std::string& name, const std::string& content,
                              const std::vector<std::string>& parts) {
    put("half/checkpoint.bin", content);
    expect_refusal({name, resume("half"), parts});
  };
  const std::string place = "half/checkpoint.bin";
  expect_bad("cut short", sound.substr(0, sound.size() - 9), {place, "is cut short", "expected the rest"});
  expect_bad("empty", "", {place, "is empty", "expected a checkpoint"});
  expect_bad("foreign", "PNG and so on, not ours", {place, "is not a checkpoint"});
  expect_bad("one bit", damaged, {place, "is damaged", "checksum"});
  expect_bad("too long", sound + "x", {place, "1 bytes after the end", "expected none"});
  expect_bad("of another run", bytes("other/checkpoint.bin"), {place, "other settings", "config.toml"});
  put("half/checkpoint.bin", sound);
  put("half/metrics.jsonl", "");
  const Finished run = polystepor(resume("half"));
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("half/metrics.jsonl has 0 bytes, expected at least"), std::string::npos) << run.err;
}

TEST_F(BadRun, Models) {
  train(kShortPath, "run");
  train(kShortKnapsack, "knapsack");
  const std::string sound = bytes("run/model.bin");
  const auto expect_bad = [&](const std::string& name, const std::string& content,
                              const std::vector<std::string>& parts) {
    put("run/model.bin", content);
    expect_refusal({name, {"evaluate", "run"}, parts});
  };
  expect_bad("cut short", sound.substr(0, 100),
             {"run/model.bin is cut short", "expected the rest of a model"});
  expect_bad("empty", "", {"run/model.bin is empty", "expected a model"});
  expect_bad("foreign", "{\"weights\": []}", {"run/model.bin is not a model"});
  expect_bad("a checkpoint", bytes("run/checkpoint.bin"), {"run/model.bin is not a model"});
  expect_bad("other predictor", bytes("knapsack/model.bin"),
             {"run/model.bin", "shared-linear", "expected a linear predictor", "shortest-path"});
  fs::remove(root() / "run/model.bin");
  expect_refusal({"missing", {"evaluate", "run"}, {"cannot read run/model.bin", "No such file"}});
}

TEST_F(BadRun, NothingToEvaluate) {
  fs::create_directory(root() / "empty");
  put("foreign/thesis.txt", "precious");
  interrupt_training(kLong, "half");
  expect_refusals({
      {"missing", {"evaluate", "none"}, {"none holds no run"}},
      {"empty", {"evaluate", "empty"}, {"empty holds no run"}},
      {"foreign", {"evaluate", "foreign"}, {"foreign is not a run directory", "config.toml"}},
      {"a file", {"evaluate", "foreign/thesis.txt"}, {"is a file", "expected a directory"}},
      {"unfinished", {"evaluate", "half"}, {"half holds an unfinished run", "expected a finished one"}},
  });
}

TEST_F(BadRun, TwoProcessesInOneDirectory) {
  Process first(POLYSTEPOR_PROGRAM, Arguments{"train"} + kLong + Arguments{"--quiet", "--out", "run"},
                surroundings());
  while (!fs::exists(root() / "run/metrics.jsonl")) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  for (const char* flag : {"--force", "--resume"}) {
    const Finished second =
        polystepor(Arguments{"train"} + kLong + Arguments{"--quiet", "--out", "run", flag});
    EXPECT_EQ(second.exit_code, 2);
    EXPECT_EQ(second.out, "");
    EXPECT_EQ(second.err, "run is in use by another run (process " + std::to_string(first.id()) +
                              "); wait for it or give --out another directory\n");
  }
  first.send(SIGINT);
  EXPECT_EQ(first.wait().exit_code, 130);  // undisturbed
}

}  // namespace
}  // namespace polystep
