#include "runtime/run/training_run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/files.hpp"
#include "base/line_appender.hpp"
#include "polystep/error.hpp"
#include "polystep/solver_monitor.hpp"
#include "runtime/plan/run_plan.hpp"
#include "runtime/run/checkpoint_pace.hpp"
#include "runtime/run/model_file.hpp"
#include "runtime/run/result_file.hpp"
#include "runtime/run/sealed_file.hpp"
#include "runtime/run/training_session.hpp"

namespace polystep {
namespace {

constexpr const char* kCheckpointMagic = "PSTEPCKP";
constexpr std::uint32_t kCheckpointVersion = 4;

using Clock = std::chrono::steady_clock;

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

TrainingRun::TrainingRun(RunRequest request, Team& team) : request_(std::move(request)), team_(team) {
  const Clock::time_point begin = Clock::now();
  task_ = make_task(request_);
  double planning_seconds = 0;
  if (request_.budget) {
    const double reading_seconds = seconds_since(begin);
    plan_run(task_, request_, reading_seconds, team);
    planning_seconds = seconds_since(begin) - reading_seconds;
  }
  identity_ = identity_of(request_);
  session_ = std::make_unique<TrainingSession>(task_, *request_.method, request_.method_options,
                                               request_.seed, team);
  setup_seconds_ = seconds_since(begin) - planning_seconds;
}

// Shows what is being solved before the first step and after the last, and stops it on request.
class TrainingRun::WorkWatch final : public Watch {
 public:
  WorkWatch(const RunControls& controls, Team& team)
      : controls_(controls), team_(team), progress_(controls.progress) {}

  void begin(const std::string& part) {
    part_ = part + ", batch";
    show(0, 0);
  }

  bool stop(std::size_t done, std::size_t of) override {
    show(done, of);
    return team_.agreed(controls_.interrupted && controls_.interrupted());
  }

 private:
  void show(std::size_t done, std::size_t of) {
    ProgressState state;
    state.unit = part_;
    state.step = static_cast<std::int64_t>(done);
    state.steps = static_cast<std::int64_t>(of);
    state.timed = false;  // parts differ: what one took says little of the next
    progress_.update(state);
  }

  const RunControls& controls_;
  Team& team_;
  Progress progress_;
  std::string part_;
};

// Does a part of the preparation, or all of it, under a watch. False where that said stop.
bool TrainingRun::watched(const RunControls& controls, const std::function<void()>& work,
                          const std::function<void()>& checkpoint) {
  WorkWatch watch(controls, team_);
  const Watching watching(team_, &watch);
  Preparation& preparation = session_->preparation();
  const Clock::time_point begin = Clock::now();
  CheckpointPace pace(controls.checkpoint_seconds, 0);
  preparation.on_begin = [&](const std::string& part) { watch.begin("preparing " + part); };
  preparation.on_end = [&] {
    const double now = seconds_since(begin);
    if (!checkpoint || !pace.due(now)) return;
    checkpoint();
    pace.written(now, seconds_since(begin));
  };
  bool done = false;
  try {
    work();
    done = true;
  } catch (const Stopped&) {
    if (checkpoint) checkpoint();
  }
  preparation.on_begin = {};
  preparation.on_end = {};
  setup_seconds_ += seconds_since(begin);
  return done;
}

bool TrainingRun::try_solver(const RunControls& controls) {
  return watched(controls, [&] { session_->try_solver(); }, {});
}

bool TrainingRun::prepare(const RunControls& controls, const std::function<void()>& checkpoint) {
  return watched(
      controls, [&] { session_->prepare(); }, checkpoint);
}

std::optional<TrainingResult> TrainingRun::measure(const RunControls& controls) {
  WorkWatch watch(controls, team_);
  const Watching watching(team_, &watch);
  watch.begin("measuring");
  try {
    return session_->finish("time");
  } catch (const Stopped&) {
    return {};
  }
}

RunOutcome TrainingRun::execute(const RunDirectory& directory, bool resume, const RunControls& controls) {
  TrainingSession& session = *session_;
  Restored restored;
  if (resume && std::filesystem::exists(directory.checkpoint()))
    restored = read_checkpoint(directory, identity_, session);
  write_config(directory.config(), to_config(request_));
  if (SolverMonitor* monitor = task_.problem->monitor()) monitor->log_to(directory.solver_log());
  LineAppender metrics(directory.metrics(), restored.metrics_bytes);
  const auto checkpoint = [&] {
    write_checkpoint(directory, metrics, describe_state(identity_, metrics, session));
  };
  if (!restored.training && !prepare(controls, checkpoint))
    return {.interrupted = true, .result_json = "", .summary = ""};
  const std::size_t first_step = session.loop().step();
  Progress progress(controls.progress);
  const auto record = [&](const LoopEvent& event) {
    metrics.append(metrics_line(event, session.train_seconds()));
    progress.update(progress_of(session, first_step));
  };
  if (!restored.training) record(session.start());
  const Clock::time_point begin = Clock::now();
  CheckpointPace pace(controls.checkpoint_seconds, 0);
  bool out_of_time = false;
  while (!session.finished() && !out_of_time) {
    // A session whose step threw is half way through it; what it was before is still sound.
    std::optional<ArchiveWriter> sound;
    if (controls.save_on_failure) sound = describe_state(identity_, metrics, session);
    bool interrupted = false;
    try {
      record(session.advance());
      interrupted = team_.agreed(controls.interrupted && controls.interrupted());
    } catch (...) {
      if (sound) write_checkpoint(directory, metrics, *sound);
      throw;
    }
    if (interrupted) {
      progress.finish(progress_of(session, first_step));
      checkpoint();
      return {.interrupted = true, .result_json = "", .summary = ""};
    }
    if (const double now = seconds_since(begin); pace.due(now)) {
      checkpoint();
      pace.written(now, seconds_since(begin));
    }
    out_of_time = team_.agreed(request_.max_seconds && session.train_seconds() >= *request_.max_seconds);
  }
  progress.finish(progress_of(session, first_step));
  checkpoint();
  const std::optional<TrainingResult> measured = measure(controls);
  if (!measured) return {.interrupted = true, .result_json = "", .summary = ""};
  const TrainingResult& result = *measured;
  write_model(directory.model().string(),
              describe_model(*task_.predictor, task_.data, result.parameters, result.failure_cost));
  RunOutcome outcome;
  outcome.result_json = render_result(request_, task_, result, setup_seconds_);
  outcome.summary = describe_result(request_, task_, result, setup_seconds_);
  write_file(directory.result(), outcome.result_json);
  return outcome;
}

}  // namespace polystep
