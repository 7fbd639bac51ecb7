// Solver processes that work, crash, hang and talk nonsense: who is charged, what is counted, what is said.
#include "process/worker_pool.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "input_error.hpp"
#include "polystep/random.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

constexpr std::size_t kItems = 4;
const FrameShape kShape{.outputs = kItems, .decision_size = kItems};

// Generous but where a test waits for it to pass: machines that run tests are busy.
constexpr double kFrameSeconds = 20, kShortFrameSeconds = 1;

SolverCommand faulty(std::vector<std::string> rules, double frame_seconds = kFrameSeconds) {
  rules.insert(rules.begin(), FAULTY_SOLVER);
  return {.words = rules,
          .directory = {},
          .format = FrameFormat::kBinary,
          .start_seconds = 30,
          .frame_seconds = frame_seconds};
}

// A solver in a line of shell, which speaks JSON.
SolverCommand shell(const std::string& script, double frame_seconds = kFrameSeconds) {
  return {.words = {"sh", "-c", script},
          .directory = {},
          .format = FrameFormat::kJson,
          .start_seconds = 30,
          .frame_seconds = frame_seconds};
}
const std::string kGreet = "read greeting; echo '{\"polystepor\":1}'; ";

SolveBatch random_batch(std::size_t count) {
  SolveBatch batch;
  RandomStream random(3, Purpose::kTest);
  for (std::size_t i = 0; i < count; ++i) {
    batch.instances.push_back(i);
    for (std::size_t o = 0; o < kItems; ++o) batch.predictions.push_back(random.normal());
  }
  return batch;
}

// Every instance is solved as it should be, or charged where `bad` says so.
template <class Bad>
void expect_answers(const SolveBatch& batch, const Bad& bad) {
  for (std::size_t i = 0; i < batch.instances.size(); ++i) {
    const auto prediction = std::span(batch.predictions).subspan(i * kItems, kItems);
    const auto best = std::min_element(prediction.begin(), prediction.end()) - prediction.begin();
    EXPECT_EQ(batch.solved[i] == 0, bad(batch.instances[i])) << i;
    for (std::size_t o = 0; o < kItems; ++o)
      EXPECT_EQ(batch.decisions[i * kItems + o],
                !bad(batch.instances[i]) && static_cast<std::ptrdiff_t>(o) == best ? 1 : 0)
          << i;
  }
}

std::string log_of(WorkerPool& pool) {
  const TemporaryDirectory directory;
  pool.log().write_to(directory / "log");
  return TemporaryDirectory::contents(directory / "log");
}

TEST(WorkerPool, SolvesInFramesOfAnySize) {
  for (const std::size_t frame_size : {1u, 7u, 128u, 5000u}) {
    WorkerPool pool(faulty({}), kShape, frame_size);
    SolveBatch batch = random_batch(1000);
    pool.solve(batch);
    expect_answers(batch, [](std::uint64_t) { return false; });
    EXPECT_EQ(pool.events().frames, (1000 + frame_size - 1) / frame_size);
    EXPECT_EQ(pool.events().instances, 1000u);
    EXPECT_EQ(pool.events().crashes + pool.events().hangs + pool.events().garbage + pool.events().restarts,
              0u);
  }
}

TEST(WorkerPool, LargeFramesInBothDirectionsDoNotBlockEachOther) {
  // Several times what a pipe holds, both ways.
  WorkerPool pool(faulty({}), kShape, 20000);
  SolveBatch batch = random_batch(100000);
  pool.solve(batch);
  expect_answers(batch, [](std::uint64_t) { return false; });
}

TEST(WorkerPool, ChargesExactlyTheInstancesThatCrashHangOrTalkNonsense) {
  for (const char* fault : {"crash", "quit", "hang", "short", "number", "status", "nan", "decline"}) {
    SCOPED_TRACE(fault);
    const double frame_seconds = fault == std::string("hang") ? kShortFrameSeconds : kFrameSeconds;
    WorkerPool pool(faulty({std::string(fault) + ":150:77"}, frame_seconds), kShape, 64);
    const auto bad = [](std::uint64_t instance) { return instance % 150 == 77; };
    for (int round = 0; round < 2; ++round) {
      SolveBatch batch = random_batch(300);
      pool.solve(batch);
      expect_answers(batch, bad);
    }
    const SolverEvents events = pool.events();
    const std::string kind = fault;
    EXPECT_EQ(events.instances, 600u);
    EXPECT_EQ(events.charged, kind == "decline" ? 0u : 4u);
    EXPECT_EQ(events.declined, kind == "decline" ? 4u : 0u);
    EXPECT_EQ(events.crashes != 0, kind == "crash" || kind == "quit");
    EXPECT_EQ(events.hangs != 0, kind == "hang");
    EXPECT_EQ(events.garbage != 0, kind == "short" || kind == "number" || kind == "status" || kind == "nan");
    EXPECT_EQ(events.restarts != 0, kind != "nan" && kind != "decline");
  }
}

