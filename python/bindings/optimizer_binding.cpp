#include "optimizer_binding.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <array>

#include "arrays.hpp"
#include "polystep/error.hpp"
#include "polystep/optimizer.hpp"
#include "polystep/options.hpp"

namespace polystep::python {
namespace {

[[noreturn]] void refuse(const std::string& name, py::handle value, const std::string& expected) {
  throw InputError(
      fmt::format("PolyStep: {} is {}, expected {}", name, std::string(py::repr(value)), expected));
}

template <class T>
T convert(const std::string& name, py::handle value, const char* expected) try {
  return value.cast<T>();
} catch (const py::cast_error&) {
  refuse(name, value, expected);
}

// A choice by its name in one of the tables of optimizer_options.hpp.
template <class Kind, std::size_t count>
Kind choose(const std::string& name, py::handle value,
            const std::array<std::pair<std::string_view, Kind>, count>& choices) {
  std::string names;
  for (const auto& [choice, kind] : choices) {
    if (py::isinstance<py::str>(value) && value.cast<std::string>() == choice) return kind;
    names += (names.empty() ? "one of " : ", ") + std::string(choice);
  }
  refuse(name, value, names);
}

// A number, or (start, end, horizon) with an optional kind: (1.0, 0.1, 200, "cosine").
Schedule to_schedule(const std::string& name, py::handle value) {
  constexpr const char* kExpected = "a number or (start, end, horizon[, 'linear' or 'cosine'])";
  if (!py::isinstance<py::tuple>(value)) return Schedule::constant(convert<double>(name, value, kExpected));
  const auto parts = value.cast<py::tuple>();
  if (parts.size() != 3 && parts.size() != 4) refuse(name, value, kExpected);
  return {.kind = parts.size() == 4 ? choose(name, parts[3], kScheduleKinds) : ScheduleKind::kCosine,
          .start = convert<double>(name, parts[0], kExpected),
          .end = convert<double>(name, parts[1], kExpected),
          .horizon = convert<std::size_t>(name, parts[2], kExpected)};
}

// Every field of PolyStepOptions by its name.
const std::map<std::string, void (*)(PolyStepOptions&, const std::string&, py::handle)>& setters() {
  using Options = PolyStepOptions;
#define POLYSTEP_SCHEDULE(field)                                                                 \
  {                                                                                              \
#field, [](Options & o, const std::string& n, py::handle v) { o.field = to_schedule(n, v); } \
  }
#define POLYSTEP_CHOICE(field, table)                                                              \
  {                                                                                                \
#field, [](Options & o, const std::string& n, py::handle v) { o.field = choose(n, v, table); } \
  }
#define POLYSTEP_VALUE(field, type, expected)                                                                \
  {                                                                                                          \
#field, [](Options & o, const std::string& n, py::handle v) { o.field = convert<type>(n, v, expected); } \
  }
  static const std::map<std::string, void (*)(Options&, const std::string&, py::handle)> table = {
      POLYSTEP_VALUE(block_size, std::size_t, "a whole number"),
      POLYSTEP_CHOICE(last_block, kLastBlocks),
      POLYSTEP_CHOICE(polytope, kPolytopeKinds),
      POLYSTEP_CHOICE(rotation, kRotationKinds),
      POLYSTEP_SCHEDULE(probe_radius),
      POLYSTEP_VALUE(radii, std::size_t, "a whole number"),
      POLYSTEP_CHOICE(radii_rule, kRadiiRules),
      POLYSTEP_VALUE(radius_jitter, double, "a number"),
      POLYSTEP_SCHEDULE(temperature),
      POLYSTEP_CHOICE(cost_scale, kCostScales),
      POLYSTEP_VALUE(fixed_scale, double, "a number"),
      POLYSTEP_CHOICE(weight_rule, kWeightRules),
      POLYSTEP_VALUE(fixed_temperature, double, "a number"),
      POLYSTEP_VALUE(column_penalty, double, "a number"),
      POLYSTEP_VALUE(top_count, std::size_t, "a whole number"),
      POLYSTEP_SCHEDULE(step_length),
      POLYSTEP_SCHEDULE(momentum),
      POLYSTEP_VALUE(velocity_gain, double, "a number"),
      POLYSTEP_VALUE(lengths_relative_to_temperature, bool, "True or False"),
      POLYSTEP_VALUE(adaptive_radius, bool, "True or False"),
  };
#undef POLYSTEP_SCHEDULE
#undef POLYSTEP_CHOICE
#undef POLYSTEP_VALUE
  return table;
}

PolyStepOptions to_options(const py::dict& given) {
  PolyStepOptions options;
  for (const auto& [key, value] : given) {
    const auto name = key.cast<std::string>();
    const auto setter = setters().find(name);
    if (setter == setters().end()) {
      std::vector<std::string> names;
      for (const auto& [known, set] : setters()) names.push_back(known);
      throw_unknown_name("PolyStep", "option", name, names);
    }
    setter->second(options, name, value);
  }
  return options;
}

std::unique_ptr<PolyStep> make_optimizer(const DoubleArray& start, std::uint64_t seed,
                                         std::size_t search_dimension, const py::dict& options) {
  if (start.size() == 0) throw InputError("PolyStep: start has no entries, expected at least one");
  std::unique_ptr<SearchSpace> space;
  if (search_dimension == 0) {
    space = make_full_space(to_vector(start));
  } else {
    MovingSpaceOptions moving;
    moving.dimension = search_dimension;
    space = make_moving_space(to_vector(start), moving, seed);
  }
  return std::make_unique<PolyStep>(std::move(space), to_options(options), seed);
}

// All candidates of this step, [probes × parameters].
DoubleArray ask(PolyStep& optimizer) {
  const std::size_t probes = optimizer.ask().size(), size = optimizer.space().parameter_count();
  DoubleArray candidates({static_cast<py::ssize_t>(probes), static_cast<py::ssize_t>(size)});
  const std::span<double> all(candidates.mutable_data(), probes * size);
  for (std::size_t probe = 0; probe < probes; ++probe)
    optimizer.candidate(probe, all.subspan(probe * size, size));
  return candidates;
}

void tell(PolyStep& optimizer, const DoubleArray& costs) {
  const std::size_t expected = optimizer.ask().size();
  if (costs.ndim() != 1 || static_cast<std::size_t>(costs.size()) != expected)
    throw InputError(fmt::format("tell: found costs of shape {}, expected ({},), one per probe",
                                 shape_text(costs), expected));
  optimizer.tell(view(costs));
}

py::bytes save(const PolyStep& optimizer) {
  ArchiveWriter archive;
  optimizer.save(archive);
  return {reinterpret_cast<const char*>(archive.bytes().data()), archive.bytes().size()};
}

void load(PolyStep& optimizer, const std::string& bytes) {
  ArchiveReader archive(std::as_bytes(std::span(bytes.data(), bytes.size())), "the saved optimizer");
  optimizer.load(archive);
}

}  // namespace

void bind_optimizer(py::module_& module) {
  py::class_<StepReport>(module, "StepReport", "What the last step of PolyStep did.")
      .def_readonly("step", &StepReport::step)
      .def_readonly("temperature", &StepReport::temperature)
      .def_readonly("step_length", &StepReport::step_length)
      .def_readonly("probe_radius", &StepReport::probe_radius)
      .def_readonly("radii", &StepReport::radii)
      .def_readonly("mean_cost", &StepReport::mean_cost)
      .def_readonly("best_cost", &StepReport::best_cost)
      .def_readonly("displacement", &StepReport::displacement)
      .def_readonly("flat_blocks", &StepReport::flat_blocks)
      .def_readonly("replaced_costs", &StepReport::replaced_costs);
  py::class_<PolyStep>(module, "PolyStep")
      .def(py::init(&make_optimizer), py::arg("start"), py::arg("seed"), py::arg("search_dimension"),
           py::arg("options"))
      .def("ask", &ask)
      .def("tell", &tell, py::arg("costs"))
      .def_property_readonly("parameters",
                             [](const PolyStep& optimizer) { return to_array(optimizer.parameters()); })
      .def_property_readonly("step", &PolyStep::step)
      .def_property_readonly("report", [](const PolyStep& optimizer) { return optimizer.report(); })
      .def("save", &save)
      .def("load", &load, py::arg("state"));
}

}  // namespace polystep::python
