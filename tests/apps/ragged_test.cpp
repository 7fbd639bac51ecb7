// Instances that differ in size: every method trains on the example's grids of 4 to 9 nodes a side, with the
// same bits for any number of threads and after being killed.
#include <algorithm>
#include <chrono>
#include <thread>

#include "apps/sandbox.hpp"

namespace polystep {
namespace {

struct Way {
  const char* method;
  Arguments options;
};

const std::vector<Way> kWays = {
    {"mse", {"--fit", "adam", "--epochs", "3"}},
    {"mse", {}},
    {"spo+", {"--epochs", "3"}},
    {"dbb", {"--epochs", "3"}},
    {"imle", {"--epochs", "3"}},
    {"fenchel-young", {"--epochs", "3"}},
    {"listwise", {"--epochs", "3", "--growth", "0.5"}},
    {"pairwise", {"--epochs", "3", "--growth", "0.5"}},
    {"pairwise-diff", {"--epochs", "3", "--growth", "0.5"}},
    {"map", {"--epochs", "3", "--growth", "0.5"}},
    {"polystepor", {"--preset", "best", "--steps", "6", "--bags", "3", "--checks", "2"}},
    {"polystepor", {"--preset", "paper", "--steps", "6"}},
    {"polystepor-output", {"--steps", "8", "--checks", "2"}},
};

class Ragged : public Sandbox {
 protected:
  static Arguments training(const Way& way, const std::string& out, const Arguments& more) {
    return Arguments{"train", "paths", "--quiet", "--method", way.method, "--out", out} + way.options + more;
  }
  Finished run(const Arguments& arguments) const {
    return Process(RAGGED_PROGRAM, arguments, surroundings()).wait();
  }
};

TEST_F(Ragged, EveryMethodTrainsToTheSameBitsForAnyNumberOfThreads) {
  int number = 0;
  for (const Way& way : kWays) {
    SCOPED_TRACE(way.method);
    const std::string out = "run" + std::to_string(number++);
    for (const char* threads : {"1", "2", "7"}) {
      const Finished finished = run(training(way, out + "-" + threads, {"--threads", threads}));
      ASSERT_EQ(finished.exit_code, 0) << finished.err;
      EXPECT_TRUE(bytes(out + "-" + threads + "/model.bin") == bytes(out + "-1/model.bin")) << threads;
    }
    EXPECT_LT(json(out + "-1/result.json").at("test_regret"), 0.6);  // random predictions have about 0.9
    EXPECT_EQ(json(out + "-1/result.json").at("test_failed"), 0);
  }
}

// A kill comes after some steps, whatever the machine does meanwhile: runs are long and stop being waited for
// as soon as a few lines of metrics are there.
TEST_F(Ragged, AKilledRunGoesOnToTheSameBits) {
  for (const Way& way :
       {Way{"spo+", {"--epochs", "40"}}, Way{"listwise", {"--epochs", "40", "--growth", "0.5"}},
        Way{"polystepor", {"--steps", "60", "--bags", "2", "--checks", "6"}},
        Way{"polystepor-output", {"--steps", "200"}}}) {
    SCOPED_TRACE(way.method);
    const std::string whole = std::string("whole-") + way.method,
                      broken = std::string("broken-") + way.method;
    ASSERT_EQ(run(training(way, whole, {})).exit_code, 0);
    Process process(RAGGED_PROGRAM, training(way, broken, {"--checkpoint-seconds", "0"}), surroundings());
    while (!std::filesystem::exists(root() / broken / "checkpoint.bin") ||
           std::ranges::count(bytes(broken + "/metrics.jsonl"), '\n') < 5)
      std::this_thread::yield();
    process.send(SIGKILL);
    process.wait();
    const Finished rest = run(training(way, broken, {"--resume"}));
    ASSERT_EQ(rest.exit_code, 0) << rest.err;
    EXPECT_TRUE(bytes(broken + "/model.bin") == bytes(whole + "/model.bin"));
  }
}

}  // namespace
}  // namespace polystep
