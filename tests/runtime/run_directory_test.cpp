#include "runtime/run/run_directory.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files.hpp"
#include "input_error.hpp"
#include "runtime/run/config_file.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

class RunDirectoryTest : public testing::Test {
 protected:
  std::filesystem::path run() const { return directory_ / "p-m-0"; }
  std::string name() const { return run().string(); }

  void put(const std::string& file, const std::string& bytes) const { write_file(run() / file, bytes); }
  void start_run() const {
    make_directories(run());
    RunConfig config;
    config.problem = "p";
    write_config(run() / "config.toml", config);
    put("metrics.jsonl", "{}\n");
    put("checkpoint.bin", "c");
  }
  void finish_run() const {
    start_run();
    put("model.bin", "m");
    put("result.json", "{}");
  }
  std::string open_error(bool force) const {
    return input_error([&] { RunDirectory::open_new(run(), force); });
  }

  TemporaryDirectory directory_;
};

TEST_F(RunDirectoryTest, NamesItsFiles) {
  const RunDirectory opened = RunDirectory::open_new(run(), false);
  EXPECT_EQ(opened.path(), run());
  EXPECT_EQ(opened.config(), run() / "config.toml");
  EXPECT_EQ(opened.metrics(), run() / "metrics.jsonl");
  EXPECT_EQ(opened.checkpoint(), run() / "checkpoint.bin");
  EXPECT_EQ(opened.model(), run() / "model.bin");
  EXPECT_EQ(opened.result(), run() / "result.json");
}

TEST_F(RunDirectoryTest, KnowsItsState) {
  EXPECT_EQ(run_state(run()), RunState::kEmpty);
  make_directories(run());
  EXPECT_EQ(run_state(run()), RunState::kEmpty);
  put(".config.toml.tmp-1-2", "half a conf");  // killed while starting
  EXPECT_EQ(run_state(run()), RunState::kEmpty);
  start_run();
  EXPECT_EQ(run_state(run()), RunState::kUnfinished);
  finish_run();
  EXPECT_EQ(run_state(run()), RunState::kFinished);
}

TEST_F(RunDirectoryTest, StartsInANewOrEmptyDirectory) {
  { const RunDirectory opened = RunDirectory::open_new(run(), false); }
  EXPECT_EQ(run_state(run()), RunState::kEmpty);  // its lock file does not count
  const RunDirectory again = RunDirectory::open_new(run(), false);
}

TEST_F(RunDirectoryTest, RefusesAFinishedRunUnlessForced) {
  finish_run();
  EXPECT_EQ(open_error(false),
            name() + " holds a finished run; give --force to replace it or --out another directory");
  EXPECT_EQ(read_file(run() / "result.json"), "{}");
  EXPECT_EQ(open_error(true), "no InputError was thrown");
  EXPECT_EQ(run_state(run()), RunState::kEmpty);
}

TEST_F(RunDirectoryTest, RefusesAnUnfinishedRunUnlessResumedOrForced) {
  start_run();
  EXPECT_EQ(open_error(false),
            name() +
                " holds an unfinished run; give --resume to go on with it, --force to replace it "
                "or --out another directory");
  { const RunDirectory resumed = RunDirectory::open_to_resume(run()); }
  EXPECT_EQ(read_file(run() / "checkpoint.bin"), "c");
  EXPECT_EQ(open_error(true), "no InputError was thrown");
  EXPECT_EQ(run_state(run()), RunState::kEmpty);
}

