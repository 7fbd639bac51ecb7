// Every stage of every command yields: to Ctrl-C, to a termination request and to --max-seconds, whatever
// solves take. Solves are counted by the solver itself, so that nothing here hangs on how fast the machine
// is: after a signal no solve begins but those that were on their way already.
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <thread>

#include "apps/sandbox.hpp"

namespace polystep {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// What a stopped command may take on any machine. Without stopping, every case here takes longer by far.
constexpr double kAtMost = 30;
constexpr std::size_t kOnTheirWay = 4;  // frames that a worker is sent ahead
constexpr std::size_t kSideBySide = 12;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Speed {
  const char* name;
  int milliseconds;
  std::size_t more;  // solves that may begin after a signal
};
const std::vector<Speed> kSpeeds = {{"solves of 50 ms", 50, kOnTheirWay}, {"solves of 5 s", 5000, 0}};

class AlwaysAnswers : public Sandbox {
 protected:
  static constexpr int kRows = 20;

  // A directory of its own for every case: a task whose first `quick` solves take no time.
  void put_task(const std::string& place, std::size_t quick, int milliseconds) const {
    std::string features = "a\n", truth = "c\n";
    for (int row = 0; row < kRows; ++row) {
      const double a = (row * 7 % kRows) / 10.0 - 1;
      features += fmt::format("{}\n", a);
      truth += fmt::format("{}\n", a * a * a - 0.2 + 0.3 * (row % 3 - 1));
    }
    put(place + "/features.csv", features);
    put(place + "/truth.csv", truth);
    put(place + "/task.toml",
        fmt::format(
            "metric = 'absolute'\n[data]\nfeatures = 'features.csv'\ntruth = 'truth.csv'\n[solver]\n"
            "command = ['{}', 'pace', 'begun']\nformat = 'binary'\nframe-size = 1\ntime-limit = 1000\n",
            SLOW_SOLVER));
    set_pace(place, quick, milliseconds);
  }
  // The same with so many test rows that they are decided piece by piece.
  static constexpr int kTestRows = 12;
  void put_test_task(const std::string& place, std::size_t quick, int milliseconds) const {
    put_task(place, quick, milliseconds);
    std::string toml = bytes(place + "/task.toml");
    toml.insert(toml.find("[solver]"), "validation = 0.2\ntest = 0.6\n");
    put(place + "/task.toml", toml);
  }
  void set_pace(const std::string& place, std::size_t quick, int milliseconds) const {
    put(place + "/pace", fmt::format("{} {}\n", quick, milliseconds));
  }
  std::size_t begun(const std::string& place) const {
    std::error_code none;
    const auto size = fs::file_size(root() / place / "begun", none);
    return none ? 0 : static_cast<std::size_t>(size);
  }
  void forget_begun(const std::string& place) const { fs::remove(root() / place / "begun"); }

  std::unique_ptr<Process> start(const std::string& place, const Arguments& arguments) const {
    ProcessSurroundings around = surroundings();
    around.directory = root() / place;
    return std::make_unique<Process>(POLYSTEPOR_PROGRAM, arguments, around);
  }

  // Short, with all there is: bags, a blend, steps by remembered decisions and by probes. The choice by timed
  // solves is made once, so that solves are the same in every case.
  static Arguments training(const Arguments& more = {}) {
    return Arguments{"train",  "task.toml", "--out", "run",           "--quiet", "--fidelity",
                     "probes", "--steps",   "3",     "--bags",        "2",       "--batch",
                     "4",      "--checks",  "1",     "--early-draws", "1"} +
           more;
  }

  // The command with nothing in its way; how many solves it takes.
  std::size_t solves_of(const std::string& place, const Arguments& arguments) const {
    put_task(place, 1000000, 0);
    const Finished run = start(place, arguments)->wait();
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return begun(place);
  }

  // A finished run for commands that need one; its solves do not count.
  void put_run(const std::string& place) const {
    put_task(place, 1000000, 0);
    const Finished run = start(place, training())->wait();
    EXPECT_EQ(run.exit_code, 0) << run.err;
    forget_begun(place);
    put(place + "/new.csv", "a\n0.5\n-0.5\n0.1\n0.2\n0.3\n0.4\n");
  }

  struct Case {
    std::string place;
    Arguments arguments;
    std::size_t quick = 0;  // solves before the slow ones
    Speed speed = kSpeeds[0];
    int signal = 0;  // 0: --max-seconds
    std::size_t threads = 1;
    bool needs_run = false;  // a run knows the folder of its task, so that each has its own
    bool may_end =
        false;  // how many solves there are depends on the clock: it may end before `quick` of them
    std::function<void(const Finished&)> look = {};
  };

