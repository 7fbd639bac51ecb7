#include "base/number_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/checksum.hpp"
#include "base/console.hpp"
#include "base/write_all.hpp"

namespace polystep {
namespace {

constexpr std::size_t kRecord = 32;  // bytes: key, number, checksum; the header is as long
constexpr std::string_view kHeader = "PolyStepOR numbers by key, v. 1\n";
static_assert(kHeader.size() == kRecord);

void put_word(std::string& bytes, std::uint64_t word) {
  for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(word >> shift & 0xff);
}

std::uint64_t word_at(std::string_view bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 8; ++i)
    word |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return word;
}

// Keeps other processes out while it lives.
class FileLock {
 public:
  FileLock(int file, int operation) : file_(file) {
    int result = 0;
    do {
      result = ::flock(file, operation);
    } while (result != 0 && errno == EINTR);
    held_ = result == 0;
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock() {
    if (held_) ::flock(file_, LOCK_UN);
  }
  bool held() const { return held_; }

 private:
  int file_;
  bool held_;
};

bool read_all(int file, std::string& bytes) {
  char buffer[1 << 16];
  for (off_t offset = 0;;) {
    const ssize_t got = ::pread(file, buffer, sizeof(buffer), offset);
    if (got == 0) return true;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    bytes.append(buffer, static_cast<std::size_t>(got));
    offset += got;
  }
}

}  // namespace

NumberMemory::NumberMemory(std::filesystem::path path, Warn warn)
    : path_(std::move(path)), warn_(std::move(warn)) {
  open();
}

void NumberMemory::give_up(const std::string& reason) {
  file_ = FileDescriptor();
  unsaved_.clear();
  const std::string sentence =
      fmt::format("{} cannot be used to remember results ({}); going on without", path_.string(), reason);
  if (warn_) {
    warn_(sentence);
  } else {
    print_err("warning: {}\n", sentence);
  }
}

void NumberMemory::open() {
  std::error_code ignored;  // opening the file says what is wrong
  if (path_.has_parent_path()) std::filesystem::create_directories(path_.parent_path(), ignored);
  file_ = FileDescriptor(::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666));
  if (!file_.open()) {
    const int reason = errno;
    const FileDescriptor old(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    std::string bytes;
    if (old.open() && read_all(old.number(), bytes)) take(bytes);
    return give_up(std::strerror(reason));
  }
  struct stat status {};
  if (::fstat(file_.number(), &status) != 0) return give_up(std::strerror(errno));
  if (!S_ISREG(status.st_mode)) return give_up("it is not a file");

  std::string reason;
  if (!read_locked(reason)) give_up(reason);
}

bool NumberMemory::read_locked(std::string& reason) {
  const FileLock lock(file_.number(), LOCK_EX);
  std::string bytes;
  bool works = lock.held() && read_all(file_.number(), bytes);
  if (works && bytes.size() < kRecord && kHeader.starts_with(bytes)) {  // new, or its header was cut short
    works = ::ftruncate(file_.number(), 0) == 0 && write_all(file_.number(), kHeader);
  } else if (works && !take(bytes)) {
    reason = "it is a file of another kind";
    return false;
  } else if (works && bytes.size() % kRecord != 0) {
    works = ::ftruncate(file_.number(), static_cast<off_t>(bytes.size() - bytes.size() % kRecord)) == 0;
  }
  if (!works) reason = std::strerror(errno);
  return works;
}

// False where the bytes are not those of such a file.
bool NumberMemory::take(const std::string& bytes) {
  if (!bytes.starts_with(kHeader)) return false;
  const std::string_view all = bytes;
  for (std::size_t at = kRecord; at + kRecord <= all.size(); at += kRecord) {
    const std::string_view record = all.substr(at, kRecord);
    if (word_at(record.substr(24)) != checksum(record.substr(0, 24))) continue;
    numbers_[{word_at(record), word_at(record.substr(8))}] =
        static_cast<std::int64_t>(word_at(record.substr(16)));
  }
  return true;
}

std::optional<std::int64_t> NumberMemory::find(const ContentKey& key) const {
  const auto found = numbers_.find(key);
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

void NumberMemory::remember(const ContentKey& key, std::int64_t number) {
  if (!numbers_.insert_or_assign(key, number).second || !file_.open()) return;
  const std::size_t start = unsaved_.size();
  put_word(unsaved_, key.first);
  put_word(unsaved_, key.second);
  put_word(unsaved_, static_cast<std::uint64_t>(number));
  put_word(unsaved_, checksum(std::string_view(unsaved_).substr(start)));
}

void NumberMemory::save() {
  if (!file_.open() || unsaved_.empty()) return;
  std::string reason;
  if (append_locked(reason)) {
    unsaved_.clear();
  } else {
    give_up(reason);
  }
}

bool NumberMemory::append_locked(std::string& reason) {
  const FileLock lock(file_.number(), LOCK_EX);
  struct stat status {};
  if (!lock.held() || ::fstat(file_.number(), &status) != 0) {
    reason = std::strerror(errno);
    return false;
  }
  // Another process may have died while writing: whole records only, behind a header.
  const auto whole = status.st_size - status.st_size % static_cast<off_t>(kRecord);
  const bool cut = whole == status.st_size || ::ftruncate(file_.number(), whole) == 0;
  if (cut && (whole != 0 || write_all(file_.number(), kHeader)) && write_all(file_.number(), unsaved_))
    return true;
  reason = std::strerror(errno);
  if (::ftruncate(file_.number(), whole) != 0) reason += ", and it could not be cut back";
  return false;
}

}  // namespace polystep
