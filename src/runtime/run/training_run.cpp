#include "runtime/run/training_run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/files.hpp"
#include "base/line_appender.hpp"
#include "polystep/error.hpp"
#include "polystep/solver_monitor.hpp"
#include "runtime/plan/fidelity.hpp"
#include "runtime/plan/run_plan.hpp"
#include "runtime/run/checkpoint_pace.hpp"
#include "runtime/run/model_file.hpp"
#include "runtime/run/result_file.hpp"
#include "runtime/run/sealed_file.hpp"
#include "runtime/run/training_session.hpp"

namespace polystep {
namespace {

constexpr const char* kCheckpointMagic = "PSTEPCKP";
constexpr std::uint32_t kCheckpointVersion = 6;

using Clock = std::chrono::steady_clock;

constexpr double kSilence = 1;  // seconds: what is refused or done at once shows nothing on the way

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// A checkpoint says whose it is, how long metrics.jsonl was, and what the session's state is.
ArchiveWriter describe_state(const std::string& identity, const LineAppender& metrics,
                             const TrainingSession& session) {
  ArchiveWriter archive;
  archive.put(identity);
  archive.put<std::uint64_t>(metrics.offset());
  session.save(archive);
  return archive;
}

// The same of a session whose training has not begun, or is not to be counted.
ArchiveWriter describe_preparation(const std::string& identity, const LineAppender& metrics,
                                   const TrainingSession& session) {
  ArchiveWriter archive;
  archive.put(identity);
  archive.put<std::uint64_t>(metrics.offset());
  session.save_preparation(archive);
  return archive;
}

void write_checkpoint(const RunDirectory& directory, LineAppender& metrics, const ArchiveWriter& state) {
  metrics.sync();  // a checkpoint must not know more lines than the disk
  write_sealed(directory.checkpoint(), kCheckpointMagic, kCheckpointVersion, state.bytes());
}

// How much of metrics.jsonl belongs to a restored state, and whether training had begun in it.
struct Restored {
  std::uint64_t metrics_bytes = 0;
  bool training = false;
};

Restored read_checkpoint(const RunDirectory& directory, const std::string& identity,
                         TrainingSession& session) {
  const std::string path = directory.checkpoint().string();
  const auto payload = read_sealed(path, kCheckpointMagic, kCheckpointVersion, "a checkpoint");
  ArchiveReader archive(payload, path);
  if (archive.get_text() != identity)
    throw InputError(path + " belongs to a run with other settings, expected those of config.toml beside it");
  Restored restored;
  restored.metrics_bytes = archive.get<std::uint64_t>();
  restored.training = session.load(archive);
  if (!archive.exhausted())
    throw InputError(path + " has more content than this run's state, expected its end");
  return restored;
}

std::string metrics_line(const LoopEvent& event, double seconds) {
  nlohmann::ordered_json line;
  line["step"] = event.step;
  line["seconds"] = seconds;
  for (const auto& [name, value] : event.report.figures) line[name] = value;
  if (event.report.flip_rate) line["flip_rate"] = *event.report.flip_rate;
  if (event.report.solves.requested != 0) {
    line["solves_requested"] = event.report.solves.requested;
    line["solves_certified"] = event.report.solves.certified;
    line["solves_failed"] = event.report.solves.failed;
  }
  if (event.validation) {
    line["validation_cost"] = event.validation->cost;
    line["improved"] = event.improved;
  }
  return line.dump();
}

ProgressState progress_of(const TrainingSession& session, std::size_t first_step) {
  ProgressState state;
  state.step = static_cast<std::int64_t>(session.loop().step());
  state.steps = static_cast<std::int64_t>(session.loop().plan().steps);
  state.first_step = static_cast<std::int64_t>(first_step);
  state.validation_cost = session.loop().best_validation_cost();
  state.flip_rate = session.loop().recent_flip_rate();
  return state;
}

}  // namespace

// What is left of a training, from what its steps took so far. Early steps are of another kind than the rest:
// before the first of those is taken, what they ask the solver for says how long they will take. Where steps
// learn beside solving, and some far more than others, both are told apart.
class TrainingRun::StepClock {
 public:
  StepClock(const TrainingSession& session, const Team& team, double call_seconds)
      : session_(session),
        counted_(session.counted()),
        plan_(session.loop().plan()),
        call_seconds_(call_seconds) {
    for (std::size_t step = 0; step < plan_.steps; ++step) learns_ |= session_.learning_units(step) > 0;
    if (learns_)
      unit_seconds_ = session_.learning_unit_seconds() / static_cast<double>(team.threads() * team.ranks());
  }

