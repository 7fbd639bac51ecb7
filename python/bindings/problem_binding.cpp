#include "problem_binding.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <limits>
#include <optional>

#include "arrays.hpp"
#include "polystep/error.hpp"
#include "polystep/method.hpp"
#include "runtime/run/run_request.hpp"

namespace polystep::python {
namespace {

using Names = std::vector<std::pair<std::string, std::string>>;  // and what they mean
using Rows = std::optional<std::vector<std::size_t>>;            // instance numbers; none: 0, 1, ...

struct OptionInfo {
  std::string name, type, help, expected;
  OptionValue fallback;
};

std::vector<OptionInfo> describe(const OptionTable& table) {
  std::vector<OptionInfo> options;
  for (const OptionSpec& spec : table.specs())
    options.push_back({spec.name, spec.type_name(), spec.help, spec.expectation(), spec.fallback});
  return options;
}

std::size_t checked_rows(const DoubleArray& array, const char* name, std::size_t columns) {
  if (array.ndim() != 2 || static_cast<std::size_t>(array.shape(1)) != columns)
    throw InputError(
        fmt::format("{}: found an array of shape {}, expected (rows, {})", name, shape_text(array), columns));
  return static_cast<std::size_t>(array.shape(0));
}

void check_instances(const Rows& instances, std::size_t rows) {
  if (instances && instances->size() != rows)
    throw InputError(
        fmt::format("instances: found {} numbers, expected {}, one per row", instances->size(), rows));
}

// Decisions [rows × decision size] for predictions [rows × outputs]; a row without a decision is NaN.
DoubleArray decide(const Task& task, const DoubleArray& predictions, const Rows& instances) {
  const Problem& problem = *task.problem;
  const std::size_t rows = checked_rows(predictions, "predictions", problem.outputs());
  check_instances(instances, rows);
  const std::size_t size = problem.decision_size();
  DoubleArray decisions({static_cast<py::ssize_t>(rows), static_cast<py::ssize_t>(size)});
  const std::span<const double> asked = view(predictions);
  const std::span<double> decided(decisions.mutable_data(), rows * size);
  const py::gil_scoped_release solving;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::span<double> decision = decided.subspan(row * size, size);
    std::fill(decision.begin(), decision.end(), 0.0);
    SolveStatus status = SolveStatus::kFailed;
    try {
      status = problem.decide(asked.subspan(row * problem.outputs(), problem.outputs()),
                              instances ? (*instances)[row] : row, decision);
    } catch (const std::exception&) {  // a solver that throws has failed on this row alone, as in training
    }
    if (status != SolveStatus::kSolved)
      std::fill(decision.begin(), decision.end(), std::numeric_limits<double>::quiet_NaN());
  }
  return decisions;
}

DoubleArray cost(const Task& task, const DoubleArray& decisions, const DoubleArray& truth,
                 const Rows& instances) {
  const std::size_t size = task.problem->decision_size(), columns = task.data.test.truth_columns;
  const std::size_t rows = checked_rows(decisions, "decisions", size);
  check_instances(instances, rows);
  if (checked_rows(truth, "truth", columns) != rows)
    throw InputError(fmt::format("truth: found {} rows, expected {} as in decisions", truth.shape(0), rows));
  DoubleArray costs(static_cast<py::ssize_t>(rows));
  for (std::size_t row = 0; row < rows; ++row)
    costs.mutable_data()[row] =
        task.problem->cost(view(decisions).subspan(row * size, size),
                           view(truth).subspan(row * columns, columns), instances ? (*instances)[row] : row);
  return costs;
}

// Rows as a model takes them: features in the data's own units, where the task has scaled them.
py::dict to_dict(const Split& split, const FeatureScaling& scaling) {
  std::vector<double> features = split.features;
  for (std::size_t i = 0; !scaling.mean.empty() && i < features.size(); ++i) {
    const std::size_t feature = i % scaling.mean.size();
    features[i] = features[i] * scaling.deviation[feature] + scaling.mean[feature];
  }
  std::vector<std::size_t> instances;
  for (std::size_t row = 0; row < split.rows; ++row) instances.push_back(split.instance(row));
  py::dict rows;
  rows["features"] = to_array(features, split.rows, split.feature_columns);
  rows["truth"] = to_array(split.truth, split.rows, split.truth_columns);
  rows["instances"] = IndexArray(py::cast(instances));
  return rows;
}

std::shared_ptr<Task> make_builtin(const std::string& name, const Names& options, std::uint64_t seed,
                                   const std::optional<std::string>& data) {
  const py::gil_scoped_release reading;
  const ProblemRegistry problems = builtin_problems();
  RunConfig config;
  config.problem = name;
  config.seed = seed;
  config.data = data;
  std::vector<GivenOption> given;
  for (const auto& [key, text] : options) given.push_back({key, text, "polystepor.problem"});
  RunRequest request = resolve_run(problems, config, "polystepor.problem", given);
  return std::make_shared<Task>(make_task(request));
}

}  // namespace

void bind_problems(py::module_& module) {
  py::class_<OptionInfo>(module, "Option", "One option of a problem or a method.")
      .def_readonly("name", &OptionInfo::name)
      .def_readonly("type", &OptionInfo::type)
      .def_readonly("help", &OptionInfo::help)
      .def_readonly("expected", &OptionInfo::expected)
      .def_readonly("default", &OptionInfo::fallback)
      .def("__repr__", [](const OptionInfo& option) {
        return fmt::format("<Option {}={}: {}>", option.name, format_value(option.fallback), option.help);
      });
  module.def("problems", [] {
    std::vector<std::tuple<std::string, std::string, std::vector<OptionInfo>>> entries;
    const ProblemRegistry registry = builtin_problems();
    for (const ProblemEntry& entry : registry.entries())
      entries.emplace_back(entry.name, entry.help, describe(entry.options));
    return entries;
  });
  module.def("methods", [] {
    std::vector<std::tuple<std::string, std::string, std::vector<OptionInfo>, Names>> entries;
    for (const MethodEntry& entry : methods()) {
      Names presets;
      for (const Preset& preset : entry.presets) presets.emplace_back(preset.name, preset.help);
      entries.emplace_back(entry.name, entry.help, describe(entry.options), presets);
    }
    return entries;
  });
  py::class_<Task, std::shared_ptr<Task>>(module, "Task")
      .def(py::init(&make_builtin), py::arg("name"), py::arg("options"), py::arg("seed"), py::arg("data"))
      .def_readonly("setting", &Task::setting)
      .def_property_readonly("outputs", [](const Task& task) { return task.problem->outputs(); })
      .def_property_readonly("decision_size", [](const Task& task) { return task.problem->decision_size(); })
      .def_property_readonly("predictor", [](const Task& task) { return task.predictor->kind(); })
      .def_property_readonly("relative",
                             [](const Task& task) { return task.metric == RegretMetric::kRelative; })
      .def_property_readonly("training",
                             [](const Task& task) { return to_dict(task.data.training, task.data.scaling); })
      .def_property_readonly(
          "validation", [](const Task& task) { return to_dict(task.data.validation, task.data.scaling); })
      .def_property_readonly("test",
                             [](const Task& task) { return to_dict(task.data.test, task.data.scaling); })
      .def("decide", &decide, py::arg("predictions"), py::arg("instances"))
      .def("cost", &cost, py::arg("decisions"), py::arg("truth"), py::arg("instances"));
}

}  // namespace polystep::python
