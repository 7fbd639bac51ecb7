#include "runtime/run/run_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <system_error>
#include <vector>

#include "base/files.hpp"
#include "base/write_all.hpp"
#include "polystep/error.hpp"
#include "runtime/run/config_file.hpp"

namespace polystep {
namespace fs = std::filesystem;
namespace {

constexpr const char* kLockName = ".lock";

// In the order of deletion: the configuration goes last, so that a directory half cleared is still known as a
// run's.
constexpr std::array<std::string_view, 6> kRunFiles = {"result.json",   "model.bin",  "checkpoint.bin",
                                                       "metrics.jsonl", "solver.log", "config.toml"};

bool is_leftover(const std::string& name) {
  return name == kLockName || is_temporary_name(name, "writable") ||
         std::any_of(kRunFiles.begin(), kRunFiles.end(),
                     [&](std::string_view file) { return is_temporary_name(name, file); });
}

std::vector<std::string> entry_names(const fs::path& directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  if (error)
    throw InputError(fmt::format("cannot read directory {}: {}", directory.string(), error.message()));
  return names;
}

[[noreturn]] void throw_foreign(const fs::path& directory) {
  throw InputError(fmt::format(
      "{} holds files that are not a run's, expected a new or empty directory; nothing was touched",
      directory.string()));
}

void refuse_a_file(const fs::path& directory) {
  std::error_code ignored;
  if (fs::exists(directory, ignored) && !fs::is_directory(directory, ignored)) {
    throw InputError(fmt::format("{} is a file, expected a directory", directory.string()));
  }
}

// A run that must not be lost by accident.
void refuse_existing_run(RunState state, const std::string& name) {
  if (state == RunState::kFinished) {
    throw InputError(
        fmt::format("{} holds a finished run; give --force to replace it or --out another directory", name));
  }
  if (state == RunState::kUnfinished) {
    throw InputError(
        fmt::format("{} holds an unfinished run; give --resume to go on with it, --force to replace it or "
                    "--out another directory",
                    name));
  }
}

void require_run(RunState state, const std::string& name) {
  if (state == RunState::kEmpty) throw InputError(fmt::format("{} holds no run", name));
  if (state == RunState::kForeign) {
    throw InputError(
        fmt::format("{} is not a run directory: it has no config.toml written by polystepor", name));
  }
}

}  // namespace

RunState run_state(const fs::path& directory) {
  std::error_code ignored;
  if (!fs::exists(directory, ignored)) return RunState::kEmpty;
  refuse_a_file(directory);
  const std::vector<std::string> names = entry_names(directory);
  if (std::all_of(names.begin(), names.end(), is_leftover)) return RunState::kEmpty;
  const fs::path config = directory / "config.toml";
  if (!fs::is_regular_file(config, ignored) || !read_file(config).starts_with(kConfigSignature)) {
    return RunState::kForeign;
  }
  return fs::exists(directory / "result.json", ignored) ? RunState::kFinished : RunState::kUnfinished;
}

void RunDirectory::refuse_unusable(const fs::path& directory, bool force) {
  const RunState state = run_state(directory);
  if (state == RunState::kForeign) throw_foreign(directory);
  if (!force) refuse_existing_run(state, directory.string());
}

RunDirectory RunDirectory::open_new(const fs::path& directory, bool force) {
  refuse_unusable(directory, force);  // before anything is written there
  ensure_writable_directory(directory);
  RunDirectory run(directory);
  run.lock();
  const RunState state = run_state(directory);  // again, now that no other run can change it
  if (state == RunState::kForeign) throw_foreign(directory);
  if (!force) refuse_existing_run(state, directory.string());
  run.remove_run_files();
  return run;
}

RunDirectory RunDirectory::open_to_resume(const fs::path& directory) {
  require_run(run_state(directory), directory.string());
  ensure_writable_directory(directory);
  RunDirectory run(directory);
  run.lock();
  if (run_state(directory) == RunState::kFinished) {
    throw InputError(
        fmt::format("{} holds a finished run, expected an unfinished one to resume", directory.string()));
  }
  return run;
}

RunDirectory RunDirectory::open_to_read(const fs::path& directory) {
  require_run(run_state(directory), directory.string());
  return RunDirectory(directory);
}

void RunDirectory::lock() {
  const fs::path file = path_ / kLockName;
  lock_ = FileDescriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!lock_.open()) throw_system_error("cannot write", file);
  if (::flock(lock_.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) throw_system_error("cannot lock", file);
    const std::string holder = read_file(file);
    throw InputError(fmt::format("{} is in use by another run{}; wait for it or give --out another directory",
                                 path_.string(), holder.empty() ? "" : fmt::format(" (process {})", holder)));
  }
  // The number only serves the message above, so failing to write it is no reason to stop.
  if (::ftruncate(lock_.number(), 0) == 0) write_all(lock_.number(), std::to_string(::getpid()));
}

void RunDirectory::remove_run_files() const {
  for (const std::string& name : entry_names(path_)) {
    if (name != kLockName && is_leftover(name)) remove_file(path_ / name);
  }
  for (const std::string_view name : kRunFiles) remove_file(path_ / name);
}

}  // namespace polystep