  void took(std::size_t step, double seconds) {
    Kind& kind = learning_now_ > 0 ? learning_ : step < plan_.early_steps ? early_ : late_;
    kind.seconds += seconds;
    kind.units += learning_now_;
    ++kind.steps;
  }

  // From the given step on, which is the next to be taken.
  std::optional<double> left(std::size_t step) {
    learning_now_ = learns_ ? session_.learning_units(step) : 0;
    if (learns_) return left_with_learning(step);
    if (early_.steps + late_.steps == 0) {  // only a count, of which the first step asks for much besides
      if (!counted_ || plan_.early_steps == 0) return std::nullopt;
      const double share = 1 - static_cast<double>(step) / static_cast<double>(plan_.steps);
      return share * counted_->training() * call_seconds_;
    }
    const std::size_t early = step < plan_.early_steps ? plan_.early_steps - step : 0;
    const std::size_t late = plan_.steps - std::max(step, plan_.early_steps);
    const std::optional<double> a = mean(early_, early, counted_ ? counted_->early_step : -1);
    const std::optional<double> b = mean(late_, late, counted_ ? counted_->step : -1);
    if (!a || !b) return std::nullopt;
    return *a * static_cast<double>(early) + *b * static_cast<double>(late);
  }

 private:
  struct Kind {
    double seconds = 0;
    double units = 0;  // of learning
    std::size_t steps = 0;
  };

  // Every step asks; those that learn do that besides.
  double left_with_learning(std::size_t step) const {
    double asking = counted_ ? counted_->step * call_seconds_ : 0;
    if (late_.steps > 0) asking = late_.seconds / static_cast<double>(late_.steps);
    double unit = unit_seconds_;
    if (learning_.units > 0)
      unit =
          std::max(0.0, learning_.seconds - static_cast<double>(learning_.steps) * asking) / learning_.units;
    double units = 0;
    for (std::size_t later = step; later < plan_.steps; ++later) units += session_.learning_units(later);
    return static_cast<double>(plan_.steps - step) * asking + units * unit;
  }

  // Counts are upper bounds where solves can be proven unnecessary, hence no forecast without early steps.
  std::optional<double> mean(const Kind& kind, std::size_t left, double calls) const {
    if (left == 0) return 0.0;
    if (kind.steps > 0) return kind.seconds / static_cast<double>(kind.steps);
    if (calls < 0 || plan_.early_steps == 0) return std::nullopt;
    return calls * call_seconds_;
  }

