// A run's trained predictor: features in, predictions out.
#pragma once

#include <pybind11/pybind11.h>

namespace polystep::python {

void bind_model(pybind11::module_& module);

}  // namespace polystep::python
