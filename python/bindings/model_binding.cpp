#include "model_binding.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "polystep/aligned.hpp"
#include "polystep/error.hpp"
#include "polystep/tile.hpp"
#include "runtime/run/config_file.hpp"
#include "runtime/run/model_file.hpp"
#include "runtime/run/run_directory.hpp"

namespace polystep::python {
namespace {

// A trained predictor, apart from the problem it was trained on.
class Model {
 public:
  explicit Model(const std::string& file) : saved_(read_model(file)), predictor_(saved_.make_predictor()) {}

  // Raw features [rows × feature columns] to predictions [rows × outputs].
  DoubleArray predict(const DoubleArray& features) const {
    const std::size_t columns = predictor_->feature_columns(), outputs = predictor_->outputs();
    if (features.ndim() != 2 || static_cast<std::size_t>(features.shape(1)) != columns)
      throw InputError(fmt::format("features: found an array of shape {}, expected (rows, {})",
                                   shape_text(features), columns));
    const auto rows = static_cast<std::size_t>(features.shape(0));
    DoubleArray predictions({features.shape(0), static_cast<py::ssize_t>(outputs)});
    const double* from = features.data();
    double* to = predictions.mutable_data();
    const py::gil_scoped_release computing;
    AlignedDoubles lanes_of_features(columns * kLanes), predicted(outputs * kLanes);
    Tile tile;
    tile.features = lanes_of_features.data();
    tile.shape.features = columns;
    for (std::size_t first = 0; first < rows; first += kLanes) {
      const std::size_t lanes = std::min(kLanes, rows - first);
      for (std::size_t lane = 0; lane < lanes; ++lane)
        for (std::size_t f = 0; f < columns; ++f)
          lanes_of_features[f * kLanes + lane] = scaled(from[(first + lane) * columns + f], f);
      predictor_->predict(saved_.parameters, tile, predicted.data());
      for (std::size_t lane = 0; lane < lanes; ++lane)
        for (std::size_t o = 0; o < outputs; ++o)
          to[(first + lane) * outputs + o] = predicted[o * kLanes + lane];
    }
    return predictions;
  }

  const SavedModel& saved() const { return saved_; }
  const Predictor& predictor() const { return *predictor_; }

 private:
  double scaled(double raw, std::size_t column) const {
    if (saved_.scaling.mean.empty()) return raw;
    const std::size_t feature = column % saved_.scaling.mean.size();
    return (raw - saved_.scaling.mean[feature]) / saved_.scaling.deviation[feature];
  }

  SavedModel saved_;
  std::unique_ptr<Predictor> predictor_;
};

// The tensors of a model in order, by name.
py::dict tensors_of(const Model& model) {
  py::dict tensors;
  std::size_t first = 0;
  for (const TensorShape& tensor : model.predictor().tensors()) {
    const auto values = std::span(model.saved().parameters).subspan(first, tensor.size());
    const std::vector<py::ssize_t> shape(tensor.dimensions.begin(), tensor.dimensions.end());
    tensors[py::str(tensor.name)] = to_array(values).reshape(shape);
    first += tensor.size();
  }
  return tensors;
}

// A configuration as (problem, {option: value} of the problem).
std::pair<std::string, std::map<std::string, OptionValue>> problem_of(const std::string& directory) {
  const RunConfig config = read_config(RunDirectory::open_to_read(directory).config());
  std::map<std::string, OptionValue> options;
  if (!config.problem) throw InputError(directory + "/config.toml names no problem, expected one");
  const auto section = config.sections.find(*config.problem);
  if (section != config.sections.end())
    for (const ConfigEntry& entry : section->second) options.emplace(entry.key, entry.value);
  return {*config.problem, options};
}

}  // namespace

void bind_model(py::module_& module) {
  py::class_<Model>(module, "Model")
      .def(py::init<const std::string&>(), py::arg("file"))
      .def("predict", &Model::predict, py::arg("features"))
      .def_property_readonly("kind", [](const Model& model) { return model.predictor().kind(); })
      .def_property_readonly("row_features",
                             [](const Model& model) { return model.predictor().row_features(); })
      .def_property_readonly("feature_columns",
                             [](const Model& model) { return model.predictor().feature_columns(); })
      .def_property_readonly("outputs", [](const Model& model) { return model.predictor().outputs(); })
      .def_property_readonly("feature_names", [](const Model& model) { return model.saved().feature_names; })
      .def_property_readonly("failure_cost", [](const Model& model) { return model.saved().failure_cost; })
      .def_property_readonly("parameters",
                             [](const Model& model) { return to_array(model.saved().parameters); })
      .def("tensors", &tensors_of);
  module.def("problem_of", &problem_of, py::arg("directory"));
}

}  // namespace polystep::python