TEST_F(RunDirectoryTest, ForceDeletesOnlyTheRunsOwnFiles) {
  finish_run();
  put("notes.txt", "mine");
  put(".model.bin.tmp-77-0", "half a model");
  put(".notes.txt.tmp-77-0", "also mine");
  make_directories(run() / "plots");
  EXPECT_EQ(open_error(true), "no InputError was thrown");
  for (const char* gone : {"config.toml", "metrics.jsonl", "checkpoint.bin", "model.bin", "result.json",
                           ".model.bin.tmp-77-0"}) {
    EXPECT_FALSE(std::filesystem::exists(run() / gone)) << gone;
  }
  EXPECT_EQ(read_file(run() / "notes.txt"), "mine");
  EXPECT_EQ(read_file(run() / ".notes.txt.tmp-77-0"), "also mine");
  EXPECT_TRUE(std::filesystem::is_directory(run() / "plots"));
}

TEST_F(RunDirectoryTest, NeverTouchesOtherPeoplesDirectories) {
  make_directories(run());
  put("config.toml", "[package]\nname = \"someone else's\"\n");
  put("model.bin", "precious");
  for (const bool force : {false, true}) {
    EXPECT_EQ(
        open_error(force),
        name() + " holds files that are not a run's, expected a new or empty directory; nothing was touched");
  }
  EXPECT_EQ(read_file(run() / "model.bin"), "precious");
  EXPECT_FALSE(std::filesystem::exists(run() / ".lock"));
  EXPECT_EQ(run_state(run()), RunState::kForeign);
  std::filesystem::remove(run() / "config.toml");
  EXPECT_EQ(run_state(run()), RunState::kForeign);
}

TEST_F(RunDirectoryTest, RefusesPathsThatCannotBeDirectories) {
  directory_.file("p-m-0", "a file");
  EXPECT_EQ(open_error(true), name() + " is a file, expected a directory");
  const std::string below = input_error([&] { RunDirectory::open_new(run() / "x", false); });
  EXPECT_EQ(below, "cannot create directory " + (run() / "x").string() + ": Not a directory");
}

TEST_F(RunDirectoryTest, ResumesOnlyUnfinishedRuns) {
  const auto error = [&] { return input_error([&] { RunDirectory::open_to_resume(run()); }); };
  EXPECT_EQ(error(), name() + " holds no run");
  EXPECT_FALSE(std::filesystem::exists(run()));
  finish_run();
  EXPECT_EQ(error(), name() + " holds a finished run, expected an unfinished one to resume");
  put("config.toml", "x = 1\n");
  EXPECT_EQ(error(), name() + " is not a run directory: it has no config.toml written by polystepor");
}

TEST_F(RunDirectoryTest, ReadsAnyRunEvenWhileItTrains) {
  EXPECT_EQ(input_error([&] { RunDirectory::open_to_read(run()); }), name() + " holds no run");
  start_run();
  const RunDirectory training = RunDirectory::open_to_resume(run());
  EXPECT_EQ(RunDirectory::open_to_read(run()).path(), run());
}

TEST_F(RunDirectoryTest, LetsOnlyOneTrainAtATime) {
  {
    RunDirectory first = RunDirectory::open_new(run(), false);
    const RunDirectory moved = std::move(first);  // the lock moves along
    EXPECT_EQ(open_error(true), name() + " is in use by another run (process " + std::to_string(::getpid()) +
                                    "); wait for it or give --out another directory");
    start_run();
    EXPECT_TRUE(input_error([&] { RunDirectory::open_to_resume(run()); }).starts_with(name() + " is in use"));
    EXPECT_TRUE(open_error(true).starts_with(name() + " is in use"));
    EXPECT_EQ(run_state(run()), RunState::kUnfinished);  // force deleted nothing
  }
  EXPECT_EQ(open_error(true), "no InputError was thrown");
}

TEST_F(RunDirectoryTest, AKilledProcessLeavesNoLock) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const RunDirectory held = RunDirectory::open_new(run(), false);
    if (::write(ready[1], "x", 1) == 1) ::pause();
    ::_exit(1);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_TRUE(
      open_error(false).starts_with(name() + " is in use by another run (process " + std::to_string(child)));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(open_error(false), "no InputError was thrown");
  ::close(ready[0]);
  ::close(ready[1]);
}

}  // namespace
}  // namespace polystep
