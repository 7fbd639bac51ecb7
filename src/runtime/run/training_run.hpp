// A training run that lives in a directory: it writes what it does, survives being killed, and resumes to the
// same bits.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "runtime/run/progress.hpp"
#include "runtime/run/run_directory.hpp"
#include "runtime/run/run_request.hpp"
#include "runtime/run/training_session.hpp"

namespace polystep {

struct RunControls {
  // At most this much work is lost when the process is killed, or 19 times what a checkpoint takes to write.
  double checkpoint_seconds = 5;
  std::function<bool()>
      interrupted;  // asked while it prepares and after every step; true: checkpoint and stop
  ProgressStyle progress = ProgressStyle::kQuiet;
  bool save_on_failure = false;  // where a step throws, checkpoint what was before it, then let it out
};

struct RunOutcome {
  bool interrupted = false;  // a checkpoint was written, but no result
  std::string result_json;   // text of result.json
  std::string summary;       // the same for a person
};

class TrainingRun {
 public:
  // Loads the data and sets up everything that can be refused, and writes nothing: by the time a directory is
  // touched, the request is known to be sound. Settles the request's open options and fits them to its
  // budget.
  TrainingRun(RunRequest request, Team& team);

  const RunRequest& request() const { return request_; }

  // Solves the first part of a new run's preparation, before its directory is touched: a solver that solves
  // nothing is refused here. False where it was stopped; nothing is written then.
  bool try_solver(const RunControls& controls);

  // Trains into the directory, from its checkpoint where `resume` is set and there is one.
  RunOutcome execute(const RunDirectory& directory, bool resume, const RunControls& controls);

 private:
  class WorkWatch;

  bool watched(const RunControls& controls, const std::function<void()>& work,
               const std::function<void()>& checkpoint);

  // False where it was stopped: what was found so far is then in the checkpoint.
  bool prepare(const RunControls& controls, const std::function<void()>& checkpoint);

  // The test figures; nothing where it was stopped. The checkpoint is that of the last step then.
  std::optional<TrainingResult> measure(const RunControls& controls);

  RunRequest request_;
  Team& team_;
  double setup_seconds_ = 0;
  Task task_;
  std::string identity_;  // what a checkpoint must agree with
  std::unique_ptr<TrainingSession> session_;
};

}  // namespace polystep
