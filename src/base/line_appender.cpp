#include "base/line_appender.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <string>

#include "base/files.hpp"
#include "base/write_all.hpp"
#include "polystep/error.hpp"

namespace polystep {

LineAppender::LineAppender(std::filesystem::path path, std::uint64_t keep_bytes)
    : path_(std::move(path)),
      file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)),
      offset_(keep_bytes) {
  if (!file_.open()) throw_system_error("cannot write", path_);
  struct stat status {};
  if (::fstat(file_.number(), &status) != 0) throw_system_error("cannot write", path_);
  regular_ = S_ISREG(status.st_mode);
  if (!regular_) return;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size < keep_bytes) {
    throw InputError(fmt::format(
        "{} has {} bytes, expected at least {}: it was shortened after the checkpoint was written",
        path_.string(), size, keep_bytes));
  }
  if (::ftruncate(file_.number(), static_cast<off_t>(keep_bytes)) != 0)
    throw_system_error("cannot cut", path_);
}

void LineAppender::append(std::string_view line) {
  std::string bytes(line);
  bytes += '\n';
  if (!write_all(file_.number(), bytes)) {
    const int reason = errno;
    // Best effort: half a line would make the whole file unreadable for strict readers.
    if (regular_ && ::ftruncate(file_.number(), static_cast<off_t>(offset_)) != 0) errno = reason;
    errno = reason;
    throw_system_error("cannot write", path_);
  }
  offset_ += bytes.size();
}

void LineAppender::sync() {
  if (regular_ && ::fsync(file_.number()) != 0) throw_system_error("cannot write", path_);
}

}  // namespace polystep
