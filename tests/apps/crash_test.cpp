// A run that is killed, interrupted or out of disk goes on to the same bits as one that never was.
#include <algorithm>
#include <chrono>
#include <thread>

#include "apps/sandbox.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

namespace fs = std::filesystem;
using Seconds = std::chrono::duration<double>;

constexpr int kSteps = 120;
constexpr int kRounds = kSanitized ? 3 : 20;

class Crash : public Sandbox {
 protected:
  // Well under a second, with a checkpoint every few steps; patience is off, so that the length is known.
  static Arguments training(const std::string& out, const Arguments& more = {}) {
    return Arguments{"train", "shortest-path", "--source", "generated", "--data-seed", "1"} +
           Arguments{"--steps", std::to_string(kSteps), "--bags", "2", "--batch", "100"} +
           Arguments{"--patience", "0", "--quiet", "--out", out} + more;
  }
  static Arguments often(const Arguments& arguments) {
    return arguments + Arguments{"--checkpoint-seconds", "0.02"};
  }

  void SetUp() override {
    const auto begin = std::chrono::steady_clock::now();
    const Finished run = polystepor(often(training("unbroken")));
    length_ = std::chrono::steady_clock::now() - begin;
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }

  // True where the training ended before it could be killed.
  bool train_and_kill(const Arguments& arguments, Seconds delay) const {
    Process process(POLYSTEPOR_PROGRAM, arguments, surroundings());
    std::this_thread::sleep_for(delay);
    process.send(SIGKILL);
    const Finished run = process.wait();
    EXPECT_TRUE(run.signal == SIGKILL || run.exit_code == 0) << run.err;
    return run.exit_code == 0;
  }

  void finish(const std::string& out) const {
    const Finished run = polystepor(training(out, {"--resume"}));
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }

  void wait_for_lines(const std::string& file, int lines) const {
    while (!fs::exists(root() / file) || std::ranges::count(bytes(file), '\n') < lines)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  nlohmann::json result_without_times(const std::string& out) const {
    nlohmann::json result = json(out + "/result.json");
    result.erase("seconds");
    return result;
  }

  void expect_steps_once_in_order(const std::string& out) const {
    std::istringstream lines(bytes(out + "/metrics.jsonl"));
    int expected = 0;
    for (std::string line; std::getline(lines, line); ++expected)
      ASSERT_EQ(nlohmann::json::parse(line).at("step"), expected);
    EXPECT_EQ(expected, kSteps + 1);  // and the starting point
  }

  void expect_as_unbroken(const std::string& out) const {
    EXPECT_TRUE(bytes(out + "/model.bin") == bytes("unbroken/model.bin")) << "model.bin differs";
    EXPECT_EQ(result_without_times(out), result_without_times("unbroken"));
    expect_steps_once_in_order(out);
  }

  Seconds length_{0};
};

TEST_F(Crash, KilledAtAnyTimeEndsWithTheSameBits) {
  int killed = 0;
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    RandomStream random(static_cast<std::uint64_t>(round), Purpose::kSplit);
    const std::string out = "run" + std::to_string(round);
    bool finished = train_and_kill(often(training(out)), random.uniform() * length_);
    killed += finished ? 0 : 1;
    if (finished) length_ *= 0.7;  // the machine is less busy than it was when the length was measured
    if (!finished && round % 2 == 1)
      finished = train_and_kill(often(training(out, {"--resume"})), random.uniform() * length_);
    if (!finished) finish(out);
    expect_as_unbroken(out);
  }
  EXPECT_GT(killed, 0);  // else this test tested nothing
}

TEST_F(Crash, KilledBeforeAnythingWasWritten) {
  train_and_kill(training("none"), Seconds(0));
  fs::create_directory(root() / "empty");
  for (const char* out : {"none", "empty"}) {
    finish(out);
    expect_as_unbroken(out);
  }
}

TEST_F(Crash, ResumingByDirectoryAloneAndAgain) {
  Process process(POLYSTEPOR_PROGRAM, often(training("run")), surroundings());
  wait_for_lines("run/metrics.jsonl", 5);
  process.send(SIGKILL);
  process.wait();
  ASSERT_EQ(polystepor({"train", "--resume", "--out", "run", "--quiet"}).exit_code, 0);
  expect_as_unbroken("run");
  const auto before = snapshot(root());
  const Finished again = polystepor(training("run", {"--resume", "--json"}));
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_EQ(again.out, bytes("run/result.json"));
  EXPECT_EQ(again.err, "run is finished already; nothing to resume.\n");
  EXPECT_TRUE(snapshot(root()) == before);
}

// On a busy machine a training may end before the signal comes; then the next one is tried.
TEST_F(Crash, InterruptLeavesACheckpointAndSaysHowToGoOn) {
  constexpr int kTries = 50;
  for (const int signal : {SIGINT, SIGTERM}) {
    Finished run;
    std::string out;
    for (int attempt = 0; attempt < kTries; ++attempt) {
      out = "run" + std::to_string(signal) + "-" + std::to_string(attempt);
      Process process(POLYSTEPOR_PROGRAM, training(out), surroundings());
      wait_for_lines(out + "/metrics.jsonl", 5);
      process.send(signal);
      run = process.wait();
      if (run.exit_code != 0) break;
    }
    EXPECT_EQ(run.exit_code, 130);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err,
              "Stopped after a checkpoint; go on with: polystepor train --resume --out " + out + "\n");
    EXPECT_TRUE(fs::exists(root() / out / "checkpoint.bin"));
    EXPECT_FALSE(fs::exists(root() / out / "result.json"));
    finish(out);
    expect_as_unbroken(out);
  }
}

// No file may grow beyond the limit, which metrics.jsonl reaches before the last step.
TEST_F(Crash, FullDiskKeepsTheLastCheckpoint) {
  ProcessSurroundings full = surroundings();
  full.file_bytes = 40000;
  Process process(POLYSTEPOR_PROGRAM, training("run", {"--checkpoint-seconds", "0"}), full);
  const Finished run = process.wait();
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, "cannot write run/metrics.jsonl: File too large\n");
  EXPECT_EQ(bytes("run/metrics.jsonl").back(), '\n');  // no half line
  EXPECT_TRUE(fs::exists(root() / "run/checkpoint.bin"));
  finish("run");
  expect_as_unbroken("run");
}

// Here not even the first checkpoint fits: nothing half-written stays behind.
TEST_F(Crash, FullDiskAtTheFirstCheckpoint) {
  ProcessSurroundings full = surroundings();
  full.file_bytes = 4000;
  Process process(POLYSTEPOR_PROGRAM, training("run", {"--checkpoint-seconds", "0"}), full);
  const Finished run = process.wait();
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err, "cannot write run/checkpoint.bin: File too large\n");
  for (const auto& [name, content] : snapshot(root() / "run"))
    EXPECT_EQ(name.find(".tmp-"), std::string::npos) << name;
  finish("run");
  expect_as_unbroken("run");
}

}  // namespace
}  // namespace polystep
