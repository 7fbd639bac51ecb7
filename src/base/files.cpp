#include "base/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <optional>
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

struct ReplacedFile::State {
  fs::path path;    // as given, for messages
  fs::path target;  // what is replaced; empty: a device or pipe, written to directly
  std::optional<TemporaryFile> temporary;
  FileDescriptor file;
};

ReplacedFile::ReplacedFile(const fs::path& path) : state_(std::make_unique<State>()) {
  state_->path = path;
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    throw InputError(fmt::format("cannot write {}: it is a directory, expected a file", path.string()));
  }
  if (exists && !S_ISREG(status.st_mode)) {
    state_->file = open_retrying(path, O_WRONLY);
    if (!state_->file.open()) throw_system_error("cannot write", path);
    return;
  }
  std::error_code failed;
  state_->target = exists ? fs::canonical(path, failed) : path;
  if (failed) state_->target = path;
  const fs::path temporary = temporary_path(state_->target);
  state_->file = open_retrying(temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (!state_->file.open()) throw_system_error("cannot write", state_->target);
  state_->temporary.emplace(temporary);
}

ReplacedFile::~ReplacedFile() = default;

void ReplacedFile::append(std::string_view bytes) {
  if (!write_all(state_->file.number(), bytes)) throw_system_error("cannot write", state_->path);
}

void ReplacedFile::complete() {
  State& state = *state_;
  if (!state.temporary) {
    if (!state.file.close()) throw_system_error("cannot write", state.path);
    return;
  }
  if (::fsync(state.file.number()) != 0 || !state.file.close() ||
      ::rename(state.temporary->path().c_str(), state.target.c_str()) != 0)
    throw_system_error("cannot write", state.target);
  state.temporary->keep();
  sync_directory(parent_or_here(state.target), state.target);
}

void write_file(const fs::path& path, std::string_view bytes) {
  ReplacedFile file(path);
  file.append(bytes);
  file.complete();
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
