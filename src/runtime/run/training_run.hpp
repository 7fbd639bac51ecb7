// A training run that lives in a directory: it writes what it does, survives being killed, and resumes to the
// same bits.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "base/line_appender.hpp"
#include "runtime/run/progress.hpp"
#include "runtime/run/run_directory.hpp"
#include "runtime/run/run_request.hpp"
#include "runtime/run/run_watch.hpp"
#include "runtime/run/training_session.hpp"

namespace polystep {

struct RunControls {
  // At most this much work is lost when the process is killed, or 19 times what a checkpoint takes to write.
  double checkpoint_seconds = 5;
  // Asked all the time; true: checkpoint and stop. The solve under way is given up, and with it the step.
  std::function<bool()> interrupted = {};
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
  // touched, the request is known to be sound. Settles the request's open options, by timed solves where they
  // leave that open, and fits them to its budget. The request's max_seconds count from here. Throws Stopped
  // where it is interrupted.
  TrainingRun(RunRequest request, Team& team, RunControls controls = {});

  const RunRequest& request() const { return request_; }

  // Solves the first part of a new run's preparation, before its directory is touched: a solver that solves
  // nothing is refused here. False where it was interrupted; nothing is written then.
  bool try_solver();

  // Trains into the directory, from its checkpoint where `resume` is set and there is one. Where time runs
  // out, the result is what there is by then.
  RunOutcome execute(const RunDirectory& directory, bool resume);

 private:
  class StepClock;
  enum class Ended { kFinished, kInterrupted, kOutOfTime };

  // Does part of the work; says how that ended. What it threw is let out.
  Ended watched(const std::function<void()>& work);
  Ended prepare(const std::function<void()>& checkpoint);
  Ended begin_training(const RunDirectory& directory, LineAppender& metrics);
  Ended take_steps(const RunDirectory& directory, LineAppender& metrics);
  void reserve_evaluation();  // of the time allowed
  RunOutcome hand_over(const RunDirectory& directory, const TrainingResult& result) const;
  RunOutcome hand_over_start(const RunDirectory& directory);

  RunRequest request_;
  Team& team_;
  RunControls controls_;
  RunWatch watch_;
  double setup_seconds_ = 0;
  Task task_;
  std::string identity_;  // what a checkpoint must agree with
  std::unique_ptr<TrainingSession> session_;
  Ended tried_ = Ended::kFinished;  // how trying the solver ended
  double call_seconds_ = 0;         // what a solve takes in this team, as last measured; 0: not yet
};

}  // namespace polystep
