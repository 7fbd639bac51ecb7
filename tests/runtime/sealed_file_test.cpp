#include "runtime/run/sealed_file.hpp"

#include <gtest/gtest.h>

#include "input_error.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

constexpr std::string_view kMagic = "PSORTEST";

std::vector<std::byte> sample_payload() {
  std::vector<std::byte> payload;
  for (int i = 0; i < 40; ++i) payload.push_back(static_cast<std::byte>(i * 37));
  return payload;
}

class SealedFile : public testing::Test {
 protected:
  void SetUp() override { write_sealed(path(), kMagic, 2, sample_payload()); }

  std::filesystem::path path() const { return directory_ / "checkpoint.bin"; }
  std::string name() const { return path().string(); }
  std::string bytes() const { return TemporaryDirectory::contents(path()); }
  std::string error(std::string_view magic = kMagic, std::uint32_t version = 2) const {
    return input_error([&] { read_sealed(path(), magic, version, "a checkpoint"); });
  }

  TemporaryDirectory directory_;
};

TEST_F(SealedFile, ReadsBackWhatWasWritten) {
  EXPECT_EQ(read_sealed(path(), kMagic, 2, "a checkpoint"), sample_payload());
  write_sealed(path(), kMagic, 2, {});
  EXPECT_TRUE(read_sealed(path(), kMagic, 2, "a checkpoint").empty());
}

TEST_F(SealedFile, HasADocumentedLayout) {
  const std::string file = bytes();
  ASSERT_EQ(file.size(), 8u + 4 + 8 + 40 + 8);
  EXPECT_EQ(file.substr(0, 8), kMagic);
  EXPECT_EQ(file.substr(8, 4), std::string("\2\0\0\0", 4));
  EXPECT_EQ(file.substr(12, 8), std::string("\50\0\0\0\0\0\0\0", 8));
}

TEST_F(SealedFile, NoticesEveryTruncation) {
  const std::string file = bytes();
  for (std::size_t length = 0; length < file.size(); ++length) {
    directory_.file("checkpoint.bin", file.substr(0, length));
    const std::string expected = length == 0
                                     ? name() + " is empty, expected a checkpoint"
                                     : name() + " is cut short: it ends after " + std::to_string(length) +
                                           " bytes, expected the rest of a checkpoint";
    EXPECT_EQ(error(), expected);
  }
}

TEST_F(SealedFile, NoticesEveryFlippedBit) {
  const std::string file = bytes();
  for (std::size_t i = 0; i < file.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = file;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      directory_.file("checkpoint.bin", damaged);
      const std::string sentence = error();
      EXPECT_TRUE(sentence.starts_with(name() + " ")) << "byte " << i << " bit " << bit << ": " << sentence;
      if (i >= 20) {
        EXPECT_EQ(sentence, name() + " is damaged: its checksum does not match its contents");
      }
    }
  }
}

TEST_F(SealedFile, NoticesTrailingBytes) {
  directory_.file("checkpoint.bin", bytes() + "xyz");
  EXPECT_EQ(error(), name() + " has 3 bytes after the end of a checkpoint, expected none");
}

TEST_F(SealedFile, TellsForeignFilesAndVersionsApart) {
  EXPECT_EQ(error("OTHERMAG"), name() + " is not a checkpoint: it starts with foreign bytes");
  EXPECT_EQ(error(kMagic, 1),
            name() +
                " is a checkpoint of format version 2, expected version 1: it was written by a "
                "newer program");
  EXPECT_EQ(error(kMagic, 3),
            name() +
                " is a checkpoint of format version 2, expected version 3: it was written by an "
                "older program");
  directory_.file("checkpoint.bin", "hello");
  EXPECT_EQ(error(), name() + " is not a checkpoint: it starts with foreign bytes");
}

TEST_F(SealedFile, SaysWhenThereIsNoFile) {
  std::filesystem::remove(path());
  EXPECT_EQ(error(), "cannot read " + name() + ": No such file or directory");
  std::filesystem::create_directory(path());
  EXPECT_EQ(error(), name() + " is a directory, expected a file");
}

TEST_F(SealedFile, RefusesAnAbsurdPayloadLengthWithoutAllocatingIt) {
  std::string file = bytes();
  for (std::size_t i = 12; i < 20; ++i) file[i] = '\xff';
  directory_.file("checkpoint.bin", file);
  EXPECT_NE(error().find("cut short"), std::string::npos);
}

TEST(Checksum, IsFnv1a) {
  EXPECT_EQ(checksum(""), 0xcbf29ce484222325U);
  EXPECT_EQ(checksum("a"), 0xaf63dc4c8601ec8cU);  // published test vectors
  EXPECT_EQ(checksum("foobar"), 0x85944171f73967e8U);
}

}  // namespace
}  // namespace polystep