  // Several at a time: they hardly need the processor.
  void run_all(const std::vector<Case>& cases) const {
    std::vector<std::thread> threads;
    std::atomic<std::size_t> next{0};
    for (std::size_t i = 0; i < kSideBySide; ++i)
      threads.emplace_back([&] {
        for (std::size_t number = next++; number < cases.size(); number = next++) run_case(cases[number]);
      });
    for (std::thread& thread : threads) thread.join();
  }

  void expect_a_model(const std::string& place) const {
    EXPECT_TRUE(fs::exists(root() / place / "run/model.bin")) << place;
    const nlohmann::json result = json(place + "/run/result.json");
    EXPECT_EQ(result.at("test_rows") > 0, result.at("test_cost").is_number()) << place;
  }

  // The run goes on from where it was stopped.
  void expect_the_same_bits(const std::string& place, const std::string& whole,
                            const Arguments& arguments) const {
    set_pace(place, 1000000, 0);
    const Finished finished = start(place, arguments + Arguments{"--resume"})->wait();
    EXPECT_EQ(finished.exit_code, 0) << place << ": " << finished.err;
    EXPECT_TRUE(bytes(place + "/run/model.bin") == bytes(whole + "/run/model.bin")) << place;
  }

  // Stopped `parts` times from the first solve to the last, at both speeds and in all three ways.
  void expect_training_yields(const std::string& whole, const Arguments& training, std::size_t parts) const {
    const std::size_t all = solves_of(whole, training);
    ASSERT_GT(all, 60u);
    std::vector<Case> cases;
    for (std::size_t part = 0; part < parts; ++part)
      for (const Speed& speed : kSpeeds)
        for (const int signal : {SIGINT, SIGTERM, 0}) {
          Case one;
          one.place = fmt::format("{}-{}-{}-{}", whole, part, speed.milliseconds, signal);
          one.quick = part + 1 == parts ? all - 1 : part * all / (parts - 1);
          one.speed = speed;
          one.signal = signal;
          // Results do not depend on the number of threads, and neither may stopping.
          one.threads = signal == SIGTERM ? 2 : 1;
          const Arguments threads = {"--threads", std::to_string(one.threads)};
          one.arguments = training + (signal == 0 ? Arguments{"--max-seconds", "1"} : threads);
          const std::string place = one.place;
          one.look = signal == 0 ? [this, place](const Finished&) { expect_a_model(place); }
                                 : std::function<void(const Finished&)>([=, this](const Finished&) {
                                     expect_the_same_bits(place, whole, training);
                                   });
          put_task(one.place, one.quick, speed.milliseconds);
          cases.push_back(one);
        }
    run_all(cases);
  }

  void run_case(const Case& one) const {
    const std::string name =
        fmt::format("{} after {} solves, {}, {}", one.arguments.front(), one.quick, one.speed.name,
                    one.signal == 0 ? "--max-seconds" : ::strsignal(one.signal));
    if (one.needs_run) put_run(one.place);
    if (one.needs_run) set_pace(one.place, one.quick, one.speed.milliseconds);
    const Clock::time_point launched = Clock::now();
    const auto process = start(one.place, one.arguments);
    Clock::time_point signalled = launched;
    std::size_t before = 0;
    if (one.signal != 0) {
      while (begun(one.place) <= one.quick && !process->ended() && seconds_since(launched) < 2 * kAtMost)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      if (one.may_end && begun(one.place) <= one.quick && process->ended()) {
        const Finished whole = process->wait();
        EXPECT_EQ(whole.exit_code, 0) << name << ": " << whole.err;
        return;
      }
      signalled = Clock::now();
      before = begun(one.place);
      process->send(one.signal);
      const std::size_t meanwhile = begun(one.place);
      before = std::max(before, meanwhile);
    }
    const Finished run = process->wait();
    EXPECT_LT(seconds_since(signalled), kAtMost) << name;
    EXPECT_EQ(run.signal, 0) << name;
    if (one.signal != 0) {
      EXPECT_EQ(run.exit_code, 130) << name << ": " << run.err;
      // Of several threads each may have had a solve on its way.
      const std::size_t more = one.threads == 1 ? one.speed.more : one.threads * (1 + one.speed.more);
      EXPECT_LE(begun(one.place), before + more) << name;
    } else {
      EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 130) << name << ": " << run.err;
    }
    if (one.look) one.look(run);
  }
};

