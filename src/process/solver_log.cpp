#include "process/solver_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include "base/files.hpp"
#include "base/write_all.hpp"

namespace polystep {

void SolverLog::add(std::string_view speaker, std::string_view line) {
  const std::lock_guard lock(mutex_);
  if (size_ >= kLargest) return;
  put(fmt::format("{}: {}\n", speaker, line));
  if (size_ >= kLargest) put("polystepor: the log is full, further lines are dropped\n");
}

void SolverLog::write_to(const std::filesystem::path& file) {
  const std::lock_guard lock(mutex_);
  FileDescriptor opened(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!opened.open() || !write_all(opened.number(), kept_)) throw_system_error("cannot write", file);
  file_ = std::move(opened);
  kept_.clear();
}

void SolverLog::put(std::string_view text) {
  size_ += text.size();
  // A log that cannot be written is no reason to stop a training.
  if (file_.open())
    write_all(file_.number(), text);
  else
    kept_ += text;
}

}  // namespace polystep
