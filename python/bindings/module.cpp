// The compiled part of the Python package: thin, because what a user sees is python/polystepor.
#include <pybind11/pybind11.h>

#include "callable_task.hpp"
#include "comparison_binding.hpp"
#include "model_binding.hpp"
#include "optimizer_binding.hpp"
#include "polystep/error.hpp"
#include "polystep/version.hpp"
#include "problem_binding.hpp"
#include "training_binding.hpp"

PYBIND11_MODULE(_core, module) {
  using namespace polystep::python;
  module.attr("version") = polystep::kVersion;
  py::register_exception<polystep::InputError>(module, "InputError", PyExc_ValueError).doc() =
      "Something that was given cannot be used; one sentence says what was found and what was expected.";
  bind_callable_task(module);
  bind_training(module);
  bind_model(module);
  bind_problems(module);
  bind_optimizer(module);
  bind_comparison(module);
}