// From the failure cost over the starts, steps, blend and validations to the test rows.
TEST_F(AlwaysAnswers, TrainingYieldsInEveryStageAndGoesOnToTheSameBits) {
  expect_training_yields("whole", training(), 8);
}

// From the first questions over the rounds to the test rows.
TEST_F(AlwaysAnswers, FrugalTrainingYieldsInEveryStageAndGoesOnToTheSameBits) {
  expect_training_yields(
      "frugal", {"train", "task.toml", "--out", "run", "--quiet", "--fidelity", "frugal", "--calls", "6"}, 5);
}

TEST_F(AlwaysAnswers, OtherCommandsYieldToo) {
  const std::vector<Arguments> commands = {
      {"check", "task.toml", "--quiet"},
      {"check", "task.toml", "--quiet", "--budget", "seconds=1000"},
      {"plan", "task.toml", "--quiet"},
      {"train", "task.toml", "--quiet", "--out", "new", "--budget", "seconds=60"},
      {"explain", "run", "--quiet", "--pairs", "16"},
      {"evaluate", "run", "--quiet"},
      {"decide", "run", "--quiet", "--features", "new.csv", "--out", "out.csv"}};
  std::vector<Case> cases;
  for (std::size_t command = 0; command < commands.size(); ++command)
    for (const Speed& speed : kSpeeds)
      for (const int signal : {SIGINT, SIGTERM, 0})
        for (const std::size_t quick : {0, 5}) {
          if (signal == 0 && quick != 0) continue;
          Case one;
          one.place = fmt::format("command-{}-{}-{}-{}", command, speed.milliseconds, signal, quick);
          one.quick = quick;
          one.speed = speed;
          one.signal = signal;
          one.arguments = commands[command];
          if (signal == 0) one.arguments = one.arguments + Arguments{"--max-seconds", "1"};
          one.needs_run = one.arguments[1] == "run";
          if (!one.needs_run) put_task(one.place, quick, speed.milliseconds);
          cases.push_back(one);
        }
  run_all(cases);
}

// Solves are timed, a training is rehearsed, rows are compared and explained: whatever the solve, it can be
// left.
TEST_F(AlwaysAnswers, OtherCommandsYieldWhereverTheyAre) {
  const Arguments little = {"--fidelity", "probes", "--steps",  "3", "--bags",        "2",
                            "--batch",    "4",      "--checks", "1", "--early-draws", "1"};
  const std::vector<std::pair<const char*, Arguments>> commands = {
      {"check", Arguments{"check", "task.toml", "--quiet"} + little},
      {"rehearsal", Arguments{"plan", "task.toml", "--quiet"} + little},
      {"explain", {"explain", "run", "--quiet", "--pairs", "16"}},
      {"evaluate", {"evaluate", "run", "--quiet"}}};
  std::vector<Case> cases;
  for (const auto& [name, arguments] : commands) {
    const bool needs_run = arguments[1] == "run";
    const std::string whole = fmt::format("{}-whole", name);
    needs_run ? put_run(whole) : put_task(whole, 1000000, 0);
    const Finished run = start(whole, arguments)->wait();
    ASSERT_EQ(run.exit_code, 0) << name << ": " << run.err;
    const std::size_t all = begun(whole);
    ASSERT_GT(all, 3u) << name;
    for (std::size_t part = 1; part <= 3; ++part)
      for (const Speed& speed : kSpeeds)
        for (const int signal : {SIGINT, SIGTERM, 0}) {
          Case one;
          one.place = fmt::format("{}-{}-{}-{}", name, part, speed.milliseconds, signal);
          one.quick = part * all / 4;
          one.speed = speed;
          one.signal = signal;
          one.arguments = arguments;
          if (signal == 0) one.arguments = one.arguments + Arguments{"--max-seconds", "1"};
          one.needs_run = needs_run;
          one.may_end = !needs_run;  // rehearsals are repeated where they are quick
          if (!needs_run) put_task(one.place, one.quick, speed.milliseconds);
          cases.push_back(one);
        }
  }
  run_all(cases);
}