  const TrainingSession& session_;
  std::optional<CountedCalls> counted_;
  TrainingPlan plan_;
  double call_seconds_;
  bool learns_ = false;
  double unit_seconds_ = 0;  // by a try
  double learning_now_ = 0;  // units of the step under way
  Kind early_, late_, learning_;
};

TrainingRun::TrainingRun(RunRequest request, Team& team, RunControls controls)
    : request_(std::move(request)),
      team_(team),
      controls_(std::move(controls)),
      watch_({.interrupted = controls_.interrupted,
              .seconds = request_.max_seconds.value_or(std::numeric_limits<double>::infinity()),
              .progress = controls_.progress,
              .silence = kSilence}) {
  const Clock::time_point begin = Clock::now();
  {
    const Watching watching(team_, &watch_);
    task_ = make_task(request_);
  }
  const double reading_seconds = seconds_since(begin);
  // Where there is no time even for this, there is none for what it would have chosen either.
  const Ended ended = watched([&] {
    watch_.stage("timing a few solves");
    settle_fidelity(task_, request_, reading_seconds, team);
    if (!request_.budget) return;
    watch_.stage("rehearsing");
    plan_run(task_, request_, reading_seconds, team);
  });
  watch_.clear();
  if (ended == Ended::kInterrupted) throw Stopped();
  const double planning_seconds = seconds_since(begin) - reading_seconds;
  identity_ = identity_of(request_);
  session_ = std::make_unique<TrainingSession>(task_, *request_.method, request_.method_options,
                                               request_.seed, team);
  setup_seconds_ = seconds_since(begin) - planning_seconds;
}

TrainingRun::Ended TrainingRun::watched(const std::function<void()>& work) {
  const Watching watching(team_, &watch_);
  try {
    work();
    return Ended::kFinished;
  } catch (const Stopped&) {
    return watch_.interrupted() ? Ended::kInterrupted : Ended::kOutOfTime;
  }
}

// Out of time there is still something to hand over, so that is no reason to write nothing.
bool TrainingRun::try_solver() {
  const Clock::time_point begin = Clock::now();
  Preparation& preparation = session_->preparation();
  preparation.on_begin = [&](const std::string& part) { watch_.stage("preparing " + part); };
  tried_ = watched([&] { session_->try_solver(); });
  preparation.on_begin = {};
  watch_.clear();
  setup_seconds_ += seconds_since(begin);
  return tried_ != Ended::kInterrupted;
}

TrainingRun::Ended TrainingRun::prepare(const std::function<void()>& checkpoint) {
  Preparation& preparation = session_->preparation();
  const Clock::time_point begin = Clock::now();
  CheckpointPace pace(controls_.checkpoint_seconds, 0);
  preparation.on_begin = [&](const std::string& part) { watch_.stage("preparing " + part); };
  preparation.on_end = [&] {
    const double now = seconds_since(begin);
    if (!pace.due(now)) return;
    checkpoint();
    pace.written(now, seconds_since(begin));
  };
  const Ended ended = watched([&] { session_->prepare(); });
  preparation.on_begin = {};
  preparation.on_end = {};
  setup_seconds_ += seconds_since(begin);
  return ended;
}

// Training leaves as much of the time allowed as the figures at the end will take, at most half of it.
void TrainingRun::reserve_evaluation() {
  const double allowed = watch_.seconds_allowed();
  if (!std::isfinite(allowed)) return;
  constexpr double kCaution = 1.2;
  double rows = 2 * static_cast<double>(task_.data.test.rows);
  if (task_.problem->facts().has_recourse) rows += static_cast<double>(task_.data.validation.rows);
  watch_.end_at(allowed - std::min(kCaution * rows * call_seconds_, allowed / 2));
}

RunOutcome TrainingRun::hand_over(const RunDirectory& directory, const TrainingResult& result) const {
  write_model(directory.model().string(),
              describe_model(*task_.predictor, task_.data, result.parameters, result.failure_cost));
  RunOutcome outcome;
  outcome.result_json = render_result(request_, task_, result, setup_seconds_);
  outcome.summary = describe_result(request_, task_, result, setup_seconds_);
  write_file(directory.result(), outcome.result_json);
  return outcome;
}

// Where even that takes solves, a checkpoint must do.
RunOutcome TrainingRun::hand_over_start(const RunDirectory& directory) {
  const std::optional<TrainingResult> start = session_->unsolved_start();
  if (!start) return {.interrupted = true, .result_json = "", .summary = ""};
  return hand_over(directory, *start);
}

// A session that was stopped in a step, or whose step threw, is half way through it. What it was before is
// still sound: that is kept in memory, as often as it costs little, and is what the checkpoint then holds.
TrainingRun::Ended TrainingRun::take_steps(const RunDirectory& directory, LineAppender& metrics) {
  constexpr double kBetweenSnapshots = 0.05;  // seconds
  TrainingSession& session = *session_;
  const std::size_t first_step = session.loop().step();
  StepClock clock(session, team_, call_seconds_);
  const Clock::time_point begin = Clock::now();
  const auto describe = [&] { return describe_state(identity_, metrics, session); };
  ArchiveWriter sound = describe();
  CheckpointPace pace(controls_.checkpoint_seconds, 0);
  CheckpointPace snapshots(controls_.save_on_failure ? 0 : kBetweenSnapshots, 0);
  while (!session.finished()) {
    const std::size_t step = session.loop().step();
    const double before = seconds_since(begin);
    if (snapshots.due(before)) {
      sound = describe();
      snapshots.written(before, seconds_since(begin));
    }
    watch_.show(progress_of(session, first_step), clock.left(step));
    LoopEvent event;
    Ended ended = Ended::kFinished;
    try {
      ended = watched([&] { event = session.advance(); });
    } catch (...) {
      if (controls_.save_on_failure) write_checkpoint(directory, metrics, sound);
      throw;
    }
    if (ended != Ended::kFinished) {
      write_checkpoint(directory, metrics, sound);
      return ended;
    }
    metrics.append(metrics_line(event, session.train_seconds()));
    const double now = seconds_since(begin);
    clock.took(step, now - before);
    if (call_seconds_ == 0 && event.report.solves.performed != 0) {
      call_seconds_ = (now - before) / static_cast<double>(event.report.solves.performed);
      reserve_evaluation();
    }
    if (team_.agreed(watch_.out_of_time())) ended = Ended::kOutOfTime;
    if (team_.agreed(watch_.interrupted())) ended = Ended::kInterrupted;
    if (ended != Ended::kFinished || pace.due(now)) {
      write_checkpoint(directory, metrics, describe());
      pace.written(now, seconds_since(begin));
    }
    if (ended != Ended::kFinished) return ended;
  }
  watch_.finish(progress_of(session, first_step));
  write_checkpoint(directory, metrics, describe());
  return Ended::kFinished;
}

RunOutcome TrainingRun::execute(const RunDirectory& directory, bool resume) {
  TrainingSession& session = *session_;
  const RunOutcome interrupted{.interrupted = true, .result_json = "", .summary = ""};
  Restored restored;
  const Ended found = watched([&] {
    if (resume && std::filesystem::exists(directory.checkpoint()))
      restored = read_checkpoint(directory, identity_, session);
  });
  if (found != Ended::kFinished) return interrupted;  // the checkpoint is as it was
  write_config(directory.config(), to_config(request_));
  if (SolverMonitor* monitor = task_.problem->monitor()) monitor->log_to(directory.solver_log());
  LineAppender metrics(directory.metrics(), restored.metrics_bytes);
  call_seconds_ = request_.chosen ? request_.chosen->seconds / static_cast<double>(team_.threads()) : 0;
  if (!restored.training) {
    const Ended ended = begin_training(directory, metrics);
    if (ended == Ended::kInterrupted) return interrupted;
    if (ended == Ended::kOutOfTime) return hand_over_start(directory);
  }
  reserve_evaluation();
  if (take_steps(directory, metrics) == Ended::kInterrupted) return interrupted;
  watch_.end_at(watch_.seconds_allowed());
  watch_.stage("deciding the test rows");
  const bool limited = std::isfinite(watch_.seconds_allowed());
  TrainingResult result;
  const Ended ended = watched(
      [&] { result = session.finish("time", limited ? TestExtent::kUntilStopped : TestExtent::kAll); });
  if (ended != Ended::kFinished || watch_.interrupted()) return interrupted;
  watch_.clear();
  return hand_over(directory, result);
}

// Preparation and the validation of the start. What was found of them is in the checkpoint where it was
// stopped.
TrainingRun::Ended TrainingRun::begin_training(const RunDirectory& directory, LineAppender& metrics) {
  TrainingSession& session = *session_;
  const auto checkpoint = [&] {
    write_checkpoint(directory, metrics, describe_preparation(identity_, metrics, session));
  };
  // A session that was stopped half way through trying the solver must not be asked to go on.
  Ended ended = tried_ == Ended::kFinished ? prepare(checkpoint) : tried_;
  if (ended == Ended::kFinished) {
    watch_.stage("validating the start");
    LoopEvent event;
    const Clock::time_point begin = Clock::now();
    ended = watched([&] { event = session.start(); });
    if (ended == Ended::kFinished) {
      if (session.loop().ledger().validation.performed != 0)  // else it was told from what is known already
        call_seconds_ = seconds_since(begin) / static_cast<double>(task_.data.validation.rows);
      metrics.append(metrics_line(event, session.train_seconds()));
      return ended;
    }
  }
  checkpoint();
  return ended;
}

}  // namespace polystep
