// The directory of one run: its files, what state it is in, and who may write there.
//
//   config.toml     what was asked for         checkpoint.bin  where training stands
//   metrics.jsonl   one line per check         model.bin       the trained predictor
//   result.json     written last: the run is finished
//   solver.log      where the solver is a process of its own: what it said and what happened to it
//
// Opening a directory for training takes a lock that the system drops when the process ends, however it ends.
// Nothing but the run's own files is ever deleted.
#pragma once

#include <filesystem>

#include "base/file_descriptor.hpp"

namespace polystep {

enum class RunState {
  kEmpty,       // no directory yet, or nothing in it
  kUnfinished,  // a run without result.json
  kFinished,
  kForeign,  // files, but not those of a run
};

class RunDirectory {
 public:
  // Throws what open_new would, without touching anything: a hopeless place is better known before a long
  // set-up than after it.
  static void refuse_unusable(const std::filesystem::path& directory, bool force);

  // For a new run. An unfinished or finished run in the way is an InputError unless `force`, which deletes
  // its files.
  static RunDirectory open_new(const std::filesystem::path& directory, bool force);

  // To go on with an unfinished run.
  static RunDirectory open_to_resume(const std::filesystem::path& directory);

  // To read a run, finished or not; takes no lock.
  static RunDirectory open_to_read(const std::filesystem::path& directory);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path config() const { return path_ / "config.toml"; }
  std::filesystem::path metrics() const { return path_ / "metrics.jsonl"; }
  std::filesystem::path checkpoint() const { return path_ / "checkpoint.bin"; }
  std::filesystem::path model() const { return path_ / "model.bin"; }
  std::filesystem::path result() const { return path_ / "result.json"; }
  std::filesystem::path solver_log() const { return path_ / "solver.log"; }

 private:
  explicit RunDirectory(std::filesystem::path path) : path_(std::move(path)) {}
  void lock();
  void remove_run_files() const;

  std::filesystem::path path_;
  FileDescriptor lock_;
};

RunState run_state(const std::filesystem::path& directory);

}  // namespace polystep