TEST(WorkerPool, InstancesChargedBeforeNoLongerSpoilTheirNeighboursFrames) {
  WorkerPool pool(faulty({"crash:150:77"}), kShape, 64);
  SolveBatch batch = random_batch(300);
  pool.solve(batch);
  const SolverEvents first = pool.events();
  EXPECT_GT(first.crashes, 10u);  // two searches by halves
  for (int round = 0; round < 5; ++round) pool.solve(batch);
  EXPECT_LE(pool.events().crashes - first.crashes, 5u * 4);  // each crashes its own worker, once or twice
}

TEST(WorkerPool, AWorkerThatDiesOfItsAgeCostsNobodyAnything) {
  WorkerPool pool(faulty({"leak:5"}), kShape, 8);
  SolveBatch batch = random_batch(400);
  pool.solve(batch);
  expect_answers(batch, [](std::uint64_t) { return false; });
  EXPECT_EQ(pool.events().charged, 0u);
  EXPECT_GE(pool.events().crashes, 8u);
}

TEST(WorkerPool, PredictionsThatAreNotFiniteAreChargedAndNotSent) {
  WorkerPool pool(faulty({}), kShape, 64);
  SolveBatch batch = random_batch(10);
  batch.predictions[5 * kItems] = std::numeric_limits<double>::infinity();
  pool.solve(batch);
  EXPECT_EQ(batch.solved, (std::vector<std::uint8_t>{1, 1, 1, 1, 1, 0, 1, 1, 1, 1}));
  EXPECT_EQ(pool.events().charged, 1u);
}

TEST(WorkerPool, ThreadsShareItWithoutChangingAnswers) {
  WorkerPool pool(faulty({"crash:100:7", "quit:100:9"}), kShape, 32);
  std::vector<SolveBatch> batches(6, random_batch(200));
  std::vector<std::thread> threads;
  for (SolveBatch& batch : batches) threads.emplace_back([&] { pool.solve(batch); });
  for (std::thread& thread : threads) thread.join();
  for (const SolveBatch& batch : batches)
    expect_answers(batch, [](std::uint64_t i) { return i % 100 == 7 || i % 100 == 9; });
  EXPECT_EQ(pool.events().charged, 6u * 4);
}

TEST(WorkerPool, LogTellsWhatWorkersSaidAndWhoWasCharged) {
  WorkerPool pool(faulty({"quit:100:7"}), kShape, 32);
  SolveBatch batch = random_batch(32);
  pool.solve(batch);
  const std::string log = log_of(pool);
  EXPECT_NE(log.find("worker 0: this instance is too much for me\n"), std::string::npos) << log;
  EXPECT_NE(log.find("polystepor: worker 0 ended with exit code 3"), std::string::npos) << log;
  EXPECT_NE(log.find("polystepor: instance 7 is charged the failure cost: the solver ended with exit code 3"),
            std::string::npos)
      << log;
}

TEST(WorkerPool, CommandsThatDoNotWorkAreRefusedByASentence) {
  const auto refusal = [](const SolverCommand& command) {
    return input_error([&] { WorkerPool(command, kShape, 8); });
  };
  EXPECT_EQ(refusal({.words = {"no-such-solver"}, .directory = {}}),
            "cannot start the solver 'no-such-solver': No such file or directory");
  EXPECT_EQ(refusal({.words = {}, .directory = {}}),
            "the solver's command is empty, expected a program and its arguments");
  SolverCommand elsewhere = shell("true");
  elsewhere.directory = "/no/such/place";
  EXPECT_EQ(refusal(elsewhere), "cannot start the solver 'sh' in /no/such/place: No such file or directory");
  EXPECT_EQ(
      refusal(shell("echo out of licenses >&2; exit 4")),
      "solver 'sh' ended with exit code 4 (its last message: 'out of licenses'), expected an answer to the "
      "greeting");
  EXPECT_EQ(refusal(shell("kill -9 $$")),
            "solver 'sh' ended with signal 9 (Killed), expected an answer to the greeting");
  EXPECT_EQ(refusal(shell("echo Welcome to the solver; cat")),
            "solver 'sh': in its greeting found the line 'Welcome to the solver', expected a JSON object; a "
            "solver's messages belong on its standard error");
  EXPECT_EQ(refusal(shell("echo '{\"polystepor\":3}'; cat")),
            "solver 'sh': in its greeting the protocol version is 3, expected 1");
  SolverCommand slow = shell("sleep 100");
  slow.start_seconds = 0.1;
  EXPECT_EQ(refusal(slow), "solver 'sh' gave no answer within 0.1 s, expected an answer to the greeting");
}

