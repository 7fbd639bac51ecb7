#include "base/files.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "base/line_appender.hpp"
#include "input_error.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

// Runs `work` in a child process whose files may not grow beyond `bytes`, as on a full disk; gives its exit
// code.
template <class Work>
int with_file_size_limit(rlim_t bytes, Work&& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ::_exit(work());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(WriteFile, ReplacesTheWholeFileAndLeavesNothingElse) {
  const TemporaryDirectory directory;
  write_file(directory / "a.txt", "first, and longer");
  write_file(directory / "a.txt", std::string("sec\0nd", 6));
  EXPECT_EQ(TemporaryDirectory::contents(directory / "a.txt"), std::string("sec\0nd", 6));
  EXPECT_EQ(read_file(directory / "a.txt"), std::string("sec\0nd", 6));
  EXPECT_EQ(directory.entries(), 1u);
}

TEST(WriteFile, WritesLargeAndEmptyFiles) {
  const TemporaryDirectory directory;
  std::string large(5'000'000, 'x');
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i * 7);
  write_file(directory / "large", large);
  EXPECT_TRUE(read_file(directory / "large") == large);
  write_file(directory / "large", "");
  EXPECT_EQ(read_file(directory / "large"), "");
}

TEST(WriteFile, KeepsTheOldBytesAndNoTemporaryWhenTheDiskIsFull) {
  const TemporaryDirectory directory;
  write_file(directory / "model.bin", "old");
  const std::filesystem::path path = directory / "model.bin";
  const int code = with_file_size_limit(1000, [&] {
    const std::string error = input_error([&] { write_file(path, std::string(5000, 'n')); });
    return error == "cannot write " + path.string() + ": File too large" ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(directory.entries(), 1u);
}

TEST(WriteFile, SaysWhyAPathCannotBeWritten) {
  const TemporaryDirectory directory;
  const auto file = directory.file("plain", "x");
  EXPECT_EQ(input_error([&] { write_file(file / "below", "y"); }),
            "cannot write " + (file / "below").string() + ": Not a directory");
  EXPECT_EQ(input_error([&] { write_file(directory / "no/such", "y"); }),
            "cannot write " + (directory / "no/such").string() + ": No such file or directory");
  EXPECT_EQ(input_error([&] { write_file(directory.path(), "y"); }),
            "cannot write " + directory.path().string() + ": it is a directory, expected a file");
  EXPECT_EQ(directory.entries(), 1u);
}

TEST(WriteFile, WritesStraightToDevicesInsteadOfReplacingThem) {
  EXPECT_EQ(input_error([] { write_file("/dev/full", "y"); }),
            "cannot write /dev/full: No space left on device");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
  write_file("/dev/null", "y");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(WriteFile, FollowsSymbolicLinks) {
  const TemporaryDirectory directory;
  directory.file("target", "old");
  std::filesystem::create_symlink("target", directory / "link");
  write_file(directory / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(directory / "link"));
  EXPECT_EQ(TemporaryDirectory::contents(directory / "target"), "new");
}

TEST(WriteFile, ReadersNeverSeeHalfAFile) {
  const TemporaryDirectory directory;
  const std::filesystem::path path = directory / "f";
  write_file(path, std::string(100'000, 'a'));
  std::jthread writer([&] {
    for (int i = 0; i < 20; ++i) write_file(path, std::string(100'000 + i, i % 2 == 0 ? 'b' : 'a'));
  });
  for (int i = 0; i < 100; ++i) {
    const std::string seen = read_file(path);
    ASSERT_GE(seen.size(), 100'000u);
    ASSERT_EQ(seen.find_first_not_of(seen.front()), std::string::npos);
  }
}

TEST(ReadFile, SaysWhyAPathCannotBeRead) {
  const TemporaryDirectory directory;
  EXPECT_EQ(input_error([&] { read_file(directory / "none"); }),
            "cannot read " + (directory / "none").string() + ": No such file or directory");
  EXPECT_EQ(input_error([&] { read_file(directory.path()); }),
            directory.path().string() + " is a directory, expected a file");
}

TEST(Directories, AreCreatedWithParentsAndCheckedForWriting) {
  const TemporaryDirectory directory;
  ensure_writable_directory(directory / "a/b/c");
  ensure_writable_directory(directory / "a/b/c");
  EXPECT_TRUE(std::filesystem::is_empty(directory / "a/b/c"));
  const auto file = directory.file("plain", "x");
  EXPECT_EQ(input_error([&] { ensure_writable_directory(file); }),
            "cannot create directory " + file.string() + ": Not a directory");
  EXPECT_EQ(input_error([&] { ensure_writable_directory(file / "below"); }),
            "cannot create directory " + (file / "below").string() + ": Not a directory");
  const std::string into_proc = input_error([] { ensure_writable_directory("/proc"); });
  EXPECT_TRUE(into_proc.starts_with("cannot write into directory /proc: ")) << into_proc;
}

TEST(Directories, AreFoundFullBeforeARunStarts) {
  const TemporaryDirectory directory;
  const int code = with_file_size_limit(10, [&] {
    const std::string error = input_error([&] { ensure_writable_directory(directory.path()); });
    return error == "cannot write into directory " + directory.path().string() + ": File too large" ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(directory.entries(), 0u);
}

TEST(TemporaryNames, BelongToTheirTarget) {
  EXPECT_TRUE(is_temporary_name(".model.bin.tmp-12-0", "model.bin"));
  EXPECT_FALSE(is_temporary_name("model.bin.tmp-12-0", "model.bin"));
  EXPECT_FALSE(is_temporary_name(".model.bin", "model.bin"));
  EXPECT_FALSE(is_temporary_name(".other.bin.tmp-12-0", "model.bin"));
}

TEST(LineAppender, AppendsAndReportsItsOffset) {
  const TemporaryDirectory directory;
  LineAppender lines(directory / "metrics.jsonl", 0);
  EXPECT_EQ(lines.offset(), 0u);
  lines.append("{\"step\":1}");
  lines.append("");
  lines.sync();
  EXPECT_EQ(lines.offset(), 12u);
  EXPECT_EQ(read_file(directory / "metrics.jsonl"), "{\"step\":1}\n\n");
}

TEST(LineAppender, CutsBackToTheCheckpointOnResume) {
  const TemporaryDirectory directory;
  const auto path = directory.file("metrics.jsonl", "one\ntwo\nthr");
  LineAppender lines(path, 4);
  EXPECT_EQ(lines.offset(), 4u);
  lines.append("TWO");
  EXPECT_EQ(read_file(path), "one\nTWO\n");
}

TEST(LineAppender, RefusesAFileShorterThanTheCheckpointSays) {
  const TemporaryDirectory directory;
  const auto path = directory.file("metrics.jsonl", "one\n");
  EXPECT_EQ(
      input_error([&] { LineAppender(path, 5); }),
      path.string() + " has 4 bytes, expected at least 5: it was shortened after the checkpoint was written");
  EXPECT_EQ(read_file(path), "one\n");
}

TEST(LineAppender, ReportsAFullDisk) {
  LineAppender lines("/dev/full", 0);
  EXPECT_EQ(input_error([&] { lines.append("x"); }), "cannot write /dev/full: No space left on device");
  EXPECT_EQ(lines.offset(), 0u);
}

TEST(LineAppender, LeavesWholeLinesWhenTheDiskFillsUp) {
  const TemporaryDirectory directory;
  const std::filesystem::path path = directory / "metrics.jsonl";
  const int code = with_file_size_limit(25, [&] {
    LineAppender lines(path, 0);
    lines.append("123456789");
    lines.append("123456789");
    const std::string error = input_error([&] { lines.append("123456789"); });
    return error == "cannot write " + path.string() + ": File too large" && lines.offset() == 20 ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(read_file(path), "123456789\n123456789\n");
}

TEST(LineAppender, SaysWhyItCannotOpen) {
  const TemporaryDirectory directory;
  EXPECT_EQ(input_error([&] { LineAppender(directory.path(), 0); }),
            "cannot write " + directory.path().string() + ": Is a directory");
}

TEST(RemoveFile, IgnoresWhatIsNotThere) {
  const TemporaryDirectory directory;
  const auto path = directory.file("a", "x");
  remove_file(path);
  remove_file(path);
  EXPECT_EQ(directory.entries(), 0u);
}

TEST(ReplacedFile, AppearsAsAWholeWhenComplete) {
  const TemporaryDirectory directory;
  const auto path = directory.file("table", "old");
  {
    ReplacedFile file(path);
    file.append("one ");
    file.append("two");
    EXPECT_EQ(TemporaryDirectory::contents(path), "old");
    file.complete();
  }
  EXPECT_EQ(TemporaryDirectory::contents(path), "one two");
  EXPECT_EQ(directory.entries(), 1u);
}

TEST(ReplacedFile, LeavesNothingBehindWhenItIsNotCompleted) {
  const TemporaryDirectory directory;
  const auto path = directory.file("table", "old");
  {
    ReplacedFile file(path);
    file.append("half");
  }
  EXPECT_EQ(TemporaryDirectory::contents(path), "old");
  EXPECT_EQ(directory.entries(), 1u);
}

}  // namespace
}  // namespace polystep