// Learning from remembered decisions tells the start's cost from what it knows and solves nothing for it. The
// figures at the end keep their time all the same: each solve takes its 50 ms at least, so that training gets
// no more of them than fit into the rest, on a machine however quick.
TEST_F(AlwaysAnswers, TimeIsKeptForTheFiguresAtTheEnd) {
  constexpr std::size_t kAllowed = 3;
  constexpr double kEach = 0.05, kReserve = 2 * kTestRows * kEach;
  put_test_task("kept", 0, 50);
  const Finished run = start("kept", {"train", "task.toml", "--out", "run", "--quiet", "--max-seconds",
                                      std::to_string(kAllowed)})
                           ->wait();
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const nlohmann::json result = json("kept/run/result.json");
  const nlohmann::json& solves = result.at("solves");
  const double before = static_cast<double>(begun("kept")) - solves.at("test").at("performed").get<double>() -
                        solves.at("reference").at("performed").get<double>();
  EXPECT_LE(before, (kAllowed - kReserve) / kEach + kOnTheirWay);
}

// The last solve of all never ends: the rows decided before it are told.
TEST_F(AlwaysAnswers, TestRowsDecidedInTimeAreTold) {
  put_test_task("told", 1000000, 0);
  ASSERT_EQ(start("told", training())->wait().exit_code, 0);
  const std::size_t all = begun("told");
  put_test_task("cut", all - 1, 100000);
  const Finished run = start("cut", training({"--max-seconds", "5"}))->wait();
  EXPECT_EQ(run.exit_code, 0) << run.err;
  expect_a_model("cut");
  const std::size_t told = json("cut/run/result.json").at("test_rows");
  EXPECT_LT(told, static_cast<std::size_t>(kTestRows));
  if (begun("cut") == all) {  // else the machine was too slow to come so far
    EXPECT_GT(told, 0u);
  }
}

// What it would cost to start is known to nobody then.
TEST_F(AlwaysAnswers, ARunThatNeverTriedItsSolverStatesNoCost) {
  put_task("untried", 0, 100000);
  const Finished run = start("untried", {"train", "task.toml", "--out", "run", "--quiet", "--fidelity",
                                         "frugal", "--calls", "6", "--max-seconds", "1"})
                           ->wait();
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const nlohmann::json result = json("untried/run/result.json");
  for (const char* figure : {"validation_cost", "test_cost", "test_regret"})
    EXPECT_TRUE(result.at(figure).is_null()) << figure << " " << result.at(figure);
  EXPECT_EQ(result.at("training_kept"), false);
}

// What was decided by then is there.
TEST_F(AlwaysAnswers, DecisionsSoFarAreWritten) {
  Case one;
  one.place = "run";
  one.needs_run = true;
  one.quick = 3;
  one.speed = kSpeeds[1];
  one.signal = SIGINT;
  one.arguments = {"decide", "run", "--quiet", "--features", "new.csv", "--out", "out.csv"};
  run_case(one);
  EXPECT_EQ(std::ranges::count(bytes("run/out.csv"), '\n'), 4);  // the header and three rows
}

TEST_F(AlwaysAnswers, ASecondSignalEndsAtOnce) {
  put_task("twice", 0, 5000);
  const auto process = start("twice", {"check", "task.toml", "--quiet"});
  while (begun("twice") == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  process->send(SIGSTOP);  // so that it cannot end between the two
  process->send(SIGINT);
  process->send(SIGCONT);
  process->send(SIGINT);
  const Finished run = process->wait();
  EXPECT_TRUE(run.exit_code == 130 || run.signal == SIGINT);
}

// The choice by timed solves is printed, stored and kept; an option turns it off.
TEST_F(AlwaysAnswers, WhatTimedSolvesLedToIsStoredAndKept) {
  put_task("chosen", 0, 30);  // every solve, so that a run with the preset's values would take hours
  const Finished interrupted = [&] {
    const auto process = start("chosen", {"train", "task.toml", "--out", "run"});
    while (!fs::exists(root() / "chosen/run/config.toml"))
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    process->send(SIGINT);
    return process->wait();
  }();
  EXPECT_EQ(interrupted.exit_code, 130);
  EXPECT_NE(interrupted.err.find("Chosen: a solve takes "), std::string::npos) << interrupted.err;
  const std::string config = bytes("chosen/run/config.toml");
  EXPECT_NE(config.find("chosen = \"a solve takes "), std::string::npos) << config;
  EXPECT_EQ(config.find("fidelity = \"auto\""), std::string::npos) << config;
  set_pace("chosen", 1000000, 0);  // now they are quick, and nothing is chosen anew
  const Finished resumed =
      start("chosen", {"train", "task.toml", "--out", "run", "--resume", "--quiet"})->wait();
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(bytes("chosen/run/config.toml"), config);
  EXPECT_TRUE(json("chosen/run/result.json").at("chosen").get<std::string>().starts_with("a solve takes "));
}

}  // namespace
}  // namespace polystep
