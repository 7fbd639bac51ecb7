#include "base/number_memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "temporary_directory.hpp"

namespace polystep {
namespace {

ContentKey key_of(std::uint64_t number) {
  ContentHash content;
  content.add(number);
  return content.key();
}

struct Warnings {
  std::vector<std::string> sentences;
  NumberMemory::Warn taker() {
    return [this](const std::string& sentence) { sentences.push_back(sentence); };
  }
};

void remember(const std::filesystem::path& path, std::uint64_t from, std::uint64_t to) {
  NumberMemory memory(path);
  for (std::uint64_t i = from; i < to; ++i) memory.remember(key_of(i), static_cast<std::int64_t>(i * i));
  memory.save();
}

std::size_t known(const NumberMemory& memory, std::uint64_t from, std::uint64_t to) {
  std::size_t count = 0;
  for (std::uint64_t i = from; i < to; ++i)
    count += memory.find(key_of(i)) == static_cast<std::int64_t>(i * i) ? 1 : 0;
  return count;
}

TEST(ContentHash, TellsContentsAndTheirOrderApart) {
  std::set<ContentKey> keys;
  for (std::uint64_t a = 0; a < 60; ++a) {
    for (std::uint64_t b = 0; b < 60; ++b) {
      ContentHash content;
      content.add(a);
      content.add(b);
      keys.insert(content.key());
    }
    keys.insert(key_of(a));
  }
  EXPECT_EQ(keys.size(), 60u * 60u + 60u);
}

TEST(NumberMemory, WorksWithoutAFile) {
  NumberMemory memory;
  EXPECT_FALSE(memory.find(key_of(1)).has_value());
  memory.remember(key_of(1), -7);
  memory.save();
  EXPECT_EQ(memory.find(key_of(1)), -7);
}

TEST(NumberMemory, RemembersForTheNextProcess) {
  const TemporaryDirectory directory;
  const auto path = directory / "a/b/numbers";
  remember(path, 0, 100);
  remember(path, 50, 150);
  Warnings warnings;
  const NumberMemory memory(path, warnings.taker());
  EXPECT_EQ(memory.size(), 150u);
  EXPECT_EQ(known(memory, 0, 150), 150u);
  EXPECT_EQ(std::filesystem::file_size(path), 32u * 151u);  // what was known is not written again
  EXPECT_TRUE(warnings.sentences.empty());
}

TEST(NumberMemory, CutsATornRecord) {
  const TemporaryDirectory directory;
  const auto path = directory / "numbers";
  remember(path, 0, 10);
  const std::string whole = TemporaryDirectory::contents(path);
  for (std::size_t length = 0; length < whole.size(); length += 5) {
    directory.file("numbers", whole.substr(0, length));
    Warnings warnings;
    NumberMemory memory(path, warnings.taker());
    const std::size_t records = length < 32 ? 0 : length / 32 - 1;
    EXPECT_EQ(known(memory, 0, 10), records) << length;
    memory.remember(key_of(77), 77 * 77);
    memory.save();
    EXPECT_TRUE(warnings.sentences.empty());
    const NumberMemory next(path);
    EXPECT_EQ(next.size(), records + 1);
    EXPECT_EQ(known(next, 77, 78), 1u);
  }
}

// Another process died in the middle of a record while this one had the file open.
TEST(NumberMemory, CutsARecordTornMeanwhile) {
  const TemporaryDirectory directory;
  const auto path = directory / "numbers";
  NumberMemory memory(path);
  std::ofstream(path, std::ios::binary | std::ios::app) << "half a record";
  memory.remember(key_of(3), 9);
  memory.save();
  EXPECT_EQ(known(NumberMemory(path), 0, 10), 1u);
}

TEST(NumberMemory, PassesOverDamagedRecords) {
  const TemporaryDirectory directory;
  const auto path = directory / "numbers";
  remember(path, 0, 5);
  const std::string whole = TemporaryDirectory::contents(path);
  for (std::size_t byte = 32; byte < whole.size(); ++byte) {
    std::string damaged = whole;
    damaged[byte] = static_cast<char>(damaged[byte] ^ 0x10);
    directory.file("numbers", damaged);
    const NumberMemory memory(path);
    EXPECT_EQ(memory.size(), 4u);
    EXPECT_EQ(known(memory, 0, 5), 4u);
  }
  directory.file("numbers", whole + std::string(64, '\0'));  // as a power cut leaves it
  EXPECT_EQ(NumberMemory(path).size(), 5u);
}

TEST(NumberMemory, LeavesAFileOfAnotherKindAlone) {
  const TemporaryDirectory directory;
  const auto path = directory.file("numbers", "a letter to a friend, which is longer than one record");
  Warnings warnings;
  NumberMemory memory(path, warnings.taker());
  memory.remember(key_of(1), 1);
  memory.save();
  EXPECT_EQ(memory.find(key_of(1)), 1);
  EXPECT_EQ(TemporaryDirectory::contents(path), "a letter to a friend, which is longer than one record");
  EXPECT_EQ(warnings.sentences,
            std::vector<std::string>{path.string() + " cannot be used to remember results (it is a file "
                                                     "of another kind); going on without"});
}

TEST(NumberMemory, GoesOnWhereNothingCanBeWritten) {
  const TemporaryDirectory directory;
  directory.file("blocked", "");
  for (const std::string& place : {(directory / "blocked/numbers").string(), directory.path().string(),
                                   std::string("/proc/nowhere/numbers"), std::string("/dev/null")}) {
    Warnings warnings;
    NumberMemory memory(place, warnings.taker());
    for (std::uint64_t i = 0; i < 3; ++i) {
      memory.remember(key_of(i), 1);
      memory.save();
    }
    EXPECT_EQ(memory.find(key_of(2)), 1);
    EXPECT_FALSE(memory.writes());
    EXPECT_EQ(warnings.sentences.size(), 1u) << place;
  }
}

TEST(NumberMemory, ReadsWhatItMayNotWrite) {
  const TemporaryDirectory directory;
  const auto path = directory / "kept/numbers";
  remember(path, 0, 10);
  std::filesystem::permissions(path, std::filesystem::perms::owner_read);
  std::filesystem::permissions(directory / "kept",
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  if (::access(path.c_str(), W_OK) == 0) {  // nothing stops the administrator
    std::filesystem::permissions(directory / "kept", std::filesystem::perms::owner_all);
    GTEST_SKIP() << "skipped: this user may write read-only files";
  }
  Warnings warnings;
  NumberMemory memory(path, warnings.taker());
  EXPECT_EQ(known(memory, 0, 10), 10u);
  memory.remember(key_of(11), 121);
  memory.save();
  EXPECT_EQ(warnings.sentences.size(), 1u);
  std::filesystem::permissions(directory / "kept", std::filesystem::perms::owner_all);
}

// A limit on the size of files stands in for a full disk.
TEST(NumberMemory, KeepsTheFileWholeWhenTheDiskIsFull) {
  const TemporaryDirectory directory;
  const auto path = directory / "numbers";
  remember(path, 0, 10);
  const std::string before = TemporaryDirectory::contents(path);
  rlimit old_limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  Warnings warnings;
  {
    NumberMemory memory(path, warnings.taker());
    rlimit limit = old_limit;
    limit.rlim_cur = before.size() + 40;  // room for one record and a bit
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
    for (std::uint64_t i = 10; i < 20; ++i) memory.remember(key_of(i), static_cast<std::int64_t>(i * i));
    memory.save();
    memory.save();
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old_limit), 0);
    EXPECT_EQ(known(memory, 0, 20), 20u);
  }
  std::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(warnings.sentences.size(), 1u);
  EXPECT_EQ(TemporaryDirectory::contents(path), before);
}

TEST(NumberMemory, SeveralWritersAtOnce) {
  const TemporaryDirectory directory;
  const auto path = directory / "numbers";
  constexpr std::uint64_t kWriters = 6, kRounds = 40, kEach = 5;
  std::vector<std::thread> writers;
  for (std::uint64_t writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&, writer] {
      for (std::uint64_t round = 0; round < kRounds; ++round) {
        const std::uint64_t from = (writer * kRounds + round) * kEach;
        remember(path, from, from + kEach);
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  constexpr std::uint64_t kAll = kWriters * kRounds * kEach;
  const NumberMemory memory(path);
  EXPECT_EQ(known(memory, 0, kAll), kAll);
  EXPECT_EQ(std::filesystem::file_size(path), 32u * (kAll + 1));
}

// As above with whole processes, some of which are killed while they write.
TEST(NumberMemory, SurvivesWritersThatAreKilled) {
  const TemporaryDirectory directory;
  const auto path = directory / "numbers";
  std::vector<pid_t> children;
  for (std::uint64_t child = 0; child < 4; ++child) {
    const pid_t process = ::fork();
    ASSERT_GE(process, 0);
    if (process == 0) {
      NumberMemory memory(path);
      for (std::uint64_t i = 0; i < (child % 2 == 0 ? 50'000u : 200u); ++i) {
        memory.remember(key_of(child * 1'000'000 + i), 0);
        memory.save();
      }
      ::_exit(0);
    }
    children.push_back(process);
  }
  int status = 0;
  ::waitpid(children[1], &status, 0);
  EXPECT_EQ(status, 0);
  ::waitpid(children[3], &status, 0);
  EXPECT_EQ(status, 0);
  ::kill(children[0], SIGKILL);
  ::kill(children[2], SIGKILL);
  ::waitpid(children[0], &status, 0);
  ::waitpid(children[2], &status, 0);
  const NumberMemory memory(path);
  for (std::uint64_t child = 1; child < 4; child += 2)
    for (std::uint64_t i = 0; i < 200; ++i)
      ASSERT_TRUE(memory.find(key_of(child * 1'000'000 + i)).has_value());
  EXPECT_EQ(std::filesystem::file_size(path), 32u * (memory.size() + 1));
}

}  // namespace
}  // namespace polystep
