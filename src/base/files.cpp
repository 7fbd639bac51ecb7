#include "base/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include "base/file_descriptor.hpp"
#include "base/write_all.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kTemporaryMark = ".tmp-";

FileDescriptor open_retrying(const fs::path& path, int flags, mode_t mode = 0) {
  int number = -1;
  do {
    number = ::open(path.c_str(), flags | O_CLOEXEC, mode);
  } while (number < 0 && errno == EINTR);
  return FileDescriptor(number);
}

// Removes the temporary file on every way out but success.
class TemporaryFile {
 public:
  explicit TemporaryFile(fs::path path) : path_(std::move(path)) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (!kept_) ::unlink(path_.c_str());
  }
  const fs::path& path() const { return path_; }
  void keep() { kept_ = true; }

 private:
  fs::path path_;
  bool kept_ = false;
};

// A name no other writer uses: processes differ in their id, writers within one in the counter.
fs::path temporary_path(const fs::path& target) {
  static std::atomic<std::uint64_t> counter{0};
  const std::string name =
      fmt::format(".{}{}{}-{}", target.filename().string(), kTemporaryMark, ::getpid(), counter++);
  return target.parent_path() / name;
}

fs::path parent_or_here(const fs::path& path) {
  return path.parent_path().empty() ? fs::path(".") : path.parent_path();
}

// Makes the renaming itself survive a power cut. File systems that cannot sync a directory say EINVAL.
void sync_directory(const fs::path& directory, const fs::path& target) {
  const FileDescriptor handle = open_retrying(directory, O_RDONLY | O_DIRECTORY);
  if (!handle.open()) throw_system_error("cannot write", target);
  if (::fsync(handle.number()) != 0 && errno != EINVAL && errno != ENOTSUP) {
    throw_system_error("cannot write", target);
  }
}

void write_straight(const fs::path& path, std::string_view bytes) {
  FileDescriptor file = open_retrying(path, O_WRONLY);
  if (!file.open() || !write_all(file.number(), bytes) || !file.close())
    throw_system_error("cannot write", path);
}

void replace(const fs::path& target, std::string_view bytes) {
  TemporaryFile temporary(temporary_path(target));
  FileDescriptor file = open_retrying(temporary.path(), O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (!file.open()) {
    temporary.keep();  // not ours to remove
    throw_system_error("cannot write", target);
  }
  if (!write_all(file.number(), bytes) || ::fsync(file.number()) != 0 || !file.close()) {
    throw_system_error("cannot write", target);
  }
  if (::rename(temporary.path().c_str(), target.c_str()) != 0) throw_system_error("cannot write", target);
  temporary.keep();
  sync_directory(parent_or_here(target), target);
}

}  // namespace

void throw_system_error(std::string_view action, const fs::path& path) {
  const std::string reason = std::generic_category().message(errno);
  throw InputError(fmt::format("{} {}: {}", action, path.string(), reason));
}

std::string read_file(const fs::path& path) {
  const FileDescriptor file = open_retrying(path, O_RDONLY);
  if (!file.open()) throw_system_error("cannot read", path);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) throw_system_error("cannot read", path);
  if (S_ISDIR(status.st_mode))
    throw InputError(fmt::format("{} is a directory, expected a file", path.string()));
  std::string bytes;
  if (S_ISREG(status.st_mode)) bytes.reserve(static_cast<std::size_t>(status.st_size));
  std::array<char, 65536> buffer;
  while (true) {
    const ssize_t count = ::read(file.number(), buffer.data(), buffer.size());
    if (count == 0) return bytes;
    if (count > 0) {
      bytes.append(buffer.data(), static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      throw_system_error("cannot read", path);
    }
  }
}

void write_file(const fs::path& path, std::string_view bytes) {
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    throw InputError(fmt::format("cannot write {}: it is a directory, expected a file", path.string()));
  }
  if (exists && !S_ISREG(status.st_mode)) {
    write_straight(path, bytes);
    return;
  }
  std::error_code failed;
  const fs::path target = exists ? fs::canonical(path, failed) : path;
  replace(failed ? path : target, bytes);
}

bool is_temporary_name(std::string_view name, std::string_view target) {
  return name.starts_with(fmt::format(".{}{}", target, kTemporaryMark));
}

void make_directories(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) {
    throw InputError(fmt::format("cannot create directory {}: {}", directory.string(), error.message()));
  }
  if (!fs::is_directory(directory, error)) {
    throw InputError(fmt::format("{} is a file, expected a directory", directory.string()));
  }
}

void ensure_writable_directory(const fs::path& directory) {
  make_directories(directory);
  const TemporaryFile probe(temporary_path(directory / "writable"));
  FileDescriptor file = open_retrying(probe.path(), O_WRONLY | O_CREAT | O_EXCL, 0666);
  constexpr std::string_view kSomeBytes = "a byte is not enough to notice a full disk on every file system";
  if (!file.open() || !write_all(file.number(), kSomeBytes) || !file.close()) {
    throw_system_error("cannot write into directory", directory);
  }
}

void remove_file(const fs::path& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) throw_system_error("cannot remove", path);
}

}  // namespace polystep
