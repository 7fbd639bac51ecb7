#include "training_binding.hpp"

#include <pybind11/stl.h>

#include <chrono>
#include <optional>

#include "base/files.hpp"
#include "callable_task.hpp"
#include "polystep/error.hpp"
#include "runtime/run/resumed_run.hpp"
#include "runtime/run/training_run.hpp"

namespace polystep::python {
namespace {

constexpr const char* kWhere = "polystepor.train";

// Everything that decides a run but the data.
struct RunSettings {
  std::string problem;
  std::optional<std::string> method, preset, data, budget;
  std::uint64_t seed = 0;
  std::int64_t threads = 1;
  std::optional<double> max_seconds;
  std::vector<std::pair<std::string, std::string>> options;  // of the problem and the method, as text
  std::string out;
  bool resume = false;
  bool force = false;
};

struct Control {
  double checkpoint_seconds = 5;
  bool progress = false;
  py::function interrupted;  // asked after every step
};

RunRequest resolve(const RunSettings& settings, const ProblemRegistry& problems) {
  RunConfig config;
  config.problem = settings.problem;
  config.method = settings.method;
  config.preset = settings.preset;
  config.data = settings.data;
  config.seed = settings.seed;
  config.threads = settings.threads;
  config.max_seconds = settings.max_seconds;
  config.budget = settings.budget;
  std::vector<GivenOption> given;
  for (const auto& [key, text] : settings.options) given.push_back({key, text, kWhere});
  return resolve_run(problems, config, kWhere, given);
}

RunControls controls_of(const Control& control) {
  RunControls controls;
  controls.checkpoint_seconds = control.checkpoint_seconds;
  controls.progress = progress_style_for_stderr(!control.progress);
  controls.save_on_failure = true;
  // Asked in the middle of solves too, which must not all wait for the interpreter.
  controls.interrupted = [&control, asked = std::chrono::steady_clock::time_point(), last = false]() mutable {
    const auto now = std::chrono::steady_clock::now();
    if (last || now - asked < std::chrono::milliseconds(20)) return last;
    asked = now;
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    last = control.interrupted().cast<bool>();
    return last;
  };
  return controls;
}

// The text of result.json, or nothing where the run was interrupted.
std::optional<std::string> run_training(const RunSettings& settings, const ProblemRegistry& problems,
                                        const Control& control) try {
  RunRequest request = resolve(settings, problems);
  if (settings.resume)
    adopt_choice(request, settings.out, problems);
  else
    RunDirectory::refuse_unusable(settings.out, settings.force);
  const RunState state = run_state(settings.out);
  ThreadTeam team(request.threads);
  TrainingRun run(std::move(request), team, controls_of(control));
  if (settings.resume && state == RunState::kFinished) {
    const RunDirectory directory = RunDirectory::open_to_read(settings.out);
    check_same_run(run.request(), problems, directory, kWhere);
    return read_file(directory.result());
  }
  const bool goes_on = settings.resume && state != RunState::kEmpty;
  if (!goes_on && !run.try_solver()) return std::nullopt;
  const RunDirectory directory = goes_on ? RunDirectory::open_to_resume(settings.out)
                                         : RunDirectory::open_new(settings.out, settings.force);
  if (goes_on) check_same_run(run.request(), problems, directory, kWhere);
  const RunOutcome outcome = run.execute(directory, goes_on);
  if (outcome.interrupted) return std::nullopt;
  return outcome.result_json;
} catch (const Stopped&) {
  return std::nullopt;
}

}  // namespace

void bind_training(py::module_& module) {
  py::class_<RunSettings>(module, "RunSettings")
      .def(py::init<>())
      .def_readwrite("problem", &RunSettings::problem)
      .def_readwrite("method", &RunSettings::method)
      .def_readwrite("preset", &RunSettings::preset)
      .def_readwrite("data", &RunSettings::data)
      .def_readwrite("budget", &RunSettings::budget)
      .def_readwrite("seed", &RunSettings::seed)
      .def_readwrite("threads", &RunSettings::threads)
      .def_readwrite("max_seconds", &RunSettings::max_seconds)
      .def_readwrite("options", &RunSettings::options)
      .def_readwrite("out", &RunSettings::out)
      .def_readwrite("resume", &RunSettings::resume)
      .def_readwrite("force", &RunSettings::force);
  module.def(
      "train",
      [](const RunSettings& settings, const std::optional<CallableTask>& task, double checkpoint_seconds,
         bool progress, py::function interrupted) {
        const Control control{checkpoint_seconds, progress, std::move(interrupted)};
        const py::gil_scoped_release solving;
        ProblemRegistry problems = builtin_problems();
        if (task) task->add_to(problems);
        return run_training(settings, problems, control);
      },
      py::arg("settings"), py::arg("task"), py::arg("checkpoint_seconds"), py::arg("progress"),
      py::arg("interrupted"));
}

}  // namespace polystep::python
