#include "callable_task.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>

#include <cmath>
#include <numeric>

#include "polystep/error.hpp"
#include "polystep/random.hpp"

namespace polystep::python {
namespace {

// Rows of a split: features [rows × columns] and truth [rows × columns], checked and copied.
Split make_split(const DoubleArray& features, const DoubleArray& truth, std::size_t first_instance) {
  Split split;
  split.rows = static_cast<std::size_t>(features.shape(0));
  split.feature_columns = static_cast<std::size_t>(features.shape(1));
  split.truth_columns = static_cast<std::size_t>(truth.shape(1));
  split.features = to_vector(features);
  split.truth = to_vector(truth);
  for (std::size_t row = 0; row < split.rows; ++row) split.instances.push_back(first_instance + row);
  return split;
}

// What a configuration file says of such a task. It cannot hold the callables and the data; it tells whether
// they could be the same.
OptionTable describing_options(const CallableTask& task) {
  OptionTable table;
  table.text("fingerprint", task.fingerprint, "of the arrays")
      .text("predictor", task.predictor.kind, "that was trained")
      .text("hidden", fmt::format("{}", fmt::join(task.predictor.layers, ",")), "units of its hidden layers")
      .text("tensors", task.tensor_names, "names of its tensors, where they were given")
      .choice("sense", task.callables->sense == Sense::kMinimise ? "min" : "max", {"min", "max"},
              "what is wanted of the realised cost")
      .choice("objective", task.callables->cost.is_none() ? "linear" : "callable", {"linear", "callable"},
              "who says what a decision costs")
      .choice("metric", task.metric == RegretMetric::kRelative ? "relative" : "absolute",
              {"relative", "absolute"}, "of regret")
      .integer("decision-size", static_cast<std::int64_t>(task.decision_size), 1, 1'000'000'000,
               "components of a decision");
  return table;
}

std::unique_ptr<Problem> make_problem(const CallableTask& task) {
  return std::make_unique<CallableProblem>(task.predictor.outputs, task.decision_size, task.callables);
}

Task make_task(const CallableTask& task) {
  Task made;
  made.setting = task.setting;
  made.problem = make_problem(task);
  made.predictor = make_predictor(task.predictor);
  if (!task.start.empty()) made.predictor->start_from(task.start);
  made.data = task.data;
  made.metric = task.metric;
  return made;
}

// Row numbers of training, validation and test, dealt at random as split_at_random deals them. A share of 0
// has no rows; where both are, training rows keep their order.
std::vector<std::vector<std::size_t>> split_rows(std::size_t rows, double validation_share, double test_share,
                                                 std::uint64_t seed) {
  const auto is_share = [](double share) { return share >= 0 && share < 1; };
  if (!is_share(validation_share) || !is_share(test_share) || validation_share + test_share >= 1)
    throw InputError(
        fmt::format("split: found shares {} and {}, expected two from 0 that leave rows to train on",
                    validation_share, test_share));
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (validation_share + test_share == 0) return {order, {}, {}};
  RandomStream stream(seed, Purpose::kSplit);
  for (std::size_t i = rows; i > 1; --i) std::swap(order[i - 1], order[stream.below(i)]);
  const auto total = static_cast<double>(rows);
  const auto validation = order.begin() + std::lround(validation_share * total);
  const auto test = validation + std::lround(test_share * total);
  return {{test, order.end()}, {order.begin(), validation}, {validation, test}};
}

}  // namespace

void CallableTask::add_to(ProblemRegistry& problems) const {
  for (const ProblemEntry& entry : problems.entries())
    if (entry.name == name)
      throw InputError(fmt::format("name: '{}' is a built-in problem, expected another name", name));
  problems.add({.name = name,
                .help = "decided by Python callables",
                .options = describing_options(*this),
                .make = [task = *this](const Options&, const TaskContext&) { return make_task(task); },
                .facts = [task = *this](const Options&) { return make_problem(task)->facts(); }});
}

void bind_callable_task(py::module_& module) {
  module.def("split_rows", &split_rows, py::arg("rows"), py::arg("validation"), py::arg("test"),
             py::arg("seed"));
  // Only kinds whose features are plain tables: what arrays can hold.
  module.def("predictor_kinds", [] {
    std::vector<PredictorEntry> kinds;
    for (const PredictorEntry& entry : predictor_entries())
      if (entry.reads_tables()) kinds.push_back(entry);
    return kinds;
  });
  module.def("dense_predictor", &dense_predictor, py::arg("hidden_layers"));
  py::class_<PredictorEntry>(module, "PredictorEntry")
      .def_readonly("name", &PredictorEntry::name)
      .def_readonly("help", &PredictorEntry::help)
      .def_property_readonly(
          "row_per_output",
          [](const PredictorEntry& entry) { return entry.entry == FeatureEntry::kPerOutput; })
      .def_readonly("lists_layers", &PredictorEntry::lists_layers)
      .def_readonly("least_layers", &PredictorEntry::least_layers);
  py::class_<PredictorShape>(module, "PredictorShape")
      .def(py::init([](std::string kind, std::size_t features, std::size_t outputs,
                       std::vector<std::size_t> hidden) {
             PredictorShape shape{std::move(kind), features, outputs};
             shape.layers = std::move(hidden);
             return shape;
           }),
           py::arg("kind"), py::arg("features"), py::arg("outputs"), py::arg("hidden"))
      .def_readonly("kind", &PredictorShape::kind)
      .def_readonly("features", &PredictorShape::features)
      .def_readonly("outputs", &PredictorShape::outputs)
      .def_readonly("hidden", &PredictorShape::layers);
  py::class_<CallableTask>(module, "CallableTask")
      .def(py::init(
               [](std::string name, std::string setting, py::function decide, py::object cost,
                  py::object known, bool maximise, bool relative, bool predicts_constraints,
                  std::size_t batch_rows, std::size_t decision_size, PredictorShape predictor,
                  std::vector<double> start, const std::vector<std::pair<DoubleArray, DoubleArray>>& splits,
                  std::string tensor_names, std::string fingerprint, std::vector<std::string> feature_names) {
                 CallableTask task;
                 task.name = std::move(name);
                 task.setting = std::move(setting);
                 task.callables = share({std::move(decide), std::move(cost), std::move(known),
                                         maximise ? Sense::kMaximise : Sense::kMinimise, batch_rows,
                                         predicts_constraints});
                 task.decision_size = decision_size;
                 task.predictor = std::move(predictor);
                 task.start = std::move(start);
                 task.metric = relative ? RegretMetric::kRelative : RegretMetric::kAbsolute;
                 std::size_t first_instance = 0;
                 Split* const parts[] = {&task.data.training, &task.data.validation, &task.data.test};
                 for (std::size_t part = 0; part < 3; ++part) {
                   *parts[part] = make_split(splits.at(part).first, splits.at(part).second, first_instance);
                   first_instance += parts[part]->rows;
                 }
                 task.data.feature_names = std::move(feature_names);
                 task.tensor_names = std::move(tensor_names);
                 task.fingerprint = std::move(fingerprint);
                 return task;
               }),
           py::kw_only(), py::arg("name"), py::arg("setting"), py::arg("decide"), py::arg("cost"),
           py::arg("known"), py::arg("maximise"), py::arg("relative"), py::arg("predicts_constraints"),
           py::arg("batch_rows"), py::arg("decision_size"), py::arg("predictor"), py::arg("start"),
           py::arg("splits"), py::arg("tensor_names"), py::arg("fingerprint"), py::arg("feature_names"));
}

}  // namespace polystep::python