// What a worker that greets well says to its only request, and what becomes of it.
TEST(WorkerPool, BadBehaviourIsNamedInTheLog) {
  const struct {
    std::string script, reason;
    std::uint64_t SolverEvents::*counted;
  } cases[] = {
      {"read request; echo nonsense; cat", "sent garbage: found the line 'nonsense', expected a JSON object",
       &SolverEvents::garbage},
      {"read request; echo '{\"frame\":5,\"decisions\":[[1,0,0,0]]}'; cat",
       "sent garbage: \"frame\" is 5, expected 0", &SolverEvents::garbage},
      {"read request; echo '{\"frame\":0,\"decisions\":[[1,0]]}'; cat",
       "expected null or a list of 4 numbers", &SolverEvents::garbage},
      {"read request; yes | tr -d '\\n'", "is longer than", &SolverEvents::garbage},
      {"read request; exit 0", "ended with exit code 0", &SolverEvents::crashes},
      {"read request; echo sorry >&2; kill -11 $$",
       "ended with signal 11 (Segmentation fault) (its last message: 'sorry')", &SolverEvents::crashes},
      {"exec <&-; sleep 100", "gave no answer within 1 s", &SolverEvents::hangs},
      {"exec >&-; sleep 100", "closed its output", &SolverEvents::crashes},
      {"read request; printf '{\"frame\":0,'; sleep 100", "gave no answer within 1 s", &SolverEvents::hangs},
      {"read request; sleep 100 & wait", "gave no answer within 1 s", &SolverEvents::hangs},
  };
  for (const auto& [script, reason, counted] : cases) {
    SCOPED_TRACE(script);
    const double frame_seconds = counted == &SolverEvents::hangs ? kShortFrameSeconds : kFrameSeconds;
    WorkerPool pool(shell(kGreet + script, frame_seconds), kShape, 8);
    SolveBatch batch = random_batch(1);
    pool.solve(batch);
    EXPECT_EQ(batch.solved[0], 0);
    EXPECT_EQ(pool.events().charged, 1u);
    EXPECT_EQ(pool.events().*counted, 1u);
    EXPECT_NE(log_of(pool).find(reason), std::string::npos) << log_of(pool);
  }
}

TEST(WorkerPool, ASolverThatNeverWorksEndsTheRunWithItsReason) {
  WorkerPool pool(shell(kGreet + "read request; echo 'no module named solver' >&2; exit 1"), kShape, 8);
  SolveBatch batch = random_batch(100);
  EXPECT_EQ(input_error([&] { pool.solve(batch); }),
            "solver 'sh' failed on each of the first 16 instances, the last time because the solver ended "
            "with exit "
            "code 1 (its last message: 'no module named solver')");
}

TEST(WorkerPool, ASolverThatNoLongerStartsEndsTheRun) {
  const TemporaryDirectory directory;
  directory.file("license", "");
  SolverCommand command = shell("test -e license || { echo no license >&2; exit 1; }; " + kGreet +
                                "read a; echo '{\"frame\":0,\"decisions\":[[1,0,0,0]]}'; read a; rm license");
  command.directory = directory.path();
  WorkerPool pool(command, kShape, 1);
  SolveBatch batch = random_batch(3);
  EXPECT_EQ(input_error([&] { pool.solve(batch); }),
            "solver 'sh' ended with exit code 1 (its last message: 'no license'), expected an answer to the "
            "greeting");
}

TEST(WorkerPool, ChattyMessagesNeitherBlockNorGrowWithoutEnd) {
  WorkerPool pool(shell(kGreet + "read request; head -c 20000000 /dev/zero | tr '\\0' 'x' >&2; "
                                 "echo '{\"frame\":0,\"decisions\":[[1,0,0,0]]}'; cat"),
                  kShape, 8);
  SolveBatch batch = random_batch(1);
  pool.solve(batch);
  EXPECT_LT(log_of(pool).size(), SolverLog::kLargest + 10000);
}

TEST(WorkerPool, LeavesNoProcessBehind) {
  const TemporaryDirectory directory;
  SolverCommand command =
      shell("sleep 1000 & echo $! > child; " + kGreet + "read request; sleep 1000", kShortFrameSeconds);
  command.directory = directory.path();
  {
    WorkerPool pool(command, kShape, 8);
    SolveBatch batch = random_batch(1);
    pool.solve(batch);
  }
  const int child = std::stoi(TemporaryDirectory::contents(directory / "child"));
  // Gone, or a zombie that nobody here can reap; a busy machine may take a while to get there.
  const auto gone = [&] {
    const std::string state = TemporaryDirectory::contents("/proc/" + std::to_string(child) + "/stat");
    return state.empty() || state.find(") Z ") != std::string::npos;
  };
  while (!gone()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

}  // namespace
}  // namespace polystep
